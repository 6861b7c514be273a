/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of MPI that wait for each other's messages: counts what was sent on a channel, and what was received. */
#include <string.h>

#include "deadlock-ranks.h"

/* How often an operation of each kind has ended. A receive that has begun has no channel yet. */
typedef struct
{
  const LcHistory *history;
  guint32 receiver;       /* rank */
  guint64 sent, received; /* messages of a channel */
  guint64 begun, done;    /* requests of a rank */
} Traffic;

static gboolean
deadlock_messages_count (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Traffic *traffic = data;
  const LcHistoryOperation *operation = lc_history_get_operation (traffic->history, event->operation);
  const char *name = operation != NULL ? operation->name : "";
  const gboolean is_receiver = lc_history_get_process (traffic->history, event->process)->rank == traffic->receiver;

  traffic->sent += g_str_equal (name, "send") || g_str_equal (name, "ssend") || g_str_equal (name, "isend");
  traffic->received += g_str_equal (name, "recv") || (g_str_equal (name, "complete") && is_receiver);
  traffic->begun += g_str_equal (name, "isend") || g_str_equal (name, "irecv");
  traffic->done += g_str_equal (name, "complete");
  return TRUE;
}

/* Whether the rank has begun to receive anything that it has not received. */
static gboolean
deadlock_messages_has_requests (LcHistory *history, guint32 rank, gboolean *has_requests, GCancellable *cancellable,
                                GError **error)
{
  Traffic traffic = {.history = history, .receiver = rank};
  const guint32 n = lc_history_get_n_operations (history);
  g_autofree gboolean *wanted = g_new0 (gboolean, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      wanted[i] =
          operation != NULL && (g_str_equal (operation->name, "isend") || g_str_equal (operation->name, "irecv") ||
                                g_str_equal (operation->name, "complete"));
    }
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (lc_history_get_process (history, i)->rank == rank &&
        !lc_history_visit_operations (history, LC_TIMELINE_MEASURED, i, wanted, deadlock_messages_count, &traffic,
                                      cancellable, error))
      return FALSE;
  *has_requests = traffic.begun != traffic.done;
  return TRUE;
}

/* Whether the other rank has done nothing that could end the operation: all that was sent was received before, or the
 * receiver has not begun to receive. */
static gboolean
deadlock_messages_is_waiting (LcHistory *history, const LcBlocked *blocked, guint32 receiver, gboolean receives,
                              gboolean *is_waiting, GCancellable *cancellable, GError **error)
{
  const char *operation = lc_history_get_operation (history, blocked->pending.operation)->name;
  Traffic traffic = {.history = history, .receiver = receiver};
  gboolean has_requests = FALSE;

  *is_waiting = FALSE;
  if (!lc_history_visit_object (history, LC_TIMELINE_MEASURED, blocked->pending.object, deadlock_messages_count,
                                &traffic, cancellable, error))
    return FALSE;
  if (receives)
    *is_waiting =
        traffic.sent <= traffic.received &&
        (g_str_equal (operation, "recv") || g_str_equal (operation, "probe") || g_str_equal (operation, "complete"));
  else if (!deadlock_messages_has_requests (history, receiver, &has_requests, cancellable, error))
    return FALSE;
  else
    *is_waiting = !has_requests && traffic.received <= traffic.sent &&
                  (g_str_equal (operation, "send") || g_str_equal (operation, "ssend"));
  return TRUE;
}

gboolean
lc_deadlock_find_partner (LcDeadlockRanks *ranks, const LcHistoryObject *object, LcBlocked *blocked,
                          GCancellable *cancellable, GError **error)
{
  const LcDeadlockRank *own = lc_deadlock_ranks_of (ranks, blocked->process), *other;
  const guint32 from = LC_CHANNEL_FROM (object->value), to = LC_CHANNEL_TO (object->value);
  const guint32 rank = lc_history_get_process (ranks->history, blocked->process)->rank;
  const LcHistoryProcess *partner;
  gboolean is_waiting;

  /* Channels in a program's memory have an address, and say other things by their value. */
  if (g_strcmp0 (object->class_name, "channel") != 0 || object->address != 0 || own == NULL || from == to ||
      MAX (from, to) >= ranks->n || (rank != from && rank != to))
    return TRUE;
  other = &ranks->ranks[rank == to ? from : to];
  if (other->process == LC_TRACE_NONE || !own->has_all || !other->has_all)
    return TRUE;
  partner = lc_history_get_process (ranks->history, other->process);
  if (partner->pending.object == blocked->pending.object)
    return TRUE;
  if (!deadlock_messages_is_waiting (ranks->history, blocked, to, rank == to, &is_waiting, cancellable, error))
    return FALSE;
  if (!is_waiting)
    return TRUE;
  blocked->holder = other->process;
  blocked->holder_ordinal = partner->events - MIN (partner->events, 1);
  blocked->reason = LC_BLOCKED_FOR_MESSAGE;
  return TRUE;
}
