/* SPDX-License-Identifier: Apache-2.0 */
/* Arcs: those that end at the events that are shown, those that go beyond, and the longest ones of all. */
#include "scene-private.h"

enum
{
  AROUND = 512, /* events of a process, before and after those that are shown, that arcs from these are looked for at */
  LONGEST = 64, /* that the history knows of any part of the run */
};

/* --- Where their ends are -------------------------------------------------------------------------------------- */

const LcHistoryEvent *
lc_scene_find_event (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 process, guint64 ordinal)
{
  guint32 number = layout->rows[process];
  const LcHistoryEvent *events;
  gsize low = 0, high;

  if (number == LC_TRACE_NONE || track->events == NULL || track->rows[number].n == 0)
    return NULL;
  events = lc_scene_events_of (track, number);
  high = track->rows[number].n;
  if (ordinal < events[0].ordinal || ordinal > events[high - 1].ordinal)
    return NULL;
  if (events[high - 1].ordinal - events[0].ordinal == high - 1)
    return &events[ordinal - events[0].ordinal];
  while (high - low > 1)
    {
      gsize middle = low + (high - low) / 2;

      if (events[middle].ordinal <= ordinal)
        low = middle;
      else
        high = middle;
    }
  return events[low].ordinal == ordinal ? &events[low] : NULL;
}

gboolean
lc_scene_place_point (const LcSceneLayout *layout, LcHistoryWalk *walk, guint32 process, guint64 ordinal, LcPoint point,
                      guint64 *place, GError **error)
{
  const LcSceneTrack *track = &layout->tracks[0];
  const LcHistoryEvent *found = lc_scene_find_event (layout, track, process, ordinal);
  LcHistoryEvent event;
  guint32 phase = 0;

  if (found != NULL && track->places != NULL)
    *place = track->places[found - &g_array_index (track->events, LcHistoryEvent, 0)];
  else if (found != NULL)
    *place = point == LC_POINT_BEGIN ? found->begin : found->end;
  else if (lc_scene_is_physical (layout->query))
    return lc_history_walk_get_time (walk, process, ordinal, point, place, error);
  else if (!lc_history_walk_get (walk, process, ordinal, &event, NULL, error))
    return FALSE;
  else
    *place = lc_scene_place_of (layout, &event, &phase);
  return TRUE;
}

/* --- Around what is shown -------------------------------------------------------------------------------------- */

typedef struct
{
  LcSceneLayout *layout;
  LcHistoryWalk *walk;
  guint64 *first; /* by row: the first event that is shown; NULL: none is */
  guint64 *next;  /* by row: the first event after those that are shown */
  GError *error;
} Search;

/* A group has one arc for all of its members. */
static gboolean
is_within_group (const Search *search, const LcHistoryEvent *to, const LcHistoryArcEnd *from, gboolean *within,
                 GError **error)
{
  const LcHistoryEvent *shown;
  LcHistoryEvent event;

  *within = FALSE;
  if (!(to->flags & LC_HISTORY_EVENT_GROUP) || from->point != LC_POINT_BEGIN)
    return TRUE;
  shown = lc_scene_find_event (search->layout, &search->layout->tracks[0], from->process, from->ordinal);
  if (shown == NULL)
    {
      if (!lc_history_walk_get (search->walk, from->process, from->ordinal, &event, NULL, error))
        return FALSE;
      shown = &event;
    }
  *within = shown->flags & LC_HISTORY_EVENT_GROUP && shown->object == to->object && shown->sequence == to->sequence;
  return TRUE;
}

/* Whether it may be shown, with what is known of it before its beginning is looked up. */
static gboolean
begin_arc (const LcSceneLayout *layout, const LcHistoryEvent *to, guint64 to_place, const LcHistoryArcEnd *from,
           LcSceneArc *arc)
{
  *arc = (LcSceneArc){.to = to_place,
                      .from_ordinal = from->ordinal,
                      .to_ordinal = to->ordinal,
                      .from_row = layout->rows[from->process],
                      .to_row = layout->rows[to->process],
                      .object = to->object,
                      .rule = from->rule};
  return arc->from_row != LC_TRACE_NONE &&
         (!layout->filtered || lc_scene_find_event (layout, &layout->tracks[0], from->process, from->ordinal) != NULL);
}

/* If any of it is in the span. */
static void
end_arc (LcSceneLayout *layout, LcSceneArc *arc)
{
  if (MAX (arc->from, arc->to) < layout->query->from || MIN (arc->from, arc->to) >= layout->before)
    return;
  arc->kind =
      lc_history_get_rule (layout->history, arc->rule)->kind == LC_ARC_DATA ? LC_SCENE_ARC_DATA : LC_SCENE_ARC_ORDER;
  g_array_append_val (layout->arcs, *arc);
}

static gboolean
add_arc (Search *search, const LcHistoryEvent *to, guint64 to_place, const LcHistoryArcEnd *from, GError **error)
{
  LcSceneLayout *layout = search->layout;
  LcSceneArc arc;
  gboolean within;

  if (!begin_arc (layout, to, to_place, from, &arc))
    return TRUE;
  if (!lc_scene_place_point (layout, search->walk, from->process, from->ordinal, from->point, &arc.from, error) ||
      !is_within_group (search, to, from, &within, error))
    return FALSE;
  if (!within)
    end_arc (layout, &arc);
  return TRUE;
}

static gboolean
add_arcs_to_row (Search *search, guint32 row, GError **error)
{
  const LcSceneTrack *track = &search->layout->tracks[0];

  for (gsize i = 0; i < track->rows[row].n; i++)
    {
      const LcHistoryEvent *event = lc_scene_events_of (track, row) + i;
      guint64 place = track->places != NULL ? track->places[track->rows[row].first + i] : event->end;
      const LcHistoryArcEnd *ends;
      g_autofree LcHistoryArcEnd *arcs = NULL;
      LcHistoryEvent again;

      if (event->n_arcs == 0)
        continue;
      if (!lc_history_walk_get (search->walk, event->process, event->ordinal, &again, &ends, error))
        return FALSE;
      arcs = g_memdup2 (ends, again.n_arcs * sizeof *ends);
      for (guint32 k = 0; k < again.n_arcs; k++)
        if (!add_arc (search, event, place, &arcs[k], error))
          return FALSE;
    }
  return TRUE;
}

/* From what is shown, or from the other side of it. */
static gboolean
add_arcs_around (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Search *search = data;
  gboolean after = event->ordinal >= search->next[search->layout->rows[event->process]];
  guint64 place = event->end;
  guint32 phase = 0;

  if (!lc_scene_is_physical (search->layout->query))
    place = lc_scene_place_of (search->layout, event, &phase);
  for (guint32 i = 0; i < event->n_arcs; i++)
    {
      guint32 row = search->layout->rows[arcs[i].process];

      if (row != LC_TRACE_NONE &&
          (after ? arcs[i].ordinal < search->next[row] : arcs[i].ordinal >= search->first[row]) &&
          !add_arc (search, event, place, &arcs[i], &search->error))
        return FALSE;
    }
  return TRUE;
}

/* The events of a row that are shown, or between which two others they would be. */
static gboolean
find_shown (Search *search, guint32 row, GError **error)
{
  const LcSceneLayout *layout = search->layout;
  const LcSceneTrack *track = &layout->tracks[0];
  const LcHistoryEvent *events = lc_scene_events_of (track, row);
  guint32 process = lc_scene_process_of (layout, row);
  LcHistoryEvent event;

  if (track->rows[row].n > 0)
    {
      search->first[row] = events[0].ordinal;
      search->next[row] = events[track->rows[row].n - 1].ordinal + 1;
    }
  if (track->rows[row].n > 0 || track->rows[row].events == 0 || layout->query->time == LC_SCENE_PHASE)
    return TRUE;
  if (!(lc_scene_is_physical (layout->query) ? lc_history_find_event_at : lc_history_find_event_at_layer) (
          layout->history, track->timeline, process, layout->query->to, &event, error))
    return FALSE;
  if ((lc_scene_is_physical (layout->query) ? event.begin : event.layer) < layout->before)
    event.ordinal++;
  search->first[row] = search->next[row] = event.ordinal;
  return TRUE;
}

static gboolean
look_around (Search *search, guint32 row, GError **error)
{
  const LcSceneLayout *layout = search->layout;
  guint64 first = search->first[row], next = search->next[row];
  guint32 process = lc_scene_process_of (layout, row), timeline = layout->tracks[0].timeline;

  if ((first > 0 && !lc_history_visit (layout->history, timeline, process, first - MIN (first, AROUND), first,
                                       add_arcs_around, search, layout->cancellable, error)) ||
      (search->error == NULL && next < layout->tracks[0].rows[row].events &&
       !lc_history_visit (layout->history, timeline, process, next, next + AROUND, add_arcs_around, search,
                          layout->cancellable, error)))
    return FALSE;
  if (search->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&search->error));
  return FALSE;
}

/* Whether what ends at an event has been looked for. */
static gboolean
has_looked_at (const Search *search, const LcHistoryArc *arc)
{
  guint32 row = search->layout->rows[arc->to_process];

  return search->first != NULL && arc->to_ordinal + AROUND >= search->first[row] &&
         arc->to_ordinal < search->next[row] + AROUND;
}

/* --- The longest of all ---------------------------------------------------------------------------------------- */

/* Whether both ends are of events that the filters let through. */
static gboolean
is_wanted (const Search *search, const LcHistoryArc *arc, gboolean *wanted, GError **error)
{
  LcHistoryEvent from, to;

  *wanted = TRUE;
  if (!search->layout->filtered)
    return TRUE;
  if (!lc_history_walk_get (search->walk, arc->from_process, arc->from_ordinal, &from, NULL, error) ||
      !lc_history_walk_get (search->walk, arc->to_process, arc->to_ordinal, &to, NULL, error))
    return FALSE;
  *wanted = lc_scene_wants (search->layout, &from) && lc_scene_wants (search->layout, &to);
  return TRUE;
}

/* In physical time the history has said where both ends are. */
static gboolean
add_long_arc (Search *search, const LcHistoryArc *arc, GError **error)
{
  const LcHistoryArcEnd from = {arc->from_process, arc->from_point, arc->from_ordinal, arc->rule};
  const LcHistoryEvent to = {.process = arc->to_process, .ordinal = arc->to_ordinal, .object = arc->object};
  LcSceneArc known;
  guint64 place;
  gboolean wanted;

  if (!is_wanted (search, arc, &wanted, error))
    return FALSE;
  if (!wanted)
    return TRUE;
  if (!lc_scene_is_physical (search->layout->query))
    return lc_scene_place_point (search->layout, search->walk, to.process, to.ordinal, LC_POINT_END, &place, error) &&
           add_arc (search, &to, place, &from, error);
  if (begin_arc (search->layout, &to, arc->to_time, &from, &known))
    {
      known.from = arc->from_time;
      end_arc (search->layout, &known);
    }
  return TRUE;
}

/* Those that have been found already are left out; `n_found` is how many there are. */
static gboolean
add_longest (Search *search, gsize limit, gsize *n_found, GError **error)
{
  LcSceneLayout *layout = search->layout;
  LcWindow window = lc_scene_get_window (layout, &layout->tracks[0]);
  g_autoptr (GArray) found = NULL;

  window.axis = LC_AXIS_TIME;
  window.from = layout->time_from;
  window.to = layout->time_to;
  if (!lc_history_list_longest_arcs (layout->history, &window, limit, layout->cancellable, &found, error))
    return FALSE;
  *n_found = found->len;
  for (guint i = 0; i < found->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (found, LcHistoryArc, i);

      if (layout->rows[arc->from_process] != LC_TRACE_NONE && layout->rows[arc->to_process] != LC_TRACE_NONE &&
          !has_looked_at (search, arc) && !add_long_arc (search, arc, error))
        return FALSE;
    }
  return TRUE;
}

/* --- All ------------------------------------------------------------------------------------------------------- */

gboolean
lc_scene_add_arcs (LcSceneLayout *layout, GError **error)
{
  g_autoptr (LcHistoryWalk) walk =
      lc_history_walk_new (layout->history, layout->tracks[0].timeline, LC_WALK_ARCS, layout->cancellable, error);
  g_autofree guint64 *first = g_new0 (guint64, MAX (layout->n_rows, 1));
  g_autofree guint64 *next = g_new0 (guint64, MAX (layout->n_rows, 1));
  Search search = {layout, walk, first, next, NULL};
  gsize n_found;

  if (walk == NULL)
    return FALSE;
  for (guint32 row = 0; row < layout->n_rows; row++)
    if (!find_shown (&search, row, error))
      return FALSE;
  for (guint32 row = 0; row < layout->n_rows; row++)
    if (!add_arcs_to_row (&search, row, error) || (!layout->filtered && !look_around (&search, row, error)))
      return FALSE;
  return layout->filtered || add_longest (&search, LONGEST, &n_found, error);
}

gboolean
lc_scene_add_longest_arcs (LcSceneLayout *layout, GError **error)
{
  g_autoptr (LcHistoryWalk) walk =
      lc_history_walk_new (layout->history, layout->tracks[0].timeline, LC_WALK_ARCS, layout->cancellable, error);
  Search search = {.layout = layout, .walk = walk};
  gsize limit = MIN (layout->most_arcs, LONGEST), n_found;

  if (walk == NULL || !add_longest (&search, limit, &n_found, error))
    return FALSE;
  layout->scene->uncounted = n_found >= limit;
  return TRUE;
}
