/* SPDX-License-Identifier: Apache-2.0 */
/* The locks that processes ask for while they hold others. */
#ifndef LC_ANALYSIS_LOCK_REQUESTS_H
#define LC_ANALYSIS_LOCK_REQUESTS_H

#include "lightcone/history.h"

/* More locks held at once than this are not followed. */
#define LC_LOCKS_HELD 64

typedef struct
{
  guint32 object;
  gboolean shared; /* with others that hold it so */
} LcHeldLock;

/* All acquisitions of one lock by one process, at one place, that hold the same other ones, and would wait for the lock
 * if it was taken. */
typedef struct
{
  guint32 process;
  guint32 stack;
  LcHeldLock lock;
  guint n_held;
  const LcHeldLock *held; /* by object */
  guint64 count;
  guint index;     /* in LcLockRequests.all */
  gpointer wanted; /* the user's; NULL at first */
} LcLockRequest;

typedef struct
{
  GPtrArray *all;    /* LcLockRequest, by process, in the order in which they came first */
  gboolean *is_lock; /* by rule of the history: one holder of a lock after another */
  gboolean is_cut;   /* some were left out: too many locks were held, or too many places */
} LcLockRequests;

/* Finds them, process by process. NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
LcLockRequests *lc_lock_requests_new (LcHistory *history, const LcRules *rules, GCancellable *cancellable,
                                      GError **error);
void lc_lock_requests_free (LcLockRequests *requests);

/* For events of each process from its last to its first: returns the request that this one was, or NULL. */
LcLockRequest *lc_lock_requests_go_back (LcLockRequests *requests, const LcHistoryEvent *event);

/* Finds the acquisition by which the process of a request held a lock then. FALSE with LC_HISTORY_ERROR. */
gboolean lc_lock_requests_find_holding (LcLockRequests *requests, guint32 process, guint64 ordinal, guint32 object,
                                        guint64 *held, guint32 *stack, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcLockRequests, lc_lock_requests_free)

#endif
