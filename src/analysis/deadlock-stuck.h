/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for ever without a circle. */
#ifndef LC_ANALYSIS_DEADLOCK_STUCK_H
#define LC_ANALYSIS_DEADLOCK_STUCK_H

#include "lightcone/deadlock.h"

/* Lists, as LcStuck, such threads of each address space. NULL with `error`. Free with g_ptr_array_unref. */
GPtrArray *lc_deadlocks_list_stuck (LcHistory *history, const LcDeadlocks *deadlocks, GCancellable *cancellable,
                                    GError **error);

#endif
