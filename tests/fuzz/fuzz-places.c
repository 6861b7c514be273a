/* SPDX-License-Identifier: Apache-2.0 */
/* Any values in the places and names that a history has kept; then it is merged again when the program has gone. */
#include <sqlite3.h>
#include <string.h>

#include "fuzz.h"
#include "history/freshness.h"
#include "history/names-kept.h"
#include "history/places-before.h"
#include "maker.h"
#include "rows.h"

enum
{
  BASE = 0x10000,
  N_STACKS = 4, /* of the trace */
  N_OUTER = 2,  /* of functions that others were put into */
  MUTEX = 1,    /* its object; the first is the thread */
};

static const char *const tables[] = {"meta", "module", "site", "stack", "object"};

static LcTrace *trace;
static char *original, *fingerprint;
static gsize length;

/* --- A trace of a program that is not there, and what a merge found when it was ------------------------------------
 */

static void
places_write_trace (const char *directory)
{
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  guint32 module = maker_module (objects, "/nowhere/pipe", "0123456789abcdef", BASE, BASE + 0x4000);
  guint32 root = maker_site (objects, LC_SITE_ROOT, module, 0, 0x1000);
  guint32 call = maker_site (objects, LC_SITE_INNER, module, root, 0x1200), object;

  maker_site (objects, LC_SITE_CALL, module, 0, 0x1300);
  maker_site (objects, LC_SITE_ENTRY, module, 0, 0x1400);
  object = maker_object_at (objects, LC_CLASS_MUTEX, call, BASE + 0x2000);
  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  maker->site = call;
  maker_sync (maker, LC_LOCK, object, 1, 0, 100, 200, 0);
  maker_sync (maker, LC_UNLOCK, object, 1, 0, 300, 300, 0);
  maker_finish (maker, directory);
}

/* Every site has a function and a line, and site 1 is of a function that two others were put into. */
static void
places_fill (const char *path)
{
  static const char *const sql =
      "UPDATE site SET function = 'function ' || id, file = 'pipe.cpp', line = id + 7;"
      "INSERT INTO site SELECT max(id) + 1, 'outer', 'pipe.cpp', 99, module, offset, 0 FROM site;"
      "INSERT INTO site SELECT max(id) + 1, 'outermost', 'main.cpp', 3, module, offset, 0 FROM site;"
      "INSERT INTO stack SELECT max(id) + 1, NULL, (SELECT max(id) FROM site), 0, 'inner' FROM stack;"
      "INSERT INTO stack SELECT max(id) + 1, max(id), (SELECT max(id) - 1 FROM site), 0, 'inner' FROM stack;"
      "UPDATE stack SET parent = (SELECT max(id) FROM stack) WHERE id = 1;"
      "UPDATE object SET name = 'queue.m';"
      "INSERT INTO meta VALUES ('names_file', '/nowhere/own.names'), ('names', '[objects]\nThe queue=queue.m\n')";
  sqlite3 *database;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
}

static char *
places_read_fingerprint (const char *path)
{
  sqlite3_stmt *statement;
  sqlite3 *database;
  char *text;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (
      sqlite3_prepare_v2 (database, "SELECT value FROM meta WHERE key = 'fingerprint'", -1, &statement, NULL), ==,
      SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  text = g_strdup ((const char *)sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (database);
  return text;
}

static void
places_begin (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);
  g_autoptr (GError) error = NULL;

  places_write_trace (directory);
  g_assert_true (lc_merge (directory, NULL, NULL, &error));
  g_assert_no_error (error);
  places_fill (path);
  fingerprint = places_read_fingerprint (path);
  g_assert_true (g_file_get_contents (path, &original, &length, NULL));
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpuint (lc_trace_get_n_stacks (trace), ==, N_STACKS);
  maker_remove (directory);
}

/* --- Merging again -------------------------------------------------------------------------------------------------
 */

static gboolean
places_is_text (const char *text)
{
  return text == NULL || g_utf8_validate (text, -1, NULL);
}

/* Whoever follows a stack outwards comes to its end. */
static void
places_check_stack (const LcWhere *where, guint32 number)
{
  const LcWhereStack *stack = &g_array_index (where->stacks, LcWhereStack, number);

  g_assert_cmpuint (stack->site, <, where->sites->len);
  g_assert_cmpuint (stack->own, <, where->sites->len);
  for (guint depth = 0; stack->parent != LC_TRACE_NONE; depth++)
    {
      g_assert_cmpuint (stack->parent, <, where->stacks->len);
      g_assert_cmpuint (depth, <, where->stacks->len);
      stack = &g_array_index (where->stacks, LcWhereStack, stack->parent);
    }
}

static void
places_check (const LcWhere *where)
{
  g_assert_cmpuint (where->stacks->len, >=, N_STACKS);
  for (guint i = 0; i < where->sites->len; i++)
    {
      const LcWhereSite *site = &g_array_index (where->sites, LcWhereSite, i);

      g_assert_true (places_is_text (site->function) && places_is_text (site->file));
    }
  for (guint i = 0; i < where->stacks->len; i++)
    places_check_stack (where, i);
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    g_assert_true (places_is_text (where->objects[i]));
}

/* Returns whether functions of the history were used. */
static gboolean
places_merge (const LcHistoryFile *file)
{
  g_autoptr (LcGivenNames) names = NULL;
  g_autoptr (LcPlacesBefore) before = NULL;
  g_autoptr (LcWhere) where = NULL;
  g_autoptr (GError) error = NULL;

  lc_names_kept (file, &names, &error);
  before = lc_places_before_new (file, trace, fingerprint, names);
  where = lc_where_new_after (trace, NULL, before != NULL ? lc_places_before_get (before) : NULL, NULL, NULL);
  g_assert_nonnull (where);
  if (names != NULL)
    lc_given_names_apply (names, trace, where);
  places_check (where);
  return before != NULL && names != NULL && g_strcmp0 (where->objects[MUTEX], "The queue") == 0 &&
         where->stacks->len == N_STACKS + N_OUTER;
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  gboolean is_first = original == NULL, is_used;
  g_autoptr (LcHistoryFile) file = NULL;
  g_autofree char *path = NULL;
  char *directory;

  if (is_first)
    places_begin ();
  directory = maker_directory ();
  path = g_build_filename (directory, "history.lightcone", NULL);
  maker_write (directory, "history.lightcone", original, length);
  rows_change (path, tables, G_N_ELEMENTS (tables), is_first ? NULL : bytes, is_first ? 0 : size);
  file = lc_history_file_open (path, NULL);
  g_assert_nonnull (file);
  is_used = places_merge (file);
  /* The first is left as it is: were that not understood, no change of it would find anything. */
  g_assert_true (!is_first || is_used);
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const gint64 values[] = {0, 1, -1, N_STACKS, N_STACKS + 1, G_MAXINT32, G_MAXINT64, G_MININT64};
  guint8 table = (guint8)(number % G_N_ELEMENTS (tables)), column = (guint8)(number / G_N_ELEMENTS (tables));

  if (number >= 8 * G_N_ELEMENTS (tables))
    return FALSE;
  rows_append_change (bytes, table, column, ROWS_NUMBER, &values[column], sizeof values[0]);
  rows_append_change (bytes, table, column, ROWS_TEXT, "a \xc3\xa4\xff", 5);
  return TRUE;
}
