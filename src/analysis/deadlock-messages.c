/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of MPI that wait for each other's messages: counts what was sent on a channel, and what was received. */
#include "deadlock-messages.h"

#include <string.h>

/* How often an operation of each kind has ended. A receive that has begun has no channel yet. */
typedef struct
{
  const LcHistory *history;
  guint32 receiver;
  guint64 sent, received; /* messages of a channel */
  guint64 begun, done;    /* requests of a process */
} Traffic;

static gboolean
deadlock_messages_count (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Traffic *traffic = data;
  const LcHistoryOperation *operation = lc_history_get_operation (traffic->history, event->operation);
  const char *name = operation != NULL ? operation->name : "";

  traffic->sent += g_str_equal (name, "send") || g_str_equal (name, "ssend") || g_str_equal (name, "isend");
  traffic->received +=
      g_str_equal (name, "recv") || (g_str_equal (name, "complete") && event->process == traffic->receiver);
  traffic->begun += g_str_equal (name, "isend") || g_str_equal (name, "irecv");
  traffic->done += g_str_equal (name, "complete");
  return TRUE;
}

/* LC_TRACE_NONE: there is no such rank, or it has several threads, any of which may send and receive. */
static guint32
deadlock_messages_find_rank (const LcHistory *history, guint32 rank)
{
  guint32 found = LC_TRACE_NONE;

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (lc_history_get_process (history, i)->rank == rank)
      {
        if (found != LC_TRACE_NONE)
          return LC_TRACE_NONE;
        found = i;
      }
  return found;
}

static gboolean
deadlock_messages_count_channel (Traffic *traffic, LcHistory *history, guint32 object, GCancellable *cancellable,
                                 GError **error)
{
  return lc_history_visit_object (history, LC_TIMELINE_MEASURED, object, deadlock_messages_count, traffic, cancellable,
                                  error);
}

/* Whether the process has begun to receive anything that it has not received. */
static gboolean
deadlock_messages_has_requests (LcHistory *history, guint32 process, gboolean *has_requests, GCancellable *cancellable,
                                GError **error)
{
  Traffic traffic = {.history = history, .receiver = process};
  const guint32 n = lc_history_get_n_operations (history);
  g_autofree gboolean *wanted = g_new0 (gboolean, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      wanted[i] =
          operation != NULL && (g_str_equal (operation->name, "isend") || g_str_equal (operation->name, "irecv") ||
                                g_str_equal (operation->name, "complete"));
    }
  if (!lc_history_visit_operations (history, LC_TIMELINE_MEASURED, process, wanted, deadlock_messages_count, &traffic,
                                    cancellable, error))
    return FALSE;
  *has_requests = traffic.begun != traffic.done;
  return TRUE;
}

/* Whether the other rank has done nothing that could end the operation: all that was sent was received before, or the
 * receiver has not begun to receive. */
static gboolean
deadlock_messages_is_waiting (LcHistory *history, const LcBlocked *blocked, guint32 partner, gboolean receives,
                              gboolean *is_waiting, GCancellable *cancellable, GError **error)
{
  const char *operation = lc_history_get_operation (history, blocked->pending.operation)->name;
  Traffic traffic = {.history = history, .receiver = receives ? blocked->process : partner};
  gboolean has_requests = FALSE;

  *is_waiting = FALSE;
  if (!deadlock_messages_count_channel (&traffic, history, blocked->pending.object, cancellable, error))
    return FALSE;
  if (receives)
    *is_waiting =
        traffic.sent <= traffic.received &&
        (g_str_equal (operation, "recv") || g_str_equal (operation, "probe") || g_str_equal (operation, "complete"));
  else if (!deadlock_messages_has_requests (history, partner, &has_requests, cancellable, error))
    return FALSE;
  else
    *is_waiting = !has_requests && traffic.received <= traffic.sent &&
                  (g_str_equal (operation, "send") || g_str_equal (operation, "ssend"));
  return TRUE;
}

gboolean
lc_deadlock_find_partner (LcHistory *history, const LcHistoryObject *object, LcBlocked *blocked,
                          GCancellable *cancellable, GError **error)
{
  const LcHistoryProcess *process = lc_history_get_process (history, blocked->process), *other;
  const LcHistoryOperation *operation = lc_history_get_operation (history, blocked->pending.operation);
  const guint32 from = LC_CHANNEL_FROM (object->value), to = LC_CHANNEL_TO (object->value);
  const gboolean receives = process->rank == to;
  gboolean is_waiting;
  guint32 partner;

  /* Channels in a program's memory have an address, and say other things by their value. */
  if (g_strcmp0 (object->class_name, "channel") != 0 || object->address != 0 || operation == NULL || from == to ||
      process->rank == LC_TRACE_NONE || (!receives && process->rank != from) || lc_history_get_until (history) != 0)
    return TRUE;
  partner = deadlock_messages_find_rank (history, receives ? from : to);
  if (partner == LC_TRACE_NONE || deadlock_messages_find_rank (history, process->rank) != blocked->process)
    return TRUE;
  other = lc_history_get_process (history, partner);
  if (process->lost > 0 || other->lost > 0 || other->pending.object == blocked->pending.object)
    return TRUE;
  if (!deadlock_messages_is_waiting (history, blocked, partner, receives, &is_waiting, cancellable, error))
    return FALSE;
  if (!is_waiting)
    return TRUE;
  blocked->holder = partner;
  blocked->holder_ordinal = other->events - MIN (other->events, 1);
  blocked->is_message = TRUE;
  return TRUE;
}
