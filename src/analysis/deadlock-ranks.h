/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of MPI that wait at the end of a run: for each other's messages, or for those who have not come to what all do.
 */
#ifndef LC_ANALYSIS_DEADLOCK_RANKS_H
#define LC_ANALYSIS_DEADLOCK_RANKS_H

#include "lightcone/deadlock.h"

/* The main thread of a rank. */
typedef struct
{
  guint32 process;  /* LC_TRACE_NONE: there is no such rank, or several address spaces have it */
  gboolean is_sure; /* no other thread of the rank could go on, so what the main thread waits for, the rank waits for */
  gboolean has_all; /* no event of the rank was lost */
  gboolean is_several;
} LcDeadlockRank;

typedef struct
{
  LcHistory *history;
  LcDeadlockRank *ranks;
  guint32 n;
  gboolean is_apparent;  /* the recording may go on */
  GPtrArray *gatherings; /* deadlock-members.c: operations of many that have begun and not ended */
} LcDeadlockRanks;

/* Lists the ranks. Free with lc_deadlock_ranks_free. */
LcDeadlockRanks *lc_deadlock_ranks_new (LcHistory *history);
void lc_deadlock_ranks_free (LcDeadlockRanks *ranks);

/* Whether no thread of the rank but its main thread has ever communicated. */
gboolean lc_deadlock_ranks_are_of_main (const LcDeadlockRanks *ranks, const LcDeadlockRank *rank, gboolean *is_of_main,
                                        GCancellable *cancellable, GError **error);

/* Lists, as LcFinalized, the ranks that have come to MPI_Finalize. NULL with `error`. */
GArray *lc_deadlock_ranks_list_finalized (const LcDeadlockRanks *ranks, GCancellable *cancellable, GError **error);

/* The rank of a process, or NULL: it has none. */
const LcDeadlockRank *lc_deadlock_ranks_of (const LcDeadlockRanks *ranks, guint32 process);

/*
 * Finds the rank that a process waits for which had begun to receive or send a message: that which has not sent it, or
 * not begun to receive it. There is none if the message may be on its way, or if the recording goes on or has lost
 * events of either.
 */
gboolean lc_deadlock_find_partner (LcDeadlockRanks *ranks, const LcHistoryObject *object, LcBlocked *blocked,
                                   GCancellable *cancellable, GError **error);

/*
 * Finds the ranks that a process waits for which had begun an operation of all members of a communicator: those members
 * that have not begun it. Only members are known to be any that have done something on the communicator before, or all
 * ranks if it has as many members.
 */
gboolean lc_deadlock_find_members (LcDeadlockRanks *ranks, const LcHistoryObject *object, LcBlocked *blocked,
                                   GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDeadlockRanks, lc_deadlock_ranks_free)

#endif
