/* SPDX-License-Identifier: Apache-2.0 */
/* What a history says of where events, objects and processes come from, and what it makes of rows that make no sense.
 */
#include <glib/gstdio.h>
#include <sqlite3.h>

#include "lightcone/merge.h"
#include "maker.h"

#define FIRST "%lightcone-events 1\n"

static LcHistory *
merge (const char *directory)
{
  const LcMergeOptions options = {.again = TRUE};
  g_autoptr (GError) error = NULL;
  LcHistory *history = lc_merge_open (directory, &options, &error);

  g_assert_no_error (error);
  return history;
}

static void
assert_text (const LcHistorySite *site, const char *expected)
{
  g_autofree char *text = lc_history_dup_site_text (site);

  g_assert_cmpstr (text, ==, expected);
}

/* --- Text -------------------------------------------------------------------------------------------------------- */

static char *
make_text (void)
{
  char *directory = maker_directory ();
  g_autofree char *streams = g_build_filename (directory, "ctf", NULL);

  g_assert_cmpint (g_rmdir (streams), ==, 0);
  maker_write_text (directory, "0.events",
                    FIRST "0 0 lock m 1 at=put@src/pipe.cpp:7;work@src/pipe.cpp:20;main@main.cpp:3\n"
                          "1 1 unlock m 1 at=put@src/pipe.cpp:9\n"
                          "2 2 tag value=1\n");
  maker_write_text (directory, "1.events", FIRST "5 5 lock n 1 at=work@src/pipe.cpp:20;main@main.cpp:3\n");
  return directory;
}

/* Parentheses tell functions from files; names that end with some have got them. */
static void
test_functions (void)
{
  static const char *const functions[][2] = {
      {"main", "main() a.cpp:7"},
      {"Queue<std::function<void ()> >::pop", "Queue<std::function<void ()> >::pop() a.cpp:7"},
      {"(anonymous namespace)::work", "(anonymous namespace)::work() a.cpp:7"},
      {"put(int)", "put(int) a.cpp:7"},
      {"put(int) const", "put(int) const a.cpp:7"},
      {"main::{lambda()#1}::operator()", "main::{lambda()#1}::operator() a.cpp:7"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    assert_text (&(LcHistorySite){.function = functions[i][0], .file = "src/a.cpp", .line = 7}, functions[i][1]);
}

typedef struct
{
  guint32 stacks[8];
  guint n;
} Seen;

static gboolean
see (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Seen *seen = data;

  g_assert_cmpuint (seen->n, <, G_N_ELEMENTS (seen->stacks));
  seen->stacks[seen->n++] = event->stack;
  return TRUE;
}

static void
test_text (void)
{
  char *directory = make_text ();
  g_autoptr (LcHistory) history = merge (directory);
  g_autoptr (GError) error = NULL;
  const LcHistoryStack *stack;
  LcHistoryObject object;
  Seen seen = {{0}, 0};

  g_assert_cmpuint (lc_history_get_n_sites (history), ==, 4);
  g_assert_cmpuint (lc_history_get_n_stacks (history), ==, 4);
  g_assert_true (lc_history_visit (history, 0, 0, 0, 3, see, &seen, NULL, &error));
  g_assert_cmpuint (seen.n, ==, 3);
  assert_text (lc_history_get_own_site (history, seen.stacks[0]), "put() pipe.cpp:7");
  assert_text (lc_history_get_own_site (history, seen.stacks[1]), "put() pipe.cpp:9");
  g_assert_cmpuint (seen.stacks[2], ==, LC_TRACE_NONE);
  assert_text (lc_history_get_own_site (history, seen.stacks[2]), "(unknown)");
  stack = lc_history_get_stack (history, seen.stacks[0]);
  g_assert_cmpint (stack->kind, ==, LC_SITE_INNER);
  stack = lc_history_get_stack (history, stack->parent);
  assert_text (lc_history_get_site (history, stack->site), "work() pipe.cpp:20");
  stack = lc_history_get_stack (history, stack->parent);
  g_assert_cmpint (stack->kind, ==, LC_SITE_ROOT);
  g_assert_cmpuint (stack->parent, ==, LC_TRACE_NONE);
  g_assert_cmpint (lc_history_get_stack (history, seen.stacks[1])->kind, ==, LC_SITE_CALL);
  g_assert_cmpstr (lc_history_get_site (history, stack->site)->file, ==, "main.cpp");
  g_assert_null (lc_history_get_stack (history, 4));
  g_assert_null (lc_history_get_site (history, 4));
  g_assert_null (lc_history_get_site (history, LC_TRACE_NONE));
  g_assert_true (lc_history_get_object (history, 0, &object, &error));
  g_assert_cmpuint (object.stack, ==, seen.stacks[0]);
  lc_history_object_clear (&object);
  g_assert_cmpuint (lc_history_get_process (history, 0)->start, ==, LC_TRACE_NONE);
  g_clear_pointer (&history, lc_history_free);
  maker_remove (directory);
}

/* Every way to an event gives its stack. */
static void
test_ways (void)
{
  char *directory = make_text ();
  g_autoptr (LcHistory) history = merge (directory);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = NULL;
  gboolean *wanted = g_new0 (gboolean, lc_history_get_n_operations (history));
  LcHistoryEvent event;
  guint32 expected;
  Seen seen = {{0}, 0};

  g_assert_true (lc_history_get_event (history, 0, 0, 1, &event, &error));
  expected = event.stack;
  assert_text (lc_history_get_own_site (history, expected), "put() pipe.cpp:9");
  g_assert_true (lc_history_find_event_at (history, 0, 0, 1, &event, &error));
  g_assert_cmpuint (event.stack, ==, expected);
  g_assert_true (lc_history_find_by_key (history, 0, event.object, 1, 10, NULL, &found, &error));
  g_assert_cmpuint (g_array_index (found, LcHistoryEvent, 1).stack, ==, expected);
  wanted[LC_UNLOCK] = TRUE;
  g_assert_true (lc_history_visit_operations (history, 0, 0, wanted, see, &seen, NULL, &error));
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpuint (seen.stacks[0], ==, expected);
  for (LcHistoryWalkDepth depth = LC_WALK_TIMES; depth <= LC_WALK_ALL; depth++)
    {
      LcHistoryWalk *walk = lc_history_walk_new (history, 0, depth, NULL, &error);

      g_assert_true (lc_history_walk_get (walk, 0, 1, &event, NULL, &error));
      g_assert_cmpuint (event.stack, ==, depth == LC_WALK_TIMES ? LC_TRACE_NONE : expected);
      lc_history_walk_free (walk);
    }
  g_free (wanted);
  g_clear_pointer (&history, lc_history_free);
  maker_remove (directory);
}

/* --- Binary ------------------------------------------------------------------------------------------------------ */

/* Where there is no file of code any more, module and offset remain. */
static void
test_module (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (LcHistory) history = NULL;
  const LcHistorySite *site;
  guint32 module;

  module = maker_module (objects, "/nowhere/bin/pipe", "0123", 0x1000, 0x9000);
  maker->site = maker_site (objects, LC_SITE_CUT, module, 0, 0xABC);
  maker_header (maker)->start_site = maker_site (objects, LC_SITE_ENTRY, module, 0, 0xA00);
  maker_sync (maker, LC_LOCK, maker_object_at (objects, LC_CLASS_MUTEX, maker->site, 0), 1, 0, 100, 110, 0);
  maker->site = maker_site (objects, LC_SITE_CALL, 0, 0, 0x77);
  maker_mark (maker, LC_TAG, 1, 120);
  maker_finish (maker, directory);
  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  history = merge (directory);
  site = lc_history_get_own_site (history, 0);
  g_assert_cmpstr (site->module, ==, "/nowhere/bin/pipe");
  g_assert_cmpuint (site->offset, ==, 0xABC);
  assert_text (site, "0xabc in pipe");
  g_assert_cmpint (lc_history_get_stack (history, 0)->kind, ==, LC_SITE_CUT);
  g_assert_cmpuint (lc_history_get_process (history, 0)->start, ==, 1);
  g_assert_cmpint (lc_history_get_stack (history, 1)->kind, ==, LC_SITE_ENTRY);
  assert_text (lc_history_get_own_site (history, 2), "0x77");
  g_clear_pointer (&history, lc_history_free);
  maker_remove (directory);
}

/* --- Rows that make no sense ------------------------------------------------------------------------------------- */

static void
change (const char *path, const char *sql)
{
  sqlite3 *database;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, "PRAGMA journal_mode = OFF", NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
}

/* There are no places then; what they are the places of is there as it was, or damaged. */
static void
check_hostile (const char *path, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcHistory) history = lc_history_open (path, &error);
  LcHistoryObject object;
  Seen seen = {{0}, 0};

  if (history == NULL)
    {
      g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED);
      return;
    }
  if (lc_history_get_n_sites (history) != 0 || lc_history_get_n_stacks (history) != 0)
    g_error ("%s: there are still places", sql);
  g_assert_null (lc_history_get_stack (history, 0));
  g_assert_null (lc_history_get_own_site (history, 0));
  if (!lc_history_visit (history, 0, 0, 0, 3, see, &seen, NULL, &error))
    g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED);
  g_assert_true (lc_history_get_object (history, 0, &object, NULL));
  lc_history_object_clear (&object);
}

static void
test_hostile (void)
{
  static const char *const all[] = {
      "UPDATE stack SET parent = id WHERE id = 0",
      "UPDATE stack SET parent = 3 - id",
      "UPDATE stack SET parent = (id + 1) % 4",
      "UPDATE stack SET parent = 4 WHERE id = 1",
      "UPDATE stack SET parent = -1 WHERE id = 1",
      "UPDATE stack SET parent = 'x' WHERE id = 1",
      "UPDATE stack SET parent = 1e300 WHERE id = 1",
      "UPDATE stack SET site = 4 WHERE id = 2",
      "UPDATE stack SET site = -1 WHERE id = 2",
      "UPDATE stack SET own = 99 WHERE id = 3",
      "UPDATE stack SET own = x'00' WHERE id = 3",
      "UPDATE stack SET kind = 'other'",
      "UPDATE stack SET kind = 7",
      "DELETE FROM stack WHERE id = 1",
      "DELETE FROM site WHERE id = 0",
      "DELETE FROM site WHERE id = 3",
      "DELETE FROM site",
      "UPDATE site SET id = id - 1",
      "INSERT INTO stack VALUES (4294967000, NULL, 0, 0, 'call')",
      "INSERT INTO stack VALUES (4294967295, NULL, 0, 0, 'call')",
      "INSERT INTO stack VALUES (1000000000000000, NULL, 0, 0, 'call')",
      "INSERT INTO stack VALUES (-5, NULL, 0, 0, 'call')",
  };
  char *directory = make_text ();
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      lc_history_free (merge (directory));
      change (path, all[i]);
      check_hostile (path, all[i]);
    }
  maker_remove (directory);
}

/* An event of a stack that is not there is damage. */
static void
test_missing (void)
{
  char *directory = make_text ();
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  Seen seen = {{0}, 0};

  lc_history_free (merge (directory));
  change (path, "DELETE FROM stack WHERE id = 3; UPDATE object SET stack = 3");
  history = lc_history_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lc_history_get_n_stacks (history), ==, 3);
  g_assert_false (lc_history_visit (history, 0, 0, 0, 3, see, &seen, NULL, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED);
  g_clear_pointer (&history, lc_history_free);
  maker_remove (directory);
}

/* A line, a module or a text that is odd is not known; the rest is. */
static void
test_odd (void)
{
  char *directory = make_text ();
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);
  g_autoptr (LcHistory) history = NULL;

  lc_history_free (merge (directory));
  change (path, "UPDATE site SET line = -4, module = 99, function = NULL, offset = 'x', library = 'y' WHERE id = 0;"
                "UPDATE site SET line = 5000000000, file = 7, function = 'f(int)' WHERE id = 1;"
                "UPDATE site SET file = NULL, function = NULL WHERE id = 2");
  history = lc_history_open (path, NULL);
  assert_text (lc_history_get_site (history, 0), "main.cpp");
  g_assert_null (lc_history_get_site (history, 0)->module);
  assert_text (lc_history_get_site (history, 1), "f(int) 7");
  assert_text (lc_history_get_site (history, 2), "0x0");
  assert_text (lc_history_get_site (history, 3), "put() pipe.cpp:9");
  g_clear_pointer (&history, lc_history_free);
  maker_remove (directory);
}

/* --- Threads ----------------------------------------------------------------------------------------------------- */

static gpointer
ask (gpointer data)
{
  for (guint32 i = 0; i < 4; i++)
    g_assert_nonnull (lc_history_get_own_site (data, i));
  return NULL;
}

static void
test_threads (void)
{
  char *directory = make_text ();
  g_autoptr (LcHistory) history = merge (directory);
  GThread *threads[8];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("ask", ask, history);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_clear_pointer (&history, lc_history_free);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/places/text", test_text);
  g_test_add_func ("/places/functions", test_functions);
  g_test_add_func ("/places/ways", test_ways);
  g_test_add_func ("/places/module", test_module);
  g_test_add_func ("/places/hostile", test_hostile);
  g_test_add_func ("/places/missing", test_missing);
  g_test_add_func ("/places/odd", test_odd);
  g_test_add_func ("/places/threads", test_threads);
  return g_test_run ();
}
