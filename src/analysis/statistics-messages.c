/* SPDX-License-Identifier: Apache-2.0 */
/* The number of messages on their way over time: merges the times at which they are sent and have been received. */
#include <stdlib.h>
#include <string.h>

#include "lightcone/statistics.h"

/* A message that was received: its sending is known by its event until its time has been read. */
typedef struct
{
  guint32 process; /* the sender */
  guint64 ordinal;
  guint64 end; /* of receiving it */
} Message;

typedef struct
{
  LcHistory *history;
  guint32 timeline;
  const LcParallelismPart *part;
  gboolean *chosen;   /* by process */
  gboolean *receives; /* by operation */
  gboolean *carries;  /* by rule: its arcs lead from the sender of a message */
  GArray *messages;   /* Message */
} Collecting;

/* --- Messages -------------------------------------------------------------------------------------------------- */

/* A message is received by a recv, or by the complete of an irecv; who probes for it gets none of it. */
static void
messages_find_kinds (Collecting *collecting)
{
  const guint32 n_operations = lc_history_get_n_operations (collecting->history);
  const guint32 n_rules = lc_history_get_n_rules (collecting->history);

  collecting->receives = g_new0 (gboolean, n_operations + 1);
  for (guint32 i = 0; i < n_operations; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (collecting->history, i);

      collecting->receives[i] = operation != NULL && operation->class_name != NULL &&
                                strcmp (operation->class_name, "channel") == 0 &&
                                strcmp (operation->name, "probe") != 0;
    }
  collecting->carries = g_new0 (gboolean, n_rules + 1);
  for (guint32 i = 0; i < n_rules; i++)
    {
      const LcHistoryRule *rule = lc_history_get_rule (collecting->history, i);

      collecting->carries[i] = rule != NULL && rule->class_name != NULL && strcmp (rule->class_name, "channel") == 0 &&
                               rule->kind == LC_ARC_DATA && rule->from_point == LC_POINT_BEGIN;
    }
}

static void
messages_choose (Collecting *collecting)
{
  const LcParallelismPart *part = collecting->part;
  const guint32 n = lc_history_get_n_processes (collecting->history);

  collecting->chosen = g_new0 (gboolean, n + 1);
  for (guint32 i = 0; i < (part->processes != NULL ? part->n_processes : n); i++)
    collecting->chosen[part->processes != NULL ? part->processes[i] : i] = TRUE;
}

/* The complete of an isend comes after its own isend, which is no message. */
static gboolean
messages_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Collecting *collecting = data;

  if (!collecting->receives[event->operation])
    return TRUE;
  for (guint32 i = 0; i < event->n_arcs; i++)
    if (collecting->carries[arcs[i].rule] && arcs[i].process != event->process &&
        (collecting->chosen[event->process] || collecting->chosen[arcs[i].process]))
      {
        const Message message = {arcs[i].process, arcs[i].ordinal, event->end};

        g_array_append_val (collecting->messages, message);
      }
  return TRUE;
}

/* Finds all messages that are received after the begin of the part, by whomever. */
static gboolean
messages_collect (Collecting *collecting, GCancellable *cancellable, GError **error)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (collecting->history); i++)
    {
      LcHistoryEvent first;
      guint64 events;

      if (!lc_history_count_events (collecting->history, collecting->timeline, i, &events, error))
        return FALSE;
      if (events == 0)
        continue;
      if (!lc_history_find_event_at (collecting->history, collecting->timeline, i, collecting->part->from, &first,
                                     error) ||
          !lc_history_visit (collecting->history, collecting->timeline, i, first.ordinal, G_MAXUINT64, messages_visit,
                             collecting, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* --- Times ----------------------------------------------------------------------------------------------------- */

static int
messages_compare_senders (gconstpointer a, gconstpointer b)
{
  const Message *first = a, *second = b;

  if (first->process != second->process)
    return first->process < second->process ? -1 : 1;
  return first->ordinal < second->ordinal ? -1 : first->ordinal > second->ordinal;
}

static int
messages_compare_times (gconstpointer a, gconstpointer b)
{
  guint64 first = *(const guint64 *)a, second = *(const guint64 *)b;

  return first < second ? -1 : first > second;
}

/* Gives the sorted times at which the messages that touch the part are sent, and those at which they have been
 * received. */
static gboolean
messages_find_times (Collecting *collecting, GArray *begins, GArray *ends, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistoryWalk) walk =
      lc_history_walk_new (collecting->history, collecting->timeline, LC_WALK_TIMES, cancellable, error);

  if (walk == NULL)
    return FALSE;
  g_array_sort (collecting->messages, messages_compare_senders);
  for (guint i = 0; i < collecting->messages->len; i++)
    {
      const Message *message = &g_array_index (collecting->messages, Message, i);
      guint64 begin;

      if (!lc_history_walk_get_time (walk, message->process, message->ordinal, LC_POINT_BEGIN, &begin, error))
        return FALSE;
      if (begin >= collecting->part->to || message->end <= collecting->part->from || message->end <= begin)
        continue;
      g_array_append_val (begins, begin);
      g_array_append_val (ends, message->end);
    }
  g_array_sort (begins, messages_compare_times);
  g_array_sort (ends, messages_compare_times);
  return TRUE;
}

static void
messages_tell (const LcParallelismPart *part, const GArray *begins, const GArray *ends, LcParallelismVisit visit,
               gpointer data)
{
  guint sent = 0, received = 0;
  guint64 now = part->from;

  while (now < part->to)
    {
      guint64 next = part->to;

      while (sent < begins->len && g_array_index (begins, guint64, sent) <= now)
        sent++;
      while (received < ends->len && g_array_index (ends, guint64, received) <= now)
        received++;
      if (sent < begins->len)
        next = MIN (next, g_array_index (begins, guint64, sent));
      if (received < ends->len)
        next = MIN (next, g_array_index (ends, guint64, received));
      if (!visit (now, next, sent - received, data))
        return;
      now = next;
    }
}

/* --- All of it ------------------------------------------------------------------------------------------------- */

gboolean
lc_statistics_visit_messages (LcHistory *history, guint32 timeline, const LcParallelismPart *part,
                              LcParallelismVisit visit, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) messages = g_array_new (FALSE, FALSE, sizeof (Message));
  g_autoptr (GArray) begins = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  LcParallelismPart all = *part;
  Collecting collecting = {.history = history, .timeline = timeline, .part = &all, .messages = messages};
  gboolean good;

  if (all.from >= all.to && !lc_statistics_span (history, timeline, &all.from, &all.to, error))
    return FALSE;
  messages_find_kinds (&collecting);
  messages_choose (&collecting);
  good = messages_collect (&collecting, cancellable, error) &&
         messages_find_times (&collecting, begins, ends, cancellable, error);
  if (good && begins->len > 0)
    messages_tell (&all, begins, ends, visit, data);
  g_free (collecting.carries);
  g_free (collecting.receives);
  g_free (collecting.chosen);
  return good;
}
