/* SPDX-License-Identifier: Apache-2.0 */
/* Any values in the rows of a history, with checksums put right or wrong; then all is asked of it. */
#include <sqlite3.h>
#include <string.h>

#include "fuzz.h"
#include "history/questions.h"
#include "lightcone/phases.h"
#include "maker.h"
#include "merged.h"
#include "rows.h"

enum
{
  CHECKSUM = sizeof (guint64),
  QUESTIONS = 6,
};

static const char *const tables[] = {
    "meta",          "process",     "object",        "operation",       "arc_rule", "holding",      "timeline",
    "phase",         "phase_index", "phase_rule",    "operation_total", "block",    "block_index",  "posting",
    "posting_index", "summary",     "summary_index", "longest_arcs",    "origin",   "origin_index", "problem",
    "module",        "site",        "stack"};

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
  rows_change (path, tables, G_N_ELEMENTS (tables), bytes, size);
  ask (path);
  maker_remove (directory);
  return 0;
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
    rows_append_change (bytes, table, (guint8)column, ROWS_CHECKED_BLOB, sqlite3_column_blob (statement, column),
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
  rows_append_change (bytes, table, table % 5, ROWS_NUMBER, &values[number % G_N_ELEMENTS (values)], sizeof values[0]);
  rows_append_change (bytes, table, 1, ROWS_TEXT, "a text", 6);
  if (strcmp (tables[table], "block") == 0 || strstr (tables[table], "_index") != NULL ||
      strcmp (tables[table], "posting") == 0 || strcmp (tables[table], "summary") == 0)
    append_blob (bytes, table);
  return TRUE;
}
