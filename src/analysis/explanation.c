/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why an event is where it is on an approximated timeline: by its own part, and the chain of what it waited
 * for. */
#include "lightcone/explanation.h"

#include "basis.h"
#include "preempted.h"

/* An event on both timelines. */
typedef struct
{
  LcHistoryEvent measured;
  LcHistoryEvent event;
  LcBasis basis; /* on the approximated timeline */
} Both;

typedef struct
{
  LcHistoryWalk *measured;
  LcHistoryWalk *events;
  LcBasisFinder *finder;
} Walks;

static gint64
explanation_difference (guint64 time, guint64 measured)
{
  return (gint64)(time - measured);
}

static gboolean
explanation_get (const Walks *walks, guint32 process, guint64 ordinal, Both *both, GError **error)
{
  const LcHistoryArcEnd *arcs;

  return lc_history_walk_get (walks->events, process, ordinal, &both->event, &arcs, error) &&
         lc_basis_find (walks->finder, &both->event, arcs, &both->basis, error) &&
         lc_history_walk_get (walks->measured, both->event.origin_process, both->event.origin_ordinal, &both->measured,
                              NULL, error);
}

/* --- Movements ----------------------------------------------------------------------------------------------- */

static void
explanation_settle (LcMovement *movement)
{
  movement->cost = movement->moved - movement->gained + movement->removed - movement->inherited;
}

static LcMovement
explanation_subtract (const LcMovement *from, const LcMovement *less)
{
  return (LcMovement){.moved = from->moved - less->moved,
                      .removed = from->removed - less->removed,
                      .gained = from->gained - less->gained,
                      .inherited = from->inherited - less->inherited,
                      .cost = from->cost - less->cost};
}

/* Returns the movement of an event's end, including all that came before it on its process. */
static LcMovement
of_end (const Both *both, gint64 inherited)
{
  LcMovement movement = {.moved = explanation_difference (both->event.end, both->measured.end),
                         .removed = (gint64)both->event.removed,
                         .gained = both->event.gained,
                         .inherited = inherited};

  explanation_settle (&movement);
  return movement;
}

/* Returns the movement of a part without a change of waiting, of which at most `most` is removed instrumentation. */
static LcMovement
of_part (gint64 moved, gint64 most)
{
  LcMovement movement = {.moved = moved, .removed = CLAMP (-moved, 0, MAX (most, 0))};

  explanation_settle (&movement);
  return movement;
}

/* Returns the movement of an event's begin, like of_end; `before` is that of the previous event's end. */
static LcMovement
of_begin (const Both *both, const LcMovement *before)
{
  gint64 moved = explanation_difference (both->event.begin, both->measured.begin) - before->moved;
  LcMovement gap = of_part (moved, (gint64)both->event.removed - before->removed), movement = *before;

  movement.moved += gap.moved;
  movement.removed += gap.removed;
  movement.cost += gap.cost;
  return movement;
}

/* Finds how far a point moved. */
static gboolean
find_moved (const Walks *walks, const LcBasis *basis, gint64 *moved, GError **error)
{
  Both both;

  if (!explanation_get (walks, basis->process, basis->ordinal, &both, error))
    return FALSE;
  *moved = basis->point == LC_POINT_BEGIN ? explanation_difference (both.event.begin, both.measured.begin)
                                          : explanation_difference (both.event.end, both.measured.end);
  return TRUE;
}

/* Finds how much later a process was made. */
static gboolean
explanation_find_inherited (const Walks *walks, guint32 process, gint64 *inherited, GError **error)
{
  Both first;

  *inherited = 0;
  if (!explanation_get (walks, process, 0, &first, error))
    return FALSE;
  if (first.basis.process == LC_TRACE_NONE || first.basis.time > first.event.begin)
    return TRUE;
  return find_moved (walks, &first.basis, inherited, error);
}

/* Finds the movement of the end of the event before `before`; nothing has moved before the first event. */
static gboolean
find_before (const Walks *walks, guint32 process, guint64 before, gint64 inherited, LcMovement *movement,
             GError **error)
{
  Both both;

  *movement = (LcMovement){0};
  if (before == 0)
    return TRUE;
  if (!explanation_get (walks, process, before - 1, &both, error))
    return FALSE;
  *movement = of_end (&both, inherited);
  return TRUE;
}

/* --- The chain ----------------------------------------------------------------------------------------------- */

/* The point from which the chain goes on. */
typedef struct
{
  const Walks *walks;
  LcExplanation *explanation;
  guint32 process;
  guint64 ordinal;
  LcPoint point;
} Chain;

static gboolean
find_point (const Chain *chain, LcMovement *movement, GError **error)
{
  LcMovement before;
  Both both;

  if (!explanation_get (chain->walks, chain->process, chain->ordinal, &both, error) ||
      !find_before (chain->walks, chain->process, chain->ordinal, 0, &before, error))
    return FALSE;
  *movement = chain->point == LC_POINT_BEGIN ? of_begin (&both, &before) : of_end (&both, 0);
  return TRUE;
}

/* Finds the last event that waited and had ended at the point. `after` is the ordinal after it; 0: there is none. */
static gboolean
explanation_find_wait (const Chain *chain, Both *waited, guint64 *after, GError **error)
{
  for (*after = chain->point == LC_POINT_END ? chain->ordinal + 1 : chain->ordinal; *after > 0; (*after)--)
    {
      if (!explanation_get (chain->walks, chain->process, *after - 1, waited, error))
        return FALSE;
      if (waited->basis.process != LC_TRACE_NONE)
        break;
    }
  return TRUE;
}

/* Adds all from the end of the event before `first` to the point. */
static gboolean
add_running (Chain *chain, guint64 first, const LcMovement *since, GError **error)
{
  LcLink link = {.kind = LC_LINK_RUNNING,
                 .process = chain->process,
                 .first = first,
                 .last = chain->ordinal,
                 .last_point = chain->point,
                 .basis = {.process = LC_TRACE_NONE}};
  LcMovement point;

  if (first > chain->ordinal)
    return TRUE;
  if (!find_point (chain, &point, error))
    return FALSE;
  link.movement = explanation_subtract (&point, since);
  g_array_append_val (chain->explanation->chain, link);
  return TRUE;
}

static gboolean
explanation_add_waiting (Chain *chain, const Both *waited, const LcMovement *all, GError **error)
{
  LcLink link = {.kind = LC_LINK_WAITING,
                 .process = waited->event.process,
                 .first = waited->event.ordinal,
                 .last = waited->event.ordinal,
                 .last_point = LC_POINT_END,
                 .basis = waited->basis,
                 .reordered = (waited->event.flags & LC_HISTORY_EVENT_REORDERED) != 0};
  LcMovement before, begin;
  gint64 moved;

  if (!find_moved (chain->walks, &waited->basis, &moved, error) ||
      !find_before (chain->walks, waited->event.process, waited->event.ordinal, 0, &before, error))
    return FALSE;
  begin = of_begin (waited, &before);
  link.movement = of_part (all->moved - moved, all->removed - begin.removed);
  g_array_append_val (chain->explanation->chain, link);
  chain->process = waited->basis.process;
  chain->ordinal = waited->basis.ordinal;
  chain->point = waited->basis.point;
  return TRUE;
}

static gboolean
explanation_follow (Chain *chain, gsize steps, GError **error)
{
  LcExplanation *explanation = chain->explanation;

  for (gsize i = 0;; i++)
    {
      LcMovement all = {0};
      guint64 after;
      Both waited;

      if (!explanation_find_wait (chain, &waited, &after, error))
        return FALSE;
      if (after > 0)
        all = of_end (&waited, 0);
      if (!add_running (chain, after, &all, error))
        return FALSE;
      explanation->rest = all.moved;
      explanation->to_start = after == 0;
      if (after == 0 || i == steps)
        return TRUE;
      if (!explanation_add_waiting (chain, &waited, &all, error))
        return FALSE;
    }
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

static gboolean
find_measured (LcHistory *history, const Walks *walks, LcExplanation *explanation, GCancellable *cancellable,
               GError **error)
{
  g_autoptr (LcBasisFinder) finder = lc_basis_finder_new (history, LC_TIMELINE_MEASURED, walks->measured, cancellable);
  const LcHistoryEvent *event = &explanation->event;
  const LcHistoryEvent *measured = &explanation->measured;
  const LcBasis *basis = &explanation->measured_basis;
  const LcHistoryArcEnd *arcs;

  return lc_history_walk_get (walks->measured, event->origin_process, event->origin_ordinal, &explanation->measured,
                              &arcs, error) &&
         lc_basis_find (finder, &explanation->measured, arcs, &explanation->measured_basis, error) &&
         (basis->process == LC_TRACE_NONE ||
          lc_preempted_sum_once (history, LC_TIMELINE_MEASURED, basis->process, measured->begin,
                                 measured->begin + measured->waited, cancellable, &explanation->preempted, error));
}

static gboolean
explanation_explain (LcExplanation *explanation, const Walks *walks, guint32 process, guint64 ordinal, GError **error)
{
  LcMovement before;
  gint64 inherited;
  Both both;

  if (!explanation_get (walks, process, ordinal, &both, error) ||
      !explanation_find_inherited (walks, process, &inherited, error) ||
      !find_before (walks, process, ordinal, inherited, &before, error))
    return FALSE;
  explanation->event = both.event;
  explanation->basis = both.basis;
  explanation->begin_moved = explanation_difference (both.event.begin, both.measured.begin);
  explanation->all = of_end (&both, inherited);
  explanation->own = explanation_subtract (&explanation->all, &before);
  return TRUE;
}

LcExplanation *
lc_explanation_new (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, gsize steps,
                    GCancellable *cancellable, GError **error)
{
  g_autoptr (LcExplanation) explanation = g_new0 (LcExplanation, 1);
  g_autoptr (LcHistoryWalk) measured = NULL, events = NULL;
  g_autoptr (LcBasisFinder) finder = NULL;
  Walks walks;
  Chain chain = {&walks, explanation, process, ordinal, LC_POINT_END};

  explanation->chain = g_array_new (FALSE, FALSE, sizeof (LcLink));
  if (!lc_history_locate (history, timeline, process, ordinal, &chain.process, &chain.ordinal, error))
    return NULL;
  measured = lc_history_walk_new (history, LC_TIMELINE_MEASURED, LC_WALK_ALL, cancellable, error);
  events = measured != NULL ? lc_history_walk_new (history, timeline, LC_WALK_ALL, cancellable, error) : NULL;
  if (events == NULL)
    return NULL;
  finder = lc_basis_finder_new (history, timeline, events, cancellable);
  walks = (Walks){measured, events, finder};
  if (!explanation_explain (explanation, &walks, chain.process, chain.ordinal, error) ||
      !find_measured (history, &walks, explanation, cancellable, error) || !explanation_follow (&chain, steps, error))
    return NULL;
  return g_steal_pointer (&explanation);
}

void
lc_explanation_free (LcExplanation *explanation)
{
  if (explanation == NULL)
    return;
  g_array_unref (explanation->chain);
  g_free (explanation);
}
