/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of MPI that have not begun the operation of many in which others of their communicator wait. */
#include <string.h>

#include "deadlock-ranks.h"

/* An operation of many that some have begun and not ended. */
typedef struct
{
  guint32 object;
  gint64 sequence;
  guint32 n_members;
  gboolean *has_come, *is_member; /* by rank */
  gboolean has_root;              /* the root has come */
  GArray *missing;                /* guint32: processes */
} Gathering;

typedef struct
{
  const LcDeadlockRanks *ranks;
  Gathering *gathering;
} Gatherer;

static void
gathering_free (Gathering *gathering)
{
  g_free (gathering->has_come);
  g_free (gathering->is_member);
  g_array_unref (gathering->missing);
  g_free (gathering);
}

void
lc_deadlock_ranks_free (LcDeadlockRanks *ranks)
{
  for (guint i = 0; i < ranks->gatherings->len; i++)
    gathering_free (ranks->gatherings->pdata[i]);
  g_ptr_array_unref (ranks->gatherings);
  g_free (ranks->ranks);
  g_free (ranks);
}

static gboolean
gathering_is_root (const LcHistory *history, guint32 operation)
{
  const LcHistoryOperation *of = lc_history_get_operation (history, operation);

  return of != NULL && g_str_has_suffix (of->name, "-root");
}

static void
gathering_add (Gatherer *gatherer, guint32 process, guint32 operation, gboolean has_come)
{
  const LcHistory *history = gatherer->ranks->history;
  const guint32 rank = lc_history_get_process (history, process)->rank;
  Gathering *gathering = gatherer->gathering;

  if (rank >= gatherer->ranks->n)
    return;
  gathering->is_member[rank] = TRUE;
  gathering->has_come[rank] = gathering->has_come[rank] || has_come;
  gathering->has_root = gathering->has_root || (has_come && gathering_is_root (history, operation));
}

/* Adds those who have begun an operation of the communicator. */
static gboolean
gathering_add_events (Gatherer *gatherer, gint64 sequence, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) events = NULL;

  if (!lc_history_find_by_key (gatherer->ranks->history, LC_TIMELINE_MEASURED, gatherer->gathering->object, sequence,
                               G_MAXSIZE, cancellable, &events, error))
    return FALSE;
  for (guint i = 0; i < events->len; i++)
    {
      const LcHistoryEvent *event = &g_array_index (events, LcHistoryEvent, i);

      gathering_add (gatherer, event->process, event->operation, sequence == gatherer->gathering->sequence);
    }
  return TRUE;
}

/* All members begin all operations, in the same order: who has come to the first, or to the one before, is one. */
static gboolean
gathering_add_all (Gatherer *gatherer, GCancellable *cancellable, GError **error)
{
  const gint64 sequence = gatherer->gathering->sequence;

  return gathering_add_events (gatherer, sequence, cancellable, error) &&
         (sequence <= 0 || gathering_add_events (gatherer, 0, cancellable, error)) &&
         (sequence <= 1 || gathering_add_events (gatherer, sequence - 1, cancellable, error));
}

/* The first operation of a communicator has number 0, which the recorder does not tell from one that has no number yet.
 * Those who have ended that operation have come to it in any case. */
static gint64
gathering_number (const LcTracePending *pending)
{
  return pending->has_sequence ? pending->sequence : 0;
}

/* Others may have begun it, too, and not ended it. */
static void
gathering_add_pending (Gatherer *gatherer)
{
  const LcHistory *history = gatherer->ranks->history;

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      const LcTracePending *pending = &lc_history_get_process (history, i)->pending;

      if (pending->operation != LC_TRACE_NONE && pending->object == gatherer->gathering->object)
        gathering_add (gatherer, i, pending->operation, gathering_number (pending) == gatherer->gathering->sequence);
    }
}

/* Lists who has not come. A communicator with as many members as there are ranks has all of them. */
static void
gathering_list_missing (Gathering *gathering, const LcDeadlockRanks *ranks)
{
  for (guint32 i = 0; i < ranks->n; i++)
    if ((gathering->is_member[i] || gathering->n_members == ranks->n) && !gathering->has_come[i] &&
        ranks->ranks[i].process != LC_TRACE_NONE && ranks->ranks[i].has_all)
      g_array_append_val (gathering->missing, ranks->ranks[i].process);
}

static const Gathering *
gathering_find (LcDeadlockRanks *ranks, const LcHistoryObject *object, gint64 sequence, GCancellable *cancellable,
                GError **error)
{
  Gatherer gatherer = {.ranks = ranks};
  Gathering *gathering;

  for (guint i = 0; i < ranks->gatherings->len; i++)
    {
      gathering = ranks->gatherings->pdata[i];
      if (gathering->object == object->id && gathering->sequence == sequence)
        return gathering;
    }
  gathering = g_new0 (Gathering, 1);
  gathering->object = object->id;
  gathering->sequence = sequence;
  gathering->n_members = object->value <= ranks->n ? (guint32)object->value : 0;
  gathering->has_come = g_new0 (gboolean, ranks->n);
  gathering->is_member = g_new0 (gboolean, ranks->n);
  gathering->missing = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_ptr_array_add (ranks->gatherings, gathering);
  gatherer.gathering = gathering;
  if (!gathering_add_all (&gatherer, cancellable, error))
    return NULL;
  gathering_add_pending (&gatherer);
  gathering_list_missing (gathering, ranks);
  return gathering;
}

/* Operations that nobody ends before all have begun them. In the others a rank waits for the root, or the root for
 * some. */
static gboolean
gathering_needs_all (const LcHistory *history, guint32 operation)
{
  static const char *const all[] = {
      "barrier",        "fence",       "all-reduce",  "all-gather", "all-to-all", "communicator",
      "reduce-scatter", "reduce-root", "gather-root", "finish-all", NULL};

  return g_strv_contains (all, lc_history_get_operation (history, operation)->name);
}

gboolean
lc_deadlock_find_members (LcDeadlockRanks *ranks, const LcHistoryObject *object, LcBlocked *blocked,
                          GCancellable *cancellable, GError **error)
{
  const LcDeadlockRank *own = lc_deadlock_ranks_of (ranks, blocked->process);
  const Gathering *gathering;

  /* Barriers in a program's memory have an address. */
  if ((g_strcmp0 (object->class_name, "collective") != 0 && g_strcmp0 (object->class_name, "barrier") != 0) ||
      object->address != 0 || object->value == 0 || own == NULL || !own->has_all)
    return TRUE;
  gathering = gathering_find (ranks, object, gathering_number (&blocked->pending), cancellable, error);
  if (gathering == NULL)
    return FALSE;
  if (gathering->missing->len == 0 || (!gathering_needs_all (ranks->history, blocked->pending.operation) &&
                                       (gathering->missing->len > 1 || gathering->has_root)))
    return TRUE;
  blocked->missing = g_array_ref (gathering->missing);
  blocked->reason = LC_BLOCKED_FOR_MEMBERS;
  return TRUE;
}
