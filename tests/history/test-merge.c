/* SPDX-License-Identifier: Apache-2.0 */
/* What a merge writes is what the sweep says; and there is a whole history or none, whatever happens. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "history/database.h"
#include "history/directory.h"
#include "history/packed.h"
#include "lightcone/merge.h"
#include "lightcone/sweep.h"
#include "random-history.h"

/* --- Traces ------------------------------------------------------------------------------------------------------ */

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        remove_tree (inner);
      else
        g_unlink (inner);
    }
  g_rmdir (path);
}

static char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_dir_make_tmp ("lightcone-merge-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

static char *
make_trace (guint32 seed, guint n_processes, guint n_steps)
{
  RandomHistory *history = random_history_new (seed, n_processes, n_steps);
  char *path = make_folder ();

  random_history_write (history, path, 0, seed);
  random_history_free (history);
  return path;
}

static void
write_text (const char *directory, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* More processes than have a block each; two of them have more events than a block, and hold a lock in between. */
static char *
make_crowd (void)
{
  char *path = make_folder ();

  for (guint i = 0; i < 1100; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.events", i);
      g_autoptr (GString) text = g_string_new ("%lightcone-events 1\n");
      guint rounds = i < 2 ? 700 : 1;

      for (guint k = 0; k < rounds; k++)
        {
          guint begin = k * 10000 + i * 3, sequence = k * 1100 + i + 1;

          if (k > 0)
            sequence = 1100 + (k - 1) * 2 + i + 1;
          g_string_append_printf (text, "%u %u lock m %u\n%u %u tag value=%u\n%u %u unlock m %u\n", begin, begin + 1,
                                  sequence, begin + 1, begin + 1, k, begin + 2, begin + 2, sequence);
        }
      write_text (path, name, text->str);
    }
  return path;
}

static LcMergeResult
merge (const char *directory, gboolean again)
{
  const LcMergeOptions options = {.again = again};
  LcMergeResult result;
  g_autoptr (GError) error = NULL;

  lc_merge (directory, &options, &result, &error);
  g_assert_no_error (error);
  return result;
}

static GBytes *
read_history (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);
  char *contents;
  gsize size;

  return g_file_get_contents (path, &contents, &size, NULL) ? g_bytes_new_take (contents, size) : NULL;
}

static guint
count_files (const char *directory, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, prefix);
  return n;
}

/* --- What is written --------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSweepVisitor visitor;
  LcDatabase *database;
  LcStatement *find_directory, *find_block;
  LcBlock *block; /* the last one that was read */
  guint32 process;
  guint64 number;
  guint64 compared;
} Comparer;

static void
read_block (Comparer *comparer, guint32 process, guint64 number)
{
  g_autoptr (LcDirectory) directory = NULL;
  const LcDirectoryEntry *entry;
  gconstpointer data;
  gsize size;

  lc_statement_bind_int (comparer->find_directory, 1, process);
  g_assert_cmpint (lc_statement_step (comparer->find_directory, NULL), ==, LC_STEP_ROW);
  data = lc_statement_blob (comparer->find_directory, 0, &size);
  directory = lc_directory_decode (data, size);
  g_assert_nonnull (directory);
  lc_statement_reset (comparer->find_directory);
  g_assert_cmpuint (number, <, directory->entries->len);
  entry = &g_array_index (directory->entries, LcDirectoryEntry, number);
  lc_statement_bind_int (comparer->find_block, 1, (gint64)entry->row);
  g_assert_cmpint (lc_statement_step (comparer->find_block, NULL), ==, LC_STEP_ROW);
  data = lc_statement_blob (comparer->find_block, 0, &size);
  comparer->block->first_ordinal = number * LC_BLOCK_EVENTS;
  g_assert_true (lc_block_decode (comparer->block, data, size, LC_COLUMN_ALL));
  lc_statement_reset (comparer->find_block);
  g_assert_cmpuint (comparer->block->n_events, ==,
                    MIN (directory->n_events - number * LC_BLOCK_EVENTS, LC_BLOCK_EVENTS));
  g_assert_cmpuint (entry->first_begin, ==, comparer->block->begin[0]);
  g_assert_cmpuint (entry->last_end, ==, comparer->block->end[comparer->block->n_events - 1]);
  g_assert_cmpuint (entry->first_layer, ==, comparer->block->layer[0]);
  g_assert_cmpuint (entry->last_layer, ==, comparer->block->layer[comparer->block->n_events - 1]);
  comparer->process = process;
  comparer->number = number;
}

static void
compare_arcs (const LcBlock *block, guint32 i, const LcSweepStep *step)
{
  g_assert_cmpuint (block->first_arc[i + 1] - block->first_arc[i], ==, step->n_arcs);
  for (gsize k = 0; k < step->n_arcs; k++)
    {
      const LcBlockArc *arc = &g_array_index (block->arcs, LcBlockArc, block->first_arc[i] + k);

      g_assert_cmpuint (arc->process, ==, step->arcs[k].process);
      g_assert_cmpuint (arc->ordinal, ==, step->arcs[k].ordinal);
      g_assert_cmpuint (arc->point, ==, step->arcs[k].point);
    }
  g_assert_cmpint (block->basis[i], ==, step->basis);
}

static void
compare (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Comparer *comparer = (Comparer *)visitor;
  const LcTraceEvent *event = step->event;
  const LcBlock *block = comparer->block;
  guint32 i = (guint32)(step->ordinal % LC_BLOCK_EVENTS);

  if (comparer->compared == 0 || comparer->process != step->process ||
      comparer->number != step->ordinal / LC_BLOCK_EVENTS)
    read_block (comparer, step->process, step->ordinal / LC_BLOCK_EVENTS);
  comparer->compared++;
  g_assert_cmpuint (i, <, block->n_events);
  g_assert_cmpuint (block->begin[i], ==, event->begin);
  g_assert_cmpuint (block->end[i], ==, event->end);
  g_assert_cmpuint (block->waited[i], ==, step->waited);
  g_assert_cmpuint (block->woken[i], ==, step->woken);
  g_assert_cmpuint (block->layer[i], ==, step->layer);
  g_assert_cmpint (block->sequence[i], ==, event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0);
  g_assert_cmpint (block->value[i], ==, event->flags & LC_TRACE_EVENT_VALUE ? event->value : 0);
  g_assert_cmpuint (block->bytes[i], ==, event->flags & LC_TRACE_EVENT_BYTES ? event->bytes : 0);
  g_assert_cmpuint (block->object[i], ==, event->object);
  g_assert_cmpuint (block->peer[i], ==, event->peer);
  g_assert_cmpuint (block->stack[i], ==, event->stack);
  g_assert_cmpuint (block->operation[i], ==, event->operation);
  g_assert_cmpuint (block->cpu[i], ==, event->cpu);
  g_assert_cmpuint (block->flags[i], ==, event->flags | (step->group != NULL ? LC_HISTORY_EVENT_GROUP : 0));
  compare_arcs (block, i, step);
}

static gint64
ask (LcDatabase *database, const char *sql)
{
  LcStatement *statement = lc_database_prepare (database, sql, NULL, NULL);
  gint64 value;

  g_assert_nonnull (statement);
  g_assert_cmpint (lc_statement_step (statement, NULL), ==, LC_STEP_ROW);
  value = lc_statement_int (statement, 0);
  lc_statement_free (statement);
  return value;
}

/* The small tables add up to the same. */
static void
compare_totals (LcDatabase *database, const LcSweepResult *swept)
{
  g_assert_cmpint (ask (database, "SELECT value FROM meta WHERE key = 'events'"), ==, (gint64)swept->events);
  g_assert_cmpint (ask (database, "SELECT value FROM meta WHERE key = 'arcs'"), ==, (gint64)swept->arcs);
  g_assert_cmpint (ask (database, "SELECT value FROM meta WHERE key = 'layers'"), ==, (gint64)swept->layers);
  g_assert_cmpint (ask (database, "SELECT sum(events) FROM operation_total"), ==, (gint64)swept->events);
  g_assert_cmpint (ask (database, "SELECT sum(events) FROM process"), ==, (gint64)swept->events);
  g_assert_cmpint (ask (database, "SELECT max(layers) FROM process"), ==, (gint64)swept->layers);
  g_assert_cmpint (ask (database, "SELECT (SELECT sum(waited) FROM operation_total WHERE operation IN (SELECT id FROM"
                                  " operation WHERE name <> 'tag')) = (SELECT sum(waited) FROM object)"),
                   ==, 1);
  g_assert_cmpint (ask (database, "SELECT count(*) FROM summary_index"), ==,
                   ask (database, "SELECT count(*) FROM process"));
  g_assert_cmpint (ask (database, "SELECT count(*) FROM holding WHERE class = 'mutex'"), ==, 1);
}

static void
check_contents (const char *directory)
{
  g_autofree char *path = lc_merge_dup_path (directory);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);
  Comparer comparer = {.visitor.end = compare};
  LcSweepVisitor *const visitors[] = {&comparer.visitor, NULL};
  LcSweepResult swept;

  comparer.database = lc_database_open (path, NULL);
  g_assert_nonnull (comparer.database);
  comparer.find_directory = lc_database_prepare (
      comparer.database, "SELECT data FROM block_index WHERE timeline = 0 AND process = ?1", NULL, NULL);
  comparer.find_block = lc_database_prepare (comparer.database, "SELECT data FROM block WHERE id = ?1", NULL, NULL);
  comparer.block = lc_block_new ();
  g_assert_true (lc_sweep_run (trace, rules, visitors, NULL, NULL, &swept, NULL));
  g_assert_cmpuint (comparer.compared, ==, swept.events);
  compare_totals (comparer.database, &swept);
  lc_sweep_result_clear (&swept);
  lc_statement_free (comparer.find_directory);
  lc_statement_free (comparer.find_block);
  lc_block_free (comparer.block);
  lc_database_close (comparer.database);
}

static void
test_contents (void)
{
  for (guint32 seed = 1; seed <= random_trials (40); seed++)
    {
      g_autofree char *directory = make_trace (seed, 1 + seed % 5, seed % 4 == 0 ? 8000 : 10 + seed * 30);
      LcMergeResult result = merge (directory, FALSE);

      g_assert_true (result.made);
      g_assert_cmpuint (result.problems, ==, 0);
      check_contents (directory);
      remove_tree (directory);
    }
}

static void
test_crowd (void)
{
  g_autofree char *directory = make_crowd ();
  LcMergeResult result = merge (directory, FALSE);

  g_assert_cmpuint (result.events, ==, (1098 + 2 * 700) * 3);
  check_contents (directory);
  remove_tree (directory);
}

static void
test_empty (void)
{
  g_autofree char *directory = make_folder ();
  LcMergeResult result;

  write_text (directory, "0.events", "%lightcone-events 1\n");
  result = merge (directory, FALSE);
  g_assert_true (result.made);
  g_assert_cmpuint (result.events, ==, 0);
  g_assert_false (merge (directory, FALSE).made);
  remove_tree (directory);
}

static void
make_row (GRand *random, guint i, guint64 begin, LcEventRow *row, GArray *arcs)
{
  static const guint64 edges[] = {0, 1, 127, 128, G_MAXUINT32, G_MAXINT64, G_MAXUINT64};
  guint64 edge = edges[g_rand_int (random) % G_N_ELEMENTS (edges)];

  *row = (LcEventRow){.begin = begin,
                      .end = begin + (edge >> 16),
                      .waited = edge,
                      .layer = i * 3,
                      .sequence = (gint64)edge,
                      .value = -(gint64)(edge / 2),
                      .bytes = edge,
                      .object = (guint32)edge,
                      .peer = LC_TRACE_NONE,
                      .stack = i % 3 == 0 ? LC_TRACE_NONE : i,
                      .operation = (guint16)edge,
                      .cpu = LC_CPU_UNKNOWN,
                      .flags = (guint16)edge,
                      .basis = (gint16)(i % 5 - 1),
                      .n_arcs = i % 4};
  for (guint k = 0; k < row->n_arcs; k++)
    {
      LcBlockArc arc;

      memset (&arc, 0, sizeof arc);
      arc.process = (guint32)edge;
      arc.rule = (guint16)edge;
      arc.point = k % 2;
      arc.ordinal = edge;
      g_array_append_val (arcs, arc);
    }
}

static void
test_packed (void)
{
  g_autoptr (LcBlock) one = lc_block_new (), other = lc_block_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree LcEventRow *rows = g_new (LcEventRow, LC_BLOCK_EVENTS);
  g_autofree LcEventWhy *why = g_new (LcEventWhy, LC_BLOCK_EVENTS);
  LcPacked packed = {0};

  for (guint i = 0; i < LC_BLOCK_EVENTS; i++)
    {
      guint before = one->arcs->len;

      make_row (random, i, i > 0 ? rows[i - 1].end : 5, &rows[i], one->arcs);
      why[i] = (LcEventWhy){.removed = i * 10,
                            .gained = g_rand_int_range (random, -1000, 1000),
                            .origin_ordinal = g_rand_int (random),
                            .origin_process = g_rand_int (random),
                            .reordered = g_rand_boolean (random)};
      lc_packed_add (&packed, &rows[i], &why[i], &g_array_index (one->arcs, LcBlockArc, before));
    }
  lc_block_set_rows (one, rows, LC_BLOCK_EVENTS);
  lc_block_set_why (one, why);
  lc_packed_take (&packed, other);
  g_assert_null (packed.bytes);
  g_assert_cmpuint (other->n_events, ==, LC_BLOCK_EVENTS);
  g_assert_cmpmem (one->begin, G_STRUCT_OFFSET (LcBlock, arcs) - G_STRUCT_OFFSET (LcBlock, begin), other->begin,
                   G_STRUCT_OFFSET (LcBlock, arcs) - G_STRUCT_OFFSET (LcBlock, begin));
  g_assert_cmpuint (one->arcs->len, ==, other->arcs->len);
  for (guint i = 0; i < one->arcs->len; i++)
    {
      const LcBlockArc *a = &g_array_index (one->arcs, LcBlockArc, i);
      const LcBlockArc *b = &g_array_index (other->arcs, LcBlockArc, i);

      g_assert_true (a->process == b->process && a->rule == b->rule && a->point == b->point &&
                     a->ordinal == b->ordinal);
    }
}

/* --- The same bytes ------------------------------------------------------------------------------------------------
 */

static void
test_same_bytes (void)
{
  g_autofree char *directory = make_trace (3, 4, 20000), *elsewhere = make_trace (3, 4, 20000);
  g_autoptr (GBytes) first = NULL;

  g_assert_true (merge (directory, FALSE).made);
  first = read_history (directory);
  for (int i = 0; i < 5; i++)
    {
      g_autoptr (GBytes) again = NULL, other = NULL;

      g_assert_true (merge (directory, TRUE).made);
      again = read_history (directory);
      g_assert_true (g_bytes_equal (first, again));
      g_assert_true (merge (elsewhere, TRUE).made);
      other = read_history (elsewhere);
      g_assert_true (g_bytes_equal (first, other));
    }
  g_assert_cmpuint (count_files (directory, "history.lightcone"), ==, 1);
  remove_tree (directory);
  remove_tree (elsewhere);
}

/* --- Whole or none -------------------------------------------------------------------------------------------------
 */

static void
merge_and_exit (const char *directory)
{
  const LcMergeOptions options = {.again = TRUE};
  LcMergeResult result;

  _exit (lc_merge (directory, &options, &result, NULL) ? 0 : 1);
}

/* TRUE: it was killed before it had ended. */
static gboolean
merge_and_kill (const char *directory, gulong after)
{
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    merge_and_exit (directory);
  g_usleep (after);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  return WIFSIGNALED (status);
}

static void
test_killed (void)
{
  g_autofree char *directory = make_trace (5, 4, 8000);
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (GBytes) whole = NULL;
  gint64 begin = g_get_monotonic_time ();
  gulong time;
  guint killed = 0;

  merge (directory, TRUE);
  time = (gulong)(g_get_monotonic_time () - begin);
  whole = read_history (directory);
  for (int i = 0; i < 40; i++)
    {
      g_autoptr (GBytes) found = NULL;
      gboolean was_there;

      if (i % 4 == 0)
        g_unlink (path);
      was_there = g_file_test (path, G_FILE_TEST_EXISTS);
      killed += merge_and_kill (directory, (gulong)g_rand_int_range (random, 0, (gint32)time));
      found = read_history (directory);
      g_assert_true (found != NULL ? g_bytes_equal (found, whole) : !was_there);
    }
  g_assert_cmpuint (killed, >, 0);
  merge (directory, TRUE);
  g_assert_cmpuint (count_files (directory, "history.lightcone"), ==, 1);
  remove_tree (directory);
}

/* None of them takes what another one makes for left over. */
static void
test_at_once (void)
{
  g_autofree char *directory = make_trace (6, 4, 3000);
  g_autoptr (GBytes) whole = NULL, found = NULL;
  pid_t children[6];

  merge (directory, TRUE);
  whole = read_history (directory);
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      children[i] = fork ();
      if (children[i] == 0)
        merge_and_exit (directory);
    }
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      int status;

      waitpid (children[i], &status, 0);
      g_assert_cmpint (status, ==, 0);
    }
  found = read_history (directory);
  g_assert_true (g_bytes_equal (found, whole));
  g_assert_cmpuint (count_files (directory, "history.lightcone"), ==, 1);
  remove_tree (directory);
}

static void
overwrite (const char *path, off_t at, guint8 byte)
{
  int fd = open (path, O_WRONLY);

  g_assert_cmpint (pwrite (fd, &byte, 1, at), ==, 1);
  close (fd);
}

static void
set_time (const char *path, time_t seconds)
{
  const struct timespec times[] = {{seconds, 0}, {seconds, 0}};

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static void
test_not_good (void)
{
  g_autofree char *directory = make_trace (9, 3, 500);
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);
  g_autoptr (GBytes) whole = NULL;
  gsize size;

  g_assert_true (merge (directory, FALSE).made);
  g_assert_false (merge (directory, FALSE).made);
  whole = read_history (directory);
  size = g_bytes_get_size (whole);
  for (int i = 0; i < 7; i++)
    {
      g_autoptr (GBytes) found = NULL;

      switch (i)
        {
        case 0: /* truncated */
          g_assert_cmpint (truncate (path, (off_t)size / 2), ==, 0);
          break;
        case 1:
          g_assert_cmpint (truncate (path, 0), ==, 0);
          break;
        case 2: /* longer */
          g_assert_cmpint (truncate (path, (off_t)size + 100), ==, 0);
          break;
        case 3: /* user_version */
          overwrite (path, 63, 77);
          break;
        case 4: /* application_id */
          overwrite (path, 68, 0);
          break;
        case 5: /* the page that says which tables there are */
          overwrite (path, 100, 0xAA);
          break;
        default: /* older than the trace */
          set_time (path, 1000000000);
          break;
        }
      g_assert_true (merge (directory, FALSE).made);
      found = read_history (directory);
      g_assert_true (g_bytes_equal (found, whole));
      g_assert_false (merge (directory, FALSE).made);
    }
  remove_tree (directory);
}

static void
test_trace_changed (void)
{
  g_autofree char *directory = make_trace (10, 3, 300);
  LcMergeResult before = merge (directory, FALSE), after;

  write_text (directory, "notes.txt", "not part of it");
  g_assert_false (merge (directory, FALSE).made);
  write_text (directory, "9.events", "%lightcone-events 1\n1000000 1000001 tag value=1\n");
  after = merge (directory, FALSE);
  g_assert_true (after.made);
  g_assert_cmpuint (after.events, ==, before.events + 1);
  remove_tree (directory);
}

static void
test_rules_changed (void)
{
  static const char *const group = "[class pot]\nsummary=A pot\n\n[operation fill]\nclass=pot\nsummary=Fills it\n";
  g_autofree char *directory = make_trace (11, 3, 300), *elsewhere = make_folder ();
  g_autofree char *rules = g_build_filename (directory, "rules", NULL);
  g_autofree char *file = g_build_filename (elsewhere, "pot.rules", NULL);
  const char *const files[] = {file, NULL};
  const LcMergeOptions with_file = {.rules = files};
  LcMergeResult result;

  g_assert_true (merge (directory, FALSE).made);
  write_text (elsewhere, "pot.rules", group);
  g_assert_true (lc_merge (directory, &with_file, &result, NULL));
  g_assert_true (result.made);
  g_assert_true (lc_merge (directory, &with_file, &result, NULL));
  g_assert_false (result.made);
  g_assert_true (merge (directory, FALSE).made);
  g_mkdir (rules, 0777);
  write_text (rules, "pot.rules", group);
  g_assert_true (merge (directory, FALSE).made);
  g_assert_false (merge (directory, FALSE).made);
  remove_tree (directory);
  remove_tree (elsewhere);
}

/* --- Nothing is left -----------------------------------------------------------------------------------------------
 */

static gboolean
refuse (const LcMergeProgress *progress, gpointer data)
{
  guint *calls = data;

  g_assert_cmpfloat (progress->fraction, >=, 0);
  g_assert_cmpfloat (progress->fraction, <=, 1);
  return *calls != 0 && --*calls != 0;
}

static void
test_cancelled (void)
{
  g_autofree char *directory = make_trace (12, 3, 8000);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  for (guint calls = 0; calls < 3; calls++)
    {
      guint left = calls;
      const LcMergeOptions options = {
          .report = calls < 2 ? refuse : NULL, .data = &left, .cancellable = calls == 2 ? cancellable : NULL};
      g_autoptr (GError) error = NULL;
      LcMergeResult result;

      if (calls == 2)
        g_cancellable_cancel (cancellable);
      g_assert_false (lc_merge (directory, &options, &result, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (count_files (directory, "history.lightcone"), ==, 0);
    }
  remove_tree (directory);
}

static void
merge_without_room (const char *directory)
{
  const struct rlimit limit = {100000, 100000};
  g_autoptr (GError) error = NULL;
  LcMergeResult result;

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
  if (lc_merge (directory, NULL, &result, &error) || error->domain != G_IO_ERROR ||
      strstr (error->message, directory) == NULL)
    _exit (1);
  _exit (0);
}

static void
test_no_room (void)
{
  g_autofree char *directory = make_trace (13, 4, 40000);
  pid_t child = fork ();
  int status;

  if (child == 0)
    merge_without_room (directory);
  waitpid (child, &status, 0);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpuint (count_files (directory, "history.lightcone"), ==, 0);
  remove_tree (directory);
}

static void
test_no_trace (void)
{
  g_autofree char *directory = make_folder ();
  g_autofree char *missing = g_build_filename (directory, "missing", NULL);
  g_autoptr (GError) error = NULL;
  LcMergeResult result;

  g_assert_false (lc_merge (directory, NULL, &result, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE);
  g_clear_error (&error);
  g_assert_false (lc_merge (missing, NULL, &result, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_assert_cmpuint (count_files (directory, ""), ==, 0);
  remove_tree (directory);
}

/* --- Where nothing may be written ----------------------------------------------------------------------------------
 */

enum
{
  NOBODY = 65534,
};

static int
merge_as_nobody (const char *directory)
{
  g_autofree char *path = NULL;
  LcMergeResult result;

  if (getuid () == 0 && (setgid (NOBODY) != 0 || setuid (NOBODY) != 0))
    return 1;
  path = lc_merge_dup_path (directory);
  if (g_str_has_prefix (path, directory) || g_file_test (path, G_FILE_TEST_EXISTS))
    return 2;
  if (!lc_merge (directory, NULL, &result, NULL) || !result.made || !g_file_test (path, G_FILE_TEST_EXISTS))
    return 3;
  if (!lc_merge (directory, NULL, &result, NULL) || result.made)
    return 4;
  return 0;
}

static void
test_read_only (void)
{
  g_autofree char *directory = make_trace (14, 3, 200);
  const char *cache = g_get_user_cache_dir ();
  pid_t child;
  int status;

  g_assert_cmpint (chmod (directory, 0555), ==, 0);
  if (getuid () == 0)
    g_assert_cmpint (chown (cache, NOBODY, NOBODY), ==, 0);
  child = fork ();
  if (child == 0)
    _exit (merge_as_nobody (directory));
  waitpid (child, &status, 0);
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpuint (count_files (directory, "history.lightcone"), ==, 0);
  chmod (directory, 0777);
  remove_tree (directory);
}

/* As nobody, for whom no cache can be made either: 0 if a history is kept among temporary files, and used again; 9 if
 * that is refused, as `refused` says. */
static int
merge_sheltered (const char *directory, const char *refused)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  LcMergeResult result;

  if (getuid () == 0 && (setgid (NOBODY) != 0 || setuid (NOBODY) != 0))
    return 1;
  path = lc_merge_dup_path (directory);
  if (!g_str_has_prefix (path, g_get_tmp_dir ()) || g_file_test (path, G_FILE_TEST_EXISTS))
    return 2;
  if (!lc_merge (directory, NULL, &result, &error))
    return refused != NULL && strstr (error->message, refused) != NULL ? 9 : 3;
  if (!result.made || !g_file_test (path, G_FILE_TEST_EXISTS))
    return 4;
  return lc_merge (directory, NULL, &result, NULL) && !result.made ? 0 : 5;
}

static int
merge_in_child (const char *directory, const char *refused)
{
  pid_t child = fork ();
  int status;

  if (child == 0)
    _exit (merge_sheltered (directory, refused));
  waitpid (child, &status, 0);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

/* Who may write nowhere else has histories among temporary files, but not in a folder that somebody else has made. */
static void
test_nowhere (void)
{
  g_autofree char *directory = make_trace (16, 3, 200), *shelter = NULL;
  const char *cache = g_get_user_cache_dir ();

  if (getuid () != 0)
    {
      g_test_skip ("only root can become somebody without a home");
      return;
    }
  shelter = g_strdup_printf ("%s/lightcone-%d", g_get_tmp_dir (), NOBODY);
  g_assert_cmpint (chown (cache, 0, 0), ==, 0);
  g_assert_cmpint (chmod (cache, 0700), ==, 0);
  g_assert_cmpint (chmod (directory, 0555), ==, 0);
  g_assert_cmpint (mkdir (shelter, 0777), ==, 0);
  g_assert_cmpint (merge_in_child (directory, "not a folder of this user only"), ==, 9);
  g_assert_cmpint (rmdir (shelter), ==, 0);
  g_assert_cmpint (symlink (cache, shelter), ==, 0);
  g_assert_cmpint (merge_in_child (directory, "not a folder of this user only"), ==, 9);
  g_assert_cmpint (unlink (shelter), ==, 0);
  g_assert_cmpint (merge_in_child (directory, NULL), ==, 0);
  remove_tree (shelter);
  chmod (directory, 0777);
  remove_tree (directory);
}

/* Who may not read the folder may not read the history either, and nobody else may write to it. */
static void
test_modes (void)
{
  static const mode_t modes[][2] = {{0700, 0600}, {0750, 0640}, {0755, 0644}, {0777, 0644}};
  const mode_t before = umask (0);

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autofree char *directory = make_trace (17, 2, 20), *path = NULL;
      struct stat status;

      g_assert_cmpint (chmod (directory, modes[i][0]), ==, 0);
      g_assert_true (merge (directory, FALSE).made);
      path = lc_merge_dup_path (directory);
      g_assert_cmpint (stat (path, &status), ==, 0);
      g_assert_cmpuint (status.st_mode & 07777, ==, modes[i][1]);
      remove_tree (directory);
    }
  umask (before);
}

/* Somebody who may write has merged it: that is used. */
static void
test_read_only_merged (void)
{
  g_autofree char *directory = make_trace (15, 3, 200);
  pid_t child;
  int status;

  g_assert_cmpint (chmod (directory, 0755), ==, 0);
  g_assert_true (merge (directory, FALSE).made);
  g_assert_cmpint (chmod (directory, 0555), ==, 0);
  child = fork ();
  if (child == 0)
    {
      LcMergeResult result;
      gboolean became = getuid () != 0 || setuid (NOBODY) == 0;

      _exit (became && lc_merge (directory, NULL, &result, NULL) && !result.made ? 0 : 1);
    }
  waitpid (child, &status, 0);
  g_assert_cmpint (status, ==, 0);
  chmod (directory, 0777);
  remove_tree (directory);
}

int
main (int argc, char **argv)
{
  g_autofree char *temporary = g_strdup ("/tmp/test-merge-XXXXXX"), *cache = NULL;
  int status;

  g_assert_nonnull (g_mkdtemp_full (temporary, 0777));
  g_assert_cmpint (chmod (temporary, 01777), ==, 0);
  g_setenv ("TMPDIR", temporary, TRUE);
  cache = make_folder ();
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/merge/contents", test_contents);
  g_test_add_func ("/merge/crowd", test_crowd);
  g_test_add_func ("/merge/empty", test_empty);
  g_test_add_func ("/merge/packed", test_packed);
  g_test_add_func ("/merge/same-bytes", test_same_bytes);
  g_test_add_func ("/merge/killed", test_killed);
  g_test_add_func ("/merge/at-once", test_at_once);
  g_test_add_func ("/merge/not-good", test_not_good);
  g_test_add_func ("/merge/trace-changed", test_trace_changed);
  g_test_add_func ("/merge/rules-changed", test_rules_changed);
  g_test_add_func ("/merge/cancelled", test_cancelled);
  g_test_add_func ("/merge/no-room", test_no_room);
  g_test_add_func ("/merge/no-trace", test_no_trace);
  g_test_add_func ("/merge/read-only", test_read_only);
  g_test_add_func ("/merge/read-only-merged", test_read_only_merged);
  g_test_add_func ("/merge/nowhere", test_nowhere);
  g_test_add_func ("/merge/modes", test_modes);
  status = g_test_run ();
  remove_tree (cache);
  remove_tree (temporary);
  return status;
}
