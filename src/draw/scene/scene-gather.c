/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers the events of the span, if they are few enough to be marks of their own. */
#include "scene-private.h"

/* Events are listed by object if the chosen objects have so many times fewer than a search would look at. */
#define SPARSE 8

LcWindow
lc_scene_get_window (const LcSceneLayout *layout, const LcSceneTrack *track)
{
  return (LcWindow){.timeline = track->timeline,
                    .axis = lc_scene_is_physical (layout->query) ? LC_AXIS_TIME : LC_AXIS_LAYER,
                    .from = layout->query->from,
                    .to = layout->before,
                    .processes = layout->query->selection.processes,
                    .n_processes = layout->n_members};
}

LcWindowPlan *
lc_scene_plan (LcSceneLayout *layout, LcSceneTrack *track, GError **error)
{
  const LcWindow window = lc_scene_get_window (layout, track);

  if (track->plan == NULL)
    track->plan = lc_window_plan_new (layout->history, &window, layout->cancellable, error);
  return track->plan;
}

double
lc_scene_guess_events (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 member)
{
  const LcSceneMember *of = &track->members[member];
  guint64 part = layout->query->to - layout->query->from, whole = MAX (layout->run_to, 1);

  if (lc_scene_is_physical (layout->query))
    {
      part = of->end > of->begin ? lc_scene_overlap (layout, of->begin, of->end) : 1;
      whole = MAX (of->end - of->begin, 1);
    }
  return (double)of->events * MIN ((double)part / (double)whole, 1);
}

/* --- Phase time ------------------------------------------------------------------------------------------------ */

/* Finds the first phase that begins at a position or later. */
static guint32
scene_gather_find_phase (const LcPhases *phases, guint64 position)
{
  guint32 low = 0, high = lc_phases_get_n (phases);

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (lc_phases_get (phases, middle)->position < position)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_in_phase (const LcPhases *phases, const LcHistoryEvent *event, guint32 phase)
{
  return event->ordinal >= lc_phases_get_first (phases, event->process, phase) &&
         (phase + 1 == lc_phases_get_n (phases) ||
          event->ordinal < lc_phases_get_first (phases, event->process, phase + 1));
}

guint64
lc_scene_place_of (const LcSceneLayout *layout, const LcHistoryEvent *event, guint32 *phase)
{
  const LcPhases *phases = layout->query->phases;

  if (layout->query->selection.time == LC_SCENE_LOGICAL)
    return event->layer;
  if (!is_in_phase (phases, event, *phase))
    *phase = lc_phases_of (phases, event->process, event->ordinal);
  return lc_phases_get_position (phases, *phase, event->layer);
}

gboolean
lc_scene_is_inside (const LcSceneLayout *layout, const LcHistoryEvent *event, guint32 *phase)
{
  guint64 place;

  if (lc_scene_is_physical (layout->query))
    return event->end >= layout->query->from && event->begin < layout->before;
  place = lc_scene_place_of (layout, event, phase);
  return place >= layout->query->from && place < layout->before;
}

/* --- Visiting -------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSceneLayout *layout;
  LcSceneRows rows;
  guint32 *member;
  LcHistoryVisit visit;
  gpointer data;
  gboolean ended;
} Visit;

static gboolean
visit_wanted (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Visit *visit = data;
  const LcSceneLayout *layout = visit->layout;

  *visit->member = layout->members[event->process];
  if (*visit->member != LC_TRACE_NONE && lc_scene_wants (layout, event) &&
      lc_scene_is_among (layout->query, layout->rows[event->process], visit->rows))
    visit->ended = !visit->visit (event, arcs, visit->data);
  return !visit->ended;
}

gboolean
lc_scene_find_range (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 member, guint64 *first,
                     guint64 *last, GError **error)
{
  const LcSceneQuery *query = layout->query;
  guint32 process = lc_scene_process_of (layout, member);
  gboolean physical = lc_scene_is_physical (query);
  LcHistoryEvent event;

  *first = 0;
  *last = track->members[member].events;
  if (*last == 0)
    return TRUE;
  if (query->selection.time == LC_SCENE_PHASE)
    {
      guint32 n = lc_phases_get_n (query->phases), from = scene_gather_find_phase (query->phases, query->from + 1);
      guint32 to = scene_gather_find_phase (query->phases, query->to);

      *first = from > 0 ? lc_phases_get_first (query->phases, process, from - 1) : 0;
      *last = to < n ? lc_phases_get_first (query->phases, process, to) : *last;
      return TRUE;
    }
  if (physical && query->from <= track->members[member].begin && query->to >= track->members[member].end)
    return TRUE;
  if (!(physical ? lc_history_find_event_at : lc_history_find_event_at_layer) (layout->history, track->timeline,
                                                                               process, query->from, &event, error))
    return FALSE;
  /* Earlier events may end at the same place, or be in the same layer. */
  *first = event.ordinal;
  while (*first > 0 && (physical ? event.end : event.layer) >= query->from)
    if (!lc_history_get_event (layout->history, track->timeline, process, --*first, &event, error))
      return FALSE;
  if (!(physical ? lc_history_find_event_at : lc_history_find_event_at_layer) (layout->history, track->timeline,
                                                                               process, query->to, &event, error))
    return FALSE;
  *last = event.ordinal + 1;
  return TRUE;
}

/* Whether the chosen objects have so few events that these should be listed by object. */
static gboolean
is_sparse (const LcSceneLayout *layout, const LcSceneTrack *track, LcSceneRows rows, GError **error)
{
  guint64 wanted = 0, all = 0;

  if (layout->filtering.objects == NULL)
    return FALSE;
  for (guint32 i = 0; i < layout->n_members; i++)
    {
      guint64 first, last;

      if (!lc_scene_is_among (layout->query, lc_scene_row_of (layout, i), rows))
        continue;
      if (!lc_scene_find_range (layout, track, i, &first, &last, error))
        return FALSE;
      all += last - MIN (first, last);
    }
  for (guint32 i = 0; i < layout->query->selection.filters.n_objects; i++)
    {
      LcHistoryObject object;

      if (!lc_history_get_object (layout->history, layout->query->selection.filters.objects[i], &object, error))
        return FALSE;
      wanted += object.events;
      lc_history_object_clear (&object);
    }
  return wanted < all / SPARSE;
}

static gboolean
scene_gather_visit_objects (Visit *visit, const LcSceneTrack *track, GError **error)
{
  const LcSceneLayout *layout = visit->layout;

  for (guint32 object = 0; object < lc_history_get_n_objects (layout->history) && !visit->ended; object++)
    if (layout->filtering.objects[object] && !lc_history_visit_object (layout->history, track->timeline, object,
                                                                       visit_wanted, visit, layout->cancellable, error))
      return FALSE;
  return TRUE;
}

static gboolean
visit_member (Visit *visit, const LcSceneTrack *track, guint32 member, GError **error)
{
  const LcSceneLayout *layout = visit->layout;
  guint32 process = lc_scene_process_of (layout, member);
  guint64 first, last;

  if (!lc_scene_find_range (layout, track, member, &first, &last, error))
    return FALSE;
  if (layout->query->selection.filters.inside != NULL && !track->own)
    lc_inside_narrow (layout->query->selection.filters.inside, process, &first, &last);
  if (first >= last)
    return TRUE;
  if (layout->query->selection.filters.operations != NULL && lc_scene_is_physical (layout->query) && !track->own &&
      first == 0 && last == track->members[member].events)
    return lc_history_visit_operations (layout->history, track->timeline, process,
                                        layout->query->selection.filters.operations, visit_wanted, visit,
                                        layout->cancellable, error);
  return lc_history_visit (layout->history, track->timeline, process, first, last, visit_wanted, visit,
                           layout->cancellable, error);
}

gboolean
lc_scene_visit (LcSceneLayout *layout, const LcSceneTrack *track, LcSceneRows rows, guint32 *member,
                LcHistoryVisit visit, gpointer data, GError **error)
{
  Visit state = {layout, rows, member, visit, data, FALSE};
  GError *own = NULL;
  gboolean sparse = is_sparse (layout, track, rows, &own);

  if (own != NULL)
    {
      g_propagate_error (error, own);
      return FALSE;
    }
  if (sparse)
    return scene_gather_visit_objects (&state, track, error);
  for (guint32 i = 0; i < layout->n_members && !state.ended; i++)
    if (lc_scene_is_among (layout->query, lc_scene_row_of (layout, i), rows) && !visit_member (&state, track, i, error))
      return FALSE;
  return TRUE;
}

/* --- Gathering ------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSceneLayout *layout;
  GArray *events;
  gsize limit;
  guint32 member;
  guint32 phase;
} Gathering;

static gboolean
gather_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Gathering *gathering = data;

  if (lc_scene_is_inside (gathering->layout, event, &gathering->phase))
    g_array_append_val (gathering->events, *event);
  return gathering->events->len <= gathering->limit;
}

static int
scene_gather_compare_events (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcHistoryEvent *one = a, *other = b;
  const guint32 *members = data;

  if (one->process != other->process)
    return members[one->process] < members[other->process] ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

/* Visits events one by one. NULL without an error: there are too many. */
static GArray *
gather_some (LcSceneLayout *layout, const LcSceneTrack *track, gsize limit, GError **error)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  Gathering gathering = {layout, events, limit, 0, 0};

  if (!lc_scene_visit (layout, track, LC_ROWS_SINGLE, &gathering.member, gather_event, &gathering, error) ||
      events->len > limit)
    return NULL;
  if (layout->filtering.objects != NULL)
    g_array_sort_with_data (events, scene_gather_compare_events, layout->members);
  return g_steal_pointer (&events);
}

/* Phase time: whether the whole run is shown, and has more events. */
static gboolean
has_more_events (const LcSceneLayout *layout, const LcSceneTrack *track, gsize limit)
{
  guint64 sum = 0;

  for (guint32 i = 0; i < layout->n_members; i++)
    if (lc_scene_is_single (layout->query, lc_scene_row_of (layout, i)))
      sum += track->members[i].events;
  return sum > limit && layout->query->from <= 1 && layout->query->to >= layout->run_to;
}

/* Keeps only the events that the filters let through. */
static void
gather_filter (const LcSceneLayout *layout, GArray *events)
{
  guint n = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const LcHistoryEvent *event = &g_array_index (events, LcHistoryEvent, i);

      if (lc_scene_wants (layout, event))
        g_array_index (events, LcHistoryEvent, n++) = *event;
    }
  g_array_set_size (events, n);
}

/* NULL without an error: there are too many. */
static GArray *
scene_gather_gather (LcSceneLayout *layout, LcSceneTrack *track, gsize limit, GError **error)
{
  LcWindowPlan *plan;
  GArray *events;

  /* If all rows are collapsed, no events are shown. */
  if (layout->n_singles == 0)
    return g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  if (layout->query->selection.time == LC_SCENE_PHASE)
    return lc_scene_is_filtered (layout) || !has_more_events (layout, track, limit)
               ? gather_some (layout, track, limit, error)
               : NULL;
  plan = lc_scene_plan (layout, track, error);
  if (plan == NULL || !lc_window_plan_list_events (plan, layout->singles, layout->n_singles, limit, &events, error))
    return NULL;
  if (!lc_scene_is_filtered (layout))
    return events;
  /* The filters may let few enough of them through. */
  if (events == NULL)
    return gather_some (layout, track, limit, error);
  gather_filter (layout, events);
  return events;
}

/* Finds the events of each process, and in discrete time the place of each event. */
static void
index_events (const LcSceneLayout *layout, LcSceneTrack *track)
{
  gsize at = 0;
  guint32 phase = 0;

  if (!lc_scene_is_physical (layout->query))
    track->places = g_new (guint64, MAX (track->events->len, 1));
  for (guint32 i = 0; i < layout->n_members; i++)
    {
      LcSceneMember *member = &track->members[i];
      guint32 process = lc_scene_process_of (layout, i);

      for (member->first = at; at < track->events->len; at++)
        {
          const LcHistoryEvent *event = &g_array_index (track->events, LcHistoryEvent, at);

          if (event->process != process)
            break;
          if (track->places != NULL)
            track->places[at] = lc_scene_place_of (layout, event, &phase);
        }
      member->n = at - member->first;
    }
}

gboolean
lc_scene_gather (LcSceneLayout *layout, GError **error)
{
  gsize left = layout->most_events;
  GError *own = NULL;
  guint i = 0;

  for (; layout->scene->group == 1 && i < layout->n_tracks; i++)
    {
      LcSceneTrack *track = &layout->tracks[i];

      track->events = scene_gather_gather (layout, track, left, &own);
      if (track->events == NULL)
        break;
      left -= track->events->len;
      index_events (layout, track);
    }
  for (guint k = 0; i < layout->n_tracks && k < i; k++)
    g_clear_pointer (&layout->tracks[k].events, g_array_unref);
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}
