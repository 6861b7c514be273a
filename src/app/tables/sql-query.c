/* SPDX-License-Identifier: Apache-2.0 */
/* Runs queries in SQL on a history, for a table. */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/tables/sql-result.h"
#include "history/tables.h"

enum
{
  MOST_BYTES = 64 << 20, /* of texts and values that are kept */
};

LcSqlQuery *
lc_sql_query_new (const char *path, const char *text)
{
  LcSqlQuery *query = g_new (LcSqlQuery, 1);

  *query = (LcSqlQuery){g_strdup (path), g_strdup (text)};
  return query;
}

void
lc_sql_query_free (gpointer data)
{
  LcSqlQuery *query = data;

  g_free (query->path);
  g_free (query->text);
  g_free (query);
}

void
lc_sql_answer_free (gpointer data)
{
  LcSqlAnswer *answer = data;

  g_clear_pointer (&answer->result, lc_result_unref);
  g_free (answer->problem);
  g_free (answer);
}

/* --- Values ------------------------------------------------------------------------------------------------------ */

static char *
sql_query_dup_bytes (LcStatement *statement, int column)
{
  GString *digits = g_string_new (NULL);
  gsize size;
  const guint8 *data = lc_statement_blob (statement, column, &size);

  for (gsize i = 0; i < size; i++)
    g_string_append_printf (digits, "%02x", data[i]);
  return g_string_free (digits, FALSE);
}

/* Bytes are a text, of hexadecimal digits, and a real number is told as SQLite writes it. */
static void
sql_query_keep (LcResult *result, LcStatement *statement, int column)
{
  LcCell cell = {.type = lc_statement_type (statement, column), .is_signed = TRUE};
  g_autofree char *bytes = cell.type == LC_VALUE_BLOB ? sql_query_dup_bytes (statement, column) : NULL;

  if (cell.type == LC_VALUE_INT)
    cell.integer = lc_statement_int (statement, column);
  if (cell.type == LC_VALUE_REAL)
    cell.real = lc_statement_real (statement, column);
  if (cell.type == LC_VALUE_REAL || cell.type == LC_VALUE_TEXT)
    cell.text = lc_statement_text (statement, column);
  else if (cell.type == LC_VALUE_BLOB)
    {
      cell.type = LC_VALUE_TEXT;
      cell.text = bytes;
    }
  lc_result_add_cell (result, &cell);
}

static LcResult *
sql_query_new_result (LcStatement *statement)
{
  LcResult *result = lc_result_new ("NULL");

  for (int i = 0; i < lc_statement_n_columns (statement); i++)
    {
      const char *name = lc_statement_column_name (statement, i);

      lc_result_add_column (result, name, name, LC_CELL_TEXT);
    }
  return result;
}

/* Keeps as many rows as there is room for. */
static LcResult *
sql_query_take (LcStatement *statement, GError **error)
{
  g_autoptr (LcResult) result = sql_query_new_result (statement);
  LcStep step = LC_STEP_ROW;
  gboolean is_cut = FALSE;

  while (!is_cut && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    {
      is_cut = result->n_rows >= LC_SQL_MOST_ROWS || result->n_bytes > MOST_BYTES;
      for (guint i = 0; !is_cut && i < result->columns->len; i++)
        sql_query_keep (result, statement, (int)i);
    }
  if (step == LC_STEP_ERROR)
    return NULL;
  lc_result_end (result, is_cut ? 1 : 0);
  return g_steal_pointer (&result);
}

/* --- Running ----------------------------------------------------------------------------------------------------- */

/* SQLite counts lines and columns from the begin of a statement. -1: the message has no place. */
static gint
sql_query_find_place (const char *text, const char *statement, const char *message)
{
  const char *at = strrchr (message, '('), *begin = statement + strspn (statement, " \t\r\n");
  int line, column;

  if (at == NULL || sscanf (at, "(line %d, column %d)", &line, &column) != 2)
    return -1;
  for (; line > 1 && strchr (begin, '\n') != NULL; line--)
    begin = strchr (begin, '\n') + 1;
  return (gint)g_utf8_strlen (text, begin - text) + column - 1;
}

/* A mistake in the query is an answer; a fault of the file is an error. */
static gboolean
sql_query_is_answer (LcSqlAnswer *answer, const LcSqlQuery *query, const char *statement, const GError *error)
{
  gsize length = strlen (query->path);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY))
    answer->problem = g_strdup (_ ("A history can only be read."));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT) &&
           g_str_has_prefix (error->message, query->path) && error->message[length] == ':')
    {
      answer->problem = g_strdup (error->message + length + 1);
      g_strchug (answer->problem);
      answer->place = sql_query_find_place (query->text, statement, answer->problem);
    }
  return answer->problem != NULL;
}

static gboolean
sql_query_run_all (LcDatabase *database, const LcSqlQuery *query, LcSqlAnswer *answer, GError **error)
{
  g_autoptr (GError) own = NULL;
  const char *at = query->text;

  while (own == NULL)
    {
      const char *begin = at;
      LcStatement *statement = lc_database_prepare (database, begin, &at, &own);
      LcResult *result = statement != NULL ? sql_query_take (statement, &own) : NULL;
      gboolean is_last = statement == NULL;

      lc_statement_free (statement);
      if (result != NULL)
        {
          g_clear_pointer (&answer->result, lc_result_unref);
          answer->result = result;
        }
      if (own != NULL && sql_query_is_answer (answer, query, begin, own))
        return TRUE;
      if (own == NULL && is_last)
        return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&own));
  return FALSE;
}

static void
sql_query_interrupt (GCancellable *cancellable, gpointer database)
{
  lc_database_interrupt (database);
}

static LcDatabase *
sql_query_open (const char *path, GError **error)
{
  LcDatabase *database = lc_database_open (path, error);

  if (database != NULL && lc_tables_add (database, error))
    return database;
  lc_database_close (database);
  return NULL;
}

gpointer
lc_sql_query_run (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcSqlQuery *query = data;
  LcDatabase *database = sql_query_open (query->path, error);
  LcSqlAnswer *answer;
  gulong handler;

  if (database == NULL)
    return NULL;
  answer = g_new0 (LcSqlAnswer, 1);
  answer->place = -1;
  handler = g_cancellable_connect (cancellable, G_CALLBACK (sql_query_interrupt), database, NULL);
  if (!sql_query_run_all (database, query, answer, error))
    g_clear_pointer (&answer, lc_sql_answer_free);
  g_cancellable_disconnect (cancellable, handler);
  lc_database_close (database);
  return answer;
}

/* --- Words ------------------------------------------------------------------------------------------------------- */

static const char *const words[] = {
    "SELECT", "FROM",  "WHERE",   "GROUP BY", "ORDER BY", "LIMIT", "HAVING", "JOIN", "LEFT JOIN", "DISTINCT",
    "COUNT",  "SUM",   "AVG",     "MIN",      "MAX",      "DESC",  "ASC",    "LIKE", "BETWEEN",   "USING",
    "WITH",   "UNION", "IS NULL", "IS NOT",   "CASE",     "WHEN",  "THEN",   "ELSE", "COALESCE",  "EXISTS",
};

static int
sql_query_compare (gconstpointer a, gconstpointer b)
{
  return g_ascii_strcasecmp (*(const char *const *)a, *(const char *const *)b);
}

static gboolean
sql_query_add_columns (LcDatabase *database, const char *table, GHashTable *found, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, "SELECT name FROM pragma_table_info (?1)", NULL, error);
  LcStep step = LC_STEP_ERROR;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_text (statement, 1, table);
  while ((step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    g_hash_table_add (found, g_strdup (lc_statement_text (statement, 0)));
  lc_statement_free (statement);
  return step == LC_STEP_DONE;
}

/* Tables that store the data behind the others have columns of bytes. */
static gboolean
sql_query_add_small (LcDatabase *database, GPtrArray *tables, GError **error)
{
  LcStatement *statement =
      lc_database_prepare (database,
                           "SELECT name FROM sqlite_schema AS t WHERE type IN ('table', 'view')"
                           " AND NOT EXISTS (SELECT 1 FROM pragma_table_info (t.name) WHERE type = 'BLOB')",
                           NULL, error);
  LcStep step = LC_STEP_ERROR;

  while (statement != NULL && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    g_ptr_array_add (tables, g_strdup (lc_statement_text (statement, 0)));
  lc_statement_free (statement);
  return step == LC_STEP_DONE;
}

static char **
sql_query_sort_words (GHashTable *found)
{
  guint n;
  gpointer *keys = g_hash_table_get_keys_as_array (found, &n);
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (sorted, g_strdup (keys[i]));
  g_ptr_array_sort (sorted, sql_query_compare);
  g_ptr_array_add (sorted, NULL);
  g_free (keys);
  return (char **)g_ptr_array_free (sorted, FALSE);
}

gpointer
lc_sql_list_words (gpointer path, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (g_free);
  LcDatabase *database = sql_query_open (path, error);
  gboolean good;

  if (database == NULL)
    return NULL;
  for (gsize i = 0; lc_tables_names[i] != NULL; i++)
    g_ptr_array_add (tables, g_strdup (lc_tables_names[i]));
  good = sql_query_add_small (database, tables, error);
  for (guint i = 0; i < tables->len && good; i++)
    {
      good = sql_query_add_columns (database, tables->pdata[i], found, error);
      g_hash_table_add (found, g_strdup (tables->pdata[i]));
    }
  lc_database_close (database);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    g_hash_table_add (found, g_strdup (words[i]));
  return good ? sql_query_sort_words (found) : NULL;
}
