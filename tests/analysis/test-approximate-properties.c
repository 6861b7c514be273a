/* SPDX-License-Identifier: Apache-2.0 */
/* What every approximation keeps, on random histories and on the traces that are named; docs/approximation.md proves
 * it. */
#include <glib/gstdio.h>
#include <string.h>

#include "approximated.h"
#include "case.h"
#include "lightcone/statistics.h"
#include "lightcone/sweep.h"
#include "lightcone/timeline.h"

/* A trace, and the history that approximations are added to. */
typedef struct
{
  char *directory;
  gboolean keep; /* it is not ours to remove */
  LcRules *rules;
  LcTrace *trace;
  gboolean is_sound; /* nothing is wrong with it, so that nothing has to be given up */
} Subject;

/* An approximation that has been made, and read back. */
typedef struct
{
  LcApproximation *report;
  LcHistory *history;
  Timeline *measured;
  Timeline *times;
} Result;

static void
subject_open (Subject *subject)
{
  LcSweepVisitor *const visitors[] = {NULL};
  LcSweepResult result;
  g_autoptr (GError) error = NULL;

  subject->rules = lc_merge_load_rules (subject->directory, NULL, &error);
  g_assert_no_error (error);
  subject->trace = lc_trace_open (subject->directory, &error);
  g_assert_no_error (error);
  g_assert_true (lc_sweep_run (subject->trace, subject->rules, visitors, NULL, NULL, &result, &error));
  g_assert_no_error (error);
  subject->is_sound = result.unmatched + result.cycles + result.backwards == 0;
  lc_sweep_result_clear (&result);
}

static Subject *
subject_new (const char *directory)
{
  Subject *subject = g_new0 (Subject, 1);

  subject->directory = g_strdup (directory);
  subject->keep = TRUE;
  subject_open (subject);
  return subject;
}

static void
subject_free (Subject *subject)
{
  lc_trace_free (subject->trace);
  lc_rules_free (subject->rules);
  if (!subject->keep)
    case_remove_folder (subject->directory);
  g_free (subject->directory);
  g_free (subject);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Subject, subject_free)

static void
result_free (Result *result)
{
  timeline_free (result->measured);
  timeline_free (result->times);
  lc_approximation_free (result->report);
  lc_history_free (result->history);
  g_free (result);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Result, result_free)

static Result *
approximate_as (const Subject *subject, const LcApproximateOptions *options)
{
  Result *result = g_new0 (Result, 1);
  g_autoptr (GError) error = NULL;

  result->report = lc_approximate (subject->directory, options, &error);
  g_assert_no_error (error);
  result->history = lc_merge_open (subject->directory, NULL, &error);
  g_assert_no_error (error);
  result->measured = timeline_new (result->history, LC_TIMELINE_MEASURED);
  result->times = timeline_new (result->history, result->report->timeline);
  return result;
}

static Result *
approximate (const Subject *subject, LcModel model, GPtrArray *settings)
{
  const LcApproximateOptions options = {.model = model,
                                        .settings = settings != NULL ? (const char *const *)settings->pdata : NULL};

  return approximate_as (subject, &options);
}

/* --- Settings ------------------------------------------------------------------------------------------------ */

static void
add_setting (GPtrArray *settings, const char *key, const char *name, const char *value)
{
  g_ptr_array_add (settings, g_strdup_printf ("%s.%s=%s", key, name, value));
}

/* For every operation whose end is found in this way, or for all (-1). */
static void
set_operations (const Subject *subject, GPtrArray *settings, const char *section, int timing, const char *value)
{
  const GPtrArray *operations = lc_rules_get_operations (subject->rules);

  for (guint i = 0; i < operations->len; i++)
    {
      const LcOperationRule *rule = operations->pdata[i];

      if (timing < 0 || rule->timing == (LcTiming)timing)
        add_setting (settings, section, rule->name, value);
    }
}

static GPtrArray *
no_overhead (const Subject *subject)
{
  GPtrArray *settings = g_ptr_array_new_with_free_func (g_free);

  set_operations (subject, settings, "overhead", -1, "0;0;0");
  add_setting (settings, "overhead", "*", "0;0;0");
  g_ptr_array_add (settings, NULL);
  return settings;
}

/* Waiting or not makes no difference, and members leave a barrier in a fixed order: the formulas are monotone. */
static GPtrArray *
monotone (const Subject *subject, const char *cost)
{
  GPtrArray *settings = g_ptr_array_new_with_free_func (g_free);

  set_operations (subject, settings, "cost", LC_TIMING_RELEASE, cost);
  set_operations (subject, settings, "cost", LC_TIMING_COMPLETE, cost);
  set_operations (subject, settings, "cost", LC_TIMING_PROBE, cost);
  set_operations (subject, settings, "cost", LC_TIMING_FINISH, cost);
  add_setting (settings, "barrier", "exit", "simultaneous");
  return settings;
}

/* --- What always holds --------------------------------------------------------------------------------------- */

/* On each process one after the other. */
static void
check_order (const Timeline *times)
{
  for (guint32 i = 0; i < times->n_processes; i++)
    {
      guint64 now = 0;

      for (guint j = 0; j < times->events[i]->len; j++)
        {
          const LcHistoryEvent *event = &timeline_event (times, i, j)->event;

          g_assert_cmpuint (event->begin, >=, now);
          g_assert_cmpuint (event->end, >=, event->begin);
          g_assert_cmpuint (event->waited, <=, event->end - event->begin);
          now = event->end;
        }
    }
}

/* Nothing is complete before what it had to come after; and what is waited for is the last of that. */
static void
check_causality (const Timeline *times)
{
  g_autoptr (GHashTable) groups = timeline_list_groups (times);

  for (guint32 i = 0; i < times->n_processes; i++)
    for (guint j = 0; j < times->events[i]->len; j++)
      {
        const TimelineEvent *found = timeline_event (times, i, j);
        const LcHistoryEvent *event = &found->event;
        guint64 latest = event->begin;

        for (guint k = 0; k < event->n_arcs; k++)
          {
            const LcHistoryArcEnd *arc = &g_array_index (times->arcs, LcHistoryArcEnd, found->first_arc + k);
            guint64 time = timeline_point (times, arc);

            g_assert_cmpuint (time, <=, event->end);
            if (arc->process != i && !(event->flags & LC_HISTORY_EVENT_GROUP))
              latest = MAX (latest, time);
          }
        if (event->flags & LC_HISTORY_EVENT_GROUP)
          {
            const TimelineGroup key = {.object = event->object, .sequence = event->sequence};
            const TimelineGroup *group = g_hash_table_lookup (groups, &key);

            g_assert_cmpuint (group->last, <=, event->end);
            latest = MAX (latest, group->process == i ? group->others : group->last);
          }
        g_assert_cmpuint (event->waited, ==, latest - event->begin);
      }
}

static const LcHistoryEvent *
find_origin (const Result *result, const LcHistoryEvent *event)
{
  return &timeline_event (result->measured, event->origin_process, event->origin_ordinal)->event;
}

static const LcOperationRule *
find_rule (const Subject *subject, const Result *result, const LcHistoryEvent *event)
{
  return lc_rules_get_operation (subject->rules, lc_history_get_operation (result->history, event->operation)->name);
}

/* Nobody has said: an event keeps its own. */
static gboolean
is_own (const LcCost *cost)
{
  return cost->source == LC_COST_UNKNOWN || cost->source == LC_COST_ESTIMATED;
}

/* It waits for an instant, which is stamped before it is carried out: another process's instrumentation is in the wait.
 */
static gboolean
is_late (const Result *result, const LcHistoryEvent *event)
{
  const TimelineEvent *found = timeline_event (result->times, event->process, event->ordinal);
  const LcHistoryArcEnd *arc = &g_array_index (result->times->arcs, LcHistoryArcEnd, found->first_arc);
  const LcHistoryEvent *from = &timeline_event (result->measured, arc->process, arc->ordinal)->event;

  return from->begin == from->end && result->report->costs->operations[from->operation].after.value > 0;
}

/* What an event costs is its own, in the same case as measured: nothing but instrumentation and waiting moves it. */
static gboolean
is_accounted (const Subject *subject, const Result *result, const LcHistoryEvent *event)
{
  const LcHistoryEvent *before = find_origin (result, event);
  const LcOperationRule *rule = find_rule (subject, result, event);
  const LcOperationCosts *costs = &result->report->costs->operations[event->operation];
  const LcOperationRule *last;

  if (event->ordinal == 0 || !subject->is_sound || result->report->model == LC_MODEL_TIME)
    return FALSE;
  /* What was asked in vain is made up for by the next event. */
  last = find_rule (subject, result, &timeline_event (result->times, event->process, event->ordinal - 1)->event);
  if (last != NULL && last->timing == LC_TIMING_POLL)
    return FALSE;
  if (rule == NULL || rule->timing == LC_TIMING_LOCAL)
    return TRUE;
  return rule->timing == LC_TIMING_RELEASE && (event->waited > 0) == (before->waited > 0) && event->n_arcs == 1 &&
         !is_late (result, event) && is_own (&costs->nowait) && is_own (&costs->wait);
}

/* For a failure: which event it is. */
static void
describe (const Result *result, const LcHistoryEvent *event)
{
  const LcHistoryEvent *before = find_origin (result, event);

  g_test_message ("%s %s: %u:%" G_GUINT64_FORMAT " %s, measured %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT
                  " waited %" G_GUINT64_FORMAT ", now %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT
                  " waited %" G_GUINT64_FORMAT,
                  lc_history_get_path (result->history), result->report->name, event->process, event->ordinal,
                  lc_history_get_operation (result->history, event->operation)->name, before->begin, before->end,
                  before->waited, event->begin, event->end, event->waited);
}

/* On a timeline with the measured order: how far an event is from where it was measured, and why. */
static void
check_moves (const Subject *subject, const Result *result, guint32 process)
{
  gint64 moved = 0, gained = 0, removed = 0;

  for (guint j = 0; j < result->times->events[process]->len; j++)
    {
      const LcHistoryEvent *event = &timeline_event (result->times, process, j)->event;
      const LcHistoryEvent *before = find_origin (result, event);
      gint64 now = (gint64)event->end - (gint64)before->end;
      gint64 more = (gint64)event->waited - (gint64)before->waited;

      g_assert_cmpint (event->gained, ==, gained + more);
      g_assert_cmpint ((gint64)event->removed, >=, removed);
      if (is_accounted (subject, result, event))
        {
          if (now - moved != more - ((gint64)event->removed - removed))
            describe (result, event);
          g_assert_cmpint (now - moved, ==, more - ((gint64)event->removed - removed));
        }
      if (result->report->model == LC_MODEL_TIME)
        g_assert_cmpint (now, ==, -(gint64)event->removed);
      moved = now;
      gained = event->gained;
      removed = (gint64)event->removed;
    }
}

/* --- Sums ---------------------------------------------------------------------------------------------------- */

static void
check_process_sums (const Result *result, guint32 process, const LcWaitingStatistics *statistics)
{
  const LcApproximatedProcess *row = &g_array_index (result->report->processes, LcApproximatedProcess, process);
  guint64 waiting = 0, measured = 0, moved = 0, gained = 0, lost = 0, reordered = 0;
  const GArray *events = result->times->events[process];

  g_assert_cmpuint (row->process, ==, process);
  for (guint j = 0; j < events->len; j++)
    {
      const LcHistoryEvent *event = &timeline_event (result->times, process, j)->event;
      const LcHistoryEvent *before = find_origin (result, event);

      waiting += event->waited;
      measured += before->waited;
      moved += event->begin != before->begin || event->end != before->end;
      gained += event->waited > before->waited;
      lost += event->waited < before->waited;
      reordered += (event->flags & LC_HISTORY_EVENT_REORDERED) != 0;
    }
  g_assert_cmpuint (row->events, ==, events->len);
  g_assert_cmpuint (row->waiting, ==, waiting);
  g_assert_cmpuint (row->measured_waiting, ==, measured);
  g_assert_cmpuint (row->moved, ==, moved);
  g_assert_cmpuint (row->gained, ==, gained);
  g_assert_cmpuint (row->lost, ==, lost);
  g_assert_cmpuint (row->reordered, ==, reordered);
  g_assert_cmpuint (statistics->waiting, ==, waiting);
  g_assert_cmpuint (statistics->running + statistics->waiting + statistics->woken + statistics->preempted +
                        statistics->outside,
                    ==, statistics->span);
  if (events->len == 0)
    return;
  g_assert_cmpuint (
      row->begin, ==,
      lc_history_get_followed (result->history, process, timeline_event (result->times, process, 0)->event.begin));
  g_assert_cmpuint (row->end, ==, timeline_event (result->times, process, events->len - 1)->event.end);
  g_assert_cmpuint (row->removed, ==, timeline_event (result->times, process, events->len - 1)->event.removed);
}

/* The pyramid's buckets, at any level, have the same sums. */
static void
check_pyramid (const Result *result, guint32 process, gsize limit)
{
  guint64 end = g_array_index (result->report->processes, LcApproximatedProcess, process).end;
  guint64 waiting = 0, events = 0, of_events = 0;
  const LcWindow window = {.timeline = result->report->timeline,
                           .axis = LC_AXIS_TIME,
                           .to = end + 1,
                           .processes = &process,
                           .n_processes = 1};
  g_autoptr (GError) error = NULL;
  LcWindowResult *found = lc_history_query_window (result->history, &window, limit, 0, NULL, &error);
  const LcSummary *summary;

  g_assert_no_error (error);
  summary = lc_window_result_get_summary (found);
  for (gsize i = 0; summary != NULL && i < summary->rows[0].n_buckets; i++)
    {
      waiting += summary->rows[0].buckets[i].waiting;
      events += summary->rows[0].buckets[i].events;
    }
  for (guint j = 0; j < result->times->events[process]->len; j++)
    of_events += timeline_event (result->times, process, j)->event.waited;
  if (summary != NULL)
    {
      g_assert_cmpuint (waiting, ==, of_events);
      g_assert_cmpuint (events, ==, result->times->events[process]->len);
    }
  lc_window_result_free (found);
}

static void
check_sums (const Result *result)
{
  const LcApproximation *report = result->report;
  g_autoptr (GArray) waiting = lc_statistics_waiting (result->history, report->timeline, NULL, NULL);
  g_autofree char *meta = lc_history_dup_meta (result->history, "ready");
  const guint64 ready = meta != NULL ? g_ascii_strtoull (meta, NULL, 10) : 0;
  guint64 events = 0, end = 0, measured_end = 0, removed = 0;

  g_assert_cmpuint (report->processes->len, ==, result->times->n_processes);
  for (guint32 i = 0; i < result->times->n_processes; i++)
    {
      const LcApproximatedProcess *row = &g_array_index (report->processes, LcApproximatedProcess, i);

      check_process_sums (result, i, &g_array_index (waiting, LcWaitingStatistics, i));
      for (gsize limit = 1; limit <= 64; limit *= 8)
        check_pyramid (result, i, limit);
      events += row->events;
      removed += row->removed;
      end = MAX (end, row->end);
      measured_end = MAX (measured_end, row->measured_end);
    }
  g_assert_cmpuint (report->events, ==, events);
  g_assert_cmpuint (report->removed, ==, removed);
  g_assert_cmpuint (report->approximated_total, ==, end - MIN (end, ready));
  g_assert_cmpuint (report->measured_total, ==, measured_end - MIN (measured_end, ready));
}

static void
check_result (const Subject *subject, const Result *result)
{
  check_order (result->times);
  if (result->report->model != LC_MODEL_TIME)
    check_causality (result->times);
  for (guint32 i = 0; i < result->times->n_processes && result->report->model != LC_MODEL_LIBERAL; i++)
    check_moves (subject, result, i);
  check_sums (result);
}

/* --- Comparisons --------------------------------------------------------------------------------------------- */

typedef enum
{
  SAME,
  NO_LATER, /* the first is no later than the second */
} Relation;

static void
compare (const Timeline *first, const Timeline *second, Relation relation)
{
  g_assert_cmpuint (first->n_processes, ==, second->n_processes);
  for (guint32 i = 0; i < first->n_processes; i++)
    {
      g_assert_cmpuint (first->events[i]->len, ==, second->events[i]->len);
      for (guint j = 0; j < first->events[i]->len; j++)
        {
          const LcHistoryEvent *one = &timeline_event (first, i, j)->event;
          const LcHistoryEvent *other = &timeline_event (second, i, j)->event;

          if (relation == SAME)
            {
              g_assert_cmpuint (one->begin, ==, other->begin);
              g_assert_cmpuint (one->end, ==, other->end);
              g_assert_cmpuint (one->waited, ==, other->waited);
            }
          else
            {
              g_assert_cmpuint (one->begin, <=, other->begin);
              g_assert_cmpuint (one->end, <=, other->end);
            }
        }
    }
}

static gboolean
has_messages (const Timeline *times, LcHistory *history)
{
  for (guint32 i = 0; i < times->n_processes; i++)
    for (guint j = 0; j < times->events[i]->len; j++)
      {
        const LcHistoryEvent *event = &timeline_event (times, i, j)->event;
        const char *name = lc_history_get_operation (history, event->operation)->class_name;

        if (g_strcmp0 (name, "channel") == 0 || g_strcmp0 (name, "collective") == 0)
          return TRUE;
      }
  return FALSE;
}

/* Nothing taken off, nothing given: what was measured comes back. */
static void
check_nothing_to_do (const Subject *subject)
{
  static const LcModel models[] = {LC_MODEL_TIME, LC_MODEL_EVENT, LC_MODEL_PESSIMISTIC, LC_MODEL_OPTIMISTIC};
  g_autoptr (GPtrArray) settings = no_overhead (subject);

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (Result) result = approximate (subject, models[i], settings);

      if (models[i] == LC_MODEL_OPTIMISTIC && has_messages (result->measured, result->history))
        continue;
      if (models[i] != LC_MODEL_TIME && !subject->is_sound)
        continue;
      compare (result->times, result->measured, SAME);
      g_assert_cmpuint (result->report->moved + result->report->removed + result->report->clamped, ==, 0);
      g_assert_cmpuint (result->report->gained + result->report->lost, ==, 0);
    }
}

/* What-if without an if: what the recorder has found out about costs changes nothing either. */
static void
check_kept (const Subject *subject)
{
  static const LcModel models[] = {LC_MODEL_TIME, LC_MODEL_EVENT, LC_MODEL_PESSIMISTIC};

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      const LcApproximateOptions options = {.model = models[i], .keep_measurement = TRUE};
      g_autoptr (Result) result = approximate_as (subject, &options);

      if (models[i] == LC_MODEL_TIME || subject->is_sound)
        compare (result->times, result->measured, SAME);
    }
}

/* What-if a message took longer: if nothing is owed from one event to the next, no event is sooner. */
static void
compare_bounds (const Subject *subject, const GPtrArray *settings, gboolean keep_measurement)
{
  static const LcModel models[] = {LC_MODEL_OPTIMISTIC, LC_MODEL_EVENT, LC_MODEL_PESSIMISTIC};
  Result *results[G_N_ELEMENTS (models)];
  guint64 clamped = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      const LcApproximateOptions options = {
          .model = models[i], .settings = (const char *const *)settings->pdata, .keep_measurement = keep_measurement};

      results[i] = approximate_as (subject, &options);
      clamped += results[i]->report->clamped;
    }
  g_assert_true (clamped == 0 || !keep_measurement);
  for (gsize i = 1; i < G_N_ELEMENTS (models) && clamped == 0; i++)
    compare (results[i - 1]->times, results[i]->times, NO_LATER);
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    result_free (results[i]);
}

/* Where waiting costs as much as not having to wait: else an event that comes sooner may end later, as it has to wait.
 */
static void
check_bounds (const Subject *subject, const char *cost)
{
  g_autoptr (GPtrArray) settings = monotone (subject, cost);

  g_ptr_array_add (settings, NULL);
  compare_bounds (subject, settings, FALSE);
  compare_bounds (subject, settings, TRUE);
}

/* What is only taken off, with waiting that costs nothing of its own, makes nothing later. */
static void
check_only_sooner (const Subject *subject)
{
  g_autoptr (GPtrArray) settings = monotone (subject, "0;0");
  g_autoptr (Result) result = NULL;

  add_setting (settings, "cost", "copy", "0");
  g_ptr_array_add (settings, NULL);
  result = approximate (subject, LC_MODEL_EVENT, settings);
  if (subject->is_sound)
    compare (result->times, result->measured, NO_LATER);
}

/* --- Again --------------------------------------------------------------------------------------------------- */

static char *
make_folder (void)
{
  return g_dir_make_tmp ("lightcone-properties-XXXXXX", NULL);
}

/*
 * The timeline as a trace of its own: a run that could have been measured. Where nothing is left to take off, nothing
 * moves. Messages that take no time are no matter of measurement, and which receives waited for one is seen again.
 */
static void
check_again (const Subject *subject, const Result *result, const char *settings)
{
  g_autoptr (Subject) other = g_new0 (Subject, 1);
  g_autoptr (GPtrArray) nothing = no_overhead (subject);
  g_autoptr (Result) again = NULL;
  LcModel model = result->report->model == LC_MODEL_PESSIMISTIC ? LC_MODEL_PESSIMISTIC : LC_MODEL_EVENT;

  other->directory = make_folder ();
  timeline_write (result->times, result->history, other->directory, settings);
  subject_open (other);
  if (subject->is_sound)
    g_assert_true (other->is_sound);
  again = approximate (other, model, nothing);
  compare (again->times, again->measured, SAME);
}

/* --- Timelines side by side ---------------------------------------------------------------------------------- */

static guint
count_timelines (const Subject *subject)
{
  g_autoptr (LcHistory) history = lc_merge_open (subject->directory, NULL, NULL);
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, NULL);

  return timelines->len;
}

static void
remove_timeline (const Subject *subject, const char *name)
{
  g_autofree char *path = lc_merge_dup_path (subject->directory);
  g_autoptr (GError) error = NULL;

  lc_timeline_remove (path, name, &error);
  g_assert_no_error (error);
}

static void
check_side_by_side (const Subject *subject)
{
  const LcApproximateOptions first = {.model = LC_MODEL_EVENT, .name = "first"};
  const LcApproximateOptions second = {.model = LC_MODEL_TIME, .name = "second"};
  const LcApproximateOptions replacing = {.model = LC_MODEL_PESSIMISTIC, .name = "second"};
  g_autoptr (Result) one = approximate_as (subject, &first);
  guint n = count_timelines (subject);
  g_autoptr (Result) other = approximate_as (subject, &second);
  g_autoptr (Result) replaced = approximate_as (subject, &replacing);
  g_autoptr (Timeline) still = NULL;
  g_autoptr (GError) error = NULL;
  guint32 number;

  g_assert_cmpuint (count_timelines (subject), ==, n + 1);
  g_assert_cmpuint (one->report->timeline, !=, other->report->timeline);
  g_assert_true (lc_history_find_timeline (replaced->history, "first", &number, &error));
  still = timeline_new (replaced->history, number);
  compare (still, one->times, SAME);
  compare (replaced->measured, one->measured, SAME);
  /* Who has had the history open since before sees the new one too. */
  g_assert_true (lc_history_find_timeline (one->history, "second", &number, &error));
  g_clear_pointer (&still, timeline_free);
  still = timeline_new (one->history, number);
  compare (still, replaced->times, SAME);
  remove_timeline (subject, "second");
  g_assert_cmpuint (count_timelines (subject), ==, n);
  remove_timeline (subject, "first");
}

/* --- Liberal ------------------------------------------------------------------------------------------------- */

/* Each event is there once, and did what it did. */
static void
check_origins (const Result *result)
{
  g_autofree GByteArray **seen = g_new0 (GByteArray *, result->measured->n_processes);
  guint64 events = 0;

  for (guint32 i = 0; i < result->measured->n_processes; i++)
    {
      seen[i] = g_byte_array_new ();
      g_byte_array_set_size (seen[i], result->measured->events[i]->len);
      if (seen[i]->len > 0)
        memset (seen[i]->data, 0, seen[i]->len);
      events += seen[i]->len;
    }
  for (guint32 i = 0; i < result->times->n_processes; i++)
    for (guint j = 0; j < result->times->events[i]->len; j++)
      {
        const LcHistoryEvent *event = &timeline_event (result->times, i, j)->event;
        const LcHistoryEvent *before = find_origin (result, event);
        guint32 process = G_MAXUINT32;
        guint64 ordinal = G_MAXUINT64;

        g_assert_cmpuint (seen[event->origin_process]->data[event->origin_ordinal]++, ==, 0);
        g_assert_cmpuint (event->operation, ==, before->operation);
        g_assert_true (lc_history_locate (result->history, result->report->timeline, event->origin_process,
                                          event->origin_ordinal, &process, &ordinal, NULL));
        g_assert_cmpuint (process, ==, i);
        g_assert_cmpuint (ordinal, ==, j);
        events--;
      }
  g_assert_cmpuint (events, ==, 0);
  for (guint32 i = 0; i < result->measured->n_processes; i++)
    g_byte_array_unref (seen[i]);
}

static void
check_liberal (const Subject *subject, const char *settings)
{
  static const LcBlindPolicy policies[] = {LC_BLIND_PRESERVE, LC_BLIND_FIFO, LC_BLIND_LIFO};

  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      const LcApproximateOptions options = {.model = LC_MODEL_LIBERAL, .blind = policies[i]};
      g_autoptr (Result) result = approximate_as (subject, &options);

      check_result (subject, result);
      check_origins (result);
      check_again (subject, result, settings);
    }
}

/* --- All of it ------------------------------------------------------------------------------------------------ */

static void
check_subject (const Subject *subject, const char *settings)
{
  static const LcModel models[] = {LC_MODEL_TIME, LC_MODEL_EVENT, LC_MODEL_OPTIMISTIC, LC_MODEL_PESSIMISTIC};

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (Result) result = approximate (subject, models[i], NULL);

      check_result (subject, result);
      if (models[i] != LC_MODEL_TIME)
        check_again (subject, result, settings);
    }
  check_only_sooner (subject);
  check_bounds (subject, "0;0");
  check_bounds (subject, "7;7");
  check_side_by_side (subject);
  check_liberal (subject, settings);
}

/* --- Random subjects ----------------------------------------------------------------------------------------- */

static void
add_overheads (GString *text, GRand *random, gint32 most)
{
  static const char *const operations[] = {"*",    "lock",   "unlock",     "await",   "advance", "barrier",
                                           "recv", "send",   "read-start", "wait",    "ssend",   "complete",
                                           "join", "create", "start",      "scatter", "isend",   "test-failed"};

  g_string_append (text, "[overhead]\n");
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    if (i == 0 || g_rand_boolean (random))
      g_string_append_printf (text, "%s=%d.%d;%d;%d.25\n", operations[i], g_rand_int_range (random, 0, most),
                              g_rand_int_range (random, 0, 10), g_rand_int_range (random, 0, most),
                              g_rand_int_range (random, 0, most));
}

static void
add_costs (GString *text, GRand *random)
{
  static const char *const operations[] = {"lock", "await", "wait",           "read-start", "write-start", "join",
                                           "copy", "recv",  "condition-wait", "barrier",    "all-reduce",  "ssend"};

  g_string_append (text, "[cost]\n");
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    if (g_rand_boolean (random))
      g_string_append_printf (text, "%s=%d%s\n", operations[i], g_rand_int_range (random, 0, 40),
                              strcmp (operations[i], "copy") != 0 && g_rand_boolean (random) ? ";9" : "");
}

static void
add_machine (GString *text, GRand *random)
{
  static const char *const exits[] = {"linear", "simultaneous", "logarithmic", "sequential"};
  static const char *const topologies[] = {"none", "full", "ring", "mesh:2x4", "torus:4x2", "hypercube"};

  if (g_rand_boolean (random))
    g_string_append_printf (text, "[barrier]\nexit=%s\n", exits[g_rand_int_range (random, 0, 4)]);
  if (g_rand_boolean (random))
    g_string_append_printf (text, "[communication]\ntopology=%s\nshort=100;%d;0.5;%d\nlong=%d;1;%d\n",
                            topologies[g_rand_int_range (random, 0, 6)], g_rand_int_range (random, 0, 50),
                            g_rand_int_range (random, 0, 20), g_rand_int_range (random, 0, 90),
                            g_rand_int_range (random, 0, 20));
}

/* Instrumentation from nothing to far more than there is time. */
static char *
make_settings (guint32 seed)
{
  static const gint32 most[] = {1, 3, 30, 300};
  GRand *random = g_rand_new_with_seed (seed);
  g_autoptr (GString) text = g_string_new (NULL);

  add_overheads (text, random, most[seed % G_N_ELEMENTS (most)]);
  if (seed % 3 > 0)
    add_costs (text, random);
  if (seed % 5 > 1)
    add_machine (text, random);
  g_rand_free (random);
  return g_strdup (text->str);
}

static Subject *
make_random (guint32 seed, const char *settings)
{
  Subject *subject = g_new0 (Subject, 1);
  RandomHistory *random = random_history_new (seed, 1 + seed % 6, 30 + seed * 7 % 300);

  subject->directory = make_folder ();
  random_trace_write (random, subject->directory, seed, settings);
  random_history_free (random);
  subject_open (subject);
  g_assert_true (subject->is_sound);
  return subject;
}

enum
{
  SEEDS = 60,
};

static guint32 first_seed = 1, last_seed;

static void
test_random (void)
{
  for (guint32 seed = first_seed; seed <= last_seed; seed++)
    {
      g_autofree char *settings = make_settings (seed);
      g_autoptr (Subject) subject = make_random (seed, settings);

      g_test_message ("seed %u", seed);
      check_subject (subject, settings);
    }
}

/* The same executions, with nothing said about what they cost. */
static void
test_nothing_to_do (void)
{
  for (guint32 seed = first_seed; seed <= last_seed; seed++)
    {
      g_autoptr (Subject) subject = make_random (seed, "");

      g_test_message ("seed %u", seed);
      check_nothing_to_do (subject);
      check_kept (subject);
    }
}

/* --- Traces that were named ---------------------------------------------------------------------------------- */

static char *
read_settings (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "trace.ini", NULL);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

/* The same events, with nothing said about what they cost. */
static Subject *
make_plain (const Subject *subject)
{
  Subject *plain = g_new0 (Subject, 1);
  g_autoptr (GError) error = NULL;
  LcHistory *history = lc_merge_open (subject->directory, NULL, &error);
  g_autoptr (Timeline) measured = NULL;

  g_assert_no_error (error);
  measured = timeline_new (history, LC_TIMELINE_MEASURED);
  plain->directory = make_folder ();
  timeline_write (measured, history, plain->directory, "");
  lc_history_free (history);
  subject_open (plain);
  return plain;
}

static void
test_trace (gconstpointer data)
{
  const char *directory = data;
  g_autoptr (Subject) subject = subject_new (directory);
  g_autofree char *settings = read_settings (directory);
  g_autoptr (Subject) plain = make_plain (subject);

  check_subject (subject, settings);
  check_kept (subject);
  check_nothing_to_do (plain);
}

static gint only;

static const GOptionEntry options[] = {
    {"only", 0, 0, G_OPTION_ARG_INT, &only, "Only this random history", "N"},
    {NULL},
};

/* The traces are changed: a history is made in each. */
int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[TRACE...]");
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  last_seed = random_trials (SEEDS);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  if (only > 0)
    first_seed = last_seed = (guint32)only;
  for (int i = 1; i < argc; i++)
    {
      g_autofree char *base = g_path_get_basename (argv[i]);
      g_autofree char *path = g_strconcat ("/approximate-properties/", base, NULL);

      g_test_add_data_func (path, argv[i], test_trace);
    }
  if (argc == 1)
    {
      g_test_add_func ("/approximate-properties/random", test_random);
      g_test_add_func ("/approximate-properties/nothing-to-do", test_nothing_to_do);
    }
  return g_test_run ();
}
