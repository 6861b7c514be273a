/* SPDX-License-Identifier: Apache-2.0 */
/* How long the processes of a trace were ready, but off their processors, in the order in which a sweep asks. */
#ifndef LC_ANALYSIS_PREEMPTION_H
#define LC_ANALYSIS_PREEMPTION_H

#include "lightcone/trace.h"

typedef struct _LcPreemption LcPreemption;

LcPreemption *lc_preemption_new (LcTrace *trace);
void lc_preemption_free (LcPreemption *preemption);

/* Sums up for `asker`, of the measured times of `process`, which is mostly the same: what it asks about begins no
 * earlier than what it has asked about before, or it takes longer. */
gint64 lc_preemption_sum (LcPreemption *preemption, guint32 asker, guint32 process, guint64 from, guint64 to);

/* How many processes have been asked about whose switches were not recorded. */
guint lc_preemption_count_unknown (const LcPreemption *preemption);

#endif
