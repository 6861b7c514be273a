/* SPDX-License-Identifier: Apache-2.0 */
/* Predicting: what a run would take on another number of processors. */
#ifndef LIGHTCONE_PREDICT_H
#define LIGHTCONE_PREDICT_H

#include "lightcone/merge.h"

G_BEGIN_DECLS

/*
 * The run's processes compute between their events, and wait for each other as its arcs say, in the order of the
 * timeline. Given so many equal processors, one who can go on takes a free one, or queues for the next that is free;
 * after a while it makes room for those that queue. What waits, or is outside, needs none. docs/approximation.md has
 * the rules.
 */
typedef struct
{
  guint32 processors;
  guint64 time; /* ns, from the begin of the run to the last end */
  guint64 low;  /* no schedule is shorter ... */
  guint64 high; /* ... and none that leaves no processor idle while somebody is ready is longer */
} LcPredicted;

typedef struct
{
  guint64 total;     /* of the timeline, ns */
  guint64 work;      /* what all processes compute together, ns */
  guint64 span;      /* the time with a processor for each process, ns */
  guint64 processes; /* that have events */
  guint32 most;      /* so many compute at a time, with a processor for each */
  gboolean rests;    /* somebody waits for a time that no process decides, which needs no processor */
  GArray *predicted; /* LcPredicted, in the order asked for */
} LcPrediction;

typedef struct
{
  guint32 timeline;
  const guint32 *processors; /* numbers from 1 on */
  guint n_processors;
  gboolean usual;       /* instead of these 1, 2, 4 ... up to as many as ever compute at a time */
  guint64 quantum;      /* ns after which one who computes makes room; 0: 3 ms */
  LcMergeReport report; /* progress, or NULL */
  gpointer data;
  GCancellable *cancellable;
} LcPredictOptions;

/* NULL with an error of the history, or LC_HISTORY_ERROR_DAMAGED if its processes wait for each other for ever. */
LcPrediction *lc_predict (LcHistory *history, const LcPredictOptions *options, GError **error);
void lc_prediction_free (LcPrediction *prediction);

/* Gives 1, 2, 4 ... up to the most that ever compute at a time: guint32 in a new array. */
GArray *lc_predict_list_processors (guint32 most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPrediction, lc_prediction_free)

G_END_DECLS

#endif
