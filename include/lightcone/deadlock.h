/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks: the holders of objects at the end of a trace, the processes that wait for them, and circles among
 * these. */
#ifndef LIGHTCONE_DEADLOCK_H
#define LIGHTCONE_DEADLOCK_H

#include "lightcone/history.h"
#include "lightcone/sweep.h"

G_BEGIN_DECLS

/* A process that had begun an operation and not ended it when the trace ended. */
typedef struct
{
  guint32 process;
  LcTracePending pending;
  guint32 holder;         /* a process that this one waits for, or LC_TRACE_NONE if none is known */
  guint64 holder_ordinal; /* the event by which the holder got the object; for a join or a message, its last event */
  gboolean is_message;    /* it waits for that rank's message, or for its receiving one */
} LcBlocked;

typedef struct
{
  GArray *blocked;    /* LcBlocked, by process */
  GPtrArray *circles; /* GArray of guint32: processes, each waiting for the next, the last for the first */
} LcDeadlocks;

/* A visitor of the sweep that keeps track of the holders of objects. Run a sweep with it, then call
 * lc_deadlocks_find. */
LcSweepVisitor *lc_holders_new (LcTrace *trace, const LcRules *rules);
void lc_holders_free (LcSweepVisitor *holders);

/* Finds the deadlocks after the sweep. Free with lc_deadlocks_free. */
LcDeadlocks *lc_deadlocks_find (LcTrace *trace, LcSweepVisitor *holders);

/* Finds the deadlocks in the history of a merged trace, without a sweep, those of messages between ranks of MPI too.
 * NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
LcDeadlocks *lc_deadlocks_find_in_history (LcHistory *history, GCancellable *cancellable, GError **error);
void lc_deadlocks_free (LcDeadlocks *deadlocks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDeadlocks, lc_deadlocks_free)

G_END_DECLS

#endif
