/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a result of SQL, sorted and filtered, with links where the names of columns say what they are of. */
#include <string.h>

#include "app/tables/sql-result.h"
#include "app/tables/sql-value.h"
#include "trace/quantities.h"

enum
{
  LOOKED_AT = 200, /* rows that decide how wide columns are, and whether they have numbers */
  LEAST_WIDTH = 60,
  MOST_WIDTH = 360,
  LETTER = 8, /* px */
};

/* The target of a column: the columns that have its numbers, or -1. */
typedef struct
{
  LcTableLinkKind kind;
  gint first;
  gint second;
} SqlLink;

typedef struct
{
  LcTableSource parent;

  LcSqlResult *result;
  SqlLink *links; /* by column */
  guint32 *rows;  /* those that are shown, in order */
} SqlRows;

void
lc_sql_rows_asked_free (gpointer data)
{
  LcSqlRowsAsked *asked = data;

  lc_sql_result_unref (asked->result);
  g_free (asked->filter);
  g_free (asked);
}

static void
sql_rows_free (LcTableSource *parent)
{
  SqlRows *rows = (SqlRows *)parent;

  lc_sql_result_unref (rows->result);
  g_free (rows->links);
  g_free (rows->rows);
  g_free (rows);
}

static const LcSqlValue *
sql_rows_get (const LcSqlResult *result, guint row, guint column)
{
  return &g_array_index (result->values, LcSqlValue, row * result->n_columns + column);
}

/* --- Links ------------------------------------------------------------------------------------------------------- */

static gint
sql_rows_find (const LcSqlResult *result, const char *name)
{
  for (guint i = 0; i < result->n_columns; i++)
    if (g_ascii_strcasecmp (result->names[i], name) == 0)
      return (gint)i;
  return -1;
}

/* Of "from_time" and "from_ordinal" the process is "from_process", if there is one; else "process". */
static gint
sql_rows_find_process (const LcSqlResult *result, const char *name, const char *ending)
{
  g_autofree char *begin = g_strndup (name, strlen (name) - strlen (ending));
  g_autofree char *its = g_strconcat (begin, "process", NULL);
  gint found = sql_rows_find (result, its);

  return found >= 0 ? found : sql_rows_find (result, "process");
}

static gboolean
sql_rows_ends (const char *name, const char *ending)
{
  gsize length = strlen (name), its = strlen (ending);

  return length >= its && g_ascii_strcasecmp (name + length - its, ending) == 0 &&
         (length == its || name[length - its - 1] == '_');
}

static SqlLink
sql_rows_find_link (const LcSqlResult *result, guint column)
{
  static const char *const times[] = {"begin", "end", "time", "at"};
  const char *name = result->names[column];

  if (sql_rows_ends (name, "ordinal"))
    {
      gint process = sql_rows_find_process (result, name, "ordinal");

      return (SqlLink){process >= 0 ? LC_LINK_EVENT : LC_LINK_NONE, process, (gint)column};
    }
  if (sql_rows_ends (name, "process") || g_ascii_strcasecmp (name, "peer") == 0)
    return (SqlLink){LC_LINK_PROCESS, (gint)column, -1};
  if (sql_rows_ends (name, "object"))
    return (SqlLink){LC_LINK_OBJECT, (gint)column, -1};
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    /* A "time" by itself is a duration in the tables that have one. */
    if (sql_rows_ends (name, times[i]) && g_ascii_strcasecmp (name, "time") != 0)
      return (SqlLink){LC_LINK_TIME, (gint)column, sql_rows_find_process (result, name, times[i])};
  return (SqlLink){LC_LINK_NONE, -1, -1};
}

/* FALSE: there is no number. */
static gboolean
sql_rows_get_number (const LcSqlResult *result, guint row, gint column, guint64 *number)
{
  const LcSqlValue *value = column >= 0 ? sql_rows_get (result, row, (guint)column) : NULL;

  if (value == NULL || value->type != LC_VALUE_INT || value->integer < 0)
    return FALSE;
  *number = (guint64)value->integer;
  return TRUE;
}

static LcTableLink
sql_rows_link (const SqlRows *rows, guint row, guint column)
{
  const SqlLink *link = &rows->links[column];
  LcTableLink its = {link->kind, 0, LC_TRACE_NONE};

  if (link->kind == LC_LINK_NONE || !sql_rows_get_number (rows->result, row, link->first, &its.first) ||
      (!sql_rows_get_number (rows->result, row, link->second, &its.second) && link->kind == LC_LINK_EVENT))
    its.kind = LC_LINK_NONE;
  /* Numbers of processes and objects have 32 bits, and more of them would be cut off. */
  if ((its.kind == LC_LINK_EVENT || its.kind == LC_LINK_PROCESS || its.kind == LC_LINK_OBJECT) &&
      its.first >= LC_TRACE_NONE)
    its.kind = LC_LINK_NONE;
  if (its.kind == LC_LINK_TIME && its.second > LC_TRACE_NONE)
    its.second = LC_TRACE_NONE;
  return its;
}

/* A row as a whole leads to its event, else to a time, an object, a process. */
static LcTableLink
sql_rows_choose_link (const LcTablePage *page, guint row)
{
  static const LcTableLinkKind order[] = {LC_LINK_EVENT, LC_LINK_TIME, LC_LINK_OBJECT, LC_LINK_PROCESS};

  for (gsize i = 0; i < G_N_ELEMENTS (order); i++)
    for (guint column = 0; column < page->n_columns; column++)
      if (lc_table_page_get (page, row, column)->link.kind == order[i])
        return lc_table_page_get (page, row, column)->link;
  return (LcTableLink){LC_LINK_NONE, 0, 0};
}

/* --- Texts ------------------------------------------------------------------------------------------------------- */

static char *
sql_rows_dup_text (const LcSqlValue *value)
{
  switch (value->type)
    {
    case LC_VALUE_INT:
      return g_strdup_printf ("%" G_GINT64_FORMAT, value->integer);
    case LC_VALUE_REAL:
    case LC_VALUE_TEXT:
      return g_strdup (value->text);
    case LC_VALUE_BLOB:
    case LC_VALUE_NULL:
    default:
      return g_strdup ("NULL");
    }
}

static LcTablePage *
sql_rows_read (LcTableSource *parent, guint64 first, guint n_rows, GCancellable *cancellable, GError **error)
{
  const SqlRows *rows = (const SqlRows *)parent;
  LcTablePage *page = lc_table_page_new (n_rows, rows->result->n_columns);

  for (guint i = 0; i < n_rows; i++)
    {
      guint row = rows->rows[first + i];

      for (guint column = 0; column < page->n_columns; column++)
        {
          const LcSqlValue *value = sql_rows_get (rows->result, row, column);
          LcTableCell *cell = lc_table_page_get (page, i, column);

          cell->raw = sql_rows_dup_text (value);
          cell->text = lc_format_text (cell->raw);
          cell->is_null = value->type == LC_VALUE_NULL;
          cell->link = sql_rows_link (rows, row, column);
        }
      page->links[i] = sql_rows_choose_link (page, i);
    }
  return page;
}

/* --- Columns ----------------------------------------------------------------------------------------------------- */

static void
sql_rows_add_column (SqlRows *rows, guint column)
{
  const LcSqlResult *result = rows->result;
  LcTableColumn *its = lc_table_source_add_column (&rows->parent, result->names[column], result->names[column]);
  glong longest = g_utf8_strlen (result->names[column], -1) + 2;

  its->is_number = result->n_rows > 0;
  its->sorts = TRUE;
  for (guint row = 0; row < MIN (result->n_rows, LOOKED_AT); row++)
    {
      const LcSqlValue *value = sql_rows_get (result, row, column);
      g_autofree char *text = sql_rows_dup_text (value);

      longest = MAX (longest, g_utf8_strlen (text, -1));
      its->is_number = its->is_number && value->type != LC_VALUE_TEXT;
    }
  its->width = (int)CLAMP (longest * LETTER + 2 * LETTER, LEAST_WIDTH, MOST_WIDTH);
  rows->links[column] = sql_rows_find_link (result, column);
}

/* --- Filtering and sorting --------------------------------------------------------------------------------------- */

static gboolean
sql_rows_fits (const LcSqlResult *result, guint row, const char *folded)
{
  for (guint column = 0; column < result->n_columns; column++)
    {
      g_autofree char *text = sql_rows_dup_text (sql_rows_get (result, row, column));
      g_autofree char *its = g_utf8_casefold (text, -1);

      if (strstr (its, folded) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* SQLite's order: nothing, numbers, texts. */
static int
sql_rows_compare_values (const LcSqlValue *one, const LcSqlValue *other)
{
  static const int ranks[] = {
      [LC_VALUE_NULL] = 0, [LC_VALUE_INT] = 1, [LC_VALUE_REAL] = 1, [LC_VALUE_TEXT] = 2, [LC_VALUE_BLOB] = 3};
  double a, b;

  if (ranks[one->type] != ranks[other->type])
    return ranks[one->type] - ranks[other->type];
  if (one->type == LC_VALUE_NULL)
    return 0;
  if (one->type == LC_VALUE_TEXT)
    return strcmp (one->text, other->text);
  if (one->type == LC_VALUE_INT && other->type == LC_VALUE_INT)
    return one->integer < other->integer ? -1 : one->integer > other->integer;
  a = one->type == LC_VALUE_INT ? (double)one->integer : one->real;
  b = other->type == LC_VALUE_INT ? (double)other->integer : other->real;
  return a < b ? -1 : a > b;
}

static int
sql_rows_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcSqlRowsAsked *asked = data;
  guint32 one = *(const guint32 *)a, other = *(const guint32 *)b;
  int result = sql_rows_compare_values (sql_rows_get (asked->result, one, (guint)asked->column),
                                        sql_rows_get (asked->result, other, (guint)asked->column));

  if (result == 0)
    return one < other ? -1 : one > other;
  return asked->descending ? -result : result;
}

gpointer
lc_sql_rows_new (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcSqlRowsAsked *asked = data;
  g_autofree char *folded = g_utf8_casefold (asked->filter, -1);
  SqlRows *rows = g_new0 (SqlRows, 1);
  guint n = 0;

  lc_table_source_init (&rows->parent, sql_rows_read, sql_rows_free);
  rows->parent.is_quick = TRUE;
  rows->result = lc_sql_result_ref (asked->result);
  rows->links = g_new0 (SqlLink, asked->result->n_columns + 1);
  rows->rows = g_new (guint32, asked->result->n_rows + 1);
  for (guint column = 0; column < asked->result->n_columns; column++)
    sql_rows_add_column (rows, column);
  for (guint row = 0; row < asked->result->n_rows; row++)
    if (folded[0] == '\0' || sql_rows_fits (asked->result, row, folded))
      rows->rows[n++] = row;
  rows->parent.n_rows = n;
  if (asked->column >= 0 && (guint)asked->column < asked->result->n_columns)
    g_qsort_with_data (rows->rows, (gint)n, sizeof (guint32), sql_rows_compare, asked);
  return &rows->parent;
}
