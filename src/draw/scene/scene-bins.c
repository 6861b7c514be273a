/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of summaries, made event by event where the history has no summaries: with filters, and in phase time. */
#include "scene-private.h"

typedef struct
{
  LcMark mark;
  guint64 longest;
} Bin;

typedef struct
{
  LcSceneLayout *layout;
  const LcSceneTrack *track;
  guint level;
  guint64 first; /* number of the first bin */
  gsize n_bins;  /* bins of each row of marks */
  Bin *bins;
  guint32 member; /* the member whose event is visited */
  guint32 phase;

  /* Layers and phase time without filters: the time between a process's events, and what the process holds. */
  gboolean between;
  guint32 of_member; /* the member that the fields below are about, or LC_TRACE_NONE */
  guint64 before;    /* end of the event before */
  GArray *spans;     /* LcHoldingSpan */
  guint next_span;
  guint64 held_to; /* the last event up to which an object is held */
  GError *error;
} Binning;

/* Gives NULL for a bin that is not in the span. */
static Bin *
get_bin (const Binning *binning, guint64 number)
{
  guint32 row = lc_scene_row_of (binning->layout, binning->member);

  if (number < binning->first || number - binning->first >= binning->n_bins)
    return NULL;
  return &binning->bins[row / binning->layout->scene->group * binning->n_bins + (number - binning->first)];
}

static void
count_event (const Binning *binning, Bin *bin, const LcHistoryEvent *event)
{
  guint64 length = event->end - event->begin;

  if (bin == NULL)
    return;
  if (bin->mark.events == 0 || length > bin->longest)
    {
      bin->longest = length;
      bin->mark.ordinal = event->ordinal;
      bin->mark.process = event->process;
    }
  bin->mark.events++;
}

/* Adds a span of time to all its bins, with how much of it, evenly spread, was what. */
static void
scene_bins_add_time (const Binning *binning, guint64 from, guint64 to, const LcMark *what)
{
  guint64 first = MAX (from, binning->first << binning->level);
  guint64 last = MIN (to, (binning->first + binning->n_bins) << binning->level);

  while (first < last)
    {
      guint64 number = first >> binning->level, end = MIN ((number + 1) << binning->level, last);
      LcMark *mark = &get_bin (binning, number)->mark;
      double share = (double)(end - first) / (double)(to - from);
      guint64 preempted = (guint64)((double)what->preempted * share),
              outside = (guint64)((double)what->outside * share);

      mark->waiting += what->waiting > 0 ? end - first : 0;
      mark->woken += what->woken > 0 ? end - first : 0;
      mark->preempted += preempted;
      mark->outside += outside;
      for (guint i = 0; i < LC_EXCHANGES; i++)
        mark->exchange[i] += what->exchange[i] > 0 ? end - first : 0;
      mark->running += what->waiting + what->woken > 0 ? 0 : end - first - preempted - outside;
      first = end;
    }
}

/* --- Between events -------------------------------------------------------------------------------------------- */

static gboolean
begin_member (Binning *binning, const LcHistoryEvent *event)
{
  const LcSceneLayout *layout = binning->layout;
  const LcSceneMember *member = &binning->track->members[binning->member];
  LcWindow window = {.timeline = binning->track->timeline,
                     .from = member->begin,
                     .to = member->end + 1,
                     .processes = &event->process,
                     .n_processes = 1};
  LcHistoryEvent before;

  binning->of_member = binning->member;
  binning->next_span = 0;
  binning->held_to = 0;
  binning->before = event->begin;
  g_clear_pointer (&binning->spans, g_array_unref);
  if (event->ordinal > 0)
    {
      if (!lc_history_get_event (layout->history, binning->track->timeline, event->process, event->ordinal - 1, &before,
                                 &binning->error))
        return FALSE;
      binning->before = before.end;
    }
  return lc_history_list_holding (layout->history, &window, G_MAXSIZE, layout->cancellable, &binning->spans,
                                  &binning->error);
}

static void
add_between (Binning *binning, Bin *bin, const LcHistoryEvent *event)
{
  guint64 gap = event->begin - binning->before;

  for (; binning->next_span < binning->spans->len; binning->next_span++)
    {
      const LcHoldingSpan *span = &g_array_index (binning->spans, LcHoldingSpan, binning->next_span);

      if (span->begin_ordinal >= event->ordinal)
        break;
      binning->held_to = MAX (binning->held_to, span->end_ordinal);
    }
  binning->before = event->end;
  if (bin == NULL)
    return;
  bin->mark.running += gap;
  bin->mark.holding += binning->held_to >= event->ordinal && event->ordinal > 0 ? gap : 0;
  bin->mark.holding += binning->held_to > event->ordinal ? event->end - event->begin : 0;
}

/* --- Visiting -------------------------------------------------------------------------------------------------- */

static gboolean
scene_bins_add_in_time (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Binning *binning = data;
  const LcSceneStates states = lc_scene_get_states (event);

  const guint exchange = lc_scene_find_exchange (binning->layout, event);
  LcMark what = {.waiting = 1};

  if (event->end < binning->layout->query->from || event->begin >= binning->layout->before)
    return TRUE;
  if (exchange != LC_EXCHANGE_NONE)
    what.exchange[exchange] = 1;
  scene_bins_add_time (binning, event->begin, states.released, &what);
  what.waiting = 0;
  what.woken = 1;
  scene_bins_add_time (binning, states.released, states.went_on, &what);
  what.woken = 0;
  what.preempted = states.preempted;
  what.outside = states.outside;
  scene_bins_add_time (binning, states.went_on, event->end, &what);
  if (event->end >= binning->layout->query->from && event->end < binning->layout->before)
    count_event (binning, get_bin (binning, event->end >> binning->level), event);
  return TRUE;
}

static gboolean
add_at_place (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Binning *binning = data;
  const LcSceneLayout *layout = binning->layout;
  const LcSceneStates states = lc_scene_get_states (event);
  guint64 place = lc_scene_place_of (layout, event, &binning->phase);
  gboolean inside = place >= layout->query->from && place < layout->before;
  Bin *bin = inside ? get_bin (binning, place >> binning->level) : NULL;

  if (binning->between && binning->of_member != binning->member && !begin_member (binning, event))
    return FALSE;
  if (binning->between)
    add_between (binning, bin, event);
  if (bin == NULL)
    return TRUE;
  count_event (binning, bin, event);
  bin->mark.waiting += states.released - event->begin;
  bin->mark.woken += states.went_on - states.released;
  bin->mark.preempted += states.preempted;
  bin->mark.outside += states.outside;
  if (lc_scene_find_exchange (binning->layout, event) != LC_EXCHANGE_NONE)
    bin->mark.exchange[lc_scene_find_exchange (binning->layout, event)] += event->end - event->begin;
  bin->mark.running += event->end - states.went_on - states.preempted - states.outside;
  return TRUE;
}

static void
scene_bins_add_marks (const Binning *binning, guint number)
{
  LcSceneLayout *layout = binning->layout;
  guint32 group = layout->scene->group;

  for (guint32 row = 0; row < layout->n_rows; row += group)
    for (gsize i = 0; i < binning->n_bins; i++)
      {
        LcMark mark = binning->bins[row / group * binning->n_bins + i].mark;

        if (mark.events + lc_mark_get_time (&mark) == 0)
          continue;
        mark.from = mark.released = mark.went_on = (binning->first + i) << binning->level;
        mark.to = mark.from + (G_GUINT64_CONSTANT (1) << binning->level);
        mark.row = row;
        mark.n_rows = MIN (group, layout->n_rows - row);
        mark.process =
            mark.events > 0 ? mark.process : lc_scene_process_of (layout, lc_scene_first_of (layout->query, row));
        mark.object = LC_TRACE_NONE;
        mark.kind = LC_MARK_SUMMARY;
        mark.track = (guint8)number;
        g_array_append_val (layout->marks, mark);
        if (number == 0)
          lc_scene_add_to_totals (layout->scene, &mark);
      }
}

gboolean
lc_scene_add_bins (LcSceneLayout *layout, guint number, LcSceneRows rows, GError **error)
{
  gboolean physical = lc_scene_is_physical (layout->query);
  Binning binning = {.layout = layout,
                     .track = &layout->tracks[number],
                     .level = lc_scene_choose_level (layout, rows, TRUE),
                     .between = !lc_scene_is_filtered (layout) && !physical,
                     .of_member = LC_TRACE_NONE};
  gsize n_rows = (layout->n_rows + layout->scene->group - 1) / layout->scene->group;
  guint64 last = MIN (layout->before, MAX (layout->run_to, layout->query->from) + 1) - 1;
  gboolean good;

  binning.first = layout->query->from >> binning.level;
  binning.n_bins = (last >> binning.level) - binning.first + 1;
  binning.bins = g_new0 (Bin, MAX (binning.n_bins * n_rows, 1));
  good = lc_scene_visit (layout, binning.track, rows, &binning.member, physical ? scene_bins_add_in_time : add_at_place,
                         &binning, error);
  if (binning.error != NULL)
    {
      good = FALSE;
      g_clear_error (error);
      g_propagate_error (error, binning.error);
    }
  if (good)
    scene_bins_add_marks (&binning, number);
  g_clear_pointer (&binning.spans, g_array_unref);
  g_free (binning.bins);
  return good;
}
