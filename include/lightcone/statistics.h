/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a history: waiting, parallelism, objects, operations, duration of the run. */
#ifndef LIGHTCONE_STATISTICS_H
#define LIGHTCONE_STATISTICS_H

#include "lightcone/filters.h"
#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * All statistics are of one timeline, and exact. The functions return NULL with LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED. A process is alive from the begin of its first event to the end of its last one; it is running
 * while it is alive and in none of the other states (lightcone/states.h).
 */

/* The waiting of a process. */
typedef struct
{
  guint32 process;
  guint32 longest_object; /* object of the longest wait, or LC_TRACE_NONE */
  guint64 span;           /* alive, ns */
  guint64 running;
  guint64 waiting;
  guint64 woken;
  guint64 preempted;
  guint64 outside;         /* running + waiting + woken + preempted + outside == span */
  guint64 unseen;          /* part of `outside` that no event tells of */
  guint64 waits;           /* number of events that waited */
  guint64 longest;         /* longest wait, ns; of a holder: its longest part of one */
  guint64 longest_ordinal; /* the first event that waited that long; valid if `waits` is not 0 */
} LcWaitingStatistics;

/* LcWaitingStatistics in the order of the processes, in a new array. */
GArray *lc_statistics_waiting (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* A time in which a process waited, or several such times that are close together. */
typedef struct
{
  guint32 process;
  guint32 object;  /* LC_TRACE_NONE: no named object, or several */
  guint64 ordinal; /* of the first event that waited */
  guint64 begin;
  guint64 end;
  guint64 waiting; /* within it, ns */
  guint64 waits;   /* number of waits */
} LcWaitingInterval;

/* Called for each interval; FALSE stops the visit. */
typedef gboolean (*LcWaitingVisit) (const LcWaitingInterval *interval, gpointer data);

/* Visits intervals by process and time. Waits of a process less than `resolution` ns apart are joined; 0: none are
 * joined. */
gboolean lc_statistics_visit_waiting (LcHistory *history, guint32 timeline, guint64 resolution, LcWaitingVisit visit,
                                      gpointer data, GCancellable *cancellable, GError **error);

/* A selection of waits. */
typedef struct
{
  const guint32 *processes; /* NULL: all */
  guint32 n_processes;
  LcFilters filters;
  LcAxis axis;
  guint64 from; /* waits that touch (of layers: events on one of) what is from here to before `to`; from >= to: all */
  guint64 to;
} LcWaitsAsked;

/* Called now and then by the thread that asked, with how much is done, from 0 to 1. */
typedef void (*LcStatisticsProgress) (double fraction, gpointer data);

/*
 * Finds the events that waited longest, at most `limit`: LcHistoryEvent in a new array, longest first, then by process
 * and ordinal. Where a summary of the history tells that no event lasted as long as those found already, its events are
 * not read.
 */
GArray *lc_statistics_longest_waits (LcHistory *history, guint32 timeline, const LcWaitsAsked *asked, gsize limit,
                                     LcStatisticsProgress progress, gpointer data, GCancellable *cancellable,
                                     GError **error);

/* What waits of a group have in common. */
typedef enum
{
  LC_WAITS_BY_OBJECT,
  LC_WAITS_BY_SITE, /* the same line of the source */
  LC_WAITS_BY_STACK,
  LC_WAITS_BY_PROCESS,
  LC_WAITS_BY_FOR,    /* the process that ended the wait */
  LC_WAITS_BY_PAIR,   /* the process that waited, and the one that ended it */
  LC_WAITS_BY_HOLDER, /* the processes that held the object meanwhile, each for its part of the wait */
} LcWaitsBy;

enum
{
  LC_WAIT_GROUP_SINGLES = 10,
};

/* A wait of a group, or the part of it that belongs to the group. */
typedef struct
{
  guint64 waited; /* ns */
  guint64 ordinal;
  guint32 process;
} LcGroupedWait;

typedef struct
{
  char *name;     /* a stack's is of its frames, the innermost first; "(unknown)" or "(none)": nothing is known of it */
  guint32 number; /* of the object, stack or process (of a pair: that waited), or LC_TRACE_NONE; of sites for this array
                   * only */
  guint32 ender;  /* of a pair: the process that ended the wait; else, or if it is not known, LC_TRACE_NONE */
  guint32 longest_process;
  guint64 waits;
  guint64 waited;          /* ns */
  guint64 longest;         /* longest wait, ns */
  guint64 longest_ordinal; /* the first event that waited that long */
  guint64 preempted; /* ns of `waited` in which the process that ended the wait, or the holder, had no processor */
  LcGroupedWait singles[LC_WAIT_GROUP_SINGLES]; /* the longest ones, longest first */
  guint n_singles;
} LcWaitGroup;

/* LcWaitGroup of a selection by time, longest first, then by name, in a new array that owns the names. */
GArray *lc_statistics_wait_groups (LcHistory *history, guint32 timeline, LcWaitsBy by, const LcWaitsAsked *asked,
                                   GCancellable *cancellable, GError **error);

typedef struct
{
  guint64 begin;   /* of the first event of all */
  guint64 end;     /* of the last event of all */
  guint64 running; /* sum over all processes */
  double average;  /* running / (end - begin); 0 if that takes no time */
  guint32 lowest;  /* number of processes running at the same time, at least and at most */
  guint32 highest;
  guint32 n_levels; /* number of processes + 1 */
  guint64 *levels;  /* the time with exactly k processes running; sums up to end - begin */

  /* The parallel part: from the first time that two or more processes run to the last such time. The run is sequential
   * before and after it. parallel_begin == parallel_end: no parallel part. */
  guint64 parallel_begin;
  guint64 parallel_end;
  guint64 parallel_running; /* sum over all processes, within the parallel part */
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
  guint64 running; /* sum over all processes */
  guint32 lowest;  /* number of processes running at the same time, at least and at most */
  guint32 highest;
} LcParallelismInterval;

/* LcParallelismInterval: `n_intervals` parts of the same length, to the nanosecond, from the first begin to the last
 * end, in a new array; fewer parts if there are fewer nanoseconds. */
GArray *lc_statistics_parallelism_history (LcHistory *history, guint32 timeline, guint32 n_intervals,
                                           GCancellable *cancellable, GError **error);

/* A selection of processes and time. */
typedef struct
{
  const guint32 *processes; /* NULL: all */
  guint32 n_processes;
  guint64 from; /* from >= to: all */
  guint64 to;
} LcParallelismPart;

/* Called for each span; FALSE stops the visit. */
typedef gboolean (*LcParallelismVisit) (guint64 from, guint64 to, guint32 count, gpointer data);

/* Visits all spans with a constant number of running processes, one after the other, from the first begin of these
 * processes to their last end, or within the part's time. */
gboolean lc_statistics_visit_parallelism (LcHistory *history, guint32 timeline, const LcParallelismPart *part,
                                          LcParallelismVisit visit, gpointer data, GCancellable *cancellable,
                                          GError **error);

/*
 * Visits all spans with a constant number of messages that have been sent and not been received yet, one after the
 * other and without gaps within the part's time; none if there are no messages. A message lasts from the begin of its
 * sending to the end of its receiving, which may be later than it was there; it goes from one process to another, of
 * which at least one is in the part. Messages that nobody received, collective operations and pipes are not counted.
 */
gboolean lc_statistics_visit_messages (LcHistory *history, guint32 timeline, const LcParallelismPart *part,
                                       LcParallelismVisit visit, gpointer data, GCancellable *cancellable,
                                       GError **error);

/* Statistics of an object that has events. */
typedef struct
{
  guint32 object;
  guint32 longest_process;
  guint64 events;
  guint64 waits;           /* events that waited; mutex: contended acquisitions */
  guint64 waited;          /* ns */
  guint64 longest;         /* longest wait, ns */
  guint64 longest_ordinal; /* the first event that waited that long, on the lowest process; valid if `waits` is not 0 */
  guint64 held;            /* sum over all processes */
} LcObjectStatistics;

/* LcObjectStatistics by `waited`, longest first, then by object, in a new array. */
GArray *lc_statistics_objects (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* Statistics of an operation that has events. */
typedef struct
{
  guint32 operation;
  guint64 events;
  guint64 time;  /* ns, waiting included */
  guint64 waits; /* number of events that waited */
  guint64 waited;
  guint64 longest; /* longest event, ns */
} LcOperationStatistics;

/* LcOperationStatistics by `time`, longest first, then by operation, in a new array. */
GArray *lc_statistics_operations (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* --- Communication ------------------------------------------------------------------------------------------------ */

/*
 * A process is preempted or outside of the program as lightcone/states.h says, whatever it is in or holds. Of the rest
 * of its time it communicates while it waits, while it holds an object, and while it is inside an event on an object
 * that orders processes (all but marks); otherwise it computes. Communication without waiting is transfer.
 */
typedef struct
{
  guint32 process;
  guint64 span; /* computing + communication + preempted + outside */
  guint64 computing;
  guint64 communication; /* waiting + transfer */
  guint64 waiting;
  guint64 transfer;
  guint64 preempted;
  guint64 outside;
} LcCommunicationStatistics;

/* LcCommunicationStatistics in the order of the processes, in a new array. */
GArray *lc_statistics_communication (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* Called for each stretch of communication; FALSE stops the visit. */
typedef gboolean (*LcCommunicationVisit) (guint64 begin, guint64 end, guint64 waiting, guint64 first_ordinal,
                                          guint64 last_ordinal, gpointer data);

/* Visits the stretches of communication of one process in the order of time; stretches neither overlap nor touch.
 * `waiting` is the waiting of the events in a stretch, from `first_ordinal` to `last_ordinal`. */
gboolean lc_statistics_visit_communication (LcHistory *history, guint32 timeline, guint32 process,
                                            LcCommunicationVisit visit, gpointer data, GCancellable *cancellable,
                                            GError **error);

/* The traffic from one process to another: data arcs between them; the arcs of a group come from its last member. */
typedef struct
{
  guint32 from_process;
  guint32 to_process;
  guint64 arcs;
  guint64 bytes;    /* of messages, and of collective operations from one or to one */
  guint64 waited;   /* by `to_process`, for `from_process`: where such an arc was its last */
  guint64 messages; /* number of the arcs that are of a channel */
} LcMatrixCell;

/* LcMatrixCell by from_process and to_process, only those with arcs, of events that end from `from` to before `to`
 * (from == to: all), in a new array. */
GArray *lc_statistics_matrix (LcHistory *history, guint32 timeline, guint64 from, guint64 to, GCancellable *cancellable,
                              GError **error);

/* The use of an object by a process. */
typedef struct
{
  guint32 process;
  guint32 object;
  guint64 events;
  guint64 waited;
  guint64 held;
} LcObjectUse;

/* LcObjectUse by object and process, without empty ones, in a new array. Events are those that end from `from` to
 * before `to` (from == to: all); holding is counted within the same span. */
GArray *lc_statistics_object_uses (LcHistory *history, guint32 timeline, guint64 from, guint64 to,
                                   GCancellable *cancellable, GError **error);

/* A stretch of a process's events that are all on the same processor (CPU), or all on an unknown one: from the begin of
 * the first event to the begin of the next one elsewhere, or to the end of the process. */
typedef struct
{
  guint32 process;
  guint32 cpu; /* or LC_CPU_UNKNOWN */
  guint64 begin;
  guint64 end;
  guint64 events;
  guint64 running; /* the states of states.h in that time: they sum up to its length */
  guint64 waited;
  guint64 woken;
  guint64 preempted;
  guint64 outside; /* with what is unseen */
  guint64 unseen;
  guint64 stays; /* number of stays that were joined, else 1 */
} LcCpuStay;

/* LcCpuStay by process and time, cut at the span's begin and end (from == to: all), in a new array. Stays shorter than
 * `resolution` ns that follow each other are joined until they are that long together, on the processor where most of
 * their time was. */
GArray *lc_statistics_cpu_stays (LcHistory *history, guint32 timeline, guint64 from, guint64 to, guint64 resolution,
                                 GCancellable *cancellable, GError **error);

/* A part of a stay in which the process was running: only then it was really on the processor. */
typedef struct
{
  guint32 process;
  guint32 cpu;
  guint64 begin;
  guint64 end;
  guint64 running; /* how much of it: less than its length if several parts were joined */
} LcCpuRun;

/* LcCpuRun by process and time, in a new array, of the stays that lc_statistics_cpu_stays gives. Parts of a stay that
 * begin less than `resolution` ns after one another are joined. Gives the stays too, unless `stays` is NULL. */
GArray *lc_statistics_cpu_runs (LcHistory *history, guint32 timeline, guint64 from, guint64 to, guint64 resolution,
                                GArray **stays, GCancellable *cancellable, GError **error);

/* --- Totals ------------------------------------------------------------------------------------------------------- */

/* The begin of the first event of all and the end of the last one; both 0 if there are none. */
gboolean lc_statistics_span (LcHistory *history, guint32 timeline, guint64 *begin, guint64 *end, GError **error);

/* The duration of the run: to the end of the last event, from the begin of the run; for MPI ranks, from when the
 * first rank was ready (lc_trace_get_ready). */
gboolean lc_statistics_total (LcHistory *history, guint32 timeline, guint64 *total, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcParallelism, lc_parallelism_free)

G_END_DECLS

#endif
