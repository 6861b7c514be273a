/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of single events. */
#include "scene-private.h"

static guint16
scene_events_flags_of (const LcSceneTrack *track, const LcHistoryEvent *event)
{
  guint16 flags = event->flags & LC_HISTORY_EVENT_GROUP ? LC_MARK_GROUP : 0;

  return flags | (event->flags & LC_HISTORY_EVENT_REORDERED ? LC_MARK_REORDERED : 0);
}

LcSceneStates
lc_scene_get_states (const LcHistoryEvent *event)
{
  LcSceneStates states = {.released = event->begin + MIN (event->waited, event->end - event->begin)};
  guint64 rest;

  states.went_on = states.released + MIN (event->woken, event->end - states.released);
  rest = event->end - states.went_on;
  states.preempted = MIN (event->preempted, rest);
  states.outside =
      event->flags & LC_HISTORY_EVENT_OUTSIDE ? rest - states.preempted : MIN (event->unseen, rest - states.preempted);
  return states;
}

static guint8 *
scene_events_find_exchanges (LcHistory *history)
{
  const guint32 n = lc_history_get_n_operations (history);
  guint8 *exchanges = g_new (guint8, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      exchanges[i] = (guint8)lc_exchange_of (operation != NULL ? operation->class_name : NULL,
                                             operation != NULL ? operation->name : NULL);
    }
  return exchanges;
}

guint
lc_scene_find_exchange (LcSceneLayout *layout, const LcHistoryEvent *event)
{
  const LcHistoryProcess *process = lc_history_get_process (layout->history, event->process);

  if (process == NULL || process->rank == LC_TRACE_NONE)
    return LC_EXCHANGE_NONE;
  if (layout->exchanges == NULL)
    layout->exchanges = scene_events_find_exchanges (layout->history);
  return layout->exchanges[event->operation];
}

static void
scene_events_add_mark (LcSceneLayout *layout, guint number, guint32 row, gsize i)
{
  const LcSceneTrack *track = &layout->tracks[number];
  const LcHistoryEvent *event = &g_array_index (track->events, LcHistoryEvent, i);
  const LcSceneStates states = lc_scene_get_states (event);
  LcMark mark = {.from = event->begin,
                 .to = event->end,
                 .released = states.released,
                 .went_on = states.went_on,
                 .ordinal = event->ordinal,
                 .events = 1,
                 .running = event->end - states.went_on - states.preempted - states.outside,
                 .waiting = states.released - event->begin,
                 .woken = states.went_on - states.released,
                 .preempted = states.preempted,
                 .outside = states.outside,
                 .row = row,
                 .n_rows = 1,
                 .process = event->process,
                 .object = event->object,
                 .operation = event->operation,
                 .flags = scene_events_flags_of (track, event),
                 .kind = LC_MARK_EVENT,
                 .track = (guint8)number};

  if (lc_scene_find_exchange (layout, event) != LC_EXCHANGE_NONE)
    mark.exchange[lc_scene_find_exchange (layout, event)] = event->end - event->begin;
  if (layout->query->selection.coloring != NULL)
    mark.color = (guint8)lc_coloring_get (layout->query->selection.coloring, event->stack);
  if (track->places != NULL)
    mark.from = mark.to = mark.released = mark.went_on = track->places[i];
  g_array_append_val (layout->marks, mark);
}

/* Adds the part of an event that is in the span. What of it was preempted or outside is taken to be spread evenly. */
static void
add_to_totals (LcSceneLayout *layout, const LcHistoryEvent *event)
{
  LcSceneTotals *totals = &layout->scene->totals;
  const LcSceneStates states = lc_scene_get_states (event);
  guint64 rest = event->end - states.went_on, preempted = states.preempted, outside = states.outside;

  if (lc_scene_is_physical (layout->query))
    {
      guint64 seen = lc_scene_overlap (layout, states.went_on, event->end);

      preempted = seen < rest ? (guint64)((double)preempted * (double)seen / (double)rest) : preempted;
      outside = seen < rest ? (guint64)((double)outside * (double)seen / (double)rest) : outside;
      totals->events += event->end >= layout->query->from && event->end < layout->before;
      totals->waiting += lc_scene_overlap (layout, event->begin, states.released);
      totals->woken += lc_scene_overlap (layout, states.released, states.went_on);
      totals->running += seen - preempted - outside;
    }
  else
    {
      totals->events++;
      totals->waiting += states.released - event->begin;
      totals->woken += states.went_on - states.released;
      totals->running += rest - preempted - outside;
    }
  totals->preempted += preempted;
  totals->outside += outside;
}

gboolean
lc_scene_add_events (LcSceneLayout *layout, GError **error)
{
  for (guint number = 0; number < layout->n_tracks; number++)
    {
      const LcSceneTrack *track = &layout->tracks[number];
      guint first = layout->marks->len;

      for (guint32 member = 0; member < layout->n_members; member++)
        for (gsize i = 0; i < track->members[member].n; i++)
          {
            scene_events_add_mark (layout, number, lc_scene_row_of (layout, member), track->members[member].first + i);
            if (number == 0)
              add_to_totals (layout, lc_scene_events_of (track, member) + i);
          }
      if (layout->marks->len > first && track->timeline != LC_TIMELINE_MEASURED &&
          !lc_scene_flag_moved (layout, track, &g_array_index (layout->marks, LcMark, first), error))
        return FALSE;
    }
  return TRUE;
}

/* --- Movement ----------------------------------------------------------------------------------------------------- */

/* How far the end of an event moved, and how much waiting was gained, since the process began. */
typedef struct
{
  gint64 moved;
  gint64 gained;
} Movement;

static gboolean
scene_events_measure (LcHistoryWalk *measured, const LcHistoryEvent *event, Movement *movement, GError **error)
{
  guint64 end;

  if (!lc_history_walk_get_time (measured, event->origin_process, event->origin_ordinal, LC_POINT_END, &end, error))
    return FALSE;
  *movement = (Movement){(gint64)(event->end - end), event->gained};
  return TRUE;
}

/* Measures the event before `event`; nothing moved before the first event. */
static gboolean
measure_before (const LcSceneLayout *layout, const LcSceneTrack *track, LcHistoryWalk *measured,
                const LcHistoryEvent *event, Movement *movement, GError **error)
{
  LcHistoryEvent before;

  *movement = (Movement){0};
  if (event->ordinal == 0)
    return TRUE;
  return lc_history_get_event (layout->history, track->timeline, event->process, event->ordinal - 1, &before, error) &&
         scene_events_measure (measured, &before, movement, error);
}

static gboolean
flag_member (const LcSceneLayout *layout, const LcSceneTrack *track, LcHistoryWalk *measured, guint32 member,
             LcMark *marks, GError **error)
{
  const LcHistoryEvent *events = lc_scene_events_of (track, member);
  Movement before = {0}, now;

  for (gsize i = 0; i < track->members[member].n; i++, before = now)
    {
      gboolean follows = i > 0 && events[i].ordinal == events[i - 1].ordinal + 1;

      if (!follows && !measure_before (layout, track, measured, &events[i], &before, error))
        return FALSE;
      if (!scene_events_measure (measured, &events[i], &now, error))
        return FALSE;
      marks[i].flags |= (now.moved != before.moved ? LC_MARK_MOVED : 0) |
                        (now.gained > before.gained ? LC_MARK_GAINED : 0) |
                        (now.gained < before.gained ? LC_MARK_LESS : 0);
    }
  return TRUE;
}

gboolean
lc_scene_flag_moved (LcSceneLayout *layout, const LcSceneTrack *track, LcMark *marks, GError **error)
{
  g_autoptr (LcHistoryWalk) measured =
      lc_history_walk_new (layout->history, LC_TIMELINE_MEASURED, LC_WALK_TIMES, layout->cancellable, error);

  if (measured == NULL)
    return FALSE;
  for (guint32 i = 0; i < layout->n_members; i++)
    if (!flag_member (layout, track, measured, i, marks + track->members[i].first, error))
      return FALSE;
  return TRUE;
}
