/* SPDX-License-Identifier: Apache-2.0 */
/* The visitor of a sweep that finds the approximated times of every event. */
#ifndef LC_ANALYSIS_APPROXIMATOR_H
#define LC_ANALYSIS_APPROXIMATOR_H

#include "lightcone/approximate.h"
#include "lightcone/timeline.h"

typedef struct _LcApproximator LcApproximator;

/* The writer may be NULL: then times are found, and nothing is written. Borrows all. */
LcApproximator *lc_approximator_new (LcTrace *trace, const LcRules *rules, const LcCosts *costs,
                                     const LcApproximateOptions *options, LcTimelineWriter *writer);
void lc_approximator_free (LcApproximator *approximator);

/* It has to be the only visitor that carries words: it uses them all. */
LcSweepVisitor *lc_approximator_get_visitor (LcApproximator *approximator);

/* From the visitor's `begin` of an event of this process on: when that event begins. */
guint64 lc_approximator_get_begin (const LcApproximator *approximator, guint32 process);

/* The event that ended last, as the visitor's `end` has found it; until the next one ends. */
const LcTimelineEvent *lc_approximator_get_event (const LcApproximator *approximator);

/* When a message of this many bytes that was begun to be sent at `sent` has come to its receiver. */
guint64 lc_approximator_get_arrival (const LcApproximator *approximator, guint32 from, guint32 to, guint64 bytes,
                                     guint64 sent);

/* Adds what it has counted, and warnings of what was not known and would have been needed. */
void lc_approximator_report (const LcApproximator *approximator, LcApproximation *approximation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcApproximator, lc_approximator_free)

#endif
