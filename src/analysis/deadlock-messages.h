/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of MPI that wait for each other's messages at the end of a run. */
#ifndef LC_ANALYSIS_DEADLOCK_MESSAGES_H
#define LC_ANALYSIS_DEADLOCK_MESSAGES_H

#include "lightcone/deadlock.h"

/*
 * Finds the rank that a process waits for which had begun to receive or send a message: that which has not sent it, or
 * not begun to receive it. There is none if the message may be on its way, if the rank has several threads, or if the
 * recording goes on or has lost events of either.
 */
gboolean lc_deadlock_find_partner (LcHistory *history, const LcHistoryObject *object, LcBlocked *blocked,
                                   GCancellable *cancellable, GError **error);

#endif
