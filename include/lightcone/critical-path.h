/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path: the chain of events that decided how long the execution took. */
#ifndef LIGHTCONE_CRITICAL_PATH_H
#define LIGHTCONE_CRITICAL_PATH_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * It is found from its end, the last end of any event (of several, on the lowest process), back to the start of the
 * recording (0). At an event that waited it goes to the point that released it, on another process; else to the event
 * before. At the first event of a process that was created by another it goes to its creator. So each nanosecond from 0
 * to the end is in exactly one of its segments.
 *
 * Memory grows with the number of times that the path changes the process, not with its events.
 */
typedef struct _LcCriticalPath LcCriticalPath;

/* NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. A history without events has a path of length 0. */
LcCriticalPath *lc_critical_path_find (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);
void lc_critical_path_free (LcCriticalPath *path);

/* All times are of the timeline. */
typedef struct
{
  guint64 begin;             /* 0; of MPI ranks: lc_trace_get_ready */
  guint64 end;               /* of the last event */
  guint64 computing;         /* between two events of a process, or before its first */
  guint64 inside;            /* inside of events */
  guint64 preempted;         /* of `computing`: ready, but without a processor; 0 where that was not recorded */
  guint64 blocked;           /* of `computing`: blocked, and no event tells why; 0 where that was not recorded */
  guint64 unseen;            /* of `inside`: blocked, and ended by no recorded event: by a signal, input, a time, ... */
  guint64 sleeping;          /* of `unseen`: until a time was over */
  guint64 finalizing;        /* of `unseen`: in MPI_Finalize */
  guint64 outside;           /* of `unseen`: in other operations that leave the program, as reading a file */
  guint64 outside_most;      /* of `outside`: ... in the one operation on one object that took longest ... */
  guint32 outside_operation; /* ... which is this, or LC_TRACE_NONE */
  guint32 outside_object;    /* or LC_TRACE_NONE */
  guint64 passing;           /* from the point that released an event to that event's end, on another process */
  guint64 events;            /* events on the path, including those that were released */
  guint64 hops;              /* number of changes to another process */
  guint32 pending;           /* the process that the path ends with, if it was blocked to its end; else LC_TRACE_NONE */
} LcCriticalSummary;

const LcCriticalSummary *lc_critical_path_get_summary (const LcCriticalPath *path);

/* --- Shares ---------------------------------------------------------------------------------------------------- */

typedef enum
{
  LC_CRITICAL_PROCESSES,
  LC_CRITICAL_OPERATIONS,
  LC_CRITICAL_OBJECTS,
  LC_CRITICAL_REGIONS, /* the innermost that the process has entered and not left */
  LC_CRITICAL_SHARES,
} LcCriticalShareKind;

/* The part of the path that belongs to one process, operation, object or region. A hop belongs to what it released. */
typedef struct
{
  guint32 id;     /* LC_TRACE_NONE: computing; an event without an object, or computing; outside of all regions */
  guint64 time;   /* ns */
  guint64 visits; /* stays on a process; events, or stretches of computing; stretches of a region */
} LcCriticalShare;

/* Longest first, then by id; their times sum up to the path's length. */
const LcCriticalShare *lc_critical_path_get_shares (const LcCriticalPath *path, LcCriticalShareKind kind,
                                                    gsize *n_shares);

/* --- The path itself ------------------------------------------------------------------------------------------- */

/* Stands for no event. */
#define LC_CRITICAL_NONE G_MAXUINT64

/* A stay on one process, without a change to another. */
typedef struct
{
  guint32 process;
  guint32 from_process; /* process of the releasing point, or LC_TRACE_NONE */
  guint64 begin;        /* end of the released event, or 0 */
  guint64 end;          /* the next stay follows: from here to its begin is a hop */
  guint64 released;     /* ordinal of the event at which the hop ended; LC_CRITICAL_NONE: no hop */
  guint64 first;        /* the events within are from this ordinal to before `last`; perhaps none */
  guint64 last;
  guint64 from_ordinal; /* of the releasing point */
  LcPoint from_point;
} LcCriticalStay;

/* All stays, in the order of time. */
const LcCriticalStay *lc_critical_path_get_stays (const LcCriticalPath *path, gsize *n_stays);

/* Indices of the stays on one process, in the same order. */
const guint32 *lc_critical_path_get_stays_of (const LcCriticalPath *path, guint32 process, gsize *n_stays);

typedef enum
{
  LC_CRITICAL_COMPUTING,
  LC_CRITICAL_EVENT,
  LC_CRITICAL_HOP,
} LcCriticalPart;

typedef struct
{
  LcCriticalPart part;
  guint32 process; /* hop: of the released event */
  guint64 begin;   /* of the part that is on the path */
  guint64 end;
  const LcHistoryEvent *event; /* hop: the released event; computing: NULL */
  const LcCriticalStay *stay;
} LcCriticalSegment;

/* Called for each segment; FALSE stops the visit. */
typedef gboolean (*LcCriticalVisit) (const LcCriticalSegment *segment, gpointer data);

/*
 * Visits all segments in the order of time; each begins where the one before ends. Events and hops are visited even if
 * they take no time. The history must still be open.
 */
gboolean lc_critical_path_visit (LcCriticalPath *path, LcCriticalVisit visit, gpointer data, GCancellable *cancellable,
                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCriticalPath, lc_critical_path_free)

G_END_DECLS

#endif
