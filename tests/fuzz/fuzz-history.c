/* SPDX-License-Identifier: Apache-2.0 */
/* Any values in the rows of a history, with checksums put right or wrong; then all is asked of it. */
#include <sqlite3.h>
#include <string.h>

#include "fuzz.h"
#include "history/block.h"
#include "history/questions.h"
#include "lightcone/phases.h"
#include "maker.h"
#include "merged.h"

enum
{
  CHECKSUM = sizeof (guint64),
  MOST_CHANGES = 8,
  QUESTIONS = 6,
};

/* What a change begins with; so many bytes of a value follow. */
typedef struct
{
  guint8 table, column, row, kind;
  guint8 size[2];
} Change;

enum
{
  NUMBER,
  TEXT,
  BLOB,
  CHECKED_BLOB,
  NULL_VALUE,
  DELETED,
  KINDS,
};

static const char *const tables[] = {
    "meta",          "process",     "object",        "operation",       "arc_rule", "holding",      "timeline",
    "phase",         "phase_index", "phase_rule",    "operation_total", "block",    "block_index",  "posting",
    "posting_index", "summary",     "summary_index", "longest_arcs",    "origin",   "origin_index", "problem",
    "module",        "site",        "stack"};

static int
count_rows (sqlite3 *database, const char *sql)
{
  sqlite3_stmt *statement = NULL;
  int count = 0;

  if (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step (statement) == SQLITE_ROW)
    count = sqlite3_column_int (statement, 0);
  sqlite3_finalize (statement);
  return count;
}

static void
bind_value (sqlite3_stmt *statement, guint8 kind, const guint8 *bytes, gsize size)
{
  g_autofree guint8 *copy = g_malloc (size + CHECKSUM);
  guint64 checksum = GUINT64_TO_LE (lc_checksum (bytes, size));
  gint64 number = 0;

  memcpy (&number, bytes, MIN (size, sizeof number));
  memcpy (copy, bytes, size);
  memcpy (copy + size, &checksum, CHECKSUM);
  if (kind == NUMBER)
    sqlite3_bind_int64 (statement, 1, number);
  else if (kind == TEXT)
    sqlite3_bind_text (statement, 1, (const char *)bytes, (int)size, SQLITE_TRANSIENT);
  else if (kind == BLOB || kind == CHECKED_BLOB)
    sqlite3_bind_blob (statement, 1, copy, (int)(size + (kind == CHECKED_BLOB ? CHECKSUM : 0)), SQLITE_TRANSIENT);
}

/* The first column may be a key without a row's number: rows are counted in the order of the table. */
static void
change_row (sqlite3 *database, const Change *change, const guint8 *bytes, gsize size)
{
  const char *table = tables[change->table % G_N_ELEMENTS (tables)];
  g_autofree char *counting = g_strdup_printf ("SELECT count(*) FROM %s", table);
  g_autofree char *columns = g_strdup_printf ("SELECT count(*) FROM pragma_table_info('%s')", table);
  int n_rows = count_rows (database, counting), n_columns = count_rows (database, columns);
  guint8 kind = change->kind % KINDS;
  sqlite3_stmt *statement = NULL;
  g_autofree char *naming = NULL, *sql = NULL, *name = NULL, *key = NULL;

  if (n_rows == 0 || n_columns == 0)
    return;
  naming =
      g_strdup_printf ("SELECT name FROM pragma_table_info('%s') LIMIT 1 OFFSET %d", table, change->column % n_columns);
  if (sqlite3_prepare_v2 (database, naming, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step (statement) == SQLITE_ROW)
    name = g_strdup ((const char *)sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  statement = NULL;
  if (name == NULL)
    return;
  key = g_strdup_printf ("SELECT min(pk) FROM pragma_table_info('%s') WHERE pk > 0", table);
  if (strcmp (table, "meta") == 0)
    sql = g_strdup_printf ("UPDATE meta SET \"%s\" = ?1 WHERE key = (SELECT key FROM meta LIMIT 1 OFFSET %d)", name,
                           change->row % n_rows);
  else if (kind == DELETED)
    sql = g_strdup_printf ("DELETE FROM %s WHERE rowid = (SELECT rowid FROM %s LIMIT 1 OFFSET %d)", table, table,
                           change->row % n_rows);
  else
    sql = g_strdup_printf ("UPDATE %s SET \"%s\" = ?1 WHERE rowid = (SELECT rowid FROM %s LIMIT 1 OFFSET %d)", table,
                           name, table, change->row % n_rows);
  if (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL) == SQLITE_OK)
    {
      bind_value (statement, kind, bytes, size);
      sqlite3_step (statement);
    }
  sqlite3_finalize (statement);
}

static void
change_rows (const char *path, const guint8 *bytes, gsize size)
{
  sqlite3 *database;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  sqlite3_exec (database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL);
  for (guint i = 0; i < MOST_CHANGES && size >= sizeof (Change); i++)
    {
      Change change;
      gsize length;

      memcpy (&change, bytes, sizeof change);
      length = MIN ((gsize)(change.size[0] | change.size[1] << 8), size - sizeof change);
      change_row (database, &change, bytes + sizeof change, length);
      bytes += sizeof change + length;
      size -= sizeof change + length;
    }
  sqlite3_exec (database, "COMMIT", NULL, NULL, NULL);
  sqlite3_close (database);
}

static void
ask (const char *path)
{
  g_autoptr (LcHistory) history = lc_history_open (path, NULL);
  g_autoptr (LcPhases) phases = NULL;
  GRand *random = g_rand_new_with_seed (1);

  if (history != NULL)
    {
      ask_anything (history, random, QUESTIONS);
      phases = lc_phases_find (history, 0, "auto", NULL, NULL);
    }
  g_rand_free (random);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  static char *original;
  static gsize length;
  g_autofree char *path = NULL;
  char *directory;

  if (original == NULL)
    g_assert_true (g_file_get_contents (merged_get_history (), &original, &length, NULL));
  directory = maker_directory ();
  path = g_build_filename (directory, "history.lightcone", NULL);
  maker_write (directory, "history.lightcone", original, length);
  change_rows (path, bytes, size);
  ask (path);
  maker_remove (directory);
  return 0;
}

static void
append_change (GByteArray *bytes, guint8 table, guint8 column, guint8 kind, const void *value, guint16 size)
{
  const Change change = {table, column, 0, kind, {size & 0xFF, (guint8)(size >> 8)}};

  g_byte_array_append (bytes, (const guint8 *)&change, sizeof change);
  g_byte_array_append (bytes, value, size);
}

/* What is in the first row of a table of bytes, without its checksum. */
static void
append_blob (GByteArray *bytes, guint8 table)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s", tables[table]);
  sqlite3_stmt *statement = NULL;
  sqlite3 *database;
  int column;

  g_assert_cmpint (sqlite3_open (merged_get_history (), &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL), ==, SQLITE_OK);
  column = sqlite3_column_count (statement) - 1;
  if (sqlite3_step (statement) == SQLITE_ROW && sqlite3_column_bytes (statement, column) > CHECKSUM)
    append_change (bytes, table, (guint8)column, CHECKED_BLOB, sqlite3_column_blob (statement, column),
                   (guint16)(sqlite3_column_bytes (statement, column) - CHECKSUM));
  sqlite3_finalize (statement);
  sqlite3_close (database);
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const gint64 values[] = {0, 1, -1, G_MAXINT32, G_MAXINT64, G_MININT64};
  guint8 table = (guint8)number;

  if (number >= G_N_ELEMENTS (tables))
    return FALSE;
  append_change (bytes, table, table % 5, NUMBER, &values[number % G_N_ELEMENTS (values)], sizeof values[0]);
  append_change (bytes, table, 1, TEXT, "a text", 6);
  if (strcmp (tables[table], "block") == 0 || strstr (tables[table], "_index") != NULL ||
      strcmp (tables[table], "posting") == 0 || strcmp (tables[table], "summary") == 0)
    append_blob (bytes, table);
  return TRUE;
}
