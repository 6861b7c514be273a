/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of MPI, each by its main thread. */
#include <string.h>

#include "deadlock-ranks.h"

/* One that sleeps or waits for input goes on by what comes from outside. */
static gboolean
deadlock_ranks_can_go_on (const LcHistory *history, const LcHistoryProcess *process)
{
  const LcHistoryOperation *operation = process->pending.operation != LC_TRACE_NONE
                                            ? lc_history_get_operation (history, process->pending.operation)
                                            : NULL;

  return process->state != LC_STATE_ENDED && (operation == NULL || g_strcmp0 (operation->class_name, "io") == 0);
}

/* Linux gives the main thread the number of its address space. In traces by hand the first process of a rank stands for
 * all of it. In what was recorded, ranks of several worlds have numbers of their own; elsewhere two address spaces may
 * have one, and which of them is meant nobody knows. */
static void
deadlock_ranks_add (LcDeadlockRanks *ranks, guint32 process)
{
  const LcHistoryProcess *added = lc_history_get_process (ranks->history, process), *other = NULL;
  LcDeadlockRank *rank = &ranks->ranks[added->rank];

  if (rank->process == LC_TRACE_NONE)
    *rank = (LcDeadlockRank){process, TRUE, TRUE, FALSE};
  else if (added->thread == added->pid && added->pid != 0)
    {
      other = lc_history_get_process (ranks->history, rank->process);
      rank->process = process;
    }
  else
    other = added;
  if (added->pid != lc_history_get_process (ranks->history, rank->process)->pid ||
      (other != NULL && other->pid != added->pid))
    rank->is_several = TRUE;
  rank->is_sure = rank->is_sure && (other == NULL || !deadlock_ranks_can_go_on (ranks->history, other));
  rank->has_all = rank->has_all && added->lost == 0;
}

LcDeadlockRanks *
lc_deadlock_ranks_new (LcHistory *history)
{
  LcDeadlockRanks *ranks = g_new0 (LcDeadlockRanks, 1);
  const guint32 n_processes = lc_history_get_n_processes (history);

  ranks->history = history;
  ranks->gatherings = g_ptr_array_new ();
  /* Ranks are numbers of a file, so those are left out that cannot be. */
  for (guint32 i = 0; i < n_processes; i++)
    {
      const guint32 rank = lc_history_get_process (history, i)->rank;

      if (rank < n_processes)
        ranks->n = MAX (ranks->n, rank + 1);
    }
  ranks->ranks = g_new (LcDeadlockRank, MAX (ranks->n, 1));
  for (guint32 i = 0; i < ranks->n; i++)
    ranks->ranks[i] = (LcDeadlockRank){.process = LC_TRACE_NONE};
  for (guint32 i = 0; i < n_processes; i++)
    if (lc_history_get_process (history, i)->rank < ranks->n)
      deadlock_ranks_add (ranks, i);
  for (guint32 i = 0; i < ranks->n; i++)
    if (ranks->ranks[i].is_several)
      ranks->ranks[i].process = LC_TRACE_NONE;
  return ranks;
}

const LcDeadlockRank *
lc_deadlock_ranks_of (const LcDeadlockRanks *ranks, guint32 process)
{
  const guint32 rank = lc_history_get_process (ranks->history, process)->rank;

  return rank < ranks->n ? &ranks->ranks[rank] : NULL;
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  LcHistory *history;
  gboolean has_communicated;
  GError *error;
} Communication;

/* What is in a program's memory has an address. */
static gboolean
deadlock_ranks_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Communication *communication = data;
  LcHistoryObject object;

  if (event->object == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_get_object (communication->history, event->object, &object, &communication->error))
    return FALSE;
  communication->has_communicated = object.address == 0;
  lc_history_object_clear (&object);
  return !communication->has_communicated;
}

/* The operations that MPI has, and some that programs have, too. */
static gboolean *
deadlock_ranks_find_operations (const LcHistory *history)
{
  static const char *const classes[] = {"collective", "channel", "barrier", NULL};
  const guint32 n = lc_history_get_n_operations (history);
  gboolean *wanted = g_new0 (gboolean, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      wanted[i] =
          operation != NULL && operation->class_name != NULL && g_strv_contains (classes, operation->class_name);
    }
  return wanted;
}

gboolean
lc_deadlock_ranks_are_of_main (const LcDeadlockRanks *ranks, const LcDeadlockRank *rank, gboolean *is_of_main,
                               GCancellable *cancellable, GError **error)
{
  Communication communication = {.history = ranks->history};
  g_autofree gboolean *wanted = deadlock_ranks_find_operations (ranks->history);

  for (guint32 i = 0; i < lc_history_get_n_processes (ranks->history) && !communication.has_communicated; i++)
    {
      if (i == rank->process || lc_deadlock_ranks_of (ranks, i) != rank)
        continue;
      if (!lc_history_visit_operations (ranks->history, LC_TIMELINE_MEASURED, i, wanted, deadlock_ranks_visit,
                                        &communication, cancellable, error))
        return FALSE;
      if (communication.error != NULL)
        {
          g_propagate_error (error, communication.error);
          return FALSE;
        }
    }
  *is_of_main = !communication.has_communicated;
  return TRUE;
}

/* --- Ranks that have finalized ----------------------------------------------------------------------------------- */

typedef struct
{
  LcFinalized finalized;
  guint32 finalize;            /* the operation */
  const gboolean *is_finalize; /* by operation */
  gboolean *communicates;
} FinalizedSearch;

static gboolean
deadlock_ranks_take_finalize (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  FinalizedSearch *search = data;

  search->finalized.has_ended = TRUE;
  search->finalized.ordinal = event->ordinal;
  return FALSE;
}

/* A rank that has a session goes on to communicate in it. */
static gboolean
deadlock_ranks_take_more (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  FinalizedSearch *search = data;

  if (search->communicates[event->operation])
    search->finalized.has_ended = FALSE;
  return search->finalized.has_ended;
}

/* Only the thread that has initialized MPI may finalize it. */
static gboolean
deadlock_ranks_add_finalized (const LcDeadlockRanks *ranks, guint32 process, FinalizedSearch *search, GArray *list,
                              GCancellable *cancellable, GError **error)
{
  const LcHistoryProcess *of = lc_history_get_process (ranks->history, process);
  LcFinalized *finalized = &search->finalized;

  if (of == NULL)
    return TRUE;
  *finalized = (LcFinalized){.process = process};
  if (of->pending.operation != search->finalize &&
      !lc_history_visit_operations (ranks->history, LC_TIMELINE_MEASURED, process, search->is_finalize,
                                    deadlock_ranks_take_finalize, search, cancellable, error))
    return FALSE;
  if (finalized->has_ended && !lc_history_visit (ranks->history, LC_TIMELINE_MEASURED, process, finalized->ordinal + 1,
                                                 of->events, deadlock_ranks_take_more, search, cancellable, error))
    return FALSE;
  if (finalized->has_ended || of->pending.operation == search->finalize)
    g_array_append_val (list, *finalized);
  return TRUE;
}

/* The number of the operation, which the history names. LC_TRACE_NONE: it has none. */
static guint32
deadlock_ranks_find_finalize (const LcHistory *history)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL && g_strcmp0 (operation->class_name, "io") == 0 &&
          g_strcmp0 (operation->name, "finalize") == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

GArray *
lc_deadlock_ranks_list_finalized (const LcDeadlockRanks *ranks, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (LcFinalized));
  g_autofree gboolean *is_finalize = g_new0 (gboolean, lc_history_get_n_operations (ranks->history) + 1);
  g_autofree gboolean *communicates = deadlock_ranks_find_operations (ranks->history);
  FinalizedSearch search = {.finalize = deadlock_ranks_find_finalize (ranks->history),
                            .is_finalize = is_finalize,
                            .communicates = communicates};

  if (search.finalize == LC_TRACE_NONE)
    return g_steal_pointer (&list);
  is_finalize[search.finalize] = TRUE;
  for (guint32 i = 0; i < ranks->n; i++)
    if (!deadlock_ranks_add_finalized (ranks, ranks->ranks[i].process, &search, list, cancellable, error))
      return NULL;
  return g_steal_pointer (&list);
}
