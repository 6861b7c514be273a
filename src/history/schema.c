/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the tables of a history or of marks, and compares those of a file with them. */
#include "schema.h"

#include <string.h>

#include "schema-resources.h"
#include "store.h"

#define ROWS "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"

enum
{
  COLUMNS = 4, /* of ROWS */
};

typedef struct
{
  const char *resource;
  int application;
  int version;
  const char *what;
  GOnce once; /* the rows of its own tables */
} Schema;

static Schema schemas[] = {
    [LC_SCHEMA_HISTORY] = {"/lightcone/history/schema.sql", LC_HISTORY_APPLICATION, LC_HISTORY_VERSION, "a history",
                           G_ONCE_INIT},
    [LC_SCHEMA_MARKS] = {"/lightcone/history/marks.sql", LC_MARKS_APPLICATION, LC_MARKS_VERSION, "a file of marks",
                         G_ONCE_INIT},
};

gboolean
lc_schema_create (LcDatabase *database, LcSchema schema, GError **error)
{
  const Schema *of = &schemas[schema];
  g_autoptr (GBytes) tables =
      g_resource_lookup_data (lc_schema_get_resource (), of->resource, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  g_autofree char *version =
      g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d", of->application, of->version);

  return tables != NULL && lc_database_run (database, version, error) &&
         lc_database_run (database, g_bytes_get_data (tables, NULL), error);
}

/* --- Comparing --------------------------------------------------------------------------------------------------- */

static void
schema_add_row (GByteArray *rows, LcStatement *statement)
{
  for (int i = 0; i < COLUMNS; i++)
    {
      guint32 type = lc_statement_type (statement, i), length;
      gsize size;
      gconstpointer text = lc_statement_blob (statement, i, &size);

      length = (guint32)size;
      g_byte_array_append (rows, (const guint8 *)&type, sizeof type);
      g_byte_array_append (rows, (const guint8 *)&length, sizeof length);
      g_byte_array_append (rows, text, length);
    }
}

/* Lists our own tables, as this version of SQLite stores them. */
static gpointer
schema_list_own (gpointer data)
{
  GByteArray *rows = g_byte_array_new ();
  LcDatabase *database = lc_database_new_in_memory (NULL);
  gboolean made = database != NULL && lc_schema_create (database, (LcSchema)((const Schema *)data - schemas), NULL);
  LcStatement *statement = made ? lc_database_prepare (database, ROWS, NULL, NULL) : NULL;

  while (statement != NULL && lc_statement_step (statement, NULL) == LC_STEP_ROW)
    schema_add_row (rows, statement);
  lc_statement_free (statement);
  lc_database_close (database);
  return rows;
}

static const GByteArray *
schema_get_own (Schema *schema)
{
  return g_once (&schema->once, schema_list_own, schema);
}

/* Stops at the first row that differs. */
static gboolean
schema_check_tables (LcDatabase *database, Schema *schema, GError **error)
{
  const GByteArray *own = schema_get_own (schema);
  g_autoptr (GByteArray) found = g_byte_array_new ();
  LcStatement *statement = lc_database_prepare (database, ROWS, NULL, error);
  LcStep step = LC_STEP_ERROR;
  gboolean same = TRUE;

  if (statement == NULL)
    return FALSE;
  while (same && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    {
      schema_add_row (found, statement);
      same = found->len <= own->len && memcmp (found->data, own->data, found->len) == 0;
    }
  lc_statement_free (statement);
  if (same && step == LC_STEP_ERROR)
    return FALSE;
  if (same && own->len > 0 && found->len == own->len)
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: damaged: its tables are not those of %s",
               lc_database_get_path (database), schema->what);
  return FALSE;
}

static gboolean
schema_get_pragma (LcDatabase *database, const char *sql, gint64 *value, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, sql, NULL, error);
  LcStep step = statement != NULL ? lc_statement_step (statement, error) : LC_STEP_ERROR;

  *value = step == LC_STEP_ROW ? lc_statement_int (statement, 0) : 0;
  lc_statement_free (statement);
  return step != LC_STEP_ERROR;
}

static gboolean
schema_check_version (LcDatabase *database, const Schema *schema, GError **error)
{
  gint64 application, version;

  if (!schema_get_pragma (database, "PRAGMA application_id", &application, error) ||
      !schema_get_pragma (database, "PRAGMA user_version", &version, error))
    return FALSE;
  if (application == schema->application && version == schema->version)
    return TRUE;
  if (application == schema->application)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_VERSION,
                 "%s: %s of version %" G_GINT64_FORMAT ", and this is for version %d", lc_database_get_path (database),
                 schema->what, version, schema->version);
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_VERSION, "%s: not %s", lc_database_get_path (database),
                 schema->what);
  return FALSE;
}

gboolean
lc_schema_check (LcDatabase *database, LcSchema schema, GError **error)
{
  Schema *of = &schemas[schema];

  return schema_check_version (database, of, error) && schema_check_tables (database, of, error);
}
