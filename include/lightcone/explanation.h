/* SPDX-License-Identifier: Apache-2.0 */
/* Why an event is where it is on an approximated timeline, and not where it was measured. */
#ifndef LIGHTCONE_EXPLANATION_H
#define LIGHTCONE_EXPLANATION_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/* A point of another process that an event had to come after. */
typedef struct
{
  guint32 process; /* LC_TRACE_NONE: there is none, its own process was last */
  LcPoint point;
  guint64 ordinal;
  guint64 time;
} LcBasis;

/* How far something moved, and the parts of that, in ns: moved == gained - removed + inherited + cost, exactly. */
typedef struct
{
  gint64 moved;
  gint64 removed;   /* instrumentation taken off */
  gint64 gained;    /* waiting */
  gint64 inherited; /* how much later its process was made */
  gint64 cost;      /* the rest: what operations, or the work between them, take longer than was measured */
} LcMovement;

typedef enum
{
  LC_LINK_RUNNING, /* the events of a process from `first` to `last`: none of them waits */
  LC_LINK_WAITING, /* from the point that an event waited for to its end */
} LcLinkKind;

/* A link of the chain of what an event waited for. */
typedef struct
{
  LcLinkKind kind;
  guint32 process;
  guint64 first;
  guint64 last;
  LcPoint last_point; /* running: up to this point of `last` */
  LcBasis basis;      /* waiting: what for */
  gboolean reordered; /* waiting: for another one than it was measured to come after */
  LcMovement movement;
} LcLink;

typedef struct
{
  LcHistoryEvent measured;
  LcHistoryEvent event; /* on the timeline */
  gint64 begin_moved;
  LcMovement all; /* of its end, with all that came before it on its process */
  LcMovement own; /* of its end against the end of the event before it */
  LcBasis measured_basis;
  LcBasis basis;
  GArray *chain;     /* LcLink, back in time: their movements and `rest` sum up to that of the event's end */
  gint64 rest;       /* how far that moved where the chain ends */
  gboolean to_start; /* it goes back to the start of the recording: nothing is left */
} LcExplanation;

/*
 * Of an event by its name on the measured timeline, with at most so many waits in its chain. NULL with
 * LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED.
 */
LcExplanation *lc_explanation_new (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, gsize steps,
                                   GCancellable *cancellable, GError **error);
void lc_explanation_free (LcExplanation *explanation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcExplanation, lc_explanation_free)

G_END_DECLS

#endif
