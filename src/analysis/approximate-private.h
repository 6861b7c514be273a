/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that make an approximation, and judge it. */
#ifndef LC_ANALYSIS_APPROXIMATE_PRIVATE_H
#define LC_ANALYSIS_APPROXIMATE_PRIVATE_H

#include "approximator.h"
#include "redecide.h"

typedef struct
{
  const LcApproximateOptions *options;
  LcHistory *history;
  LcTrace *trace;
  LcRules *rules;
  LcRedecide *redecide; /* of decisions of the run that can be taken again; or NULL */
  gboolean in_time;     /* time decides who gets what, and the model can decide that again */
  LcApproximation *approximation;
  LcTimelineWriter *writer;
  LcApproximator *approximator; /* of the present sweep */
  guint64 total;                /* events that the trace seems to have */
  gint64 begun, told;
} LcApproximateRun;

/* One way to sweep a trace. */
typedef struct
{
  LcModel model;
  LcSpread spread;
  gboolean keeps;    /* nothing is taken off */
  gboolean is_plain; /* nothing is scaled */
} LcApproximateWay;

/* Sweeps the trace in this way, and writes nothing. NULL: error. */
LcApproximator *lc_approximate_try (LcApproximateRun *run, const LcApproximateWay *way, GError **error);

/* Sweeps it for the timeline; the result is in run->approximator and run->writer. */
gboolean lc_approximate_write (LcApproximateRun *run, const LcApproximateWay *way, GError **error);

/*
 * Tries what else the run could have taken, after the sweep for the timeline: costs at their quartiles, and the other
 * order; of a what-if, the other order and the run with nothing scaled. Gives the approximation its interval and its
 * warnings. If the model makes a recorded run longer, the timeline
 * is written once more: the measured run is kept.
 */
gboolean lc_approximate_judge (LcApproximateRun *run, GError **error);

#endif
