/* SPDX-License-Identifier: Apache-2.0 */
/* The visitor of a sweep that finds the approximated times of every event. */
#ifndef LC_ANALYSIS_APPROXIMATOR_H
#define LC_ANALYSIS_APPROXIMATOR_H

#include "lightcone/approximate.h"
#include "lightcone/sweep.h"
#include "lightcone/timeline.h"

typedef struct _LcApproximator LcApproximator;

/* Which of the values that a cost may have counts. */
typedef enum
{
  LC_SPREAD_MIDDLE,
  LC_SPREAD_LOW,  /* the lower quartiles; what is no less in the trace counts as what is calibrated; and events have
                     cost as much more to record as operations were dearer than calibrated */
  LC_SPREAD_HIGH, /* the upper quartiles, and events that cost less to record */
} LcSpread;

/* All arguments are borrowed. `writer` may be NULL to compute the times only. */
LcApproximator *lc_approximator_new (LcTrace *trace, const LcRules *rules, const LcCosts *costs,
                                     const LcApproximateOptions *options, LcTimelineWriter *writer);
void lc_approximator_free (LcApproximator *approximator);

/* To be called before the sweep. */
void lc_approximator_set_spread (LcApproximator *approximator, LcSpread spread);

/* Returns the end of the last event, as LcApproximation.approximated_total; and that of the measured run. */
guint64 lc_approximator_get_total (const LcApproximator *approximator);
guint64 lc_approximator_get_measured_total (const LcApproximator *approximator);

/* Returns the instrumentation that was taken off, as a share of the time in which processes did not wait. */
double lc_approximator_get_removed_share (const LcApproximator *approximator);

/* Must be the only visitor of the sweep that carries words, as it uses all of them. */
LcSweepVisitor *lc_approximator_get_visitor (LcApproximator *approximator);

/* Returns when the process's present event begins; valid after the visitor's `begin`. */
guint64 lc_approximator_get_begin (const LcApproximator *approximator, guint32 process);

/* Returns the event that ended last, as found by the visitor's `end`; valid until the next event ends. */
const LcTimelineEvent *lc_approximator_get_event (const LcApproximator *approximator);

/* Returns when a message of `bytes` bytes reaches its receiver if sending it began at `sent`. */
guint64 lc_approximator_get_arrival (const LcApproximator *approximator, guint32 from, guint32 to, guint64 bytes,
                                     guint64 sent);

/* Return whether a free lock is had by whoever is there first, in place of who has waited longest, and when a process
 * goes on with its present event after `giver` has just given back the lock that it waits for. */
gboolean lc_approximator_is_barged (const LcApproximator *approximator, guint32 operation);
guint64 lc_approximator_get_grant (const LcApproximator *approximator, guint32 process, const LcSweepNext *given,
                                   guint32 giver);

/* Adds the counts of the sweep to `approximation`, and warnings about costs that were needed but not known. */
void lc_approximator_report (const LcApproximator *approximator, LcApproximation *approximation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcApproximator, lc_approximator_free)

#endif
