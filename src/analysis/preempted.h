/* SPDX-License-Identifier: Apache-2.0 */
/* How long processes had no processor, in any spans of time. */
#ifndef LC_ANALYSIS_PREEMPTED_H
#define LC_ANALYSIS_PREEMPTED_H

#include "lightcone/history.h"

typedef struct _LcPreempted LcPreempted;

LcPreempted *lc_preempted_new (LcHistory *history, guint32 timeline, GCancellable *cancellable);
void lc_preempted_free (LcPreempted *preempted);

/* Sums up from one time to another; 0 where switches of the process were not recorded. */
gboolean lc_preempted_sum (LcPreempted *preempted, guint32 process, guint64 from, guint64 to, guint64 *sum,
                           GError **error);

/* The same for one question only. */
gboolean lc_preempted_sum_once (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                                GCancellable *cancellable, guint64 *sum, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPreempted, lc_preempted_free)

#endif
