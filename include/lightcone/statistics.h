/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a history: waiting, parallelism, objects, operations, how long it took. */
#ifndef LIGHTCONE_STATISTICS_H
#define LIGHTCONE_STATISTICS_H

#include "lightcone/history.h"
#include "lightcone/inside.h"

G_BEGIN_DECLS

/*
 * All are of one timeline, and exact. NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. A process is alive from the
 * begin of its first event to the end of its last one; it is running while it is alive and does not wait.
 */

/* One process. */
typedef struct
{
  guint32 process;
  guint32 longest_object; /* what the longest wait was for, or LC_TRACE_NONE */
  guint64 span;           /* alive, ns */
  guint64 running;
  guint64 waiting;         /* running + waiting == span */
  guint64 waits;           /* events that waited */
  guint64 longest;         /* wait, ns */
  guint64 longest_ordinal; /* the first event that waited so long; if `waits` is not 0 */
} LcWaitingStatistics;

/* LcWaitingStatistics in the order of the processes, in a new array. */
GArray *lc_statistics_waiting (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* A time in which a process waited, or several that are close together. */
typedef struct
{
  guint32 process;
  guint32 object;  /* what for; LC_TRACE_NONE: for nothing that has a name, or for several */
  guint64 ordinal; /* of the first event that waited */
  guint64 begin;
  guint64 end;
  guint64 waiting; /* within it, ns */
  guint64 waits;   /* how many */
} LcWaitingInterval;

/* FALSE ends it. */
typedef gboolean (*LcWaitingVisit) (const LcWaitingInterval *interval, gpointer data);

/* By process and time. Waits of a process that are less than `resolution` ns apart are one; 0: each for itself. */
gboolean lc_statistics_visit_waiting (LcHistory *history, guint32 timeline, guint64 resolution, LcWaitingVisit visit,
                                      gpointer data, GCancellable *cancellable, GError **error);

/* Which waits are asked for. */
typedef struct
{
  const guint32 *processes; /* NULL: all */
  guint32 n_processes;
  const gboolean *operations; /* by number: those that are TRUE; NULL: all */
  const guint32 *objects;     /* NULL: all and none */
  guint32 n_objects;
  LcAxis axis;
  guint64 from; /* waits that touch (of layers: events on one of) what is from here to before `to`; from >= to: all */
  guint64 to;
  guint64 least;    /* ns */
  LcInside *inside; /* only those that are inside; NULL: all */
} LcWaitsAsked;

/* From the thread that asked, now and then: how much is done, 0 to 1. */
typedef void (*LcStatisticsProgress) (double fraction, gpointer data);

/*
 * The events that waited longest, longest first, then by process and ordinal, at most `limit`: LcHistoryEvent in a new
 * array. Where the history's summaries tell that no event lasted as long as those that are found already, it looks at
 * none.
 */
GArray *lc_statistics_longest_waits (LcHistory *history, guint32 timeline, const LcWaitsAsked *asked, gsize limit,
                                     LcStatisticsProgress progress, gpointer data, GCancellable *cancellable,
                                     GError **error);

typedef struct
{
  guint64 begin;   /* of the first event of all */
  guint64 end;     /* of the last */
  guint64 running; /* of all processes together */
  double average;  /* running / (end - begin); 0 if that takes no time */
  guint32 lowest;  /* running at the same time, at least and at most, for any time at all */
  guint32 highest;
  guint32 n_levels; /* number of processes + 1 */
  guint64 *levels;  /* the time with exactly k processes running; sums up to end - begin */

  /* The parallel part: from the first time that two or more processes run to the last one. Before and after it is what
   * is sequential. parallel_begin == parallel_end: there is none. */
  guint64 parallel_begin;
  guint64 parallel_end;
  guint64 parallel_running; /* of all processes together, within it */
  double parallel_average;
} LcParallelism;

LcParallelism *lc_statistics_parallelism (LcHistory *history, guint32 timeline, GCancellable *cancellable,
                                          GError **error);
void lc_parallelism_free (LcParallelism *parallelism);

/* A part of the time. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint64 running; /* of all processes together */
  guint32 lowest;  /* running at the same time, at least and at most */
  guint32 highest;
} LcParallelismInterval;

/* LcParallelismInterval: so many parts of the same length, to the nanosecond, from the first begin to the last end, in
 * a new array; fewer if that takes fewer nanoseconds. */
GArray *lc_statistics_parallelism_history (LcHistory *history, guint32 timeline, guint32 n_intervals,
                                           GCancellable *cancellable, GError **error);

/* Of these processes, and this time. */
typedef struct
{
  const guint32 *processes; /* NULL: all */
  guint32 n_processes;
  guint64 from; /* from >= to: all */
  guint64 to;
} LcParallelismPart;

/* FALSE ends it. */
typedef gboolean (*LcParallelismVisit) (guint64 from, guint64 to, guint32 running, gpointer data);

/* Every change: so many processes run from one time to the next one, which is told next. From the first begin of these
 * processes, or the part's, to their last end, or the part's. */
gboolean lc_statistics_visit_parallelism (LcHistory *history, guint32 timeline, const LcParallelismPart *part,
                                          LcParallelismVisit visit, gpointer data, GCancellable *cancellable,
                                          GError **error);

/* One object that has events. */
typedef struct
{
  guint32 object;
  guint32 longest_process;
  guint64 events;
  guint64 waits;           /* events that waited: contended acquisitions of a mutex */
  guint64 waited;          /* ns */
  guint64 longest;         /* wait */
  guint64 longest_ordinal; /* the first event of the lowest process that waited so long; if `waits` is not 0 */
  guint64 held;            /* by all processes together */
} LcObjectStatistics;

/* LcObjectStatistics by `waited`, longest first, then by object, in a new array. */
GArray *lc_statistics_objects (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* One operation that has events. */
typedef struct
{
  guint32 operation;
  guint64 events;
  guint64 time;  /* ns, waiting included */
  guint64 waits; /* events that waited */
  guint64 waited;
  guint64 longest; /* event */
} LcOperationStatistics;

/* LcOperationStatistics by `time`, longest first, then by operation, in a new array. */
GArray *lc_statistics_operations (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* --- Who has to do with whom ------------------------------------------------------------------------------------ */

/*
 * A process communicates while it waits, while it holds an object, and while it is inside an event on an object that
 * orders processes (all but marks); the rest of its time it computes. What of communicating is not waiting is transfer.
 */
typedef struct
{
  guint32 process;
  guint64 span; /* computing + communication */
  guint64 computing;
  guint64 communication; /* waiting + transfer */
  guint64 waiting;
  guint64 transfer;
} LcCommunicationStatistics;

/* LcCommunicationStatistics in the order of the processes, in a new array. */
GArray *lc_statistics_communication (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* One stretch of communicating, or of waiting within it. FALSE ends it. */
typedef gboolean (*LcCommunicationVisit) (guint64 begin, guint64 end, guint64 waiting, guint64 first_ordinal,
                                          guint64 last_ordinal, gpointer data);

/* The stretches of one process in the order of time; they neither overlap nor touch. `waiting` is the waiting of the
 * events within, which are from `first_ordinal` to `last_ordinal`. */
gboolean lc_statistics_visit_communication (LcHistory *history, guint32 timeline, guint32 process,
                                            LcCommunicationVisit visit, gpointer data, GCancellable *cancellable,
                                            GError **error);

/* What goes from one process to another: by data arcs between them, those of groups from the last member to come. */
typedef struct
{
  guint32 from_process;
  guint32 to_process;
  guint64 arcs;
  guint64 bytes;    /* of messages, and of collective operations from one or to one */
  guint64 waited;   /* by `to_process`, for `from_process` (where such an arc was the last) */
  guint64 messages; /* those of the arcs that are of a channel */
} LcMatrixCell;

/* LcMatrixCell by from_process and to_process, only those with arcs, of events that end from `from` to before `to`
 * (from == to: all), in a new array. */
GArray *lc_statistics_matrix (LcHistory *history, guint32 timeline, guint64 from, guint64 to, GCancellable *cancellable,
                              GError **error);

/* What one process did with one object. */
typedef struct
{
  guint32 process;
  guint32 object;
  guint64 events;
  guint64 waited;
  guint64 held;
} LcObjectUse;

/* LcObjectUse by object and process, only where there is something, of events as above, and of holding within the span;
 * in a new array. */
GArray *lc_statistics_object_uses (LcHistory *history, guint32 timeline, guint64 from, guint64 to,
                                   GCancellable *cancellable, GError **error);

/* A stretch of a process's events that are all known to be on one processor (CPU), or all not known where; from the
 * first one's begin to the begin of the first one elsewhere, or the process's end. */
typedef struct
{
  guint32 process;
  guint32 cpu; /* or LC_CPU_UNKNOWN */
  guint64 begin;
  guint64 end;
  guint64 events;
  guint64 waited;
  guint64 stays; /* that were joined; else 1 */
} LcCpuStay;

/* LcCpuStay by process and time, cut at the span's begin and end (from == to: all), in a new array. Stays shorter than
 * `resolution` ns that follow each other are joined until they are that long together, on the processor where most of
 * their time was. */
GArray *lc_statistics_cpu_stays (LcHistory *history, guint32 timeline, guint64 from, guint64 to, guint64 resolution,
                                 GCancellable *cancellable, GError **error);

/* --- In all ------------------------------------------------------------------------------------------------------ */

/* The begin of the first event of all and the end of the last one; both 0 if there are none. */
gboolean lc_statistics_span (LcHistory *history, guint32 timeline, guint64 *begin, guint64 *end, GError **error);

/* How long the run took: to the end of the last event, from the start of the recording; or, of MPI ranks, from when the
   first of them was ready (lc_trace_get_ready). */
gboolean lc_statistics_total (LcHistory *history, guint32 timeline, guint64 *total, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcParallelism, lc_parallelism_free)

G_END_DECLS

#endif
