/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the future of every event: what the points of higher layers come after is known when a layer is looked at. */
#include "futures.h"

#include <string.h>

/* What arcs from higher layers say of a point of a process. */
typedef struct
{
  guint64 point;
  guint64 *future; /* one of `spare`, later */
} FuturePoint;

/* A member of the present layer. */
typedef struct
{
  LcHistoryEvent event;
  guint64 slack;
  guint first_arc; /* index in `arcs` */
} FutureMember;

struct _LcFutures
{
  LcSlackPass *pass;
  const LcEventSlack *ahead; /* the first event of the layer after the present one, or NULL */
  gboolean *left_out;
  guint32 n_rules;
  guint32 n_processes;
  guint64 **now;    /* by process: the future of the last point that was left */
  GArray **pending; /* by process: FuturePoint, the last point at the end */
  GPtrArray *spare; /* futures that are not used */
  GArray *members;  /* FutureMember */
  GArray *arcs;     /* LcHistoryArcEnd, of all members */
  guint given;      /* members that have been given to the caller */
  LcEventFuture next;
};

static guint64 *
futures_take_vector (LcFutures *futures)
{
  if (futures->spare->len > 0)
    return g_ptr_array_steal_index_fast (futures->spare, futures->spare->len - 1);
  return g_new (guint64, MAX (futures->n_processes, 1));
}

static void
futures_join (const LcFutures *futures, guint64 *future, const guint64 *other)
{
  for (guint32 i = 0; i < futures->n_processes; i++)
    future[i] = MIN (future[i], other[i]);
}

/* Says that what is after `from` is also after a point of another process. */
static void
futures_hold_point (LcFutures *futures, const LcHistoryArcEnd *from, const guint64 *future)
{
  const guint64 point = 2 * from->ordinal + (from->point == LC_POINT_END);
  GArray *pending = futures->pending[from->process];
  FuturePoint added = {point, NULL};
  guint place = pending->len;

  while (place > 0 && g_array_index (pending, FuturePoint, place - 1).point > point)
    place--;
  if (place > 0 && g_array_index (pending, FuturePoint, place - 1).point == point)
    {
      futures_join (futures, g_array_index (pending, FuturePoint, place - 1).future, future);
      return;
    }
  added.future = futures_take_vector (futures);
  memcpy (added.future, future, futures->n_processes * sizeof *future);
  g_array_insert_val (pending, place, added);
}

/* Takes what is known of the points of a process from `point` on. */
static void
futures_take_points (LcFutures *futures, guint32 process, guint64 point)
{
  GArray *pending = futures->pending[process];

  while (pending->len > 0 && g_array_index (pending, FuturePoint, pending->len - 1).point >= point)
    {
      guint64 *future = g_array_index (pending, FuturePoint, pending->len - 1).future;

      futures_join (futures, futures->now[process], future);
      g_ptr_array_add (futures->spare, future);
      g_array_set_size (pending, pending->len - 1);
    }
}

/* --- One layer ----------------------------------------------------------------------------------------------- */

static gboolean
futures_enter_layer (LcFutures *futures, GError **error)
{
  const guint64 layer = futures->ahead->event.layer;

  g_array_set_size (futures->members, 0);
  g_array_set_size (futures->arcs, 0);
  futures->given = 0;
  while (futures->ahead != NULL && futures->ahead->event.layer == layer)
    {
      const LcEventSlack *slack = futures->ahead;
      const FutureMember member = {slack->event, slack->slack, futures->arcs->len};

      g_array_append_val (futures->members, member);
      if (slack->event.n_arcs > 0)
        g_array_append_vals (futures->arcs, slack->arcs, slack->event.n_arcs);
      futures_take_points (futures, slack->event.process, 2 * slack->event.ordinal + 1);
      futures->now[slack->event.process][slack->event.process] = 2 * slack->event.ordinal + 1;
      if (!lc_slack_pass_next (futures->pass, &futures->ahead, error))
        return FALSE;
    }
  return TRUE;
}

static int
futures_compare_groups (gconstpointer a, gconstpointer b)
{
  return lc_slack_compare_groups (&(*(FutureMember *const *)a)->event, &(*(FutureMember *const *)b)->event);
}

/* The begin of each member of a group is before the ends of all of them. */
static void
futures_join_groups (LcFutures *futures)
{
  g_autoptr (GPtrArray) grouped = g_ptr_array_new ();
  guint64 *joined;

  for (guint i = 0; i < futures->members->len; i++)
    if (g_array_index (futures->members, FutureMember, i).event.flags & LC_HISTORY_EVENT_GROUP)
      g_ptr_array_add (grouped, &g_array_index (futures->members, FutureMember, i));
  if (grouped->len == 0)
    return;
  g_ptr_array_sort (grouped, futures_compare_groups);
  joined = futures_take_vector (futures);
  for (guint i = 0, n; i < grouped->len; i += n)
    {
      for (guint32 k = 0; k < futures->n_processes; k++)
        joined[k] = LC_FUTURE_NEVER;
      for (n = 0; i + n < grouped->len && futures_compare_groups (&grouped->pdata[i], &grouped->pdata[i + n]) == 0; n++)
        futures_join (futures, joined, futures->now[((FutureMember *)grouped->pdata[i + n])->event.process]);
      for (guint k = i; k < i + n; k++)
        futures_join (futures, futures->now[((FutureMember *)grouped->pdata[k])->event.process], joined);
    }
  g_ptr_array_add (futures->spare, joined);
}

/* All arcs that end in the layer are known before the begins of its events are left, from which some of them come. */
static void
futures_leave_layer (LcFutures *futures)
{
  for (guint i = 0; i < futures->members->len; i++)
    {
      const FutureMember *member = &g_array_index (futures->members, FutureMember, i);

      for (guint k = 0; k < member->event.n_arcs; k++)
        {
          const LcHistoryArcEnd *from = &g_array_index (futures->arcs, LcHistoryArcEnd, member->first_arc + k);

          if (futures->left_out == NULL || from->rule >= futures->n_rules || !futures->left_out[from->rule])
            futures_hold_point (futures, from, futures->now[member->event.process]);
        }
    }
  futures_join_groups (futures);
  for (guint i = 0; i < futures->members->len; i++)
    {
      const LcHistoryEvent *event = &g_array_index (futures->members, FutureMember, i).event;

      futures_take_points (futures, event->process, 2 * event->ordinal);
      futures->now[event->process][event->process] = 2 * event->ordinal;
    }
}

gboolean
lc_futures_next (LcFutures *futures, const LcEventFuture **next, GError **error)
{
  const FutureMember *member;

  *next = NULL;
  if (futures->given == futures->members->len)
    {
      futures_leave_layer (futures);
      if (futures->ahead == NULL)
        {
          g_array_set_size (futures->members, 0);
          futures->given = 0;
          return TRUE;
        }
      if (!futures_enter_layer (futures, error))
        return FALSE;
    }
  member = &g_array_index (futures->members, FutureMember, futures->given++);
  futures->next =
      (LcEventFuture){.event = member->event,
                      .arcs = (const LcHistoryArcEnd *)(const void *)futures->arcs->data + member->first_arc,
                      .slack = member->slack,
                      .after = futures->now[member->event.process]};
  *next = &futures->next;
  return TRUE;
}

/* --- Begin and end ------------------------------------------------------------------------------------------- */

LcFutures *
lc_futures_new (LcHistory *history, const gboolean *left_out, GCancellable *cancellable, GError **error)
{
  const guint32 n = lc_history_get_n_processes (history), n_rules = lc_history_get_n_rules (history);
  g_autoptr (LcFutures) futures = g_new0 (LcFutures, 1);

  futures->n_processes = n;
  futures->n_rules = n_rules;
  if (left_out != NULL)
    futures->left_out = g_memdup2 (left_out, MAX (n_rules, 1) * sizeof *left_out);
  futures->now = g_new (guint64 *, MAX (n, 1));
  futures->pending = g_new (GArray *, MAX (n, 1));
  futures->spare = g_ptr_array_new_with_free_func (g_free);
  futures->members = g_array_new (FALSE, FALSE, sizeof (FutureMember));
  futures->arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
  for (guint32 i = 0; i < n; i++)
    {
      futures->now[i] = g_new (guint64, n);
      for (guint32 k = 0; k < n; k++)
        futures->now[i][k] = LC_FUTURE_NEVER;
      futures->pending[i] = g_array_new (FALSE, FALSE, sizeof (FuturePoint));
    }
  futures->pass = lc_slack_pass_new (history, LC_TIMELINE_MEASURED, cancellable, error);
  if (futures->pass == NULL || !lc_slack_pass_next (futures->pass, &futures->ahead, error))
    return NULL;
  return g_steal_pointer (&futures);
}

void
lc_futures_free (LcFutures *futures)
{
  if (futures == NULL)
    return;
  lc_slack_pass_free (futures->pass);
  for (guint32 i = 0; i < futures->n_processes; i++)
    {
      for (guint k = 0; k < futures->pending[i]->len; k++)
        g_free (g_array_index (futures->pending[i], FuturePoint, k).future);
      g_array_unref (futures->pending[i]);
      g_free (futures->now[i]);
    }
  g_free (futures->now);
  g_free (futures->pending);
  g_free (futures->left_out);
  g_ptr_array_unref (futures->spare);
  g_array_unref (futures->members);
  g_array_unref (futures->arcs);
  g_free (futures);
}
