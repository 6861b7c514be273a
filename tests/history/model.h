/* SPDX-License-Identifier: Apache-2.0 */
/* All events of a history in memory, straight from the sweep, and plain answers to what a history is asked. */
#ifndef MODEL_H
#define MODEL_H

#include "lightcone/merge.h"

typedef struct
{
  LcHistoryEvent event;
  GArray *arcs;     /* LcHistoryArcEnd */
  gboolean gap;     /* an object is held before it, */
  gboolean holding; /* and while it lasts */
} ModelEvent;

typedef struct
{
  guint32 n_processes;
  GArray **events; /* by process: ModelEvent */
  GArray **spans;  /* by process: LcHoldingSpan, by begin */
  GArray *arcs;    /* LcHistoryArc */
} Model;

/* Of the trace in a directory. */
Model *model_new (const char *directory);
void model_free (Model *model);

/* The same events at other times, in the same order. */
void model_move (Model *model);

/* The same events in another order, some on other processes, at times and with arcs of their own. */
void model_redecide (Model *model, GRand *random);

ModelEvent *model_event (const Model *model, guint32 process, guint64 ordinal);

gboolean model_touches (const ModelEvent *event, const LcWindow *window);

/* What a process did in one bucket. */
LcSummaryBucket model_bucket (const Model *model, LcAxis axis, guint32 process, guint level, guint64 bucket);

#endif
