/* SPDX-License-Identifier: Apache-2.0 */
/* What a process did at each moment: running, waiting, woken, preempted, outside or unseen; and that all who count it
 * count the same. */
#include <glib/gstdio.h>
#include <string.h>

#include "lightcone/merge.h"
#include "lightcone/states.h"
#include "maker.h"
#include "random-history.h"

#define FIRST "%lightcone-events 1\n"

/* --- Tables ------------------------------------------------------------------------------------------------------ */

static LcHistory *
merge_states (const char *directory)
{
  const LcMergeOptions options = {0};
  g_autoptr (GError) error = NULL;
  LcHistory *history = lc_merge_open (directory, &options, &error);

  g_assert_no_error (error);
  return history;
}

static gboolean
write_span (const LcStateSpan *span, gpointer data)
{
  g_string_append_printf (data, "%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " %s\n", span->begin, span->end,
                          lc_process_state_get_name (span->state));
  return TRUE;
}

static void
check_states (LcHistory *history, guint32 process, guint64 from, guint64 to, const char *expected)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  lc_history_visit_states (history, LC_TIMELINE_MEASURED, process, from, to, write_span, found, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
check_event (LcHistory *history, guint32 process, guint64 ordinal, guint64 waited, guint64 woken, guint64 preempted)
{
  LcHistoryEvent event;

  g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, process, ordinal, &event, NULL));
  g_assert_cmpuint (event.waited, ==, waited);
  g_assert_cmpuint (event.woken, ==, woken);
  g_assert_cmpuint (event.preempted, ==, preempted);
}

/* Where switches are recorded, who was woken goes on when its last absence is over; an absence while it waits is no
 * other state, and one that overlaps the release counts as woken from there on. */
static void
test_switches (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcHistory) history = NULL;

  maker_write_text (directory, "0.events",
                    FIRST "0 10 tag\n%absent 20 30 preempted\n%absent 40 45 blocked\n100 110 advance A 0\n"
                          "%absent 105 107 preempted\n200 300 lock L 2\n%absent 210 270 blocked\n"
                          "%absent 270 280 preempted\n600 601 tag\n");
  maker_write_text (directory, "1.events", FIRST "%switches\n0 10 lock L 1\n50 120 await A 0\n250 260 unlock L 1\n");
  history = merge_states (directory);
  check_states (history, 0, 0, G_MAXUINT64,
                "0-10 running\n10-20 running\n20-30 preempted\n30-40 running\n40-45 unseen\n45-100 running\n"
                "100-105 running\n105-107 preempted\n107-110 running\n110-200 running\n200-260 waiting\n"
                "260-280 woken\n280-300 running\n300-600 running\n600-601 running\n");
  check_event (history, 0, 1, 0, 0, 2);
  check_event (history, 0, 2, 60, 20, 0);
  /* It was never off its processor, so it went on at once. */
  check_states (history, 1, 40, 125, "40-50 running\n50-110 waiting\n110-120 running\n120-125 running\n");
  check_states (history, 0, 25, 43, "25-30 preempted\n30-40 running\n40-43 unseen\n");
  check_states (history, 0, 700, 800, "");
  maker_remove (directory);
}

/* Without switches, it is woken until the event's end, less what the operation takes by itself where that is known. */
static void
test_woken (void)
{
  static const char *const settings[] = {"[trace]\ntitle=x\n", "[cost]\nawait=30;50\n", "[cost]\nawait=300\n"};
  static const char *const expected[] = {"50-110 waiting\n110-180 woken\n180-181 running\n",
                                         "50-110 waiting\n110-150 woken\n150-180 running\n180-181 running\n",
                                         "50-110 waiting\n110-180 running\n180-181 running\n"};

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      char *directory = maker_directory ();
      g_autoptr (LcHistory) history = NULL;

      maker_write_text (directory, "trace.ini", settings[i]);
      maker_write_text (directory, "0.events", FIRST "100 110 advance A 0\n");
      maker_write_text (directory, "1.events", FIRST "50 180 await A 0\n181 190 await A 0\n");
      history = merge_states (directory);
      check_states (history, 1, 0, 181, expected[i]);
      /* The second one did not wait. */
      check_states (history, 1, 181, 200, "181-190 running\n");
      maker_remove (directory);
    }
}

/* A wait that timed out or was cancelled is one to its end, though for nobody that is known. */
static void
test_nobody (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcHistory) history = NULL;

  maker_write_text (directory, "0.events",
                    FIRST "0 100 condition-wait-failed C timed-out=1\n200 300 lock-failed M timed-out=1\n"
                          "%absent 220 290 blocked\n400 500 wait-failed S cancelled=1\n600 610 lock-failed M\n");
  history = merge_states (directory);
  check_states (history, 0, 0, 700,
                "0-100 waiting\n100-200 running\n200-300 waiting\n300-400 running\n400-500 waiting\n"
                "500-600 running\n600-610 running\n");
  maker_remove (directory);
}

/* Operations of class io are outside for as long as they last, unless there is a partner to wait for. */
static void
test_outside (void)
{
  static const char rules[] = "[class io]\nsummary=Leaves the program\nsequence=The n-th\n"
                              "[operation put]\nclass=io\nsummary=Writes\n"
                              "[operation get]\nclass=io\nsummary=Reads\nwaits=true\n"
                              "[operation nap]\nclass=io\nsummary=Sleeps\nwaits=true\n"
                              "[arc put to get]\nclass=io\nfrom=put\nto=get\nsequence=same\nkind=data\n";
  char *directory = maker_directory ();
  g_autofree char *folder = g_build_filename (directory, "rules", NULL);
  g_autoptr (LcHistory) history = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  maker_write_text (folder, "io.rules", rules);
  maker_write_text (directory, "0.events",
                    FIRST "0 50 nap\n%absent 10 50 blocked\n100 300 get pipe 1\n%absent 110 250 blocked\n"
                          "400 500 nap timed-out=1\n600 610 get pipe 2\n");
  maker_write_text (directory, "1.events", FIRST "240 245 put pipe 1\n500 510 put pipe 2\n");
  history = merge_states (directory);
  check_states (history, 0, 0, 700,
                "0-50 outside\n50-100 running\n100-245 waiting\n245-250 woken\n250-300 running\n300-400 running\n"
                "400-500 outside\n500-600 running\n600-610 running\n");
  /* Who writes without waiting for anybody leaves the program, too. */
  check_states (history, 1, 0, 700, "240-245 outside\n245-500 running\n500-510 outside\n");
  g_clear_pointer (&history, lc_history_free);
  {
    g_autofree char *file = g_build_filename (folder, "io.rules", NULL);

    g_unlink (file);
    g_rmdir (folder);
  }
  maker_remove (directory);
}

/* Who is blocked to its end has waited for that since what is pending began, or was outside; and what it was off its
 * processors meanwhile is no other state. */
static void
test_pending (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcHistory) history = NULL;
  const LcHistoryProcess *process;
  LcHistoryEvent event;

  maker_write_text (directory, "0.events", FIRST "0 10 tag\n20 30 lock L 1\n1000 1000 exit\n");
  maker_write_text (directory, "1.events",
                    FIRST "5 10 tag\n%absent 150 180 preempted\n%absent 190 990 blocked\n"
                          "%pending 200 1000 lock L 2 at=work@a.c:7\n");
  maker_write_text (directory, "2.events", FIRST "0 10 tag\n%pending 500 1000 read pipe 2\n");
  maker_write_text (directory, "3.events", FIRST "%pending 40 40 lock L 3\n");
  history = merge_states (directory);
  check_states (history, 0, 0, 2000, "0-10 running\n10-20 running\n20-30 running\n30-1000 running\n");
  check_states (history, 1, 0, 2000,
                "5-10 running\n10-150 running\n150-180 preempted\n180-190 running\n190-200 unseen\n"
                "200-1000 waiting\n");
  check_states (history, 1, 400, 600, "400-600 waiting\n");
  check_states (history, 2, 0, 2000, "0-10 running\n10-500 running\n500-1000 outside\n");
  check_states (history, 3, 0, 2000, "");
  check_event (history, 1, 1, 800, 0, 0);
  check_event (history, 2, 1, 0, 0, 0);
  process = lc_history_get_process (history, 1);
  g_assert_cmpuint (process->events, ==, 2);
  g_assert_cmpuint (process->end, ==, 1000);
  g_assert_cmpuint (process->pending.begin, ==, 200);
  g_assert_true (process->pending.has_sequence);
  g_assert_cmpint (process->pending.sequence, ==, 2);
  g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, 1, 1, &event, NULL));
  g_assert_cmpstr (lc_history_get_operation (history, event.operation)->name, ==, "exit");
  g_assert_cmpuint (event.stack, ==, process->pending.stack);
  g_assert_cmpuint (event.stack, !=, LC_TRACE_NONE);
  maker_remove (directory);
}

/* What follows is told and ignored, but for what the scheduler did. */
static void
test_after_pending (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcHistory) history = NULL;

  maker_write_text (directory, "0.events",
                    FIRST "0 10 tag\n%pending nothing\n%pending 20 50 lock L 1\n60 70 tag\n%pending 80 90 lock L 2\n"
                          "%absent 12 15 preempted\n");
  history = merge_states (directory);
  check_states (history, 0, 0, 100, "0-10 running\n10-12 running\n12-15 preempted\n15-20 running\n20-50 waiting\n");
  {
    g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);
    g_autoptr (GArray) problems = lc_trace_list_problems (trace);

    g_assert_cmpuint (problems->len, ==, 2);
    g_assert_cmpstr (g_array_index (problems, LcTraceProblem, 0).name, ==, "text-time");
    g_assert_cmpuint (g_array_index (problems, LcTraceProblem, 0).where, ==, 3);
    g_assert_cmpstr (g_array_index (problems, LcTraceProblem, 1).name, ==, "text-pending");
    g_assert_cmpuint (g_array_index (problems, LcTraceProblem, 1).where, ==, 5);
    g_assert_cmpuint (g_array_index (problems, LcTraceProblem, 1).count, ==, 2);
  }
  maker_remove (directory);
}

/* So many absences between two events that they are not told apart have the same sum, and stay in their place. */
static void
test_many (void)
{
  char *directory = maker_directory ();
  g_autoptr (GString) text = g_string_new (FIRST "0 10 tag\n");
  g_autoptr (LcHistory) history = NULL;
  const LcWindow window = {.from = 0, .to = G_MAXUINT64};
  LcWindowResult *result;
  const LcSummaryBucket *bucket;

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "%%absent %u %u %s\n", 100 + 10 * i, 103 + 10 * i, i % 5 ? "preempted" : "blocked");
  g_string_append (text, "300000 300001 tag\n");
  maker_write_text (directory, "0.events", text->str);
  history = merge_states (directory);
  result = lc_history_summarize_window (history, &window, 1, 0, NULL, NULL);
  g_assert_nonnull (result);
  bucket = &lc_window_result_get_summary (result)->rows[0].buckets[0];
  g_assert_cmpuint (bucket->preempted, ==, 3 * 16000);
  g_assert_cmpuint (bucket->unseen, ==, 3 * 4000);
  g_assert_cmpuint (bucket->outside, ==, 3 * 4000);
  g_assert_cmpuint (bucket->running, ==, 300001 - 3 * 20000);
  lc_window_result_free (result);
  maker_remove (directory);
}

/* --- Random executions ------------------------------------------------------------------------------------------- */

/* An absence as it was written. */
typedef struct
{
  guint64 begin, end;
  gboolean blocked;
} Off;

/* Adds absences to a process's text: anywhere, as the scheduler does not know of events. */
static GArray *
write_absences (GRand *random, const char *directory, guint process, guint64 end)
{
  g_autofree char *path = g_strdup_printf ("%s/%u.events", directory, process);
  GArray *absences = g_array_new (FALSE, FALSE, sizeof (Off));
  g_autofree char *text = NULL;
  g_autoptr (GString) all = NULL;
  guint64 at = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  all = g_string_new (text);
  g_string_append (all, "%switches\n");
  while (at < end)
    {
      Off off = {.begin = at + (guint64)g_rand_int_range (random, 0, 60), .blocked = g_rand_boolean (random)};

      at = off.end = off.begin + (guint64)g_rand_int_range (random, 1, 20);
      g_string_append_printf (all, "%%absent %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n", off.begin, off.end,
                              off.blocked ? "blocked" : "preempted");
      g_array_append_val (absences, off);
    }
  if (process % 3 == 1)
    g_string_append_printf (all, "%%pending %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " barrier never 1\n", end + 7,
                            end + 70);
  g_assert_true (g_file_set_contents (path, all->str, -1, NULL));
  return absences;
}

typedef struct
{
  LcHistory *history;
  guint32 process;
  const GArray *absences; /* Off */
  guint64 at;             /* the end of the last span */
  guint64 sums[LC_PROCESS_STATES];
} Checking;

/* The state in the ns after `time`, from the definition and nothing else. */
static LcProcessState
define_state (const Checking *checking, guint64 ordinal, guint64 time)
{
  LcHistoryEvent event;
  const Off *off = NULL;
  guint64 released, went_on;

  for (guint i = 0; i < checking->absences->len && off == NULL; i++)
    if (g_array_index (checking->absences, Off, i).begin <= time &&
        g_array_index (checking->absences, Off, i).end > time)
      off = &g_array_index (checking->absences, Off, i);
  lc_history_get_event (checking->history, LC_TIMELINE_MEASURED, checking->process, ordinal, &event, NULL);
  released = went_on = event.begin + event.waited;
  for (guint i = 0; i < checking->absences->len && event.waited > 0; i++)
    {
      const Off *one = &g_array_index (checking->absences, Off, i);

      if (one->begin < event.end && one->end > released)
        went_on = MIN (one->end, event.end);
    }
  if (time >= event.begin && time < released)
    return LC_IS_WAITING;
  if (time >= released && time < went_on)
    return LC_IS_WOKEN;
  return off == NULL ? LC_IS_RUNNING : off->blocked ? LC_IS_UNSEEN : LC_IS_PREEMPTED;
}

static gboolean
check_span (const LcStateSpan *span, gpointer data)
{
  Checking *checking = data;

  g_assert_cmpuint (span->begin, ==, checking->at);
  g_assert_cmpuint (span->end, >, span->begin);
  for (guint64 time = span->begin; time < span->end; time++)
    g_assert_cmpint (define_state (checking, span->ordinal, time), ==, span->state);
  checking->sums[span->state] += span->end - span->begin;
  checking->at = span->end;
  return TRUE;
}

/* At each scale, from the events or from the pyramid. */
static void
check_sums (const Checking *checking)
{
  for (gsize limit = 1; limit < 5000; limit *= 7)
    {
      const LcWindow window = {.from = 0, .to = G_MAXUINT64, .processes = &checking->process, .n_processes = 1};
      LcWindowResult *result = lc_history_summarize_window (checking->history, &window, limit, 0, NULL, NULL);
      const LcSummaryRow *row = lc_window_result_get_summary (result)->rows;
      LcSummaryBucket sum = {0};

      for (gsize i = 0; i < row->n_buckets; i++)
        {
          sum.running += row->buckets[i].running;
          sum.waiting += row->buckets[i].waiting;
          sum.woken += row->buckets[i].woken;
          sum.preempted += row->buckets[i].preempted;
          sum.outside += row->buckets[i].outside;
          sum.unseen += row->buckets[i].unseen;
        }
      g_assert_cmpuint (sum.running, ==, checking->sums[LC_IS_RUNNING]);
      g_assert_cmpuint (sum.waiting, ==, checking->sums[LC_IS_WAITING]);
      g_assert_cmpuint (sum.woken, ==, checking->sums[LC_IS_WOKEN]);
      g_assert_cmpuint (sum.preempted, ==, checking->sums[LC_IS_PREEMPTED]);
      g_assert_cmpuint (sum.unseen, ==, checking->sums[LC_IS_UNSEEN]);
      g_assert_cmpuint (sum.outside, ==, checking->sums[LC_IS_UNSEEN] + checking->sums[LC_IS_OUTSIDE]);
      lc_window_result_free (result);
    }
}

static void
check_random (guint32 seed, guint n_processes, guint n_steps)
{
  RandomHistory *random = random_history_new (seed, n_processes, n_steps);
  char *directory = maker_directory ();
  GRand *numbers = g_rand_new_with_seed (seed);
  g_autoptr (GPtrArray) absences = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  g_autoptr (LcHistory) history = NULL;
  guint64 waiting = 0;

  random_history_write (random, directory, 0, seed);
  for (guint i = 0; i < n_processes; i++)
    {
      const guint n = random->events[i]->len;

      g_ptr_array_add (
          absences, write_absences (numbers, directory, i, n > 0 ? random_history_event (random, i, n - 1)->end : 0));
    }
  history = merge_states (directory);
  for (guint32 i = 0; i < n_processes; i++)
    {
      Checking checking = {.history = history, .process = i, .absences = absences->pdata[i]};
      guint64 begin, end;

      lc_history_get_process_span (history, LC_TIMELINE_MEASURED, i, &begin, &end, NULL);
      checking.at = begin;
      g_assert_true (lc_history_visit_states (history, LC_TIMELINE_MEASURED, i, 0, G_MAXUINT64, check_span, &checking,
                                              NULL, NULL));
      g_assert_cmpuint (checking.at, ==, end);
      if (begin < end)
        check_sums (&checking);
      waiting += checking.sums[LC_IS_WAITING] + checking.sums[LC_IS_WOKEN];
    }
  if (n_processes > 1 && n_steps > 100)
    g_assert_cmpuint (waiting, >, 0);
  random_history_free (random);
  g_rand_free (numbers);
  maker_remove (directory);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < random_trials (24); seed++)
    check_random (seed, 1 + seed % 5, 20 + seed % 4 * 60);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/states/switches", test_switches);
  g_test_add_func ("/states/woken", test_woken);
  g_test_add_func ("/states/nobody", test_nobody);
  g_test_add_func ("/states/outside", test_outside);
  g_test_add_func ("/states/pending", test_pending);
  g_test_add_func ("/states/after-pending", test_after_pending);
  g_test_add_func ("/states/many", test_many);
  g_test_add_func ("/states/random", test_random);
  return g_test_run ();
}
