/* SPDX-License-Identifier: Apache-2.0 */
/* Arcs: those that end at events that are shown, those that cross the edges of the span, those of the longest waits,
 * and the longest of the run. */
#include "scene-private.h"

enum
{
  AROUND = 512, /* events of a process before and after those shown, in which arcs across the edges are searched */
  LONGEST = 64, /* arcs that the history knows to be the longest of any part of the run */
  MOST_COLLAPSED = 512, /* processes in collapsed rows whose events are looked at */
};

/* --- Places of their ends ----------------------------------------------------------------------------------------- */

const LcHistoryEvent *
lc_scene_find_event (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 process, guint64 ordinal)
{
  guint32 number = layout->members[process];
  const LcHistoryEvent *events;
  gsize low = 0, high;

  if (number == LC_TRACE_NONE || track->events == NULL || track->members[number].n == 0)
    return NULL;
  events = lc_scene_events_of (track, number);
  high = track->members[number].n;
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

/* --- State of the search ------------------------------------------------------------------------------------------ */

typedef struct
{
  LcSceneLayout *layout;
  LcHistoryWalk *walk;
  guint64 *first;   /* by member: the first event in the span; NULL: everything is summed up */
  guint64 *next;    /* by member: the first event after those in the span */
  gboolean through; /* the events of collapsed rows in the span are looked at, all of them; else none */
  GArray *joined;   /* LcHistoryEvent: members of groups in collapsed rows */
  guint first_wait; /* the arcs of the longest waits among all */
  guint n_waits;
  GError *error;
} Search;

/* Whether the filters let an event in the span through. */
static gboolean
is_let_through (const Search *search, guint32 process, guint64 ordinal, gboolean *through, GError **error)
{
  const LcSceneLayout *layout = search->layout;
  LcHistoryEvent event;
  guint32 phase = 0;

  *through = TRUE;
  if (!lc_scene_is_filtered (layout))
    return TRUE;
  *through = lc_scene_find_event (layout, &layout->tracks[0], process, ordinal) != NULL;
  if (lc_scene_has_events (layout, layout->rows[process]))
    return TRUE;
  if (!lc_history_walk_get (search->walk, process, ordinal, &event, NULL, error))
    return FALSE;
  *through = lc_scene_wants (layout, &event) && lc_scene_is_inside (layout, &event, &phase);
  return TRUE;
}

/* Whether an arc is between members of one group, which has a single arc for all of them. FALSE if not all of its
 * members in the span are known. */
static gboolean
is_within_group (const Search *search, const LcHistoryEvent *to, const LcHistoryArcEnd *from, gboolean *within,
                 GError **error)
{
  const LcSceneLayout *layout = search->layout;
  const LcHistoryEvent *shown;
  LcHistoryEvent event;

  *within = FALSE;
  if (!(to->flags & LC_HISTORY_EVENT_GROUP) || from->point != LC_POINT_BEGIN ||
      (!search->through && !(lc_scene_has_events (layout, layout->rows[from->process]) &&
                             lc_scene_has_events (layout, layout->rows[to->process]))))
    return TRUE;
  shown = lc_scene_find_event (layout, &layout->tracks[0], from->process, from->ordinal);
  if (shown == NULL)
    {
      if (!lc_history_walk_get (search->walk, from->process, from->ordinal, &event, NULL, error))
        return FALSE;
      shown = &event;
    }
  *within = shown->flags & LC_HISTORY_EVENT_GROUP && shown->object == to->object && shown->sequence == to->sequence;
  return TRUE;
}

/* Fills in all of an arc but its begin, which has yet to be looked up. FALSE: the arc is not shown, as it comes from no
 * row that is shown or lies within a collapsed row. */
static gboolean
begin_arc (const LcSceneLayout *layout, const LcHistoryEvent *to, guint64 to_place, const LcHistoryArcEnd *from,
           LcSceneArc *arc)
{
  *arc = (LcSceneArc){.to = to_place,
                      .from_ordinal = from->ordinal,
                      .to_ordinal = to->ordinal,
                      .from_row = layout->rows[from->process],
                      .to_row = layout->rows[to->process],
                      .from_process = from->process,
                      .to_process = to->process,
                      .object = to->object,
                      .rule = from->rule};
  return arc->from_row != LC_TRACE_NONE &&
         (arc->from_row != arc->to_row || lc_scene_is_single (layout->query, arc->from_row));
}

/* Adds an arc if any part of it is in the span. */
static void
end_arc (LcSceneLayout *layout, LcSceneArc *arc)
{
  if (MAX (arc->from, arc->to) < layout->query->from || MIN (arc->from, arc->to) >= layout->before)
    return;
  arc->kind =
      lc_history_get_rule (layout->history, arc->rule)->kind == LC_ARC_DATA ? LC_SCENE_ARC_DATA : LC_SCENE_ARC_ORDER;
  g_array_append_val (layout->arcs, *arc);
}

/* How long an event waited for what an arc comes from: in physical time, up to that point. */
static guint64
scene_arcs_get_waited (const LcSceneLayout *layout, const LcHistoryEvent *to, guint64 from_place)
{
  if (!lc_scene_is_physical (layout->query))
    return to->waited;
  return from_place > to->begin ? MIN (from_place - to->begin, to->waited) : 0;
}

/* Adds an arc to an event that the filters let through. */
static gboolean
scene_arcs_add_arc (Search *search, const LcHistoryEvent *to, guint64 to_place, const LcHistoryArcEnd *from,
                    GError **error)
{
  LcSceneLayout *layout = search->layout;
  LcSceneArc arc;
  gboolean within, through;

  if (!begin_arc (layout, to, to_place, from, &arc))
    return TRUE;
  if (!is_let_through (search, from->process, from->ordinal, &through, error))
    return FALSE;
  if (!through)
    return TRUE;
  if (!lc_scene_place_point (layout, search->walk, from->process, from->ordinal, from->point, &arc.from, error) ||
      !is_within_group (search, to, from, &within, error))
    return FALSE;
  arc.waited = scene_arcs_get_waited (layout, to, arc.from);
  if (!within)
    end_arc (layout, &arc);
  return TRUE;
}

/* --- Events that are shown ---------------------------------------------------------------------------------------- */

static gboolean
add_arcs_to_member (Search *search, guint32 member, GError **error)
{
  const LcSceneTrack *track = &search->layout->tracks[0];

  for (gsize i = 0; i < track->members[member].n; i++)
    {
      const LcHistoryEvent *event = lc_scene_events_of (track, member) + i;
      guint64 place = track->places != NULL ? track->places[track->members[member].first + i] : event->end;
      const LcHistoryArcEnd *ends;
      g_autofree LcHistoryArcEnd *arcs = NULL;
      LcHistoryEvent again;

      if (event->n_arcs == 0)
        continue;
      if (!lc_history_walk_get (search->walk, event->process, event->ordinal, &again, &ends, error))
        return FALSE;
      arcs = g_memdup2 (ends, again.n_arcs * sizeof *ends);
      for (guint32 k = 0; k < again.n_arcs; k++)
        if (!scene_arcs_add_arc (search, event, place, &arcs[k], error))
          return FALSE;
    }
  return TRUE;
}

/* --- Events in the span that are summed up, and events around the span -------------------------------------------- */

static guint64
place_of_end (const LcSceneLayout *layout, const LcHistoryEvent *event)
{
  guint32 phase = 0;

  return lc_scene_is_physical (layout->query) ? event->end : lc_scene_place_of (layout, event, &phase);
}

static gboolean
add_arcs_to_summed_up (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Search *search = data;
  LcSceneLayout *layout = search->layout;
  guint64 place = place_of_end (layout, event);
  guint32 phase = 0;
  gboolean inside = lc_scene_is_inside (layout, event, &phase);

  if (lc_scene_is_filtered (layout) && !(inside && lc_scene_wants (layout, event)))
    return TRUE;
  if (inside && event->flags & LC_HISTORY_EVENT_GROUP)
    g_array_append_val (search->joined, *event);
  for (guint32 i = 0; i < event->n_arcs; i++)
    if (!scene_arcs_add_arc (search, event, place, &arcs[i], &search->error))
      return FALSE;
  return TRUE;
}

/* Adds those arcs to an event outside the span that come from the span, or from beyond its other edge. They are few, so
 * all else of the event is looked up only then. */
static gboolean
add_arcs_around (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Search *search = data;
  gboolean after = event->ordinal >= search->next[search->layout->members[event->process]];

  for (guint32 i = 0; i < event->n_arcs; i++)
    {
      guint32 member = search->layout->members[arcs[i].process];
      LcHistoryEvent to;

      if (member == LC_TRACE_NONE ||
          !(after ? arcs[i].ordinal < search->next[member] : arcs[i].ordinal >= search->first[member]))
        continue;
      if (!lc_history_walk_get (search->walk, event->process, event->ordinal, &to, NULL, &search->error) ||
          !scene_arcs_add_arc (search, &to, place_of_end (search->layout, &to), &arcs[i], &search->error))
        return FALSE;
    }
  return TRUE;
}

/* Finds the range of a process's events that is shown. If it is empty, it lies where such events would be. */
static gboolean
find_shown (Search *search, guint32 member, GError **error)
{
  const LcSceneLayout *layout = search->layout;
  const LcSceneTrack *track = &layout->tracks[0];
  const LcHistoryEvent *events = lc_scene_events_of (track, member);
  guint32 process = lc_scene_process_of (layout, member);
  LcHistoryEvent event;

  if (track->members[member].n > 0)
    {
      search->first[member] = events[0].ordinal;
      search->next[member] = events[track->members[member].n - 1].ordinal + 1;
    }
  if (track->members[member].n > 0 || track->members[member].events == 0 ||
      layout->query->selection.time == LC_SCENE_PHASE)
    return TRUE;
  if (!(lc_scene_is_physical (layout->query) ? lc_history_find_event_at : lc_history_find_event_at_layer) (
          layout->history, track->timeline, process, layout->query->to, &event, error))
    return FALSE;
  if ((lc_scene_is_physical (layout->query) ? event.begin : event.layer) < layout->before)
    event.ordinal++;
  search->first[member] = search->next[member] = event.ordinal;
  return TRUE;
}

/* Whether all events of collapsed rows in the span can be looked at, by an estimate of their number. */
static gboolean
can_go_through (const LcSceneLayout *layout)
{
  const LcSceneTrack *track = &layout->tracks[0];
  double sum = 0;
  guint32 n = 0;

  for (guint32 i = 0; i < layout->n_members; i++)
    {
      if (lc_scene_has_events (layout, lc_scene_row_of (layout, i)))
        continue;
      n++;
      sum += lc_scene_guess_events (layout, track, i);
    }
  return n <= MOST_COLLAPSED && sum <= (double)layout->most_events;
}

/* Finds the range of events in the span for all members; those of collapsed rows only if they are looked at. */
static gboolean
find_all_shown (Search *search, GError **error)
{
  const LcSceneLayout *layout = search->layout;

  search->through = can_go_through (layout);
  for (guint32 i = 0; i < layout->n_members; i++)
    {
      guint64 *first = &search->first[i], *next = &search->next[i];

      if (lc_scene_has_events (layout, lc_scene_row_of (layout, i)))
        {
          if (!find_shown (search, i, error))
            return FALSE;
        }
      else if (!search->through)
        *first = G_MAXUINT64;
      else if (!lc_scene_find_range (layout, &layout->tracks[0], i, first, next, error))
        return FALSE;
    }
  return TRUE;
}

/* A visitor cannot return an error, and leaves it in the search. */
static gboolean
scene_arcs_end_visit (Search *search, gboolean good, GError **error)
{
  if (good && search->error != NULL)
    g_propagate_error (error, g_steal_pointer (&search->error));
  else if (good)
    return TRUE;
  return FALSE;
}

static gboolean
add_arcs_of_summed_up (Search *search, guint32 member, GError **error)
{
  const LcSceneLayout *layout = search->layout;
  guint64 from = search->first[member], to = MIN (search->next[member], layout->tracks[0].members[member].events);

  return from >= to ||
         scene_arcs_end_visit (search,
                               lc_history_visit (layout->history, layout->tracks[0].timeline,
                                                 lc_scene_process_of (layout, member), from, to, add_arcs_to_summed_up,
                                                 search, layout->cancellable, error),
                               error);
}

static gboolean
look_at_side (Search *search, guint32 member, guint64 from, guint64 to, GError **error)
{
  const LcSceneLayout *layout = search->layout;

  to = MIN (to, layout->tracks[0].members[member].events);
  return from >= to ||
         scene_arcs_end_visit (search,
                               lc_history_visit_arcs (layout->history, layout->tracks[0].timeline,
                                                      lc_scene_process_of (layout, member), from, to, add_arcs_around,
                                                      search, layout->cancellable, error),
                               error);
}

static gboolean
look_around (Search *search, guint32 member, GError **error)
{
  guint64 first = search->first[member], next = search->next[member];

  return look_at_side (search, member, first - MIN (first, AROUND), first, error) &&
         look_at_side (search, member, next, next + AROUND, error);
}

/* Whether the arcs that end at an arc's last event have been looked for already. */
static gboolean
has_looked_at (const Search *search, const LcHistoryArc *arc)
{
  const LcSceneLayout *layout = search->layout;
  guint32 member = layout->members[arc->to_process];

  if (search->first == NULL || (!search->through && !lc_scene_has_events (layout, layout->rows[arc->to_process])))
    return FALSE;
  return arc->to_ordinal + AROUND >= search->first[member] && arc->to_ordinal < search->next[member] + AROUND;
}

/* --- The longest waits -------------------------------------------------------------------------------------------- */

/* Adds the arcs to the events that are the longest of their summaries, if they waited. They are looked up one by one,
 * so there are few. */
static gboolean
scene_arcs_add_waits (Search *search, GError **error)
{
  LcSceneLayout *layout = search->layout;

  search->first_wait = layout->arcs->len;
  for (guint i = 0; i < layout->n_longest; i++)
    {
      const LcSceneLongest *longest = &layout->longest[i];
      g_autofree LcHistoryArcEnd *arcs = NULL;
      const LcHistoryArcEnd *ends;
      LcHistoryEvent event;

      if (!lc_history_walk_get (search->walk, longest->process, longest->ordinal, &event, &ends, error))
        return FALSE;
      if (event.waited == 0)
        continue;
      arcs = g_memdup2 (ends, event.n_arcs * sizeof *ends);
      for (guint32 k = 0; k < event.n_arcs; k++)
        if (!scene_arcs_add_arc (search, &event, place_of_end (layout, &event), &arcs[k], error))
          return FALSE;
    }
  search->n_waits = layout->arcs->len - search->first_wait;
  return TRUE;
}

/* Whether scene_arcs_add_waits has added an arc. */
static gboolean
has_waited_for (const Search *search, const LcHistoryArc *arc)
{
  const GArray *arcs = search->layout->arcs;

  for (guint i = 0; i < search->n_waits; i++)
    {
      const LcSceneArc *known = &g_array_index (arcs, LcSceneArc, search->first_wait + i);

      if (known->to_process == arc->to_process && known->to_ordinal == arc->to_ordinal)
        return TRUE;
    }
  return FALSE;
}

/* --- The longest arcs --------------------------------------------------------------------------------------------- */

/* Whether the filters let both ends of an arc through. */
static gboolean
scene_arcs_is_wanted (const Search *search, const LcHistoryArc *arc, gboolean *wanted, GError **error)
{
  return is_let_through (search, arc->to_process, arc->to_ordinal, wanted, error) &&
         (!*wanted || is_let_through (search, arc->from_process, arc->from_ordinal, wanted, error));
}

/* Adds an arc from the history's list, which in physical time has the places of both ends. */
static gboolean
scene_arcs_add_long_arc (Search *search, const LcHistoryArc *arc, GError **error)
{
  const LcHistoryArcEnd from = {arc->from_process, arc->from_point, arc->from_ordinal, arc->rule};
  const LcHistoryEvent to = {.process = arc->to_process, .ordinal = arc->to_ordinal, .object = arc->object};
  LcSceneArc known;
  guint64 place;
  gboolean wanted;

  if (!scene_arcs_is_wanted (search, arc, &wanted, error))
    return FALSE;
  if (!wanted)
    return TRUE;
  if (!lc_scene_is_physical (search->layout->query))
    return lc_scene_place_point (search->layout, search->walk, to.process, to.ordinal, LC_POINT_END, &place, error) &&
           scene_arcs_add_arc (search, &to, place, &from, error);
  if (begin_arc (search->layout, &to, arc->to_time, &from, &known))
    {
      known.from = arc->from_time;
      end_arc (search->layout, &known);
    }
  return TRUE;
}

/* Adds the longest arcs, without those found already. `n_found` is set to the length of the history's list. */
static gboolean
scene_arcs_add_longest (Search *search, gsize limit, gsize *n_found, GError **error)
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
          !has_looked_at (search, arc) && !has_waited_for (search, arc) &&
          !scene_arcs_add_long_arc (search, arc, error))
        return FALSE;
    }
  return TRUE;
}

/* --- All arcs ----------------------------------------------------------------------------------------------------- */

gboolean
lc_scene_add_arcs (LcSceneLayout *layout, GArray **joined, GError **error)
{
  g_autoptr (LcHistoryWalk) walk =
      lc_history_walk_new (layout->history, layout->tracks[0].timeline, LC_WALK_ARCS, layout->cancellable, error);
  g_autofree guint64 *first = g_new0 (guint64, MAX (layout->n_members, 1));
  g_autofree guint64 *next = g_new0 (guint64, MAX (layout->n_members, 1));
  Search search = {.layout = layout, .walk = walk, .first = first, .next = next};
  gsize n_found;

  if (walk == NULL || !find_all_shown (&search, error))
    return FALSE;
  layout->scene->uncounted = !search.through;
  *joined = search.joined = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  for (guint32 i = 0; i < layout->n_members; i++)
    {
      gboolean summed_up = !lc_scene_has_events (layout, lc_scene_row_of (layout, i));

      if (summed_up && !search.through)
        continue;
      if (!(summed_up ? add_arcs_of_summed_up (&search, i, error) : add_arcs_to_member (&search, i, error)) ||
          (!lc_scene_is_filtered (layout) && !look_around (&search, i, error)))
        return FALSE;
    }
  return lc_scene_is_filtered (layout) || scene_arcs_add_longest (&search, LONGEST, &n_found, error);
}

gboolean
lc_scene_add_few_arcs (LcSceneLayout *layout, GError **error)
{
  g_autoptr (LcHistoryWalk) walk =
      lc_history_walk_new (layout->history, layout->tracks[0].timeline, LC_WALK_ARCS, layout->cancellable, error);
  Search search = {.layout = layout, .walk = walk};
  gsize limit = MIN (layout->most_arcs, LONGEST), n_found;

  if (walk == NULL || !scene_arcs_add_waits (&search, error))
    return FALSE;
  limit -= MIN (limit, search.n_waits);
  if (!scene_arcs_add_longest (&search, limit, &n_found, error))
    return FALSE;
  layout->scene->uncounted = n_found >= limit;
  return TRUE;
}
