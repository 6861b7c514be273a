/* SPDX-License-Identifier: Apache-2.0 */
/* The events of each process that are in view, in order of time, found by bisection, without reading them all. */
#include "app/tables/events-ranges.h"

#include <string.h>

enum
{
  NEAR = 256, /* events: so many are gone over rather than halved again */
};

/* --- Bisection --------------------------------------------------------------------------------------------------- */

/* A search for the first event of a process that is not before a place on the axis. */
typedef struct
{
  const LcShown *shown;
  LcHistoryWalk *walk;
  LcSceneTime axis;
  guint32 process;
  double at;       /* on the axis */
  gboolean by_end; /* physical time: events that end at `at` or later; else those that begin then or later */
  gboolean after;  /* those that begin only after it */
} EventsBound;

static gboolean
events_ranges_get_place (const EventsBound *bound, guint64 ordinal, double *place, GError **error)
{
  const LcPhases *phases = lc_kept_get (bound->shown->phases);
  LcHistoryEvent event;
  guint64 time;

  if (bound->axis == LC_SCENE_PHYSICAL)
    {
      if (!lc_history_walk_get_time (bound->walk, bound->process, ordinal,
                                     bound->by_end ? LC_POINT_END : LC_POINT_BEGIN, &time, error))
        return FALSE;
      *place = (double)time;
      return TRUE;
    }
  if (!lc_history_walk_get (bound->walk, bound->process, ordinal, &event, NULL, error))
    return FALSE;
  *place = (double)event.layer;
  if (bound->axis == LC_SCENE_PHASE && phases != NULL)
    *place = (double)lc_phases_get_position (phases, lc_phases_of (phases, bound->process, ordinal), event.layer);
  /* It takes up the place from its own number to before the next. */
  *place += bound->by_end ? 1 : 0;
  return TRUE;
}

static gboolean
events_ranges_is_past (const EventsBound *bound, guint64 ordinal, gboolean *past, GError **error)
{
  double place;

  if (!events_ranges_get_place (bound, ordinal, &place, error))
    return FALSE;
  *past = bound->after ? place > bound->at : place >= bound->at;
  return TRUE;
}

/* Narrows the limits around a guess, in steps that double. */
static gboolean
events_ranges_gallop (const EventsBound *bound, guint64 guess, guint64 *lowest, guint64 *highest, GError **error)
{
  guint64 at = CLAMP (guess, *lowest, *highest - 1);
  gboolean first, past;

  if (!events_ranges_is_past (bound, at, &first, error))
    return FALSE;
  *(first ? highest : lowest) = first ? at : at + 1;
  for (guint64 step = 1; *lowest < *highest; step *= 2)
    {
      guint64 left = *highest - *lowest, next = first ? *highest - MIN (step, left) : *lowest + MIN (step, left) - 1;

      if (!events_ranges_is_past (bound, next, &past, error))
        return FALSE;
      if (past)
        *highest = next;
      else
        *lowest = next + 1;
      if (past != first)
        return TRUE;
    }
  return TRUE;
}

/* Finds the first ordinal from `lowest` to `highest` that is past the bound; `highest` if none before is. */
static gboolean
events_ranges_bisect (const EventsBound *bound, guint64 guess, guint64 lowest, guint64 highest, guint64 *found,
                      GError **error)
{
  gboolean past;

  if (lowest < highest && guess != G_MAXUINT64 && !events_ranges_gallop (bound, guess, &lowest, &highest, error))
    return FALSE;
  while (lowest < highest)
    {
      guint64 middle = lowest + (highest - lowest) / 2;

      if (!events_ranges_is_past (bound, middle, &past, error))
        return FALSE;
      if (past)
        highest = middle;
      else
        lowest = middle + 1;
    }
  *found = lowest;
  return TRUE;
}

/* Returns the place that the history's directory has; G_MAXUINT64 if it does not know. */
static guint64
events_ranges_guess (const EventsBound *bound)
{
  LcHistory *history = bound->shown->opened->history;
  guint64 at = bound->at > 0 ? (guint64)bound->at : 0;
  LcHistoryEvent event;
  gboolean found = FALSE;

  if (bound->axis == LC_SCENE_PHYSICAL)
    found = lc_history_find_event_at (history, bound->shown->timeline, bound->process, at, &event, NULL);
  else if (bound->axis == LC_SCENE_LOGICAL)
    found = lc_history_find_event_at_layer (history, bound->shown->timeline, bound->process, at, &event, NULL);
  return found ? event.ordinal : G_MAXUINT64;
}

/* --- Ranges ------------------------------------------------------------------------------------------------------ */

static gboolean
events_ranges_limit (LcEventsRanges *ranges, guint32 place, LcHistoryWalk *walk, const LcSpan *span, GError **error)
{
  EventsBound bound = {.shown = ranges->shown,
                       .walk = walk,
                       .axis = ranges->shown->selection.time,
                       .process = ranges->shown->selection.processes[place]};
  guint64 n = ranges->last[place];

  bound.at = span->from;
  bound.by_end = TRUE;
  if (n == 0)
    return TRUE;
  if (!events_ranges_bisect (&bound, events_ranges_guess (&bound), 0, n, &ranges->first[place], error))
    return FALSE;
  bound.at = span->to;
  bound.by_end = FALSE;
  bound.after = ranges->shown->selection.time == LC_SCENE_PHYSICAL;
  return ranges->first[place] == n || events_ranges_bisect (&bound, events_ranges_guess (&bound), ranges->first[place],
                                                            n, &ranges->last[place], error);
}

static gboolean
events_ranges_fill (LcEventsRanges *ranges, const LcSpan *span, GCancellable *cancellable, GError **error)
{
  const LcShown *shown = ranges->shown;
  g_autoptr (LcHistoryWalk) walk = NULL;

  if (span != NULL)
    {
      walk = lc_history_walk_new (shown->opened->history, shown->timeline,
                                  shown->selection.time == LC_SCENE_PHYSICAL ? LC_WALK_TIMES : LC_WALK_ARCS,
                                  cancellable, error);
      if (walk == NULL)
        return FALSE;
    }
  for (guint32 i = 0; i < ranges->n; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !lc_history_count_events (shown->opened->history, shown->timeline, shown->selection.processes[i],
                                    &ranges->last[i], error) ||
          (walk != NULL && !events_ranges_limit (ranges, i, walk, span, error)))
        return FALSE;
      ranges->before[i + 1] = ranges->before[i] + ranges->last[i] - ranges->first[i];
    }
  return TRUE;
}

LcEventsRanges *
lc_events_ranges_new (const LcShown *shown, const LcSpan *span, GCancellable *cancellable, GError **error)
{
  LcEventsRanges *ranges = g_new0 (LcEventsRanges, 1);

  ranges->shown = shown;
  ranges->n = shown->selection.n_processes;
  ranges->first = g_new0 (guint64, ranges->n + 1);
  ranges->last = g_new0 (guint64, ranges->n + 1);
  ranges->before = g_new0 (guint64, ranges->n + 1);
  if (!events_ranges_fill (ranges, span, cancellable, error))
    g_clear_pointer (&ranges, lc_events_ranges_free);
  return ranges;
}

void
lc_events_ranges_free (LcEventsRanges *ranges)
{
  g_free (ranges->first);
  g_free (ranges->last);
  g_free (ranges->before);
  g_free (ranges);
}

guint64
lc_events_ranges_count (const LcEventsRanges *ranges)
{
  return ranges->before[ranges->n];
}

guint32
lc_events_ranges_find (const LcEventsRanges *ranges, guint64 position)
{
  guint32 lowest = 0, highest = ranges->n;

  while (highest - lowest > 1)
    {
      guint32 middle = lowest + (highest - lowest) / 2;

      if (ranges->before[middle] <= position)
        lowest = middle;
      else
        highest = middle;
    }
  return lowest;
}

/* --- The order of time ------------------------------------------------------------------------------------------- */

struct _LcEventsMerge
{
  const LcEventsRanges *ranges;
  LcHistoryWalk *walk;
  guint64 *at;    /* the next ordinal of each process */
  guint64 *begin; /* when it begins; G_MAXUINT64: there is none */
  guint64 position;
  gboolean is_set; /* `begin` is that of `at` */
};

LcEventsMerge *
lc_events_merge_new (const LcEventsRanges *ranges, GCancellable *cancellable, GError **error)
{
  const LcShown *shown = ranges->shown;
  LcHistoryWalk *walk =
      lc_history_walk_new (shown->opened->history, shown->timeline, LC_WALK_TIMES, cancellable, error);
  LcEventsMerge *merge;

  if (walk == NULL)
    return NULL;
  merge = g_new0 (LcEventsMerge, 1);
  merge->ranges = ranges;
  merge->walk = walk;
  merge->at = g_new0 (guint64, ranges->n + 1);
  merge->begin = g_new0 (guint64, ranges->n + 1);
  return merge;
}

void
lc_events_merge_free (LcEventsMerge *merge)
{
  lc_history_walk_free (merge->walk);
  g_free (merge->at);
  g_free (merge->begin);
  g_free (merge);
}

static gboolean
events_merge_get_begin (LcEventsMerge *merge, guint32 place, GError **error)
{
  const LcEventsRanges *ranges = merge->ranges;

  if (merge->at[place] < ranges->last[place])
    return lc_history_walk_get_time (merge->walk, ranges->shown->selection.processes[place], merge->at[place],
                                     LC_POINT_BEGIN, &merge->begin[place], error);
  merge->begin[place] = G_MAXUINT64;
  return TRUE;
}

/* Counts the events that begin before a time; each process's next ordinal lies between `lowest` and `highest`. */
static gboolean
events_merge_count (LcEventsMerge *merge, guint64 time, const guint64 *lowest, const guint64 *highest,
                    guint64 *ordinals, guint64 *count, GError **error)
{
  const LcEventsRanges *ranges = merge->ranges;
  EventsBound bound = {.shown = ranges->shown, .walk = merge->walk, .axis = LC_SCENE_PHYSICAL, .at = (double)time};

  *count = 0;
  for (guint32 i = 0; i < ranges->n; i++)
    {
      guint64 guess = G_MAXUINT64;

      bound.process = ranges->shown->selection.processes[i];
      if (highest[i] - lowest[i] > NEAR)
        guess = events_ranges_guess (&bound);
      if (!events_ranges_bisect (&bound, guess, lowest[i], highest[i], &ordinals[i], error))
        return FALSE;
      *count += ordinals[i] - ranges->first[i];
    }
  return TRUE;
}

/* Sets the merge to a time at which no more than `position` events have begun, and nearly so many. */
static gboolean
events_merge_halve (LcEventsMerge *merge, guint64 position, GError **error)
{
  const LcEventsRanges *ranges = merge->ranges;
  gsize size = sizeof (guint64) * (ranges->n + 1);
  g_autofree guint64 *lowest = g_memdup2 (ranges->first, size), *highest = g_memdup2 (ranges->last, size);
  g_autofree guint64 *middle = g_new0 (guint64, ranges->n + 1);
  guint64 from, to, n_from = 0;

  lc_history_get_span (ranges->shown->opened->history, &from, &to);
  for (guint32 i = 0; i < ranges->n; i++)
    {
      guint64 begin, end;

      if (!lc_history_get_process_span (ranges->shown->opened->history, ranges->shown->timeline,
                                        ranges->shown->selection.processes[i], &begin, &end, error))
        return FALSE;
      to = MAX (to, end);
    }
  for (to++, from = 0; to - from > 1 && position - n_from > NEAR;)
    {
      guint64 time = from + (to - from) / 2, count;

      if (!events_merge_count (merge, time, lowest, highest, middle, &count, error))
        return FALSE;
      if (count <= position)
        {
          from = time;
          n_from = count;
          memcpy (lowest, middle, size);
        }
      else
        {
          to = time;
          memcpy (highest, middle, size);
        }
    }
  memcpy (merge->at, lowest, size);
  merge->position = n_from;
  merge->is_set = FALSE;
  return TRUE;
}

static gboolean
events_merge_set (LcEventsMerge *merge, GError **error)
{
  if (merge->is_set)
    return TRUE;
  for (guint32 i = 0; i < merge->ranges->n; i++)
    if (!events_merge_get_begin (merge, i, error))
      return FALSE;
  merge->is_set = TRUE;
  return TRUE;
}

gboolean
lc_events_merge_next (LcEventsMerge *merge, LcEventName *name, GError **error)
{
  guint32 next = 0;

  name->process = LC_TRACE_NONE;
  if (!events_merge_set (merge, error))
    return FALSE;
  for (guint32 i = 1; i < merge->ranges->n; i++)
    if (merge->begin[i] < merge->begin[next])
      next = i;
  if (merge->ranges->n == 0 || merge->begin[next] == G_MAXUINT64)
    return FALSE;
  *name = (LcEventName){.process = merge->ranges->shown->selection.processes[next], .ordinal = merge->at[next]};
  merge->at[next]++;
  merge->position++;
  return events_merge_get_begin (merge, next, error);
}

gboolean
lc_events_merge_go_to (LcEventsMerge *merge, guint64 position, GError **error)
{
  LcEventName name;

  if (!merge->is_set || position < merge->position || position - merge->position > NEAR)
    if (!events_merge_halve (merge, position, error))
      return FALSE;
  while (merge->position < position)
    if (!lc_events_merge_next (merge, &name, error))
      return FALSE;
  return TRUE;
}

gboolean
lc_events_merge_go_to_time (LcEventsMerge *merge, guint64 time, guint64 *position, GError **error)
{
  const LcEventsRanges *ranges = merge->ranges;

  if (!events_merge_count (merge, time, ranges->first, ranges->last, merge->at, position, error))
    return FALSE;
  merge->position = *position;
  merge->is_set = FALSE;
  return TRUE;
}
