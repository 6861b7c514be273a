/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an execution history: the result of merging a trace. docs/schema.md describes the file. */
#ifndef LIGHTCONE_HISTORY_H
#define LIGHTCONE_HISTORY_H

#include <gio/gio.h>

#include "lightcone/exchange.h"
#include "lightcone/rules.h"
#include "lightcone/trace.h"

G_BEGIN_DECLS

/*
 * A history is read-only and never in memory as a whole. Any number of threads may use it at the same time. Calls that
 * may take long have a GCancellable (or NULL), and end with G_IO_ERROR_CANCELLED when it is cancelled. Damage that is
 * found while reading gives LC_HISTORY_ERROR_DAMAGED: merge the trace again (lightcone/merge.h).
 */

#define LC_HISTORY_ERROR (lc_history_error_quark ())
GQuark lc_history_error_quark (void);

typedef enum
{
  LC_HISTORY_ERROR_NONE,    /* there is no history here */
  LC_HISTORY_ERROR_VERSION, /* made by another version of Lightcone, or no history at all */
  LC_HISTORY_ERROR_DAMAGED, /* its bytes are not as they were written */
  LC_HISTORY_ERROR_OLD,     /* the trace or the rules have changed since the merge */
  LC_HISTORY_ERROR_UNKNOWN, /* there is no such process, event, object or timeline */
} LcHistoryError;

typedef struct _LcHistory LcHistory;

/* The number of the measured timeline, which is in every history. */
#define LC_TIMELINE_MEASURED 0

/* Opens the history file at `path`. Takes some milliseconds, whatever its size. Each function sees the state of the
 * file in which it begins: others may add timelines and take them away, also between two calls. */
LcHistory *lc_history_open (const char *path, GError **error);
void lc_history_free (LcHistory *history);

/*
 * Returns the history as it is now. It stays so, whatever others add to the file or take away, until it is freed by
 * lc_history_free: what belongs together, such as all that a picture shows, is asked of one snapshot. It is used as any
 * history, in any thread, and costs little. It may outlive the history that it is of, whose processes, objects and the
 * like it shares, and keeps the file that it reads on the disk. A snapshot of a snapshot has the same state.
 */
LcHistory *lc_history_take_snapshot (LcHistory *history);

/* Keeps the history itself in the state that it has now, as one command or one script is to see it. */
void lc_history_stay (LcHistory *history);

/* Goes on to the state that the file has now, and stays there if the history is to stay. TRUE: that is another one.
 * What has begun before, such as a walk, goes on reading the old one. A snapshot does not go on. */
gboolean lc_history_go_on (LcHistory *history);

/* --- What there is few of: belongs to the history ---------------------------------------------------------- */

typedef struct
{
  guint32 id;
  const char *name;
  const char *host; /* or NULL */
  const char *file; /* in the trace */
  guint32 parent;   /* or LC_TRACE_NONE */
  guint32 pid;
  guint32 thread;
  guint32 instance;
  guint32 rank;  /* of its address space in MPI_COMM_WORLD, or LC_TRACE_NONE */
  guint32 start; /* stack: the function that it began with, or LC_TRACE_NONE */
  enum lc_state state;
  guint64 events;
  guint64 lost;
  guint64 begin;  /* of its first event, ns, or of what is known of it (lc_trace_get_followed); 0 when it has none */
  guint64 end;    /* of its last event */
  guint64 layers; /* of its last event */
  LcTracePending pending;
  gboolean is_followed;   /* from `begin` on, also before its first event */
  LcTraceAccount account; /* what the kernel has counted of it */
  guint64 unseen;         /* ns of `account.blocked` that no event explains, or LC_TRACE_UNKNOWN */
  guint64 unseen_waits;   /* at least so many waits */
  gboolean is_scheduled;  /* when it was off its processors is known (lightcone/states.h) */
} LcHistoryProcess;

typedef struct
{
  const char *name;
  const char *class_name;
} LcHistoryOperation;

typedef struct
{
  guint32 id;
  char *name; /* to show; no other object of its class has it */
  char *class_name;
  guint32 process;  /* process that the object stands for, or LC_TRACE_NONE */
  guint32 instance; /* or LC_TRACE_NONE */
  guint64 address;
  guint64 value;
  guint64 events;
  guint64 waited; /* for the object, in total */
  guint64 held;
  guint32 stack; /* where it was initialized or used first, or LC_TRACE_NONE */
} LcHistoryObject;

/* A place in the source. */
typedef struct
{
  guint32 id;
  const char *function; /* or NULL */
  const char *file;     /* or NULL */
  guint32 line;         /* 0: not known */
  const char *module;   /* path of the file of code, or NULL */
  guint64 offset;       /* in the module */
  gboolean is_library;  /* of a language's or the system's library */
} LcHistorySite;

/* A frame of a stack, and the one that called it. */
typedef struct
{
  guint32 site;
  guint32 parent; /* or LC_TRACE_NONE */
  guint32 own;    /* the site to show: the innermost, from here outwards, that is not a library's */
  enum lc_site_kind kind;
} LcHistoryStack;

typedef struct
{
  guint32 id;
  const char *name;
  const char *model;      /* NULL: measured */
  const char *parameters; /* or NULL */
  gboolean own;           /* has its own events, arcs and order, since it may decide otherwise than measured */
} LcHistoryTimeline;

/* An arc rule that was used to make this history. */
typedef struct
{
  const char *name;
  const char *class_name;
  LcPoint from_point;
  LcArcKind kind;
} LcHistoryRule;

const char *lc_history_get_path (const LcHistory *history);
guint32 lc_history_get_n_processes (const LcHistory *history);
const LcHistoryProcess *lc_history_get_process (const LcHistory *history, guint32 process);

/* Operations by number, as in events; NULL: no operation has this number. */
guint32 lc_history_get_n_operations (const LcHistory *history);
const LcHistoryOperation *lc_history_get_operation (const LcHistory *history, guint32 operation);

guint32 lc_history_get_n_rules (const LcHistory *history);
const LcHistoryRule *lc_history_get_rule (const LcHistory *history, guint32 rule);

/* The timelines that exist now; others may be added while this history is open. Free with g_ptr_array_unref. */
GPtrArray *lc_history_list_timelines (LcHistory *history, GError **error); /* of LcHistoryTimeline, owned */
gboolean lc_history_find_timeline (LcHistory *history, const char *name, guint32 *timeline, GError **error);

guint32 lc_history_get_n_objects (const LcHistory *history);
/* Clear with lc_history_object_clear. */
gboolean lc_history_get_object (LcHistory *history, guint32 object, LcHistoryObject *result, GError **error);
void lc_history_object_clear (LcHistoryObject *object);

/* Tells whether the sites and stacks can be read, and reads them. */
gboolean lc_history_read_places (LcHistory *history, GError **error);

/* Sites and stacks by number, from 0 on; none in a history of a trace that does not say where. They are read when they
 * are first asked for. NULL: there is no such site or stack. */
guint32 lc_history_get_n_sites (LcHistory *history);
const LcHistorySite *lc_history_get_site (LcHistory *history, guint32 site);
guint32 lc_history_get_n_stacks (LcHistory *history);
const LcHistoryStack *lc_history_get_stack (LcHistory *history, guint32 stack);

/* The site to show of an event or object with this stack (or LC_TRACE_NONE); or NULL. */
const LcHistorySite *lc_history_get_own_site (LcHistory *history, guint32 stack);

/* "put() pipe.cpp:7", or what is known of it; of NULL "(unknown)". Free with g_free. */
char *lc_history_dup_site_text (const LcHistorySite *site);

/* A file of code that sites are in. */
typedef struct
{
  char *path;
  char *build_id; /* hexadecimal digits, or NULL */
  char *problem;  /* a sentence: which of its functions and lines are not known, and what would mend it; or NULL */
} LcHistoryModule;

/* Free with g_ptr_array_unref. */
GPtrArray *lc_history_list_modules (LcHistory *history, GError **error); /* of LcHistoryModule, owned */

/* Gives the processes and objects of the trace that the history was made of the names that the history has. Nobody else
 * may use the trace meanwhile. */
gboolean lc_history_name_trace (LcHistory *history, LcTrace *trace, GError **error);

guint64 lc_history_get_n_events (const LcHistory *history);

/* Gives the events that the trace has lost; nothing if the history does not say. */
void lc_history_get_lost (LcHistory *history, LcTraceLost *lost);
guint64 lc_history_get_n_arcs (const LcHistory *history);
guint64 lc_history_get_n_layers (const LcHistory *history);
/* Times in which nothing was recorded, on purpose: LcTraceGap, as lc_trace_get_gaps has them. The history's. */
const GArray *lc_history_get_gaps (const LcHistory *history);

/* From when on the process is followed, on any timeline, if its first event begins at `begin` there. */
guint64 lc_history_get_followed (const LcHistory *history, guint32 process, guint64 begin);
/* The time from the first begin to the last end. */
void lc_history_get_span (const LcHistory *history, guint64 *begin, guint64 *end);

/* When a recording that went on was read, which is the end of its span, in ns; 0: it had ended. */
guint64 lc_history_get_until (const LcHistory *history);

/* Counts the events of a process on a timeline. The number differs from the measured one where work went to another
 * process. */
gboolean lc_history_count_events (LcHistory *history, guint32 timeline, guint32 process, guint64 *events,
                                  GError **error);

/* From the begin of a process's first event (or from when on it is followed) to the end of its last one, on a timeline;
 * both 0 if it has none. */
gboolean lc_history_get_process_span (LcHistory *history, guint32 timeline, guint32 process, guint64 *begin,
                                      guint64 *end, GError **error);
/* The spans of all processes at once; `begins` and `ends` have room for each process. */
gboolean lc_history_get_process_spans (LcHistory *history, guint32 timeline, guint64 *begins, guint64 *ends,
                                       GError **error);

/* Finds the place of an event of the measured timeline on another timeline. */
gboolean lc_history_locate (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal,
                            guint32 *its_process, guint64 *its_ordinal, GError **error);

/* A problem of the trace: damage in its files, or events that could not be resolved by the rules. */
typedef struct
{
  char *kind;
  LcTraceSeverity severity;
  guint64 count;
  char *file;         /* or NULL */
  gboolean has_place; /* `where` in the file: the first time */
  gboolean is_line;   /* `where` is a line, from 1 on; otherwise a byte offset */
  guint64 where;
  guint32 process;    /* LC_TRACE_NONE: not about a process; what follows is not set */
  gboolean has_event; /* it is about an event; else what follows is not set */
  guint64 ordinal;
  char *operation;
  guint32 object; /* or LC_TRACE_NONE */
  gboolean has_sequence;
  gint64 sequence;
  char *wants; /* the operation that the event waits for, or that would have taken what it gave; or NULL */
  gint64 wants_sequence;
  guint64 there, needed; /* number of these that have come, and number that it waits for */
  guint32 other;         /* process whose event comes too late, or LC_TRACE_NONE */
  guint64 other_ordinal; /* of that event, where it is known which one */
  char *description;     /* what the kind means, as a sentence */
  char *detail;          /* what was found in the file, or the library that waits unseen; or NULL */
} LcHistoryProblem;

/* In the order in which a merge found them. Free with g_ptr_array_unref. */
GPtrArray *lc_history_list_problems (LcHistory *history, GError **error); /* of LcHistoryProblem, owned */

/* A value that the table `meta` had when the history was opened, or NULL. Free with g_free. */
char *lc_history_dup_meta (LcHistory *history, const char *key);

/* --- Events ------------------------------------------------------------------------------------------------ */

/* Further bits of an event's flags, after LcTraceEventFlags. */
typedef enum
{
  LC_HISTORY_EVENT_GROUP = 1 << 12,     /* a member of a group (a barrier), which its object and sequence name */
  LC_HISTORY_EVENT_OUTSIDE = 1 << 14,   /* it waited for what is no process, for as long as it lasted */
  LC_HISTORY_EVENT_REORDERED = 1 << 13, /* the last event that it had to come after is another one than measured */
} LcHistoryEventFlags;

typedef struct
{
  guint32 process;
  LcPoint point;
  guint64 ordinal;
  guint16 rule; /* lc_history_get_rule */
} LcHistoryArcEnd;

typedef struct
{
  guint32 process;
  guint64 ordinal;
  guint64 begin; /* on the timeline asked for */
  guint64 end;
  guint64 waited;
  guint64 woken;     /* after that: from the release until it really went on */
  guint64 preempted; /* within the event, after its waiting; 0 where only times are looked up, as the next one */
  guint64 unseen;    /* blocked there, and nothing tells why */
  guint64 layer;
  gint64 sequence; /* with LC_TRACE_EVENT_SEQUENCE */
  gint64 value;    /* with LC_TRACE_EVENT_VALUE */
  guint64 bytes;   /* with LC_TRACE_EVENT_BYTES */
  guint32 object;  /* or LC_TRACE_NONE */
  guint32 peer;    /* or LC_TRACE_NONE */
  guint32 stack;   /* where the program called the operation, or LC_TRACE_NONE */
  guint16 operation;
  guint16 cpu; /* or LC_CPU_UNKNOWN */
  guint16 flags;
  gint16 basis;   /* index of the arc that was last, or -1: its own process */
  guint32 n_arcs; /* arcs that end here; a whole group counts as one, from its last member */

  /* The movement of the event on a timeline other than the measured one, with everything that came before it on its
   * process: end - measured end = gained - removed + what operations cost more or less than measured. */
  guint64 removed; /* instrumentation taken off, ns */
  gint64 gained;   /* waiting on this timeline less measured waiting, ns */

  /* The event's name on the measured timeline. It differs from process and ordinal only on a timeline with its own
   * order. */
  guint32 origin_process;
  guint64 origin_ordinal;
} LcHistoryEvent;

/* Returns what the process of an event had begun and never ended, if the event is its last one and is told only for
 * that: the exit of a thread that was in an operation when its program ended. NULL: the event tells of itself. */
const LcTracePending *lc_history_get_never_ended (const LcHistory *history, const LcHistoryEvent *event);

/* An arc between two events. */
typedef struct
{
  guint32 from_process;
  guint32 to_process;
  guint64 from_ordinal;
  guint64 to_ordinal;
  guint64 from_time; /* on the timeline asked for */
  guint64 to_time;   /* end of the event at which the arc ends */
  guint32 object;
  guint16 rule;
  LcPoint from_point;
} LcHistoryArc;

/* FALSE with LC_HISTORY_ERROR_UNKNOWN if there is no such event. */
gboolean lc_history_get_event (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal,
                               LcHistoryEvent *event, GError **error);

/* The event that contains a time, or else the last one that begins before it, or else the first. */
gboolean lc_history_find_event_at (LcHistory *history, guint32 timeline, guint32 process, guint64 time,
                                   LcHistoryEvent *event, GError **error);

/* Like lc_history_find_event_at, on the axis of layers. */
gboolean lc_history_find_event_at_layer (LcHistory *history, guint32 timeline, guint32 process, guint64 layer,
                                         LcHistoryEvent *event, GError **error);

/* The events with this object and sequence, by process and ordinal; at most `limit`. */
gboolean lc_history_find_by_key (LcHistory *history, guint32 timeline, guint32 object, gint64 sequence, gsize limit,
                                 GCancellable *cancellable, GArray **events, GError **error);

/* Called for each event; FALSE stops the visit. */
typedef gboolean (*LcHistoryVisit) (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data);

/* Events of one process from one ordinal to before another (clamped), in order, or backwards when first > last:
 * then from first - 1 down to last. Some 25 to 30 M events/s. */
gboolean lc_history_visit (LcHistory *history, guint32 timeline, guint32 process, guint64 first, guint64 last,
                           LcHistoryVisit visit, gpointer data, GCancellable *cancellable, GError **error);

/* Visits only events that arcs end at. Nothing but the process, the ordinal and the number of arcs of an event is
 * given, which is much faster. */
gboolean lc_history_visit_arcs (LcHistory *history, guint32 timeline, guint32 process, guint64 first, guint64 last,
                                LcHistoryVisit visit, gpointer data, GCancellable *cancellable, GError **error);

/* The events of an object, in order of sequence within each part of the trace; not sorted over all of it. */
gboolean lc_history_visit_object (LcHistory *history, guint32 timeline, guint32 object, LcHistoryVisit visit,
                                  gpointer data, GCancellable *cancellable, GError **error);

/* Visits only the events of those operations whose number is TRUE in `operations`. The arcs, layer, value, bytes, peer
 * and cpu of the events are not given; their stack is. Much faster than a visit of all events where these events are
 * few. */
gboolean lc_history_visit_operations (LcHistory *history, guint32 timeline, guint32 process, const gboolean *operations,
                                      LcHistoryVisit visit, gpointer data, GCancellable *cancellable, GError **error);

/*
 * Looks up single events one after the other, and keeps the surroundings of the last event of each process decoded. It
 * is for one thread, to follow arcs or to go through several processes side by side. It sees one state of the file, and
 * must be freed before the history.
 */
typedef struct _LcHistoryWalk LcHistoryWalk;

typedef enum
{
  LC_WALK_TIMES, /* begin, end, waited, woken; nothing else is looked up, and `stack` is LC_TRACE_NONE */
  LC_WALK_ARCS,  /* all except value, bytes, peer, cpu, and why the event moved */
  LC_WALK_ALL,
  LC_WALK_STATES, /* the same as with LC_WALK_TIMES; and lc_history_walk_find_pause */
} LcHistoryWalkDepth;

LcHistoryWalk *lc_history_walk_new (LcHistory *history, guint32 timeline, LcHistoryWalkDepth depth,
                                    GCancellable *cancellable, GError **error);
void lc_history_walk_free (LcHistoryWalk *walk);

/* FALSE with LC_HISTORY_ERROR_UNKNOWN if there is no such event. `arcs`, if not NULL, is set to the arcs that end at
 * the event; they are valid until the next call. */
gboolean lc_history_walk_get (LcHistoryWalk *walk, guint32 process, guint64 ordinal, LcHistoryEvent *event,
                              const LcHistoryArcEnd **arcs, GError **error);

/* Finds the first time from `from` on, in an event or since the end of the one before it (`from` is not before that),
 * in which the process is in another state than running (lightcone/states.h). There is none: `begin` equals `end`. */
gboolean lc_history_walk_find_pause (LcHistoryWalk *walk, guint32 process, guint64 ordinal, guint64 from,
                                     guint64 *begin, guint64 *end, GError **error);

/* Gives the time of one point only. The result of lc_history_walk_get stays as it is. */
gboolean lc_history_walk_get_time (LcHistoryWalk *walk, guint32 process, guint64 ordinal, LcPoint point, guint64 *time,
                                   GError **error);

/* Arcs that end at an event (LcHistoryArc in a new array), and arcs that begin at its points. */
gboolean lc_history_list_arcs_in (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, GArray **arcs,
                                  GError **error);
gboolean lc_history_list_arcs_out (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal,
                                   GCancellable *cancellable, GArray **arcs, GError **error);

/* --- Windows: what a picture is made of ---------------------------------------------------------------------- */

typedef enum
{
  LC_AXIS_TIME,
  LC_AXIS_LAYER,
} LcAxis;

/* A span of an axis, from `from` to before `to`, and the processes; NULL: all. */
typedef struct
{
  guint32 timeline;
  LcAxis axis;
  guint64 from;
  guint64 to;
  const guint32 *processes;
  guint32 n_processes;
} LcWindow;

/* A bucket of the summary of one process. Times are in ns on both axes. */
typedef struct
{
  /* The states of the process (lightcone/states.h), which sum to the time that it was there: on the axis of layers, in
   * its events, and in the gap before each. */
  guint64 running;
  guint64 waiting;
  guint64 woken;
  guint64 preempted;
  guint64 outside;
  guint64 unseen;                 /* part of `outside` that no event tells of */
  guint64 holding;                /* at least one object */
  guint64 exchange[LC_EXCHANGES]; /* of an MPI rank: within calls of each kind, whatever it did there */
  guint64 events;                 /* that end in it */
  guint64 longest;                /* duration of the longest of these events */
  guint64 longest_ordinal;
} LcSummaryBucket;

/* The buckets of one process, one after the other, from `first` on (bucket k covers k << level to (k + 1) << level). */
typedef struct
{
  guint32 process;
  gsize n_buckets;
  const LcSummaryBucket *buckets;
} LcSummaryRow;

typedef struct
{
  guint level;
  guint64 first;
  gsize n_rows; /* in the order of the window's processes */
  const LcSummaryRow *rows;
} LcSummary;

/* Holds either events or a summary. */
typedef struct _LcWindowResult LcWindowResult;

/*
 * The events that touch the window if they are no more than `limit`; else the summary of each process, at the finest
 * level that has no more than `limit` buckets in all and buckets no narrower than `resolution` (ns or layers; 0: no
 * matter).
 */
LcWindowResult *lc_history_query_window (LcHistory *history, const LcWindow *window, gsize limit, guint64 resolution,
                                         GCancellable *cancellable, GError **error);

/* Gives the summary, however few events there are. */
LcWindowResult *lc_history_summarize_window (LcHistory *history, const LcWindow *window, gsize limit,
                                             guint64 resolution, GCancellable *cancellable, GError **error);

/* Events by process, in the window's order, and ordinal; NULL: the result is a summary. */
const LcHistoryEvent *lc_window_result_get_events (const LcWindowResult *result, gsize *n_events);
const LcSummary *lc_window_result_get_summary (const LcWindowResult *result);
void lc_window_result_free (LcWindowResult *result);

/*
 * What there is to see of a window, decided once: how many events it has, and how fine a summary can be, follows from
 * the index of the history, before any event or bucket is read. A plan sees one state of the file. It is for one
 * thread, and must be freed before the history. Its functions are about `n` of the window's processes, by their numbers
 * in the window (the first one is 0), in rising order; `members` NULL: all of them.
 */
typedef struct _LcWindowPlan LcWindowPlan;

/* Keeps the cancellable. NULL: an error, such as LC_HISTORY_ERROR_UNKNOWN for a timeline or process. */
LcWindowPlan *lc_window_plan_new (LcHistory *history, const LcWindow *window, GCancellable *cancellable,
                                  GError **error);
void lc_window_plan_free (LcWindowPlan *plan);

/* Sets `events` to a new array of LcHistoryEvent, by process and ordinal, or to NULL if more than `limit` touch the
 * window. FALSE: an error. */
gboolean lc_window_plan_list_events (LcWindowPlan *plan, const guint32 *members, guint32 n, gsize limit,
                                     GArray **events, GError **error);

/* Sets `found` to the level (a bucket has 1 << level ns or layers) of the summary that lc_window_plan_visit_summary
 * gives if it is asked for `level`: the same, or a coarser one where too many blocks would have to be read. */
gboolean lc_window_plan_find_level (LcWindowPlan *plan, const guint32 *members, guint32 n, guint level, guint *found,
                                    GError **error);

/* Visits the summary of one process after the other, each with one row, which is the plan's. If there are no events, it
 * is empty and has level 0. FALSE: an error. */
typedef void (*LcVisitSummary) (const LcSummary *summary, gpointer data);
gboolean lc_window_plan_visit_summary (LcWindowPlan *plan, const guint32 *members, guint32 n, guint level,
                                       LcVisitSummary visit, gpointer data, GError **error);

/* A span in which a process held an object. */
typedef struct
{
  guint32 process;
  guint32 object;
  guint64 begin; /* on the timeline asked for */
  guint64 end;   /* G_MAXUINT64: never released */
  guint64 begin_ordinal;
  guint64 end_ordinal; /* G_MAXUINT64: never released */
} LcHoldingSpan;

/* LcHoldingSpan of the window's processes that touch the window (of time), at most `limit`, by process and begin. */
gboolean lc_history_list_holding (LcHistory *history, const LcWindow *window, gsize limit, GCancellable *cancellable,
                                  GArray **spans, GError **error);

/* The longest arcs (LcHistoryArc) that touch the window, longest first, at most `limit` (and 64). */
gboolean lc_history_list_longest_arcs (LcHistory *history, const LcWindow *window, gsize limit,
                                       GCancellable *cancellable, GArray **arcs, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHistory, lc_history_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHistoryWalk, lc_history_walk_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWindowPlan, lc_window_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWindowResult, lc_window_result_free)

G_END_DECLS

#endif
