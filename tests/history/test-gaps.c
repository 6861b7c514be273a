/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep over a trace with gaps: what was given in one is not waited for, and all the rest is as in the whole trace.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "history/given.h"
#include "lightcone/history.h"
#include "lightcone/merge.h"
#include "lightcone/statistics.h"
#include "lightcone/sweep.h"
#include "maker.h"
#include "random-history.h"

#define FIRST "%lightcone-events 1\n"

typedef struct
{
  LcSweepVisitor visitor;
  GHashTable *arcs; /* "P:BEGIN>P:BEGIN", by the events' begins, which are different in each process */
  guint64 **begins; /* by ordinal; or NULL: of text alone */
  guint64 waited;
} Watcher;

/* --- A table of what is given ------------------------------------------------------------------------------------- */

static guint
hash_key (gconstpointer data)
{
  const LcPointKey *key = data;

  return key->operation + 31 * key->object + 1009 * (guint)key->sequence;
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const LcPointKey *one = a, *other = b;

  return one->operation == other->operation && one->object == other->object && one->sequence == other->sequence;
}

static LcPointKey
random_key (GRand *rand)
{
  static const gint64 bases[] = {0, -3, G_MAXINT64 - 200, G_MININT64, G_GINT64_CONSTANT (1) << 40};

  return (LcPointKey){(guint32)g_rand_int_range (rand, 0, 8), (guint32)g_rand_int_range (rand, 0, 50),
                      bases[g_rand_int_range (rand, 0, G_N_ELEMENTS (bases))] + g_rand_int_range (rand, 0, 200)};
}

static void
test_given (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GHashTable) reference = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  LcGiven *given = lc_given_new ();

  for (guint i = 0; i < 200000; i++)
    {
      const LcPointKey key = random_key (rand);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (reference, &key));
      const gboolean single = key.operation % 2 == 0;

      g_assert_cmpuint (lc_given_count (given, &key, single), ==, single ? MIN (count, 1) : count);
      if (g_rand_boolean (rand))
        continue;
      g_hash_table_insert (reference, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (count + 1));
      lc_given_add (given, &key, single);
    }
  lc_given_free (given);
}

/* --- Sweeps ------------------------------------------------------------------------------------------------------- */

static void
watch_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Watcher *watcher = (Watcher *)visitor;

  watcher->waited += step->waited;
  *step->carried = step->event->begin;
  for (gsize i = 0; step->group == NULL && i < step->n_arcs; i++)
    g_hash_table_add (watcher->arcs,
                      g_strdup_printf ("%u:%" G_GUINT64_FORMAT ">%u:%" G_GUINT64_FORMAT, step->arcs[i].process,
                                       step->arcs[i].carried[0], step->process, step->event->begin));
}

static void
watch_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  *step->carried = step->event->begin;
}

static LcTrace *
open_trace (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);

  g_assert_no_error (error);
  return trace;
}

/* Without a problem; the result is the watcher's arcs. */
static GHashTable *
sweep (const char *directory, LcSweepResult *result)
{
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (LcTrace) trace = open_trace (directory);
  g_autoptr (GError) error = NULL;
  Watcher watcher = {.visitor = {watch_begin, watch_end}};
  LcSweepVisitor *const visitors[] = {&watcher.visitor, NULL};

  watcher.arcs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  lc_sweep_run (trace, rules, visitors, NULL, NULL, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (result->unmatched + result->cycles + result->backwards + result->left, ==, 0);
  g_assert_cmpuint (result->problems->len, ==, 0);
  return watcher.arcs;
}

static void
write_file (const char *directory, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* What a line of text says of its times. */
static void
read_times (const char *line, guint64 *begin, guint64 *end)
{
  char *rest;

  *begin = g_ascii_strtoull (line, &rest, 10);
  *end = g_ascii_strtoull (rest, NULL, 10);
}

/* Writes what would be there of a text trace: nothing that ends before `from`, between the two next, or after `to`. The
 * result has the events that are: "P:BEGIN". */
static GHashTable *
cut_trace (const char *directory, const char *into, guint n, const guint64 at[4])
{
  g_autofree char *settings = g_strdup_printf ("[gaps]\n1=0;%" G_GUINT64_FORMAT ";ring\n2=%" G_GUINT64_FORMAT
                                               ";%" G_GUINT64_FORMAT ";paused\n3=%" G_GUINT64_FORMAT ";;dump\n",
                                               at[0], at[1], at[2], at[3]);
  GHashTable *kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  write_file (into, "trace.ini", settings);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.events", i), *path = g_build_filename (directory, name, NULL);
      g_autofree char *text = NULL;
      g_autoptr (GString) left = g_string_new (NULL);
      g_auto (GStrv) lines = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      lines = g_strsplit (text, "\n", -1);
      for (guint k = 0; lines[k] != NULL && lines[k][0] != '\0'; k++)
        {
          guint64 begin, end;

          read_times (lines[k], &begin, &end);
          if (g_ascii_isdigit (lines[k][0]) && (end < at[0] || (end >= at[1] && end < at[2]) || end > at[3]))
            continue;
          g_string_append_printf (left, "%s\n", lines[k]);
          if (g_ascii_isdigit (lines[k][0]))
            g_hash_table_add (kept, g_strdup_printf ("%u:%" G_GUINT64_FORMAT, i, begin));
        }
      write_file (into, name, left->str);
    }
  return kept;
}

static gboolean
is_kept (GHashTable *kept, const char *arc)
{
  g_auto (GStrv) ends = g_strsplit (arc, ">", 2);

  return g_hash_table_contains (kept, ends[0]) && g_hash_table_contains (kept, ends[1]);
}

/* Arcs between events that are there are there, and no others. */
static void
compare_arcs (GHashTable *whole, GHashTable *kept, GHashTable *found)
{
  GHashTableIter iter;
  gpointer arc;

  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &arc, NULL))
    g_assert_true (g_hash_table_contains (whole, arc));
  g_hash_table_iter_init (&iter, whole);
  while (g_hash_table_iter_next (&iter, &arc, NULL))
    if (is_kept (kept, arc))
      g_assert_true (g_hash_table_contains (found, arc));
}

static void
remove_folder (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}

/* The last end in a folder of text. */
static guint64
find_end (const char *directory)
{
  g_autoptr (LcTrace) trace = open_trace (directory);
  guint64 end = 0;

  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    end = MAX (end, lc_trace_get_process (trace, i)->end);
  return end;
}

static void
check (guint32 seed)
{
  const guint n_processes = 1 + seed % 7;
  RandomHistory *history = random_history_new (seed, n_processes, 10 + seed % 120);
  g_autofree char *directory = g_dir_make_tmp ("lightcone-gaps-XXXXXX", NULL);
  g_autofree char *cut = g_dir_make_tmp ("lightcone-gaps-XXXXXX", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GHashTable) whole = NULL, kept = NULL, found = NULL;
  LcSweepResult result;
  guint64 at[4], end;

  random_history_harden (history);
  random_history_write (history, directory, 0, seed);
  end = find_end (directory);
  for (guint i = 0; i < 4; i++)
    at[i] = (guint64)(g_rand_double_range (rand, 0.25 * i, 0.25 * (i + 1)) * (double)end);
  {
    g_autoptr (LcRules) rules = lc_rules_new ();
    g_autoptr (LcTrace) trace = open_trace (directory);
    Watcher watcher = {.visitor = {watch_begin, watch_end}};
    LcSweepVisitor *const visitors[] = {&watcher.visitor, NULL};

    whole = watcher.arcs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_assert_true (lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, NULL));
    lc_sweep_result_clear (&result);
  }
  kept = cut_trace (directory, cut, n_processes, at);
  found = sweep (cut, &result);
  g_assert_cmpuint (result.events, ==, g_hash_table_size (kept));
  lc_sweep_result_clear (&result);
  compare_arcs (whole, kept, found);
  remove_folder (directory);
  remove_folder (cut);
  random_history_free (history);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (400); seed++)
    check (seed);
}

/* --- Each kind ---------------------------------------------------------------------------------------------------- */

/* Each has something that was given in a gap, and something that was not: the unlock before lock 6 is there, that
 * before lock 9 is not ... */
static const char *const texts[] = {
    FIRST "110 120 unlock m 5\n"
          "130 140 post s 1\n"
          "150 180 barrier b 4 value=3\n"
          "190 190 signal c 7\n"
          "200 210 send 0>1:0 9 to=1\n"
          "220 230 send 0>1:0 10 to=1\n"
          "240 240 create 1\n"
          "250 260 join 1\n",
    FIRST "100 125 lock m 6\n"
          "126 127 unlock m 6\n"
          "128 129 wait s 3\n"
          "130 145 wait s 1\n"
          "146 180 barrier b 4 value=3\n"
          "181 195 condition-wait c 7\n"
          "196 197 condition-wait c 8\n"
          "198 205 recv 0>1:0 9 from=0\n"
          "206 207 recv 0>1:0 8 from=0\n"
          "208 209 lock m 9\n"
          "210 220 unlock m 9\n",
};

/* The arcs of what follows from what is there: unlock, post, barrier, signal and message. */
enum
{
  ARCS = 5 /* of the barrier only the one that came first has one */
};

static void
test_text (void)
{
  g_autofree char *directory = g_dir_make_tmp ("lightcone-gaps-XXXXXX", NULL);
  LcSweepResult result;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.events", i);

      write_file (directory, name, texts[i]);
    }
  write_file (directory, "trace.ini", "[gaps]\n1=0;100;ring\n");
  g_hash_table_unref (sweep (directory, &result));
  g_assert_cmpuint (result.events, ==, 19);
  g_assert_cmpuint (result.arcs, ==, ARCS);
  lc_sweep_result_clear (&result);
  remove_folder (directory);
}

/* The same in binary, where values are believed. */
static char *
make_binary (gboolean has_gap)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  const guint32 m = maker_object (objects, LC_CLASS_MUTEX, "m", 0, 0);
  const guint32 s = maker_object (objects, LC_CLASS_SEMAPHORE, "s", 0, 0);
  const guint32 b = maker_object (objects, LC_CLASS_BARRIER, "b", 0, 0);
  const guint32 c = maker_object (objects, LC_CLASS_CONDITION, "c", 0, 0);
  const guint32 h = maker_object (objects, LC_CLASS_CHANNEL, "0>1:0", 0, 0);
  g_autoptr (Maker) zero = maker_new (0), one = maker_new (1);

  maker_sync (zero, LC_UNLOCK, m, 5, 0, 110, 120, 0);
  maker_sync (zero, LC_POST, s, 1, 0, 130, 140, 0);
  maker_sync (zero, LC_BARRIER, b, 4, 3, 150, 180, 0);
  maker_sync (zero, LC_SIGNAL, c, 7, 0, 190, 190, 0);
  maker_message (zero, LC_SEND, h, 9, 1, 200, 210);
  maker_message (zero, LC_SEND, h, 10, 1, 220, 230);
  maker_sync (zero, LC_JOIN, 1, 0, 0, 250, 260, 0);
  maker_sync (one, LC_LOCK, m, 6, 0, 100, 125, 0);
  maker_sync (one, LC_UNLOCK, m, 6, 0, 126, 127, 0);
  maker_sync (one, LC_WAIT, s, 3, 0, 128, 129, 0);
  maker_sync (one, LC_WAIT, s, 1, 0, 130, 145, 0);
  maker_sync (one, LC_BARRIER, b, 4, 3, 146, 180, 0);
  maker_sync (one, LC_CONDITION_WAIT, c, 7, 0, 181, 195, 0);
  maker_sync (one, LC_CONDITION_WAIT, c, 8, 0, 196, 197, 0);
  maker_message (one, LC_RECV, h, 9, 1, 198, 205);
  maker_message (one, LC_RECV, h, 8, 1, 206, 207);
  maker_sync (one, LC_LOCK, m, 9, 0, 208, 209, 0);
  maker_sync (one, LC_UNLOCK, m, 9, 0, 210, 220, 0);
  maker_write_metadata (directory);
  maker_finish (zero, directory);
  maker_finish (one, directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  if (has_gap)
    maker_write_text (directory, "trace.ini", "[gaps]\n1=0;100;ring;1000\n");
  return directory;
}

static void
test_binary (void)
{
  char *directory = make_binary (TRUE);
  LcSweepResult result;

  g_hash_table_unref (sweep (directory, &result));
  g_assert_cmpuint (result.events, ==, 18);
  g_assert_cmpuint (result.arcs, ==, ARCS);
  lc_sweep_result_clear (&result);
  maker_remove (directory);
}

/* The same without a gap has problems: nothing has become of what the sweep finds. */
static void
test_without (void)
{
  char *directory = make_binary (FALSE);
  g_autoptr (LcRules) rules = lc_rules_new ();
  LcTrace *trace = open_trace (directory);
  LcSweepVisitor *const visitors[] = {NULL};
  LcSweepResult result;

  g_assert_true (lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, NULL));
  g_assert_cmpuint (result.unmatched, >=, 5);
  g_assert_cmpuint (result.left, ==, 1);
  lc_sweep_result_clear (&result);
  lc_trace_free (trace);
  maker_remove (directory);
}

/* --- Histories ---------------------------------------------------------------------------------------------------- */

/* Processes that were there before run from the end of the gap on: the history and its summaries agree. */
static void
test_history (void)
{
  g_autofree char *directory = g_dir_make_tmp ("lightcone-gaps-XXXXXX", NULL), *path = NULL;
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GArray) waiting = NULL;
  g_autoptr (GError) error = NULL;
  const LcWaitingStatistics *of;
  LcMergeResult result;
  guint64 begin, end, total;

  write_file (directory, "0.events", FIRST "1500 1700 lock m 5\n2500 2600 unlock m 5\n");
  write_file (directory, "1.events", FIRST "1600 1650 unlock m 4\n");
  write_file (directory, "2.events", FIRST "1600 1600 start 2\n1700 1700 exit 2\n");
  write_file (directory, "trace.ini", "[gaps]\n1=0;1000;ring;77\n2=2000;2400;paused\n");
  g_assert_true (lc_merge (directory, &(LcMergeOptions){0}, &result, &error));
  g_assert_no_error (error);
  path = g_build_filename (directory, "history.lightcone", NULL);
  history = lc_history_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lc_history_get_gaps (history)->len, ==, 2);
  lc_history_get_span (history, &begin, &end);
  g_assert_cmpuint (begin, ==, 1000);
  g_assert_cmpuint (end, ==, 2600);
  g_assert_true (lc_statistics_total (history, LC_TIMELINE_MEASURED, &total, NULL));
  g_assert_cmpuint (total, ==, 1600);
  for (guint32 i = 0; i < 3; i++)
    {
      g_assert_true (lc_history_get_process_span (history, LC_TIMELINE_MEASURED, i, &begin, &end, &error));
      g_assert_cmpuint (begin, ==, i < 2 ? 1000 : 1600);
    }
  waiting = lc_statistics_waiting (history, LC_TIMELINE_MEASURED, NULL, NULL);
  of = &g_array_index (waiting, LcWaitingStatistics, 0);
  g_assert_cmpuint (of->waiting, ==, 150);
  g_assert_cmpuint (of->span, ==, 1600 - 400);
  g_assert_cmpuint (of->woken, ==, 50);
  g_assert_cmpuint (of->running, ==, 1600 - 400 - 150 - 50);
  remove_folder (directory);
}

/* Nobody knows what was held while nothing was recorded: a hold that has a gap in it is two, before it and after it. */
static void
test_holding (void)
{
  static const struct
  {
    const char *name;
    guint64 held;
  } objects[] = {{"a", 800 + 100}, {"b", 600}, {"c", 250}, {"d", 10}};
  static const LcHoldingSpan spans[] = {{0, 0, 1200, 2000, 0, 1}, {1, 0, 1750, 2000, 1, 4}, {1, 0, 1820, 1830, 2, 3}};
  g_autofree char *directory = g_dir_make_tmp ("lightcone-gaps-XXXXXX", NULL), *path = NULL;
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GArray) found = NULL;
  g_autoptr (GError) error = NULL;
  LcWindow window = {.timeline = LC_TIMELINE_MEASURED, .axis = LC_AXIS_TIME, .to = 10000};
  LcMergeResult result;

  write_file (directory, "0.events", FIRST "1100 1200 lock a 1\n2500 2600 unlock a 1\n2700 2800 unlock a 1\n");
  write_file (directory, "1.events",
              FIRST "1600 1650 unlock b 4\n1700 1750 lock c 7\n1810 1820 lock d 1\n"
                    "1830 1840 unlock d 1\n2500 2600 post s 1\n");
  write_file (directory, "trace.ini", "[gaps]\n1=0;1000;ring;77\n2=2000;2400;paused\n");
  g_assert_true (lc_merge (directory, &(LcMergeOptions){0}, &result, &error));
  g_assert_no_error (error);
  path = g_build_filename (directory, "history.lightcone", NULL);
  history = lc_history_open (path, &error);
  g_assert_no_error (error);
  for (guint32 i = 0; i < lc_history_get_n_objects (history); i++)
    {
      LcHistoryObject object;

      g_assert_true (lc_history_get_object (history, i, &object, &error));
      for (guint k = 0; k < G_N_ELEMENTS (objects); k++)
        if (strcmp (object.name, objects[k].name) == 0)
          g_assert_cmpuint (object.held, ==, objects[k].held);
      lc_history_object_clear (&object);
    }
  g_assert_true (lc_history_list_holding (history, &window, G_MAXSIZE, NULL, &found, &error));
  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (spans));
  for (guint i = 0; i < found->len; i++)
    {
      const LcHoldingSpan *span = &g_array_index (found, LcHoldingSpan, i);

      g_assert_cmpuint (span->process, ==, spans[i].process);
      g_assert_cmpuint (span->begin, ==, spans[i].begin);
      g_assert_cmpuint (span->end, ==, spans[i].end);
      g_assert_cmpuint (span->begin_ordinal, ==, spans[i].begin_ordinal);
      g_assert_cmpuint (span->end_ordinal, ==, spans[i].end_ordinal);
    }
  remove_folder (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gaps/given", test_given);
  g_test_add_func ("/gaps/text", test_text);
  g_test_add_func ("/gaps/binary", test_binary);
  g_test_add_func ("/gaps/without", test_without);
  g_test_add_func ("/gaps/random", test_random);
  g_test_add_func ("/gaps/history", test_history);
  g_test_add_func ("/gaps/holding", test_holding);
  return g_test_run ();
}
