/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations: why an event on an approximated timeline is not where it was measured. */
#ifndef LIGHTCONE_EXPLANATION_H
#define LIGHTCONE_EXPLANATION_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/* A point of another process that an event had to come after. */
typedef struct
{
  guint32 process; /* LC_TRACE_NONE: none, the event follows its own process */
  LcPoint point;
  guint64 ordinal;
  guint64 time;
} LcBasis;

/* How far something moved, and the parts of this movement, in ns: moved == gained - removed + inherited + cost,
 * exactly. */
typedef struct
{
  gint64 moved;
  gint64 removed;   /* instrumentation taken off */
  gint64 gained;    /* waiting */
  gint64 inherited; /* how much later the process was created */
  gint64 cost;      /* the rest: how much longer operations, or the work between them, take than measured */
} LcMovement;

typedef enum
{
  LC_LINK_RUNNING, /* the events of a process from `first` to `last`: none of them waits */
  LC_LINK_WAITING, /* from the point that an event waited for to the event's end */
} LcLinkKind;

/* A link of the chain of what an event waited for. */
typedef struct
{
  LcLinkKind kind;
  guint32 process;
  guint64 first;
  guint64 last;
  LcPoint last_point; /* running: up to this point of the event `last` */
  LcBasis basis;      /* waiting: the point waited for */
  gboolean reordered; /* waiting: for another point than the measured one */
  LcMovement movement;
} LcLink;

typedef struct
{
  LcHistoryEvent measured;
  LcHistoryEvent event; /* on the timeline */
  gint64 begin_moved;
  LcMovement all; /* of the event's end, with everything that came before it on its process */
  LcMovement own; /* of the event's end, relative to the end of the event before it */
  LcBasis measured_basis;
  guint64 preempted; /* ns of the measured waiting in which the process of `measured_basis` had no processor */
  LcBasis basis;
  GArray *chain;     /* LcLink, back in time: their movements and `rest` sum up to the movement of the event's end */
  gint64 rest;       /* the movement that is left at the end of the chain */
  gboolean to_start; /* the chain goes back to the begin of the run: `rest` is 0 */
} LcExplanation;

/*
 * Explains an event, named as on the measured timeline, with at most `steps` waits in the chain. NULL with
 * LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED.
 */
LcExplanation *lc_explanation_new (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, gsize steps,
                                   GCancellable *cancellable, GError **error);
void lc_explanation_free (LcExplanation *explanation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcExplanation, lc_explanation_free)

G_END_DECLS

#endif
