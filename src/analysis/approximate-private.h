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
  LcApproximator *approximator;        /* of the present sweep */
  guint64 total;                       /* events that the trace seems to have */
  gboolean is_trial;                   /* no timeline is written */
  gboolean was_stuck;                  /* decisions led into a deadlock, so fewer of them are taken since */
  guint64 unscaled[LC_MODEL_AUTO + 1]; /* by model: the total with nothing scaled; LC_TRACE_UNKNOWN: not tried */
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

/* Opens the trace and its history, finds the costs for run->approximation, and what can be decided again. */
gboolean lc_approximate_open (LcApproximateRun *run, const char *directory, GError **error);
gboolean lc_approximate_survey (LcApproximateRun *run, GError **error);

/* Sets the model and the name of run->approximation, by what the survey has found. */
void lc_approximate_choose (LcApproximateRun *run);

/* Sets the model of run->approximation, and the name if that is the model's. */
void lc_approximate_set_model (LcApproximateRun *run, LcModel model);

/* Sweeps for run->approximation and judges it. FALSE: error. */
gboolean lc_approximate_compute (LcApproximateRun *run, GError **error);

LcApproximation *lc_approximation_new (const LcApproximateOptions *options);
void lc_approximate_run_init (LcApproximateRun *run, const LcApproximateOptions *options);
void lc_approximate_run_clear (LcApproximateRun *run);

/* Sweeps the trace in this way, and writes nothing. NULL: error. */
LcApproximator *lc_approximate_try (LcApproximateRun *run, const LcApproximateWay *way, GError **error);

/* Sweeps it for the timeline; the result is in run->approximator and run->writer, which a trial has not. */
gboolean lc_approximate_write (LcApproximateRun *run, const LcApproximateWay *way, GError **error);

/*
 * Tries what else the run could have taken, after the sweep for the timeline: costs at their quartiles, and the other
 * order; of a what-if, the other order and the run with nothing scaled. Gives the approximation its interval and its
 * warnings. If the model makes a recorded run longer, the timeline
 * is written once more: the measured run is kept.
 */
gboolean lc_approximate_judge (LcApproximateRun *run, GError **error);

#endif
