/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of random histories: every mark, arc, sum and pick against plain answers from all events in memory. */
#include <math.h>
#include <string.h>

#include "../history/add-timeline.h"
#include "lightcone/causality.h"
#include "lightcone/critical-path.h"
#include "scene-trial.h"

/* --- Marks of events ------------------------------------------------------------------------------------------- */

static void
check_event (const Trial *trial, const LcHistoryEvent *event, const LcMark *mark)
{
  g_assert_cmpuint (mark->process, ==, event->process);
  g_assert_cmpuint (mark->ordinal, ==, event->ordinal);
  g_assert_cmpuint (mark->object, ==, event->object);
  g_assert_cmpuint (mark->operation, ==, event->operation);
  g_assert_cmpuint (mark->waiting, ==, event->waited);
  g_assert_cmpuint (mark->woken, ==, event->woken);
  g_assert_cmpuint (mark->running, ==, event->end - event->begin - event->waited - event->woken);
  g_assert_cmpuint (mark->events, ==, 1);
  g_assert_cmpuint (mark->from, ==, trial_is_physical (trial) ? event->begin : event->layer);
  g_assert_cmpuint (mark->released, ==, trial_is_physical (trial) ? event->begin + event->waited : event->layer);
  g_assert_cmpuint (mark->went_on, ==,
                    trial_is_physical (trial) ? event->begin + event->waited + event->woken : event->layer);
  g_assert_cmpuint (mark->to, ==, trial_is_physical (trial) ? event->end : event->layer);
  g_assert_cmpint ((mark->flags & LC_MARK_GROUP) != 0, ==, (event->flags & LC_HISTORY_EVENT_GROUP) != 0);
  g_assert_cmpint ((mark->flags & LC_MARK_REORDERED) != 0, ==, (event->flags & LC_HISTORY_EVENT_REORDERED) != 0);
}

static void
add_times (const Trial *trial, guint32 process, guint i, LcSceneTotals *totals)
{
  const ModelEvent *one = model_event (trial->model, process, i);
  const LcHistoryEvent *event = &one->event;
  guint64 before = i > 0 ? model_event (trial->model, process, i - 1)->event.end : event->begin;
  guint64 released = event->begin + event->waited, went_on = released + event->woken;
  gboolean alone = trial_is_filtered (trial), shown = trial_is_shown (trial, event);

  if (trial_is_physical (trial))
    {
      totals->events += shown && event->end < trial->before;
      totals->waiting += shown ? trial_overlap (trial, event->begin, released) : 0;
      totals->woken += shown ? trial_overlap (trial, released, went_on) : 0;
      totals->running += shown ? trial_overlap (trial, went_on, event->end) : 0;
      totals->running += alone ? 0 : trial_overlap (trial, before, event->begin);
      totals->holding += alone || !one->gap ? 0 : trial_overlap (trial, before, event->begin);
      totals->holding += alone || !one->holding ? 0 : trial_overlap (trial, event->begin, event->end);
    }
  else if (shown)
    {
      totals->events++;
      totals->waiting += event->waited;
      totals->woken += event->woken;
      totals->running += event->end - went_on + (alone ? 0 : event->begin - before);
      totals->holding += alone || !one->gap ? 0 : event->begin - before;
      totals->holding += alone || !one->holding ? 0 : event->end - event->begin;
    }
}

static void
check_totals (const Trial *trial, const LcSceneTotals *expected)
{
  LcSceneTotals totals;

  lc_scene_get_totals (trial->scene, &totals);
  g_assert_cmpuint (totals.events, ==, expected->events);
  g_assert_cmpuint (totals.waiting, ==, expected->waiting);
  g_assert_cmpuint (totals.woken, ==, expected->woken);
  g_assert_cmpuint (totals.running, ==, expected->running);
  g_assert_cmpuint (totals.holding, ==, expected->holding);
}

/* Each mark is where it belongs, and they add up to the totals if nothing is cut. */
static void
check_order (const Trial *trial)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks (trial->scene, &n);

  for (gsize i = 0; i < n; i++)
    {
      const LcMark *before = &marks[i - (i > 0)];

      g_assert_cmpuint (marks[i].from, <=, marks[i].to);
      g_assert_cmpuint (before->kind, <=, marks[i].kind);
      if (before->kind == marks[i].kind && before->track == marks[i].track)
        {
          g_assert_cmpuint (before->row, <=, marks[i].row);
          if (before->row == marks[i].row)
            g_assert_cmpuint (before->from, <=, marks[i].from);
        }
    }
}

static void
check_holding (const Trial *trial)
{
  for (guint32 row = 0; row < trial_count_rows (trial); row++)
    {
      guint32 process = trial_process_of (trial, row, 0);
      GArray *spans = trial->model->spans[process], *events = trial->model->events[process];
      gsize n_marks, n = 0;
      const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_HOLDING, 0, row, &n_marks);

      for (guint i = 0; i < spans->len; i++)
        {
          const LcHoldingSpan *span = &g_array_index (spans, LcHoldingSpan, i);
          guint64 end = MIN (span->end, g_array_index (events, ModelEvent, events->len - 1).event.end);
          gboolean wanted = trial->query.selection.filters.objects == NULL;

          for (guint32 k = 0; k < trial->query.selection.filters.n_objects; k++)
            wanted = wanted || trial->query.selection.filters.objects[k] == span->object;
          if (!wanted || trial_count_of (trial, row) > 1 || span->begin >= trial->before || end < trial->query.from)
            continue;
          g_assert_cmpuint (n, <, n_marks);
          g_assert_cmpuint (marks[n].object, ==, span->object);
          g_assert_cmpuint (marks[n].from, ==, MAX (span->begin, trial->query.from));
          g_assert_cmpuint (marks[n++].to, ==, MIN (end, trial->query.to));
        }
      g_assert_cmpuint (n, ==, n_marks);
    }
}

/* --- Arcs ------------------------------------------------------------------------------------------------------ */

/* The point that an arc comes from, and whether the arc is to be there. */
static gboolean
is_drawn (const Trial *trial, const ModelEvent *to, const LcHistoryArcEnd *arc, LcSceneArc *expected)
{
  const LcHistoryEvent *from = &model_event (trial->model, arc->process, arc->ordinal)->event;

  *expected = (LcSceneArc){.from_row = trial_row_of (trial, arc->process),
                           .to_row = trial_row_of (trial, to->event.process),
                           .from_process = arc->process,
                           .to_process = to->event.process,
                           .from_ordinal = arc->ordinal,
                           .to_ordinal = to->event.ordinal,
                           .rule = arc->rule};
  if (expected->from_row == LC_TRACE_NONE ||
      (expected->from_row == expected->to_row && trial_count_of (trial, expected->from_row) > 1) ||
      (trial_is_filtered (trial) && !(trial_is_shown (trial, from) && trial_is_shown (trial, &to->event))))
    return FALSE;
  if (to->event.flags & from->flags & LC_HISTORY_EVENT_GROUP && arc->point == LC_POINT_BEGIN &&
      from->object == to->event.object && from->sequence == to->event.sequence)
    return FALSE;
  expected->from = !trial_is_physical (trial) ? from->layer : arc->point == LC_POINT_BEGIN ? from->begin : from->end;
  expected->to = trial_is_physical (trial) ? to->event.end : to->event.layer;
  return MAX (expected->from, expected->to) >= trial->query.from && MIN (expected->from, expected->to) < trial->before;
}

static gboolean
is_same (const LcSceneArc *one, const LcSceneArc *other)
{
  return one->from == other->from && one->to == other->to && one->from_row == other->from_row &&
         one->to_row == other->to_row && one->from_process == other->from_process &&
         one->to_process == other->to_process && one->from_ordinal == other->from_ordinal &&
         one->to_ordinal == other->to_ordinal && one->rule == other->rule;
}

/* Processes are short enough that all arcs from what is shown are looked for. */
static void
check_arcs (const Trial *trial)
{
  gsize n_arcs, n = 0, n_drawn = 0;
  const LcSceneArc *arcs = lc_scene_get_arcs (trial->scene, &n_arcs);

  for (gsize i = 0; i < n_arcs; i++)
    n_drawn += arcs[i].kind == LC_SCENE_ARC_DATA || arcs[i].kind == LC_SCENE_ARC_ORDER;
  for (guint32 process = 0; process < trial->model->n_processes; process++)
    {
      for (guint i = 0; trial_row_of (trial, process) != LC_TRACE_NONE && i < trial->model->events[process]->len; i++)
        {
          const ModelEvent *to = model_event (trial->model, process, i);

          for (guint k = 0; k < to->arcs->len; k++)
            {
              LcSceneArc expected;
              gboolean found = FALSE;

              if (!is_drawn (trial, to, &g_array_index (to->arcs, LcHistoryArcEnd, k), &expected))
                continue;
              n++;
              for (gsize a = 0; a < n_arcs && !found; a++)
                found = is_same (&arcs[a], &expected);
              g_assert_true (found);
            }
        }
    }
  g_assert_cmpuint (n, ==, n_drawn);
}

/* Whether an arc is less worth drawing than another: its wait is shorter, or as long and it is only of order. */
static gboolean
is_less (const LcSceneArc *one, const LcSceneArc *other)
{
  if (one->waited != other->waited)
    return one->waited < other->waited;
  return one->kind == LC_SCENE_ARC_ORDER && other->kind != LC_SCENE_ARC_ORDER;
}

/* With room for few arcs: those of the longest waits, and the others in the gaps between rows. */
static void
check_density (const Trial *trial)
{
  LcSceneQuery query = trial->query;
  g_autoptr (LcScene) few = NULL;
  gsize n_all, n_few, n = 0;
  const LcSceneArc *least = NULL;
  const LcSceneArc *all = lc_scene_get_arcs (trial->scene, &n_all), *drawn;
  const guint32 *counts;
  guint n_parts;
  gboolean uncounted;
  g_autofree guint32 *expected = NULL;

  query.most_arcs = 3;
  few = lc_scene_new (trial->history, &query, NULL, NULL);
  drawn = lc_scene_get_arcs (few, &n_few);
  counts = lc_scene_get_arc_density (few, &n_parts, &uncounted);
  g_assert_false (uncounted);
  for (gsize i = 0; i < n_few; i++)
    {
      if (drawn[i].kind != LC_SCENE_ARC_GROUP && (least == NULL || is_less (&drawn[i], least)))
        least = &drawn[i];
      n += drawn[i].kind != LC_SCENE_ARC_GROUP;
    }
  g_assert_cmpuint (n, <=, 3);
  expected = g_new0 (guint32, (gsize)n_parts * lc_scene_get_n_rows (few) + 1);
  for (gsize i = 0; i < n_all; i++)
    {
      gboolean kept = FALSE;
      double length = (double)(query.to - query.from);

      for (gsize k = 0; k < n_few && !kept; k++)
        kept = is_same (&all[i], &drawn[k]);
      if (!kept && all[i].kind != LC_SCENE_ARC_GROUP)
        g_assert_true (least != NULL && !is_less (least, &all[i]));
      for (guint32 row = MIN (all[i].from_row, all[i].to_row); !kept && row < MAX (all[i].from_row, all[i].to_row);
           row++)
        {
          double share = (row + 0.5 - all[i].from_row) / ((double)all[i].to_row - all[i].from_row);
          double place = (double)all[i].from + share * ((double)all[i].to - (double)all[i].from);
          double part = floor ((place - (double)query.from) * n_parts / length + 1e-9);

          if (part >= 0 && part < n_parts)
            expected[row * n_parts + (guint)part]++;
        }
    }
  for (guint32 row = 0; counts != NULL && row + 1 < lc_scene_get_n_rows (few); row++)
    {
      guint64 sum = 0, other = 0;

      for (guint k = 0; k < n_parts; k++)
        {
          sum += counts[row * n_parts + k];
          other += expected[row * n_parts + k];
        }
      g_assert_cmpuint (sum, ==, other);
    }
}

/* Every group that has two members or more here, when the last of them has come. */
static void
check_groups (const Trial *trial)
{
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (trial->scene, &n_arcs);

  for (gsize i = 0; i < n_arcs; i++)
    {
      const LcHistoryEvent *first, *last;

      if (arcs[i].kind != LC_SCENE_ARC_GROUP)
        continue;
      first = &model_event (trial->model, arcs[i].from_process, arcs[i].from_ordinal)->event;
      last = &model_event (trial->model, arcs[i].to_process, arcs[i].to_ordinal)->event;
      g_assert_cmpuint (arcs[i].from_row, ==, trial_row_of (trial, arcs[i].from_process));
      g_assert_cmpuint (arcs[i].to_row, ==, trial_row_of (trial, arcs[i].to_process));
      g_assert_cmpuint (arcs[i].from_row, <, arcs[i].to_row);
      g_assert_cmpuint (arcs[i].from, ==, arcs[i].to);
      g_assert_true (first->flags & last->flags & LC_HISTORY_EVENT_GROUP);
      g_assert_cmpuint (first->object, ==, last->object);
      g_assert_cmpint (first->sequence, ==, last->sequence);
      if (trial_is_physical (trial))
        g_assert_cmpuint (arcs[i].from, >=, MAX (first->begin, last->begin));
    }
}

/* --- Summaries ------------------------------------------------------------------------------------------------- */

static guint
level_of (const LcMark *mark)
{
  return (guint)g_bit_nth_lsf (mark->to - mark->from, -1);
}

/* Of what the filters let through. */
static LcSummaryBucket
filtered_bucket (const Trial *trial, guint32 process, guint level, guint64 at)
{
  guint64 from = at << level, to = (at + 1) << level;
  LcSummaryBucket bucket = {0};

  for (guint i = 0; i < trial->model->events[process]->len; i++)
    {
      const LcHistoryEvent *event = &model_event (trial->model, process, i)->event;
      guint64 released = event->begin + event->waited, went_on = released + event->woken;

      if (!trial_is_shown (trial, event))
        continue;
      if (!trial_is_physical (trial))
        {
          bucket.events += event->layer >> level == at;
          bucket.waiting += event->layer >> level == at ? event->waited : 0;
          bucket.woken += event->layer >> level == at ? event->woken : 0;
          bucket.running += event->layer >> level == at ? event->end - went_on : 0;
          continue;
        }
      bucket.events += event->end >> level == at && event->end < trial->before;
      if (MIN (released, to) > MAX (event->begin, from))
        bucket.waiting += MIN (released, to) - MAX (event->begin, from);
      if (MIN (went_on, to) > MAX (released, from))
        bucket.woken += MIN (went_on, to) - MAX (released, from);
      if (MIN (event->end, to) > MAX (went_on, from))
        bucket.running += MIN (event->end, to) - MAX (went_on, from);
    }
  return bucket;
}

static void
check_summary (const Trial *trial, const LcMark *mark, LcSceneTotals *totals)
{
  LcAxis axis = trial_is_physical (trial) ? LC_AXIS_TIME : LC_AXIS_LAYER;
  guint level = level_of (mark);
  LcSceneTotals sum = {0};

  g_assert_cmpuint (mark->to - mark->from, ==, G_GUINT64_CONSTANT (1) << level);
  g_assert_cmpuint (mark->from & ((G_GUINT64_CONSTANT (1) << level) - 1), ==, 0);
  for (guint32 row = mark->row; row < mark->row + mark->n_rows; row++)
    for (guint32 i = 0; i < trial_count_of (trial, row); i++)
      {
        guint32 process = trial_process_of (trial, row, i);
        LcSummaryBucket bucket = trial_is_filtered (trial)
                                     ? filtered_bucket (trial, process, level, mark->from >> level)
                                     : model_bucket (trial->model, axis, process, level, mark->from >> level);

        sum.events += bucket.events;
        sum.running += bucket.running;
        sum.waiting += bucket.waiting;
        sum.woken += bucket.woken;
        sum.holding += bucket.holding;
      }
  g_assert_cmpuint (mark->events, ==, sum.events);
  g_assert_cmpuint (mark->waiting, ==, sum.waiting);
  g_assert_cmpuint (mark->woken, ==, sum.woken);
  g_assert_cmpuint (mark->running, ==, sum.running);
  g_assert_cmpuint (mark->holding, ==, sum.holding);
  if (mark->events > 0)
    {
      guint32 row = trial_row_of (trial, mark->process);

      g_assert_true (row >= mark->row && row < mark->row + mark->n_rows);
      g_assert_cmpuint (mark->ordinal, <, trial->model->events[mark->process]->len);
    }
  totals->events += sum.events;
  totals->running += sum.running;
  totals->waiting += sum.waiting;
  totals->woken += sum.woken;
  totals->holding += sum.holding;
}

/* Nothing that is in the span is missing: the marks have it all, once. */
static void
check_all_is_there (const Trial *trial, gboolean collapsed, const LcSceneTotals *totals)
{
  LcSceneTotals least = {0};

  for (guint32 row = 0; row < trial_count_rows (trial); row++)
    for (guint32 k = 0; k < trial_count_of (trial, row) && (!collapsed || trial_count_of (trial, row) > 1); k++)
      for (guint i = 0; i < trial->model->events[trial_process_of (trial, row, k)]->len; i++)
        add_times (trial, trial_process_of (trial, row, k), i, &least);
  g_assert_cmpuint (totals->events, >=, least.events);
  g_assert_cmpuint (totals->waiting, >=, least.waiting);
  g_assert_cmpuint (totals->running, >=, least.running);
  g_assert_cmpuint (totals->holding, >=, least.holding);
  if (trial->query.from > (trial_is_physical (trial) ? 0 : 1) || trial->query.to < trial_run_end (trial) ||
      !trial_is_physical (trial))
    return;
  g_assert_cmpuint (totals->events, ==, least.events);
  g_assert_cmpuint (totals->waiting, ==, least.waiting);
  g_assert_cmpuint (totals->running, ==, least.running);
  g_assert_cmpuint (totals->holding, ==, least.holding);
}

/* Rows of several processes, beside others that have events. */
static void
check_collapsed (const Trial *trial, LcSceneTotals *totals)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n);

  *totals = (LcSceneTotals){0};
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (trial_count_of (trial, marks[i].row), >, 1);
      g_assert_cmpuint (marks[i].n_rows, ==, 1);
      check_summary (trial, &marks[i], totals);
    }
  check_all_is_there (trial, TRUE, totals);
}

static void
check_summaries (const Trial *trial)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n);
  LcSceneTotals totals = {0};

  for (gsize i = 0; i < n; i++)
    check_summary (trial, &marks[i], &totals);
  check_totals (trial, &totals);
  if (lc_scene_is_summary (trial->scene))
    check_all_is_there (trial, FALSE, &totals);
}

/* --- Events, and beside them rows of several processes ------------------------------------------------------------ */

static void
check_events (const Trial *trial)
{
  LcSceneTotals totals = {0}, summed_up;
  guint32 n_single = 0;

  for (guint32 row = 0; row < trial_count_rows (trial); row++)
    {
      guint32 process = trial_process_of (trial, row, 0);
      gsize n_marks, n = 0;
      const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_EVENT, 0, row, &n_marks);

      if (trial_count_of (trial, row) > 1)
        {
          g_assert_cmpuint (n_marks, ==, 0);
          continue;
        }
      n_single++;
      for (guint i = 0; i < trial->model->events[process]->len; i++)
        {
          const LcHistoryEvent *event = &model_event (trial->model, process, i)->event;

          add_times (trial, process, i, &totals);
          if (!trial_is_shown (trial, event))
            continue;
          g_assert_cmpuint (n, <, n_marks);
          check_event (trial, event, &marks[n++]);
        }
      g_assert_cmpuint (n, ==, n_marks);
    }
  g_assert_cmpint (lc_scene_is_summary (trial->scene), ==, n_single == 0);
  check_collapsed (trial, &summed_up);
  totals.events += summed_up.events;
  totals.running += summed_up.running;
  totals.waiting += summed_up.waiting;
  totals.woken += summed_up.woken;
  totals.holding += summed_up.holding;
  check_totals (trial, &totals);
}

/* --- Highlights ------------------------------------------------------------------------------------------------ */

static void
check_cone (const Trial *trial)
{
  const LcHighlight *of = &trial->query.selection.highlight;
  g_autofree guint64 *past = lc_causality_past (trial->history, of->process, of->ordinal, NULL, NULL);
  g_autofree guint64 *future = lc_causality_future (trial->history, of->process, of->ordinal, NULL, NULL);
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);

  for (gsize i = 0; i < n; i++)
    {
      const LcHistoryEvent *event = &model_event (trial->model, marks[i].process, marks[i].ordinal)->event;
      gboolean in_past = of->kind != LC_HIGHLIGHT_FUTURE && event->origin_ordinal < past[event->origin_process];
      gboolean in_future = of->kind != LC_HIGHLIGHT_PAST && event->origin_ordinal >= future[event->origin_process];

      g_assert_cmpint ((marks[i].flags & LC_MARK_IN_PAST) != 0, ==, in_past);
      g_assert_cmpint ((marks[i].flags & LC_MARK_IN_FUTURE) != 0, ==, in_future);
      g_assert_cmpint ((marks[i].flags & LC_MARK_DIM) != 0, ==, !in_past && !in_future);
      g_assert_cmpint ((marks[i].flags & LC_MARK_CHOSEN) != 0, ==,
                       event->origin_process == of->process && event->origin_ordinal == of->ordinal);
    }
}

/* A summary is on each side that any of its events is on. */
static void
check_summary_cone (const Trial *trial)
{
  const LcHighlight *of = &trial->query.selection.highlight;
  g_autofree guint64 *past = lc_causality_past (trial->history, of->process, of->ordinal, NULL, NULL);
  g_autofree guint64 *future = lc_causality_future (trial->history, of->process, of->ordinal, NULL, NULL);
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n);

  for (gsize i = 0; i < n; i++)
    for (guint32 process = 0; process < trial->model->n_processes; process++)
      {
        guint32 row = trial_row_of (trial, process);

        if (row == LC_TRACE_NONE || row < marks[i].row || row >= marks[i].row + marks[i].n_rows)
          continue;
        for (guint k = 0; k < trial->model->events[process]->len; k++)
          {
            const LcHistoryEvent *event = &model_event (trial->model, process, k)->event;
            guint64 place = trial_is_physical (trial) ? event->end : event->layer;
            gboolean in_past = of->kind != LC_HIGHLIGHT_FUTURE && k < past[process];
            gboolean in_future = of->kind != LC_HIGHLIGHT_PAST && k >= future[process];

            if (place < marks[i].from || place >= marks[i].to)
              continue;
            g_assert_true (!in_past || marks[i].flags & LC_MARK_IN_PAST);
            g_assert_true (!in_future || marks[i].flags & LC_MARK_IN_FUTURE);
            g_assert_true (!(in_past || in_future) || !(marks[i].flags & LC_MARK_DIM));
          }
      }
}

static gboolean
check_segment (const LcCriticalSegment *segment, gpointer data)
{
  const Trial *trial = data;
  guint32 row;
  gsize n;
  const LcMark *marks;

  if (segment->event == NULL || !trial_is_shown (trial, segment->event))
    return TRUE;
  row = trial_row_of (trial, segment->event->process);
  if (row == LC_TRACE_NONE || trial_count_of (trial, row) > 1)
    return TRUE;
  marks = lc_scene_get_marks_of (trial->scene, LC_MARK_EVENT, 0, row, &n);
  for (gsize i = 0; i < n; i++)
    if (marks[i].ordinal == segment->event->ordinal)
      {
        g_assert_true (marks[i].flags & LC_MARK_CRITICAL);
        return TRUE;
      }
  g_assert_not_reached ();
}

static void
check_path (Trial *trial)
{
  g_autoptr (LcCriticalPath) path = lc_critical_path_find (trial->history, trial->query.timeline, NULL, NULL);
  gsize n, flagged = 0;
  const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);

  g_assert_true (lc_critical_path_visit (path, check_segment, trial, NULL, NULL));
  for (gsize i = 0; i < n; i++)
    flagged += (marks[i].flags & LC_MARK_CRITICAL) != 0;
  g_assert_cmpuint (flagged, <=, lc_critical_path_get_summary (path)->events);
}

/* With what was found before, the scene is the same. */
static void
check_known (const Trial *trial)
{
  LcSceneQuery query = trial->query;
  LcHighlight *highlight = &query.selection.highlight;
  gboolean on_path = highlight->kind == LC_HIGHLIGHT_CRITICAL_PATH;
  g_autoptr (LcCriticalPath) path = on_path ? lc_critical_path_find (trial->history, query.timeline, NULL, NULL) : NULL;
  g_autofree guint64 *past = lc_causality_past (trial->history, highlight->process, highlight->ordinal, NULL, NULL);
  g_autofree guint64 *future = lc_causality_future (trial->history, highlight->process, highlight->ordinal, NULL, NULL);
  g_autoptr (LcScene) known = NULL;
  const LcSceneArc *arcs = NULL, *known_arcs = NULL;
  const LcMark *marks = NULL, *known_marks = NULL;
  gsize n, n_known;

  highlight->path = path;
  highlight->past = past;
  highlight->future = future;
  known = lc_scene_new (trial->history, &query, NULL, NULL);
  marks = lc_scene_get_marks (trial->scene, &n);
  known_marks = lc_scene_get_marks (known, &n_known);
  g_assert_cmpuint (n, ==, n_known);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (marks[i].from, ==, known_marks[i].from);
      g_assert_cmpuint (marks[i].process, ==, known_marks[i].process);
      g_assert_cmpuint (marks[i].ordinal, ==, known_marks[i].ordinal);
      g_assert_cmpuint (marks[i].flags, ==, known_marks[i].flags);
    }
  arcs = lc_scene_get_arcs (trial->scene, &n);
  known_arcs = lc_scene_get_arcs (known, &n_known);
  g_assert_cmpuint (n, ==, n_known);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (is_same (&arcs[i], &known_arcs[i]));
      g_assert_cmpuint (arcs[i].flags, ==, known_arcs[i].flags);
    }
}

/* A timeline that was made up has no critical path: its layers do not follow its arcs. */
static gboolean
choose_highlight (Trial *trial, gboolean own)
{
  guint32 process = (guint32)g_rand_int_range (trial->random, 0, (gint32)trial->model->n_processes);
  LcHighlight *highlight = &trial->query.selection.highlight;
  guint64 n = lc_history_get_process (trial->history, process)->events;

  if (n == 0)
    return FALSE;
  highlight->kind = (LcHighlightKind)g_rand_int_range (
      trial->random, own ? LC_HIGHLIGHT_PAST : LC_HIGHLIGHT_CRITICAL_PATH, LC_HIGHLIGHT_CONE + 1);
  highlight->process = process;
  highlight->ordinal = (guint64)g_rand_int_range (trial->random, 0, (gint32)n);
  return TRUE;
}

/* --- Whole trials ---------------------------------------------------------------------------------------------- */

static void
try_events (const Case *at, const Model *model, guint32 timeline, GRand *random, gboolean own)
{
  Trial trial;
  gboolean highlighted;

  trial_begin (&trial, at, model, timeline, random);
  highlighted = g_rand_boolean (random) && choose_highlight (&trial, own);
  trial.query.most_marks = 1 << 20;
  trial.query.most_arcs = 1 << 20;
  trial_make (&trial);
  check_order (&trial);
  check_events (&trial);
  if (trial_is_physical (&trial))
    check_holding (&trial);
  check_arcs (&trial);
  check_groups (&trial);
  if (!highlighted)
    check_density (&trial);
  else if (trial.query.selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH)
    check_path (&trial);
  else
    {
      check_cone (&trial);
      if (!own)
        check_summary_cone (&trial);
    }
  if (highlighted)
    check_known (&trial);
  trial_check_picks (&trial, 30);
  trial_check_texts (&trial);
  trial_end (&trial);
}

static void
try_summaries (const Case *at, const Model *model, guint32 timeline, GRand *random, gboolean own)
{
  Trial trial;
  gboolean highlighted;

  trial_begin (&trial, at, model, timeline, random);
  highlighted = g_rand_boolean (random) && choose_highlight (&trial, own);
  trial.query.most_marks = (gsize)g_rand_int_range (random, 1, 40);
  trial.query.breadth = (guint)g_rand_int_range (random, 0, 6);
  trial_make (&trial);
  check_order (&trial);
  if (lc_scene_is_summary (trial.scene))
    check_summaries (&trial);
  if (lc_scene_is_summary (trial.scene) && highlighted && !own &&
      trial.query.selection.highlight.kind != LC_HIGHLIGHT_CRITICAL_PATH)
    check_summary_cone (&trial);
  if (highlighted)
    check_known (&trial);
  trial_check_picks (&trial, 30);
  trial_check_texts (&trial);
  trial_end (&trial);
}

typedef void (*Try) (const Case *at, const Model *model, guint32 timeline, GRand *random, gboolean own);

static guint32
add (const Case *at, const Model *model, const char *name, gboolean own)
{
  g_autoptr (GError) error = NULL;
  guint32 number;

  (own ? add_own_timeline : add_timeline) (lc_history_get_path (at->history), at->directory, model, name, &number,
                                           &error);
  g_assert_no_error (error);
  return number;
}

static void
try_all (Try try_one, guint n)
{
  for (guint32 seed = 1; seed <= 30; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      guint32 moved_number, own_number;
      Model *moved, *own;
      Case at;

      case_init (&at, seed, 1 + seed % 9, seed % 6 == 0 ? 900 : seed * 7);
      moved = model_new (at.directory);
      model_move (moved);
      own = model_new (at.directory);
      model_redecide (own, random);
      moved_number = add (&at, moved, "moved", FALSE);
      own_number = add (&at, own, "own", TRUE);
      for (guint i = 0; i < n; i++)
        {
          try_one (&at, at.model, LC_TIMELINE_MEASURED, random, FALSE);
          try_one (&at, moved, moved_number, random, FALSE);
          try_one (&at, own, own_number, random, TRUE);
        }
      model_free (moved);
      model_free (own);
      case_clear (&at);
    }
}

static void
test_events (void)
{
  try_all (try_events, 6);
}

static void
test_summaries (void)
{
  try_all (try_summaries, 12);
}

/* --- Two timelines --------------------------------------------------------------------------------------------- */

static void
check_links (const Trial *trial, const Model *beside)
{
  gsize n_arcs, n = 0, expected = 0;
  const LcSceneArc *arcs = lc_scene_get_arcs (trial->scene, &n_arcs);

  for (gsize i = 0; i < n_arcs; i++)
    {
      const LcHistoryEvent *from, *to;

      if (arcs[i].kind != LC_SCENE_ARC_LINK)
        continue;
      n++;
      from = &model_event (trial->model, arcs[i].from_row, arcs[i].from_ordinal)->event;
      to = &model_event (beside, arcs[i].to_row, arcs[i].to_ordinal)->event;
      g_assert_cmpuint (from->origin_process, ==, to->origin_process);
      g_assert_cmpuint (from->origin_ordinal, ==, to->origin_ordinal);
      g_assert_cmpuint (arcs[i].from, ==, from->end);
      g_assert_cmpuint (arcs[i].to, ==, to->end);
    }
  for (guint32 i = 0; i < beside->n_processes; i++)
    for (guint k = 0; k < beside->events[i]->len; k++)
      {
        const LcHistoryEvent *to = &model_event (beside, i, k)->event;

        if (!trial_is_shown (trial, to))
          continue;
        for (guint32 process = 0; process < trial->model->n_processes; process++)
          for (guint e = 0; e < trial->model->events[process]->len; e++)
            {
              const LcHistoryEvent *from = &model_event (trial->model, process, e)->event;

              expected += from->origin_process == to->origin_process && from->origin_ordinal == to->origin_ordinal &&
                          trial_is_shown (trial, from);
            }
      }
  g_assert_cmpuint (n, ==, expected);
}

/* Each event as it moved, related to the one before it. */
static void
check_moved (const Trial *trial, const Model *measured)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);

  for (gsize i = 0; i < n && marks[i].track == 0; i++)
    {
      const LcHistoryEvent *event = &model_event (trial->model, marks[i].process, marks[i].ordinal)->event;
      gint64 moved =
          (gint64)(event->end - model_event (measured, event->origin_process, event->origin_ordinal)->event.end);
      gint64 gained = event->gained;

      if (event->ordinal > 0)
        {
          const LcHistoryEvent *before = &model_event (trial->model, marks[i].process, marks[i].ordinal - 1)->event;

          moved -=
              (gint64)(before->end - model_event (measured, before->origin_process, before->origin_ordinal)->event.end);
          gained -= before->gained;
        }
      g_assert_cmpint ((marks[i].flags & LC_MARK_MOVED) != 0, ==, moved != 0);
      g_assert_cmpint ((marks[i].flags & LC_MARK_GAINED) != 0, ==, gained > 0);
      g_assert_cmpint ((marks[i].flags & LC_MARK_LESS) != 0, ==, gained < 0);
    }
}

static void
check_bounds (const Trial *trial, const Model *lowest, const Model *highest)
{
  gsize n, n_events;
  const LcMark *marks = lc_scene_get_marks_of (trial->scene, LC_MARK_BOUNDS, 0, LC_TRACE_NONE, &n);

  const LcMark *events = lc_scene_get_marks_of (trial->scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n_events);

  while (n_events > 0 && events[n_events - 1].track == 1)
    n_events--;
  g_assert_cmpuint (n, ==, n_events);
  for (gsize i = 0; i < n; i++)
    {
      const LcHistoryEvent *event = &model_event (trial->model, marks[i].process, marks[i].ordinal)->event;
      guint64 a = model_event (lowest, event->origin_process, event->origin_ordinal)->event.end;
      guint64 b = model_event (highest, event->origin_process, event->origin_ordinal)->event.end;

      g_assert_cmpuint (marks[i].from, ==, MIN (a, b));
      g_assert_cmpuint (marks[i].to, ==, MAX (a, b));
    }
}

static void
try_beside (const Case *at, const Model *model, guint32 timeline, const Model *moved, guint32 moved_number,
            GRand *random)
{
  Trial trial = {.history = at->history, .model = model, .random = random};

  lc_scene_query_init (&trial.query);
  trial.query.timeline = timeline;
  trial.query.beside = LC_TIMELINE_MEASURED;
  trial.query.selection.lowest = moved_number;
  trial.query.selection.highest = LC_TIMELINE_MEASURED;
  trial.query.most_arcs = 1 << 20;
  trial_choose_span (&trial);
  trial_make (&trial);
  trial.before = MAX (trial.before, trial.query.to);
  for (guint32 i = 0; i < at->model->n_processes; i++)
    if (at->model->events[i]->len > 0)
      g_assert_true (trial.query.to >= 1);
  check_order (&trial);
  check_moved (&trial, at->model);
  check_bounds (&trial, moved, at->model);
  if (trial.query.to < trial_run_end (&trial))
    check_links (&trial, at->model);
  trial_check_texts (&trial);
  trial_end (&trial);
}

static void
test_beside (void)
{
  for (guint32 seed = 1; seed <= 20; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      guint32 moved_number, own_number;
      Model *moved, *own;
      Case at;

      case_init (&at, seed, 1 + seed % 6, seed * 5);
      moved = model_new (at.directory);
      model_move (moved);
      own = model_new (at.directory);
      model_redecide (own, random);
      moved_number = add (&at, moved, "moved", FALSE);
      own_number = add (&at, own, "own", TRUE);
      for (guint i = 0; i < 6; i++)
        {
          try_beside (&at, moved, moved_number, moved, moved_number, random);
          try_beside (&at, own, own_number, moved, moved_number, random);
        }
      model_free (moved);
      model_free (own);
      case_clear (&at);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/events", test_events);
  g_test_add_func ("/scene/summaries", test_summaries);
  g_test_add_func ("/scene/beside", test_beside);
  return g_test_run ();
}
