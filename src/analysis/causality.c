/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the past of an event by following its arcs backwards, and its future by going on from layer to layer. */
#include "lightcone/causality.h"

/* Program order makes everything before (or after) a reached point of a process reached too, so one number a process is
 * enough. The points of event o have the numbers 2 o (begin) and 2 o + 1 (end). */

/* --- Groups ------------------------------------------------------------------------------------------------ */

/* Whether two events are members of one group. Object and sequence number may belong to events of another operation
 * too, but members also share a layer. */
static gboolean
is_together (const LcHistoryEvent *a, const LcHistoryEvent *b)
{
  return b->flags & LC_HISTORY_EVENT_GROUP && a->layer == b->layer && a->operation == b->operation;
}

static GArray *
causality_find_group (LcHistory *history, const LcHistoryEvent *event, GCancellable *cancellable, GError **error)
{
  GArray *members = NULL;

  if (!lc_history_find_by_key (history, LC_TIMELINE_MEASURED, event->object, event->sequence, G_MAXSIZE, cancellable,
                               &members, error))
    return NULL;
  return members;
}

static guint64 *
new_boundaries (const LcHistory *history, guint64 value)
{
  guint32 n = lc_history_get_n_processes (history);
  guint64 *boundaries = g_new (guint64, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    boundaries[i] = value;
  return boundaries;
}

/* --- The past ---------------------------------------------------------------------------------------------- */

typedef struct
{
  LcHistory *history;
  GCancellable *cancellable;
  GError **error;
  gboolean failed;
  guint64 *points;    /* by process: how many points are reached */
  guint64 *scanned;   /* by process: how many events have been looked at, from their ends */
  guint32 *waiting;   /* processes with reached events that have not been looked at */
  guint8 *is_waiting; /* by process */
  guint32 n_waiting;
  guint64 floor;      /* events in lower layers need not be looked at */
  GHashTable *groups; /* LcHistoryEvent: the groups that have been looked at */
} Past;

static guint
causality_hash_group (gconstpointer key)
{
  const LcHistoryEvent *event = key;

  return (guint)(event->layer * 31 + event->object) * 31 + (guint)event->sequence;
}

static gboolean
causality_equal_groups (gconstpointer a, gconstpointer b)
{
  const LcHistoryEvent *of_a = a, *of_b = b;

  return of_a->object == of_b->object && of_a->sequence == of_b->sequence && is_together (of_a, of_b);
}

static void
causality_reach (Past *past, guint32 process, guint64 ordinal, LcPoint point)
{
  guint64 points = 2 * ordinal + (point == LC_POINT_END ? 2 : 1);

  if (points <= past->points[process])
    return;
  past->points[process] = points;
  if (past->is_waiting[process] || points / 2 <= past->scanned[process])
    return;
  past->is_waiting[process] = TRUE;
  past->waiting[past->n_waiting++] = process;
}

static gboolean
reach_group (Past *past, const LcHistoryEvent *event)
{
  g_autoptr (GArray) members = NULL;

  if (g_hash_table_contains (past->groups, event))
    return TRUE;
  g_hash_table_add (past->groups, g_memdup2 (event, sizeof *event));
  members = causality_find_group (past->history, event, past->cancellable, past->error);
  if (members == NULL)
    return FALSE;
  for (guint i = 0; i < members->len; i++)
    {
      const LcHistoryEvent *member = &g_array_index (members, LcHistoryEvent, i);

      if (is_together (event, member))
        causality_reach (past, member->process, member->ordinal, LC_POINT_BEGIN);
    }
  return TRUE;
}

static gboolean
causality_look_at (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Past *past = data;

  if (event->layer < past->floor)
    return FALSE;
  for (guint32 i = 0; i < event->n_arcs; i++)
    causality_reach (past, arcs[i].process, arcs[i].ordinal, arcs[i].point);
  if (event->flags & LC_HISTORY_EVENT_GROUP)
    past->failed = !reach_group (past, event);
  return !past->failed;
}

static gboolean
find_past (Past *past, guint32 process, guint64 ordinal)
{
  causality_reach (past, process, ordinal, LC_POINT_END);
  while (past->n_waiting > 0 && !past->failed)
    {
      guint32 next = past->waiting[--past->n_waiting];
      guint64 first = past->points[next] / 2, last = past->scanned[next];

      past->is_waiting[next] = FALSE;
      past->scanned[next] = first;
      if (!lc_history_visit (past->history, LC_TIMELINE_MEASURED, next, first, last, causality_look_at, past,
                             past->cancellable, past->failed ? NULL : past->error))
        return FALSE;
    }
  return !past->failed;
}

static gboolean
causality_get_event (LcHistory *history, guint32 process, guint64 ordinal, LcHistoryEvent *event, GError **error)
{
  return lc_history_get_event (history, LC_TIMELINE_MEASURED, process, ordinal, event, error);
}

/* Finds the past down to layer `floor`. */
static guint64 *
past_to (LcHistory *history, guint32 process, guint64 ordinal, guint64 floor, GCancellable *cancellable, GError **error)
{
  guint32 n = lc_history_get_n_processes (history);
  g_autofree guint64 *points = new_boundaries (history, 0), *scanned = new_boundaries (history, 0);
  g_autofree guint32 *waiting = g_new (guint32, MAX (n, 1));
  g_autofree guint8 *is_waiting = g_new0 (guint8, MAX (n, 1));
  Past past = {.history = history,
               .cancellable = cancellable,
               .error = error,
               .points = points,
               .scanned = scanned,
               .waiting = waiting,
               .is_waiting = is_waiting,
               .floor = floor,
               .groups = g_hash_table_new_full (causality_hash_group, causality_equal_groups, g_free, NULL)};
  gboolean found = find_past (&past, process, ordinal);

  g_hash_table_unref (past.groups);
  if (!found)
    return NULL;
  for (guint32 i = 0; i < n; i++)
    points[i] = (points[i] + 1) / 2;
  return g_steal_pointer (&points);
}

guint64 *
lc_causality_past (LcHistory *history, guint32 process, guint64 ordinal, GCancellable *cancellable, GError **error)
{
  LcHistoryEvent event;

  if (!causality_get_event (history, process, ordinal, &event, error))
    return NULL;
  return past_to (history, process, ordinal, 0, cancellable, error);
}

/* --- The future -------------------------------------------------------------------------------------------- */

/* A process of which no event has been reached yet. */
typedef struct
{
  guint32 process;
  guint64 ordinal; /* its next event */
  guint64 layer;
} Ahead;

typedef struct
{
  LcHistory *history;
  GCancellable *cancellable;
  LcHistoryWalk *events;
  guint64 *first; /* by process: the first reached event */
  guint32 process;
  Ahead *heap; /* the lowest layer first */
  guint32 n;
} Future;

static void
causality_sift (Future *future, guint32 place)
{
  const Ahead ahead = future->heap[place];

  for (;;)
    {
      guint32 child = 2 * place + 1;

      if (child + 1 < future->n && future->heap[child + 1].layer < future->heap[child].layer)
        child++;
      if (child >= future->n || future->heap[child].layer >= ahead.layer)
        break;
      future->heap[place] = future->heap[child];
      place = child;
    }
  future->heap[place] = ahead;
}

/* On the event's own process its begin is reached; other processes are first reached at the end of an event. */
static gboolean
is_reached (const Future *future, guint32 process, guint64 ordinal, LcPoint point)
{
  guint64 first = future->first[process];

  if (first == LC_CAUSALITY_NEVER || ordinal < first)
    return FALSE;
  return ordinal > first || point == LC_POINT_END || process == future->process;
}

/* Sets `reached` if an arc to the event, or a member of its group, comes from a reached point. */
static gboolean
look_back (Future *future, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gboolean *reached, GError **error)
{
  g_autoptr (GArray) members = NULL;

  *reached = FALSE;
  for (guint32 i = 0; i < event->n_arcs && !*reached; i++)
    *reached = is_reached (future, arcs[i].process, arcs[i].ordinal, arcs[i].point);
  if (*reached || !(event->flags & LC_HISTORY_EVENT_GROUP))
    return TRUE;
  members = causality_find_group (future->history, event, future->cancellable, error);
  for (guint i = 0; members != NULL && i < members->len && !*reached; i++)
    {
      const LcHistoryEvent *member = &g_array_index (members, LcHistoryEvent, i);

      *reached = is_together (event, member) && is_reached (future, member->process, member->ordinal, LC_POINT_BEGIN);
    }
  return members != NULL;
}

/* Whatever could reach an event is in a lower layer, so it has been looked at before the event. */
static gboolean
find_future (Future *future, GError **error)
{
  while (future->n > 0)
    {
      Ahead *ahead = &future->heap[0];
      guint64 events = lc_history_get_process (future->history, ahead->process)->events;
      const LcHistoryArcEnd *arcs;
      LcHistoryEvent event;
      gboolean reached;

      if (!lc_history_walk_get (future->events, ahead->process, ahead->ordinal, &event, &arcs, error) ||
          !look_back (future, &event, arcs, &reached, error))
        return FALSE;
      if (reached)
        future->first[ahead->process] = ahead->ordinal;
      if (reached || ++ahead->ordinal == events)
        *ahead = future->heap[--future->n];
      else if (!lc_history_walk_get (future->events, ahead->process, ahead->ordinal, &event, NULL, error))
        return FALSE;
      else
        ahead->layer = event.layer;
      if (future->n > 0)
        causality_sift (future, 0);
    }
  return TRUE;
}

/* Puts the other processes into the heap, from the first layer on that the event can reach. */
static gboolean
line_up (Future *future, guint64 layer, GError **error)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (future->history); i++)
    {
      LcHistoryEvent event;

      if (i == future->process || lc_history_get_process (future->history, i)->events == 0)
        continue;
      if (!lc_history_find_event_at_layer (future->history, LC_TIMELINE_MEASURED, i, layer, &event, error))
        return FALSE;
      future->heap[future->n++] = (Ahead){i, event.ordinal, event.layer};
    }
  for (guint32 i = future->n; i > 0; i--)
    causality_sift (future, i - 1);
  return TRUE;
}

/* Sets the lowest layer that an event can have that comes after the begin of this one. */
static gboolean
layer_from (LcHistory *history, guint32 process, guint64 ordinal, guint64 *layer, GError **error)
{
  LcHistoryEvent event = {.layer = 0};

  if (ordinal > 0 && !causality_get_event (history, process, ordinal - 1, &event, error))
    return FALSE;
  *layer = event.layer + 1;
  return TRUE;
}

guint64 *
lc_causality_future (LcHistory *history, guint32 process, guint64 ordinal, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistoryWalk) events =
      lc_history_walk_new (history, LC_TIMELINE_MEASURED, LC_WALK_ARCS, cancellable, error);
  g_autofree guint64 *first = new_boundaries (history, LC_CAUSALITY_NEVER);
  g_autofree Ahead *heap = g_new (Ahead, lc_history_get_n_processes (history) + 1);
  Future future = {history, cancellable, events, first, process, heap, 0};
  LcHistoryEvent event;
  guint64 layer;

  if (events == NULL || !causality_get_event (history, process, ordinal, &event, error) ||
      !layer_from (history, process, ordinal, &layer, error))
    return NULL;
  first[process] = ordinal;
  if (!line_up (&future, layer, error) || !find_future (&future, error))
    return NULL;
  return g_steal_pointer (&first);
}

/* --- Relations --------------------------------------------------------------------------------------------- */

static gboolean
is_in_past (LcHistory *history, guint32 process, guint64 ordinal, guint32 of_process, guint64 of_ordinal,
            GCancellable *cancellable, gboolean *result, GError **error)
{
  g_autofree guint64 *past = NULL;
  guint64 floor;

  if (!layer_from (history, process, ordinal, &floor, error))
    return FALSE;
  past = past_to (history, of_process, of_ordinal, floor, cancellable, error);
  if (past == NULL)
    return FALSE;
  *result = ordinal < past[process];
  return TRUE;
}

gboolean
lc_causality_relation (LcHistory *history, guint32 process, guint64 ordinal, guint32 other_process,
                       guint64 other_ordinal, GCancellable *cancellable, LcRelation *relation, GError **error)
{
  LcHistoryEvent event;
  gboolean before, after;

  if (!causality_get_event (history, process, ordinal, &event, error) ||
      !causality_get_event (history, other_process, other_ordinal, &event, error))
    return FALSE;
  if (!is_in_past (history, process, ordinal, other_process, other_ordinal, cancellable, &before, error) ||
      !is_in_past (history, other_process, other_ordinal, process, ordinal, cancellable, &after, error))
    return FALSE;
  *relation = before && after ? LC_RELATION_TOGETHER
              : before        ? LC_RELATION_BEFORE
              : after         ? LC_RELATION_AFTER
                              : LC_RELATION_CONCURRENT;
  return TRUE;
}
