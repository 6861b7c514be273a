/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks: the holders of objects at the end of a trace, the processes that wait for them, and circles among
 * these. */
#ifndef LIGHTCONE_DEADLOCK_H
#define LIGHTCONE_DEADLOCK_H

#include "lightcone/history.h"
#include "lightcone/sweep.h"

G_BEGIN_DECLS

typedef enum
{
  LC_BLOCKED_FOR_HOLDER,  /* for one that has not given back the object, or that is the object */
  LC_BLOCKED_FOR_MESSAGE, /* for a rank's message, or for its receiving one */
  LC_BLOCKED_FOR_MEMBERS, /* for ranks that have not come to what all members of a communicator do */
} LcBlockedReason;

/* A process that had begun an operation and not ended it when the trace ended. */
typedef struct
{
  guint32 process;
  LcTracePending pending;
  LcBlockedReason reason;
  guint32 holder;         /* a process that this one waits for, or LC_TRACE_NONE if none is known */
  guint64 holder_ordinal; /* the event by which the holder got the object; else its last event */
  GArray *missing;        /* guint32: all members that have not come, the holder among them; else NULL */
  gboolean is_for_ever;   /* it waits for a circle, or is one of it, or waits for a rank that has come to finalize */
  gboolean has_threads;   /* other threads of its rank could go on, none of which has communicated */
} LcBlocked;

/* A process that others wait for to the end, directly or one for another, and that waits for none of them itself. */
typedef struct
{
  guint32 process;
  guint32 n_waiting;
  guint first;            /* in LcDeadlocks.blocked: of those that wait for it directly, the one that began first */
  gboolean has_finalized; /* they wait for ever */
} LcBlockedRoot;

/* A rank of MPI that has come to MPI_Finalize, after which it can do nothing that others wait for. */
typedef struct
{
  guint32 process;
  gboolean has_ended; /* the call has */
  guint64 ordinal;    /* its event, if it has */
} LcFinalized;

/* Threads of an address space that wait for ever without a circle, in any order: for the lock of a thread that has
 * ended; or for any thread, as for a signal of a condition, when all that live wait so. */
typedef struct
{
  GArray *rows;           /* guint, in LcDeadlocks.blocked */
  gboolean is_all;        /* no other thread is left */
  gboolean may_be_helped; /* unless a signal handler, a timer or another program wakes one */
} LcStuck;

typedef struct
{
  GArray *blocked;    /* LcBlocked, by process */
  GPtrArray *circles; /* GArray of guint32: processes, each waiting for the next, the last for the first */
  GArray *finalized;  /* LcFinalized, by rank; none if no process is blocked */
  GPtrArray *stuck;   /* LcStuck, by address space; none if the recording goes on */
} LcDeadlocks;

/* A visitor of the sweep that keeps track of the holders of objects. Run a sweep with it, then call
 * lc_deadlocks_find. */
LcSweepVisitor *lc_holders_new (LcTrace *trace, const LcRules *rules);
void lc_holders_free (LcSweepVisitor *holders);

/* Finds the deadlocks after the sweep. Free with lc_deadlocks_free. */
LcDeadlocks *lc_deadlocks_find (LcTrace *trace, LcSweepVisitor *holders);

/* Finds the deadlocks in the history of a merged trace, without a sweep, those between ranks of MPI too.
 * NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
LcDeadlocks *lc_deadlocks_find_in_history (LcHistory *history, GCancellable *cancellable, GError **error);

/* The same, and finds also between ranks whose recording goes on what seems to be one. A message may be on its way to
 * the history; but who waits since the same time in a second one that was begun when the first was whole has waited all
 * the while between. */
LcDeadlocks *lc_deadlocks_find_apparent (LcHistory *history, GCancellable *cancellable, GError **error);
void lc_deadlocks_free (LcDeadlocks *deadlocks);

/* Lists whom ranks of MPI wait for that wait for no circle. Free with g_array_unref. */
GArray *lc_deadlocks_list_roots (const LcDeadlocks *deadlocks, guint32 n_processes); /* LcBlockedRoot, by process */

/* How many processes wait for those of a circle, and are not of it. */
guint32 lc_deadlocks_count_waiting (const LcDeadlocks *deadlocks, const GArray *circle, guint32 n_processes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDeadlocks, lc_deadlocks_free)

G_END_DECLS

#endif
