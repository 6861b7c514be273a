/* SPDX-License-Identifier: Apache-2.0 */
/* The states of processes in every view: that all count the same, and that none lets more run than there were
 * processors. */
#include <string.h>

#include "../analysis/case.h"
#include "../history/random-machine.h"
#include "lightcone/phases.h"
#include "lightcone/picture.h"
#include "lightcone/process-graph.h"
#include "lightcone/profile.h"
#include "lightcone/scene.h"
#include "lightcone/sites.h"
#include "lightcone/states.h"
#include "lightcone/statistics.h"

/* A random run, its history, and what its processes did by the statistics of waiting. */
typedef struct
{
  RandomMachine *machine;
  Case *trial;
  GArray *waiting; /* LcWaitingStatistics */
  LcSummaryBucket sum;
  guint64 end;
} Trial;

static void
trial_begin (Trial *trial, guint32 seed)
{
  const guint n = 1 + seed % 6;
  RandomMachine *machine = random_machine_new (seed, n, 1 + seed % 3);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files, g_strdup (machine->texts->pdata[i]));
    }
  g_ptr_array_add (files, NULL);
  *trial = (Trial){.machine = machine, .trial = case_new ((const char *const *)files->pdata, NULL)};
  trial->waiting = lc_statistics_waiting (trial->trial->history, LC_TIMELINE_MEASURED, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (trial->waiting, LcWaitingStatistics, i);

      trial->sum.running += row->running;
      trial->sum.waiting += row->waiting;
      trial->sum.woken += row->woken;
      trial->sum.preempted += row->preempted;
      trial->sum.outside += row->outside;
      trial->sum.unseen += row->unseen;
      g_assert_cmpuint (row->running + row->waiting + row->woken + row->preempted + row->outside, ==, row->span);
      /* Who waits has begun to on a processor; nobody runs without one. */
      g_assert_cmpuint (row->running, <=, machine->scheduled[i]);
      g_assert_cmpuint (row->running + row->waiting, >=, machine->scheduled[i]);
    }
  trial->end = machine->running->len;
}

static void
trial_end (Trial *trial)
{
  g_array_unref (trial->waiting);
  case_free (trial->trial);
  random_machine_free (trial->machine);
}

static void
trial_each (void (*check) (Trial *trial))
{
  for (guint32 seed = 0; seed < random_trials (40); seed++)
    {
      Trial trial;

      trial_begin (&trial, seed);
      check (&trial);
      trial_end (&trial);
    }
}

/* --- Parallelism ------------------------------------------------------------------------------------------------ */

static gboolean
check_degree (guint64 from, guint64 to, guint32 running, gpointer data)
{
  const Trial *trial = data;

  for (guint64 time = from; time < to; time++)
    g_assert_cmpuint (running, <=, g_array_index (trial->machine->running, guint, time));
  return TRUE;
}

static void
check_parallelism (Trial *trial)
{
  const LcParallelismPart whole = {NULL, 0, 0, 0};
  LcHistory *history = trial->trial->history;
  g_autoptr (GError) error = NULL;
  LcParallelism *parallelism = lc_statistics_parallelism (history, LC_TIMELINE_MEASURED, NULL, &error);
  g_autoptr (GArray) intervals = NULL;
  guint64 running = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (parallelism->running, ==, trial->sum.running);
  g_assert_cmpuint (parallelism->highest, <=, trial->machine->n_processors);
  lc_parallelism_free (parallelism);
  g_assert_true (
      lc_statistics_visit_parallelism (history, LC_TIMELINE_MEASURED, &whole, check_degree, trial, NULL, &error));
  intervals = lc_statistics_parallelism_history (history, LC_TIMELINE_MEASURED, 37, NULL, &error);
  for (guint i = 0; i < intervals->len; i++)
    {
      const LcParallelismInterval *interval = &g_array_index (intervals, LcParallelismInterval, i);

      running += interval->running;
      g_assert_cmpuint (interval->highest, <=, trial->machine->n_processors);
    }
  g_assert_cmpuint (running, ==, trial->sum.running);
}

static void
test_parallelism (void)
{
  trial_each (check_parallelism);
}

/* --- Summaries, from events and from the pyramid ------------------------------------------------------------------ */

static void
check_summary (const Trial *trial, gsize limit)
{
  const LcWindow window = {.from = 0, .to = trial->end};
  g_autoptr (GError) error = NULL;
  LcWindowResult *result = lc_history_summarize_window (trial->trial->history, &window, limit, 0, NULL, &error);
  const LcSummary *summary = lc_window_result_get_summary (result);
  g_autofree guint64 *running = g_new0 (guint64, trial->end + 1);
  LcSummaryBucket sum = {0};

  g_assert_no_error (error);
  for (gsize row = 0; row < summary->n_rows; row++)
    for (gsize i = 0; i < summary->rows[row].n_buckets; i++)
      {
        const LcSummaryBucket *bucket = &summary->rows[row].buckets[i];

        g_assert_cmpuint (summary->first, ==, 0);
        running[i] += bucket->running;
        g_assert_cmpuint (running[i], <=, (G_GUINT64_CONSTANT (1) << summary->level) * trial->machine->n_processors);
        sum.running += bucket->running;
        sum.waiting += bucket->waiting;
        sum.woken += bucket->woken;
        sum.preempted += bucket->preempted;
        sum.outside += bucket->outside;
        sum.unseen += bucket->unseen;
      }
  lc_window_result_free (result);
  g_assert_cmpuint (sum.running, ==, trial->sum.running);
  g_assert_cmpuint (sum.waiting, ==, trial->sum.waiting);
  g_assert_cmpuint (sum.woken, ==, trial->sum.woken);
  g_assert_cmpuint (sum.preempted, ==, trial->sum.preempted);
  g_assert_cmpuint (sum.outside, ==, trial->sum.outside);
  g_assert_cmpuint (sum.unseen, ==, trial->sum.unseen);
}

static void
check_summaries (Trial *trial)
{
  for (gsize limit = 1; limit < 1000; limit *= 5)
    check_summary (trial, limit);
}

static void
test_summaries (void)
{
  trial_each (check_summaries);
}

/* --- Processors --------------------------------------------------------------------------------------------------- */

static void
check_stays_at (const Trial *trial, guint64 resolution)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) stays =
      lc_statistics_cpu_stays (trial->trial->history, LC_TIMELINE_MEASURED, 0, 0, resolution, NULL, &error);
  g_autofree guint64 *waited = g_new0 (guint64, trial->machine->n_processes);
  LcSummaryBucket sum = {0};

  g_assert_no_error (error);
  for (guint i = 0; i < stays->len; i++)
    {
      const LcCpuStay *stay = &g_array_index (stays, LcCpuStay, i);

      g_assert_cmpuint (stay->running + stay->waited + stay->woken + stay->preempted + stay->outside, ==,
                        stay->end - stay->begin);
      waited[stay->process] += stay->waited;
      sum.running += stay->running;
      sum.woken += stay->woken;
      sum.preempted += stay->preempted;
      sum.outside += stay->outside;
    }
  for (guint i = 0; i < trial->machine->n_processes; i++)
    g_assert_cmpuint (waited[i], ==, g_array_index (trial->waiting, LcWaitingStatistics, i).waiting);
  g_assert_cmpuint (sum.running, ==, trial->sum.running);
  g_assert_cmpuint (sum.woken, ==, trial->sum.woken);
  g_assert_cmpuint (sum.preempted, ==, trial->sum.preempted);
  g_assert_cmpuint (sum.outside, ==, trial->sum.outside);
}

/* Whoever is off the processors is on none. */
static void
check_runs_at (const Trial *trial, guint64 resolution)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) runs =
      lc_statistics_cpu_runs (trial->trial->history, LC_TIMELINE_MEASURED, 0, 0, resolution, NULL, NULL, &error);
  g_autofree guint *on = NULL;
  guint64 end = 0, running = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    end = MAX (end, g_array_index (runs, LcCpuRun, i).end);
  on = g_new0 (guint, end + 1);
  for (guint i = 0; i < runs->len; i++)
    {
      const LcCpuRun *run = &g_array_index (runs, LcCpuRun, i);
      const LcCpuRun *next = i + 1 < runs->len && run[1].process == run->process ? run + 1 : NULL;

      g_assert_cmpuint (run->running, >, 0);
      g_assert_cmpuint (run->running, <=, run->end - run->begin);
      g_assert_true (next == NULL || next->begin >= run->end);
      running += run->running;
      for (guint64 time = run->begin; time < run->end; time++)
        on[time]++;
    }
  g_assert_cmpuint (running, ==, trial->sum.running);
  for (guint64 time = 0; time < end && resolution == 0; time++)
    g_assert_cmpuint (on[time], <=, trial->machine->n_processors);
}

static void
check_stays (Trial *trial)
{
  check_stays_at (trial, 0);
  check_stays_at (trial, 40);
  check_runs_at (trial, 0);
  check_runs_at (trial, 40);
}

static void
test_stays (void)
{
  trial_each (check_stays);
}

/* --- Blame, and the profile --------------------------------------------------------------------------------------- */

static void
check_blame (Trial *trial)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) blame =
      lc_statistics_blame (trial->trial->history, LC_TIMELINE_MEASURED, NULL, NULL, NULL, &error);
  guint64 time = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < blame->len; i++)
    time += g_array_index (blame, LcBlame, i).time;
  g_assert_cmpuint (time, ==, trial->sum.waiting);
}

static void
test_blame (void)
{
  trial_each (check_blame);
}

/* What the operations of a profile waited is what the measured timeline says, and in the last column what its own does.
 */
static void
check_profile (Trial *trial)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcProfile) profile = lc_profile_of_trace (trial->trial->directory, NULL, &error);
  g_autofree char *path = lc_merge_dup_path (trial->trial->directory);
  g_autoptr (LcHistory) history = lc_history_open (path, NULL);
  g_autoptr (GArray) waiting = NULL;
  guint32 timeline;

  g_assert_no_error (error);
  g_assert_true (lc_history_find_timeline (history, "event", &timeline, &error));
  waiting = lc_statistics_waiting (history, timeline, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < profile->processes->len; i++)
    {
      const LcProfileProcess *process = profile->processes->pdata[i];
      gint64 sum = 0, measured = 0;

      for (guint k = 0; k < process->routines->len; k++)
        {
          const LcProfileRoutine *routine = process->routines->pdata[k];

          sum += routine->waiting[LC_PROFILE_APPROXIMATED];
          measured += routine->waiting[LC_PROFILE_UNCOMPENSATED];
        }
      g_assert_cmpint (sum, ==, (gint64)g_array_index (waiting, LcWaitingStatistics, process->rank).waiting);
      g_assert_cmpint (measured, ==,
                       (gint64)g_array_index (trial->waiting, LcWaitingStatistics, process->rank).waiting);
    }
}

static void
test_profile (void)
{
  trial_each (check_profile);
}

/* --- Communication, in all and by phases ---------------------------------------------------------------------------
 */

/* Computing and transfer are what is left of a process's time. */
static void
check_phases (Trial *trial, const LcPhases *phases)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) rows = lc_statistics_phases (trial->trial->history, LC_TIMELINE_MEASURED, phases, NULL, &error);
  const guint n = trial->machine->n_processes;

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (trial->waiting, LcWaitingStatistics, i);
      LcPhaseStatistics sum = {0};

      for (guint k = i; k < rows->len; k += n)
        {
          const LcPhaseStatistics *part = &g_array_index (rows, LcPhaseStatistics, k);

          g_assert_cmpuint (part->computing + part->transfer + part->waiting + part->preempted + part->outside, ==,
                            part->time);
          sum.waiting += part->waiting;
          sum.preempted += part->preempted;
          sum.outside += part->outside;
          sum.time += part->time;
        }
      g_assert_cmpuint (sum.waiting, ==, row->waiting);
      g_assert_cmpuint (sum.preempted, ==, row->preempted);
      g_assert_cmpuint (sum.outside, ==, row->outside);
      g_assert_cmpuint (sum.time, ==, row->span);
    }
}

static void
check_communication (Trial *trial)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) rows = lc_statistics_communication (trial->trial->history, LC_TIMELINE_MEASURED, NULL, &error);
  g_autoptr (LcPhases) phases = lc_phases_find (trial->trial->history, LC_TIMELINE_MEASURED, "object:*", NULL, NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < rows->len; i++)
    {
      const LcCommunicationStatistics *found = &g_array_index (rows, LcCommunicationStatistics, i);
      const LcWaitingStatistics *row = &g_array_index (trial->waiting, LcWaitingStatistics, i);

      g_assert_cmpuint (found->waiting, ==, row->waiting);
      g_assert_cmpuint (found->preempted, ==, row->preempted);
      g_assert_cmpuint (found->outside, ==, row->outside);
      g_assert_cmpuint (found->computing + found->transfer, ==, row->running + row->woken);
    }
  if (phases != NULL)
    check_phases (trial, phases);
}

static void
test_communication (void)
{
  trial_each (check_communication);
}

/* --- The diagram, and the graph that is played ---------------------------------------------------------------------
 */

static LcScene *
trial_draw (const Trial *trial, guint64 from, guint64 to)
{
  g_autoptr (GError) error = NULL;
  LcSceneQuery query;
  LcScene *scene;

  lc_scene_query_init (&query);
  query.from = from;
  query.to = to;
  scene = lc_scene_new (trial->trial->history, &query, NULL, &error);
  g_assert_no_error (error);
  return scene;
}

static void
check_diagram (Trial *trial)
{
  g_autoptr (LcScene) scene = trial_draw (trial, 0, trial->end);
  LcSceneTotals totals;

  lc_scene_get_totals (scene, &totals);
  g_assert_cmpuint (totals.running, ==, trial->sum.running);
  g_assert_cmpuint (totals.waiting, ==, trial->sum.waiting);
  g_assert_cmpuint (totals.woken, ==, trial->sum.woken);
  g_assert_cmpuint (totals.preempted, ==, trial->sum.preempted);
  g_assert_cmpuint (totals.outside, ==, trial->sum.outside);
}

static void
test_diagram (void)
{
  trial_each (check_diagram);
}

/* How many processes the view of states has in a state at a time, by what it says there. */
static guint64
trial_count_in_view (const char *text, const char *state)
{
  const char *line = strstr (text, state);

  return line != NULL ? (guint64)g_ascii_strtod (line + strlen (state), NULL) : 0;
}

/* The picture has a column for each ns. */
static void
check_view (Trial *trial)
{
  g_autoptr (LcPicture) picture = NULL;
  g_autoptr (LcCanvas) canvas = NULL;
  g_autoptr (GError) error = NULL;
  LcPictureOptions options;
  LcSummaryBucket sum = {0};
  LcRectangle area;
  guint64 from, to;

  lc_picture_options_init (&options);
  options.view = "states";
  g_assert_true (lc_picture_find_span (trial->trial->history, &options, &from, &to, NULL, &error));
  options.width = (double)(to - from) + 80;
  picture = lc_picture_new (trial->trial->history, &options, NULL, &error);
  g_assert_no_error (error);
  canvas = lc_canvas_new_svg (options.width, options.height, LC_THEME_LIGHT, NULL, NULL);
  lc_picture_paint (picture, canvas);
  lc_picture_get_area (picture, &area);
  for (guint64 time = from; time < to; time++)
    {
      const LcPlace place = {area.x + ((double)(time - from) + 0.5) / (double)(to - from) * area.width, area.y + 9};
      g_autofree char *text = lc_picture_dup_text_at (picture, place, 0);
      const guint64 running = trial_count_in_view (text, "Running: ");

      g_assert_cmpuint (running, <=, g_array_index (trial->machine->running, guint, time));
      sum.running += running;
      sum.waiting += trial_count_in_view (text, "Waiting: ");
      sum.woken += trial_count_in_view (text, "going on: ");
      sum.preempted += trial_count_in_view (text, "processor: ");
      sum.outside += trial_count_in_view (text, "unseen: ");
    }
  g_assert_cmpuint (sum.running, ==, trial->sum.running);
  g_assert_cmpuint (sum.waiting, ==, trial->sum.waiting);
  g_assert_cmpuint (sum.woken, ==, trial->sum.woken);
  g_assert_cmpuint (sum.preempted, ==, trial->sum.preempted);
  g_assert_cmpuint (sum.outside, ==, trial->sum.outside);
}

static void
test_view (void)
{
  trial_each (check_view);
}

/* In each ns a process is in one state, and as many run as had a processor, or fewer: who waits may have had one. */
static void
check_played (Trial *trial)
{
  g_autoptr (LcProcessGraph) graph = lc_process_graph_new (trial->machine->n_processes, LC_GRAPH_RING, NULL, 0, NULL);
  LcSummaryBucket sum = {0};

  for (guint64 time = 0; time < trial->end; time++)
    {
      g_autoptr (LcScene) scene = trial_draw (trial, time, time + 1);
      LcGraphCounts counts;

      lc_process_graph_count (graph, scene, &counts);
      g_assert_cmpuint (counts.running + counts.inside, <=, g_array_index (trial->machine->running, guint, time));
      sum.running += counts.running + counts.inside;
      sum.waiting += counts.waiting;
      sum.woken += counts.woken;
      sum.preempted += counts.preempted;
      sum.outside += counts.outside;
    }
  g_assert_cmpuint (sum.running, ==, trial->sum.running);
  g_assert_cmpuint (sum.waiting, ==, trial->sum.waiting);
  g_assert_cmpuint (sum.woken, ==, trial->sum.woken);
  g_assert_cmpuint (sum.preempted, ==, trial->sum.preempted);
  g_assert_cmpuint (sum.outside, ==, trial->sum.outside);
}

static void
test_played (void)
{
  for (guint32 seed = 0; seed < random_trials (8); seed++)
    {
      Trial trial;

      trial_begin (&trial, 100 + seed);
      check_played (&trial);
      trial_end (&trial);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/states-in-views/parallelism", test_parallelism);
  g_test_add_func ("/states-in-views/summaries", test_summaries);
  g_test_add_func ("/states-in-views/stays", test_stays);
  g_test_add_func ("/states-in-views/blame", test_blame);
  g_test_add_func ("/states-in-views/profile", test_profile);
  g_test_add_func ("/states-in-views/communication", test_communication);
  g_test_add_func ("/states-in-views/diagram", test_diagram);
  g_test_add_func ("/states-in-views/view", test_view);
  g_test_add_func ("/states-in-views/played", test_played);
  return g_test_run ();
}
