/* SPDX-License-Identifier: Apache-2.0 */
/* Slack: small histories by hand; random ones against what happens when each event ends later. */
#include "case.h"
#include "lightcone/critical-path.h"
#include "lightcone/slacks.h"

/* --- By hand ------------------------------------------------------------------------------------------------- */

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

/* "a0 12;": event 0 of process a has a slack of 12; "a0>b1 3;" an arc. */
static char *
dup_slacks (LcHistory *history, guint32 timeline)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (history, timeline, NULL, &error);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  const LcEventSlack *slack;
  GString *text = g_string_new (NULL);
  guint64 layer = G_MAXUINT64;

  g_assert_no_error (error);
  while (lc_slack_pass_next (pass, &slack, &error) && slack != NULL)
    {
      const char *name = lc_history_get_process (history, slack->event.process)->name;

      g_assert_cmpuint (slack->event.layer, <=, layer);
      layer = slack->event.layer;
      g_ptr_array_add (lines, g_strdup_printf ("%s%u %u;", name, (guint)slack->event.ordinal, (guint)slack->slack));
      for (guint i = 0; i < slack->event.n_arcs; i++)
        g_ptr_array_add (lines, g_strdup_printf ("%s%u>%s%u %u;",
                                                 lc_history_get_process (history, slack->arcs[i].process)->name,
                                                 (guint)slack->arcs[i].ordinal, name, (guint)slack->event.ordinal,
                                                 (guint)slack->arc_slacks[i]));
    }
  g_assert_no_error (error);
  g_ptr_array_sort (lines, compare_lines);
  for (guint i = 0; i < lines->len; i++)
    g_string_append (text, lines->pdata[i]);
  return g_string_free (text, FALSE);
}

static void
check (const char *const *files, const char *expected)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autofree char *found = dup_slacks (trial->history, LC_TIMELINE_MEASURED);

  g_assert_cmpstr (found, ==, expected);
}

/* What comes after the last release has slack up to the run's end, and so has a release that came before its taker. */
static void
test_locks (void)
{
  static const char *const waits[] = {"a", "10 20 lock L 1\n100 110 unlock L 1\n200 210 tag value=1\n", "b",
                                      "30 120 lock L 2\n300 310 unlock L 2\n", NULL};
  static const char *const comes_later[] = {"a", "10 20 lock L 1\n100 110 unlock L 1\n200 210 tag value=1\n", "b",
                                            "150 160 lock L 2\n300 310 unlock L 2\n", NULL};

  check (waits, "a0 0;a1 0;a1>b0 0;a2 100;b0 0;b1 0;");
  check (comes_later, "a0 40;a1 40;a1>b0 40;a2 100;b0 0;b1 0;");
}

/* Who comes early to a barrier could come later, up to when the last one does. */
static void
test_barriers (void)
{
  static const char *const rounds[] = {
      "a", "50 105 barrier B 0\n160 205 barrier B 1\n", "b", "100 104 barrier B 0\n150 205 barrier B 1\n",
      "c", "20 103 barrier B 0\n200 203 barrier B 1\n", NULL};
  g_autoptr (Case) trial = case_new (rounds, NULL);
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  const guint64 expected[3][2] = {{40, 0}, {50, 0}, {0, 2}};
  const LcEventSlack *slack;
  guint n = 0;

  while (lc_slack_pass_next (pass, &slack, NULL) && slack != NULL)
    {
      g_assert_cmpuint (slack->slack, ==, expected[slack->event.process][slack->event.ordinal]);
      n++;
    }
  g_assert_cmpuint (n, ==, 6);
}

/* A message leaves when its send begins, so the send's end has slack of its own. */
static void
test_message (void)
{
  static const char *const message[] = {"a", "0 5 tag value=1\n10 60 send M 0 bytes=8\n", "b",
                                        "0 50 recv M 0 bytes=8\n70 80 tag value=1\n", NULL};

  check (message, "a0 0;a1 20;a1>b0 0;b0 0;b1 0;");
}

/* A thread comes from the begin of its create, however long it took until it began. */
static void
test_creation (void)
{
  static const char *const creation[] = {"a", "0 5 tag value=1\n20 40 create T\n50 51 tag value=2\n", "b",
                                         "60 70 start T\n100 110 tag value=3\n", NULL};

  check (creation, "a0 0;a1 59;a1>b0 0;a2 59;b0 0;b1 0;");
}

/* One advance, of three awaits: the one that leaves least decides. */
static void
test_advance (void)
{
  static const char *const files[] = {"a", "0 10 advance A 1\n90 100 tag value=1\n", "b", "20 30 await A 1\n",
                                      "c", "5 12 await A 1\n40 50 tag value=1\n",    "d", "60 90 await A 1\n",
                                      NULL};

  check (files, "a0 0;a0>b0 80;a0>c0 50;a0>d0 60;a1 0;b0 70;c0 50;c1 50;d0 10;");
}

static void
test_nothing (void)
{
  static const char *const empty[] = {"a", "", NULL};

  check (empty, "");
}

static void
test_cancelled (void)
{
  static const char *const files[] = {"a", "0 10 tag value=1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (lc_slack_pass_new (trial->history, LC_TIMELINE_MEASURED, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (lc_slack_pass_new (trial->history, 77, NULL, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
}

/* --- Kept ---------------------------------------------------------------------------------------------------- */

/* What is kept is what a pass finds, of any timeline, and is the same for all who ask meanwhile. */
static void
check_kept (LcHistory *history, guint32 timeline)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (history, timeline, NULL, &error);
  g_autoptr (LcSlacks) slacks = lc_slacks_of (history, timeline), again = lc_slacks_of (history, timeline);
  const LcEventSlack *slack;

  g_assert_no_error (error);
  g_assert_true (slacks == again);
  g_assert_false (lc_slacks_are_found (slacks));
  g_assert_true (lc_slacks_find (slacks, NULL, NULL));
  g_assert_true (lc_slacks_are_found (again));
  while (lc_slack_pass_next (pass, &slack, &error) && slack != NULL)
    g_assert_cmpuint (lc_slacks_get (slacks, &slack->event), ==, slack->slack);
  g_assert_no_error (error);
}

static void
test_kept (void)
{
  for (guint32 seed = 1; seed <= random_trials (20); seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 1 + seed % 6, 5 + seed % 50);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);

      check_kept (trial->history, LC_TIMELINE_MEASURED);
    }
}

/* Above 134 ms, slack is cut to 27 binary digits. */
static void
test_kept_long (void)
{
  enum
  {
    PROCESSES = 20,
  };
  const guint64 end = G_GUINT64_CONSTANT (1) << 61;
  char *files[2 * PROCESSES + 3] = {NULL};
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSlackPass) pass = NULL;
  g_autoptr (LcSlacks) slacks = NULL;
  const LcEventSlack *slack;

  for (guint i = 0; i <= PROCESSES; i++)
    {
      const guint64 left = i < PROCESSES ? (G_GUINT64_CONSTANT (1) << 3 * i) + i : 0;

      files[2 * i] = g_strdup_printf ("p%02u", i);
      files[2 * i + 1] =
          g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag value=1\n", end - left - 1, end - left);
    }
  trial = case_new ((const char *const *)files, NULL);
  slacks = lc_slacks_of (trial->history, LC_TIMELINE_MEASURED);
  pass = lc_slack_pass_new (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  g_assert_true (lc_slacks_find (slacks, NULL, NULL));
  while (lc_slack_pass_next (pass, &slack, NULL) && slack != NULL)
    {
      const guint64 kept = lc_slacks_get (slacks, &slack->event);

      g_assert_cmpuint (kept, <=, slack->slack);
      g_assert_cmpuint (slack->slack - kept, <=, slack->slack >> 26);
      g_assert_true (slack->slack >= 1 << 27 || kept == slack->slack);
    }
  for (guint i = 0; files[i] != NULL; i++)
    g_free (files[i]);
}

/* --- At random ----------------------------------------------------------------------------------------------- */

static guint64
source_time (const RandomHistory *random, const RandomSource *source)
{
  const RandomEvent *from = random_history_event (random, source->process, source->ordinal);

  return source->begin ? from->begin : from->end;
}

/* When the event could go on, by the times of `random`. */
static guint64
find_ready (const RandomHistory *random, const RandomEvent *event)
{
  guint64 ready = event->begin;

  for (guint i = 0; i < event->sources->len; i++)
    ready = MAX (ready, source_time (random, &g_array_index (event->sources, RandomSource, i)));
  return ready;
}

/* A copy of the times, to be moved. */
static RandomHistory *
copy_times (const RandomHistory *random)
{
  RandomHistory *copy = g_new0 (RandomHistory, 1);

  copy->n_processes = random->n_processes;
  copy->events = g_new0 (GPtrArray *, random->n_processes);
  for (guint i = 0; i < random->n_processes; i++)
    {
      copy->events[i] = g_ptr_array_new_with_free_func (g_free);
      for (guint k = 0; k < random->events[i]->len; k++)
        g_ptr_array_add (copy->events[i], g_memdup2 (random->events[i]->pdata[k], sizeof (RandomEvent)));
    }
  return copy;
}

static void
free_times (RandomHistory *copy)
{
  for (guint i = 0; i < copy->n_processes; i++)
    g_ptr_array_unref (copy->events[i]);
  g_free (copy->events);
  g_free (copy);
}

/* Moves what has to, until nothing has; one event ends `delay` later than it would. */
static guint64
find_end_with (const RandomHistory *random, guint process, guint ordinal, guint64 delay)
{
  RandomHistory *moved = copy_times (random);
  gboolean again = TRUE;
  guint64 end = 0;

  while (again)
    {
      again = FALSE;
      for (guint i = 0; i < random->n_processes; i++)
        for (guint k = 0; k < random->events[i]->len; k++)
          {
            const RandomEvent *was = random->events[i]->pdata[k];
            RandomEvent *event = moved->events[i]->pdata[k];
            const guint64 ended = event->end;

            if (k > 0)
              event->begin = was->begin + ((RandomEvent *)moved->events[i]->pdata[k - 1])->end -
                             ((RandomEvent *)random->events[i]->pdata[k - 1])->end;
            event->end = find_ready (moved, event) + (was->end - find_ready (random, was)) +
                         (i == process && k == ordinal ? delay : 0);
            again = again || event->end != ended;
            end = MAX (end, event->end);
          }
    }
  free_times (moved);
  return end;
}

static void
check_random (guint32 seed, guint n_processes, guint n_steps)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, n_processes, n_steps);
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSlackPass) pass = NULL;
  const LcEventSlack *slack;
  guint64 begin, end, n = 0;

  random_history_harden (random);
  trial = case_new_random (random, 0, seed);
  pass = lc_slack_pass_new (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  lc_history_get_span (trial->history, &begin, &end);
  while (lc_slack_pass_next (pass, &slack, NULL) && slack != NULL)
    {
      const guint32 process = slack->event.process;
      const guint ordinal = (guint)slack->event.ordinal;

      g_assert_cmpuint (find_end_with (random, process, ordinal, slack->slack), ==, end);
      g_assert_cmpuint (find_end_with (random, process, ordinal, slack->slack + 1), >, end);
      n++;
    }
  g_assert_cmpuint (n, ==, lc_history_get_n_events (trial->history));
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (200); seed++)
    check_random (seed, 1 + seed % 6, 5 + seed % 50);
}

static gboolean
keep_critical (const LcCriticalSegment *segment, gpointer data)
{
  if (segment->event != NULL)
    {
      const guint64 key = (guint64)segment->process << 32 | segment->event->ordinal;

      g_hash_table_add (data, g_memdup2 (&key, sizeof key));
    }
  return TRUE;
}

/* The ends of the critical path's events cannot move, but for one that the path leaves at its begin. Whatever the
 * clocks say, each event is given once. */
static void
check_critical (guint32 seed, guint64 skew)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, 2 + seed % 6, 10 + seed % 100);
  g_autoptr (Case) trial = case_new_random (random, skew, seed);
  g_autoptr (LcCriticalPath) path = lc_critical_path_find (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  g_autoptr (GHashTable) critical = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  const LcEventSlack *slack;
  guint64 n = 0;

  lc_critical_path_visit (path, keep_critical, critical, NULL, NULL);
  while (lc_slack_pass_next (pass, &slack, &error) && slack != NULL)
    {
      const guint64 key = (guint64)slack->event.process << 32 | slack->event.ordinal;

      g_assert_true (skew > 0 || slack->slack == 0 || !g_hash_table_contains (critical, &key));
      n++;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, lc_history_get_n_events (trial->history));
}

static void
test_critical (void)
{
  for (guint32 seed = 1; seed <= random_trials (200); seed++)
    check_critical (seed, seed % 2 == 0 ? 20 + seed * 10 : 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slack/locks", test_locks);
  g_test_add_func ("/slack/barriers", test_barriers);
  g_test_add_func ("/slack/message", test_message);
  g_test_add_func ("/slack/creation", test_creation);
  g_test_add_func ("/slack/advance", test_advance);
  g_test_add_func ("/slack/nothing", test_nothing);
  g_test_add_func ("/slack/cancelled", test_cancelled);
  g_test_add_func ("/slack/kept", test_kept);
  g_test_add_func ("/slack/kept-long", test_kept_long);
  g_test_add_func ("/slack/random", test_random);
  g_test_add_func ("/slack/critical", test_critical);
  return g_test_run ();
}
