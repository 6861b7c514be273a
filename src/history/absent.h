/* SPDX-License-Identifier: Apache-2.0 */
/* When processes were off their processors, asked for in the order in which a sweep needs it. */
#ifndef LC_HISTORY_ABSENT_H
#define LC_HISTORY_ABSENT_H

#include "lightcone/sweep.h"

/* At most so many absences are told apart between two ends of events; of more, neighbours are put together so that
 * their sums stay. */
#define LC_ABSENT_MOST 1024

typedef struct _LcAbsent LcAbsent;

LcAbsent *lc_absent_new (LcTrace *trace);
void lc_absent_free (LcAbsent *absent);

/* Sets of an event that is resolved, apart from its waiting: how long it was woken before it went on, and its absences.
 * Where switches were recorded, it was woken until the last absence was over that overlaps the rest of the event; else
 * until its end, less what the operation takes by itself. */
void lc_absent_complete (LcAbsent *absent, LcSweepStep *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcAbsent, lc_absent_free)

#endif
