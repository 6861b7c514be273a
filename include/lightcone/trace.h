/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a trace directory, whatever its format: processes, objects, operations, and the events of each process. */
#ifndef LIGHTCONE_TRACE_H
#define LIGHTCONE_TRACE_H

#include <glib.h>

#include "lightcone/trace-format.h"

G_BEGIN_DECLS

/*
 * A trace is a directory with binary streams (trace-format.h) or with text (`NAME.events`, docs/format.md), or with
 * such traces of several hosts as its parts (`host-NAME`), which are read as one.
 *
 * Damage is data: a trace that is truncated, unmatched or odd is opened all the same, and what is wrong with it is
 * counted by kind and file (LcTraceProblem). Only what cannot be read as a trace at all is a GError. Whatever the
 * files say, the reader promises:
 *
 *   - the events of a process do not overlap and are in order: begin <= end <= the next one's begin, from 0 on;
 *   - all times are less than LC_TIME_LIMIT;
 *   - operation, object and process numbers are valid or LC_TRACE_NONE;
 *   - memory does not grow with the number of events;
 *   - only regular files are opened, none of them by way of a symbolic link within the trace, and nothing is changed.
 *
 * An open trace does not change, apart from its counts of problems: any number of threads may use it, and cursors
 * over it, one thread to a cursor.
 */

#define LC_TRACE_ERROR (lc_trace_error_quark ())
GQuark lc_trace_error_quark (void);

typedef enum
{
  LC_TRACE_ERROR_NOT_A_TRACE, /* nothing here that the reader knows */
  LC_TRACE_ERROR_VERSION,     /* written by a later version of Lightcone */
  LC_TRACE_ERROR_DAMAGED,     /* the trace is too damaged to be read */
  LC_TRACE_ERROR_EXISTS,      /* something in the way that is not ours to remove */
  LC_TRACE_ERROR_BUSY,        /* the trace is being recorded at this moment */
  LC_TRACE_ERROR_FOREIGN,     /* another user's trace: it may be read, and is never changed */
} LcTraceError;

/* Stands for no process, object or operation. */
#define LC_TRACE_NONE G_MAXUINT32

/*
 * All times are less than this, in ns: some 73 years. A file with another time is damaged there. So two times can be
 * added or subtracted, and the result fits a gint64.
 */
#define LC_TIME_LIMIT (G_GINT64_CONSTANT (1) << 61)

typedef struct _LcTrace LcTrace;
typedef struct _LcTraceCursor LcTraceCursor;
typedef struct _LcAbsences LcAbsences;

/*
 * Operations have the numbers of trace-format.h. Operations that are not there (a user's own in text) have numbers from
 * LC_OPERATION_END on, and no class here: the rules know the class.
 */
typedef struct
{
  const char *name;
  const char *class_name; /* NULL: not known */
} LcTraceOperation;

/* Further bits of LcTraceEvent.flags, after those of enum lc_event_flags. */
typedef enum
{
  LC_TRACE_EVENT_SEQUENCE = 1 << 8, /* `sequence` is given */
  LC_TRACE_EVENT_VALUE = 1 << 9,    /* `value` is given */
  LC_TRACE_EVENT_BYTES = 1 << 10,   /* `bytes` is given */
  LC_TRACE_EVENT_BLIND = 1 << 11,   /* a receive or probe that would have taken a message from any partner */
} LcTraceEventFlags;

/* An event. Its ordinal is LcTraceBatch.first_ordinal + its index in the batch. */
typedef struct
{
  guint64 begin; /* ns, see lc_trace_get_first_tick */
  guint64 end;
  gint64 sequence;
  gint64 value;
  guint64 bytes;
  guint32 object; /* or LC_TRACE_NONE */
  guint32 peer;   /* the process at the other end of a message, or LC_TRACE_NONE */
  guint32 stack;  /* where the program called the operation, or LC_TRACE_NONE */
  guint32 detail; /* as in struct lc_event_sync */
  guint16 operation;
  guint16 cpu; /* or LC_CPU_UNKNOWN */
  guint16 flags;
} LcTraceEvent;

/* Whether an event of this operation with these flags is an attempt that would have failed if it had had to wait. */
static inline gboolean
lc_trace_is_tried (guint operation, guint flags)
{
  return (flags & LC_EVENT_TRIED) != 0 &&
         (operation == LC_LOCK || operation == LC_WAIT || operation == LC_READ_START || operation == LC_WRITE_START);
}

/* Whether an event of this operation with these flags is a system call that the program made without the C library. */
static inline gboolean
lc_trace_is_trapped (guint operation, guint flags)
{
  return (flags & LC_EVENT_TRAPPED) != 0 && operation >= LC_FUTEX_WAIT && operation <= LC_FUTEX_WAIT_FAILED;
}

/* A file of code. Modules with the same path and build-id are one, whichever address spaces they are in. */
typedef struct
{
  const char *path;
  const char *build_id; /* hexadecimal digits, or NULL */
} LcTraceModule;

/* A place in the code: an address in a module, or in text what it says itself. */
typedef struct
{
  guint32 module;       /* or LC_TRACE_NONE: `offset` is an address, or not known */
  guint64 offset;       /* in the addresses of the module's file; of a call: where it returns to */
  gboolean is_entry;    /* the first address of a function, not a call */
  const char *function; /* or NULL */
  const char *file;     /* or NULL */
  guint32 line;         /* 0: not known */
} LcTraceSite;

/* A site and what called its function. */
typedef struct
{
  guint32 site;
  guint32 parent;         /* a stack with a lower number, or LC_TRACE_NONE */
  enum lc_site_kind kind; /* without a parent: why */
} LcTraceStack;

typedef struct
{
  const LcTraceEvent *events; /* the cursor's, until its next call */
  gsize n_events;
  guint64 first_ordinal;
} LcTraceBatch;

typedef enum
{
  LC_ABSENCE_PREEMPTED, /* ready to go on */
  LC_ABSENCE_BLOCKED,
} LcAbsenceKind;

/* A time in which the kernel's scheduler had a process off every processor; ns as of events. A blocked one ends when
 * the process was woken or, where that was not recorded, when it ran again. */
typedef struct
{
  gint64 begin;
  gint64 end;
  LcAbsenceKind kind;
} LcAbsence;

/* The operation that a process had begun and not ended when its history ended: it was blocked in it, if it was
 * killed. */
typedef struct
{
  guint32 operation; /* LC_TRACE_NONE: nothing */
  guint32 object;
  gint64 sequence;
  gboolean has_sequence; /* FALSE: not decided yet */
  gboolean is_unlimited; /* it ends only when the process has what it waits for; FALSE: at some time, or not known */
  guint64 begin;
  guint32 stack; /* where the program called the operation, or LC_TRACE_NONE */
  guint16 cpu;
} LcTracePending;

/* Stands for a number that the kernel, or whoever asked it, did not tell. */
#define LC_TRACE_UNKNOWN G_MAXUINT64

/* What the kernel has counted of a process, from its begin on; each LC_TRACE_UNKNOWN if that is not known. */
typedef struct
{
  guint64 running;     /* ns on a processor */
  guint64 runnable;    /* ns ready, but without a processor */
  guint64 blocked;     /* ns */
  guint64 voluntary;   /* how often it left its processor to wait */
  guint64 involuntary; /* how often it had to leave it to others */
  gboolean is_own;     /* asked by the process itself, at its very end */
} LcTraceAccount;

#define LC_TRACE_NO_ACCOUNT \
  ((LcTraceAccount){LC_TRACE_UNKNOWN, LC_TRACE_UNKNOWN, LC_TRACE_UNKNOWN, LC_TRACE_UNKNOWN, LC_TRACE_UNKNOWN, FALSE})

typedef struct
{
  const char *name;       /* to show; unique among processes */
  const char *given_name; /* as recorded, perhaps "" */
  const char *host;       /* or NULL */
  const char *file;       /* its private history, relative to the trace */
  guint32 number;         /* its number in the trace's files; the index counts without gaps */
  guint32 pid;            /* 0: not known */
  guint32 thread;
  guint32 instance; /* number of its address space */
  guint32 parent;   /* index of the process that created it, or LC_TRACE_NONE */
  guint32 rank;     /* of its address space in MPI_COMM_WORLD, or LC_TRACE_NONE */
  guint32 start;    /* stack: the function that it began with, or LC_TRACE_NONE */
  enum lc_state state;
  LcTracePending pending;
  guint64 begin;        /* of its stream, or if that is in the gap that the trace begins with, the end of that; ns */
  guint64 ready;        /* of a rank: end of MPI_Init, ns; else 0 */
  guint64 end;          /* of its last event */
  gboolean is_followed; /* from its begin on, also before its first event */
  LcTraceAccount account;
  guint64 search; /* ns / 256: what the recorder took to look for an event's object, on average; 0: not known */
  guint64 bytes;  /* of its file */
  guint64 n_lost; /* the sum of `lost`, or the number that the stream says was discarded if larger */
  guint64 lost[LC_LOST_REASONS];
} LcTraceProcess;

/* Events that could not be kept, with those of processes that are not known. */
typedef struct
{
  guint64 n; /* the sum of `by_reason`, and events lost for reasons that this version does not know */
  guint64 by_reason[LC_LOST_REASONS];
  guint64 apart; /* events of `n` that no process here has counted: their stream could not be made or opened */
} LcTraceLost;

/* Why nothing was recorded for a time. */
typedef enum
{
  LC_GAP_RING,   /* older events were dropped, to keep the newest */
  LC_GAP_PAUSED, /* somebody had paused the recording */
  LC_GAP_DUMP,   /* the rest of the run came after the trace was written */
} LcGapReason;
#define LC_GAP_REASONS 3

#define LC_GAP_OPEN G_MAXUINT64 /* LcTraceGap.to: to the end of the run */

/*
 * A time in which nothing was recorded, on purpose: events that end in it are not in the trace. Sequence numbers went
 * on counting, so that what other events wait for may be missing: that is no problem of such a trace.
 */
typedef struct
{
  guint64 from; /* ns */
  guint64 to;   /* ns, or LC_GAP_OPEN */
  LcGapReason reason;
  guint64 events; /* how many events were dropped; 0: not known */
} LcTraceGap;

/*
 * Processes are in the order in which they began; but those of MPI ranks come first, by rank.
 *
 * The first objects of a binary trace are its processes, in their order: what the operations of class thread refer to.
 * Functions and regions of the same name (and, for functions, the same place in the same file) are one object,
 * whichever address space they are in; and so are those of MPI with the same class and name.
 */
typedef struct
{
  const char *name;       /* as recorded, or NULL. lc_trace_dup_object_name gives a name to show. */
  const char *class_name; /* NULL: not known */
  enum lc_class object_class;
  enum lc_kind kind;
  guint32 number;   /* among the objects of its class and name, from 1 on */
  guint32 instance; /* address space of its memory; LC_TRACE_NONE: shared by several, or not known */
  guint32 process;  /* process that the object stands for, or LC_TRACE_NONE */
  guint64 address;  /* 0: not known */
  guint64 value;    /* see struct lc_object_record */
  guint64 first;    /* when it was first seen, ns */
  guint32 stack;    /* where it was initialized or used first, or LC_TRACE_NONE */
  guint32 module;   /* that it is part of, as a static variable is, or LC_TRACE_NONE ... */
  guint64 offset;   /* ... and its place there, in the addresses of the module's file */
} LcTraceObject;

typedef enum
{
  LC_TRACE_NOTE,    /* odd, but nothing is missing */
  LC_TRACE_WARNING, /* something was repaired, or less is known */
  LC_TRACE_FAULT,   /* events are missing or wrong */
} LcTraceSeverity;

/* All problems of one kind in one file. */
typedef struct
{
  const char *name; /* of the kind: lower case, words joined with '-' */
  const char *description;
  LcTraceSeverity severity;
  const char *file;   /* relative to the trace */
  gboolean is_line;   /* `where` is a line, from 1 on; otherwise a byte offset */
  guint64 where;      /* place of the first time */
  const char *detail; /* more about the first time, or NULL */
  guint64 count;
} LcTraceProblem;

/* The prefix of a folder with one host's part in a trace of several hosts. Each part is a trace of its own. */
#define LC_PART_PREFIX "host-"

/* The file of a trace of several hosts that tells how far their clocks were apart, as merging found. */
#define LC_CLOCK_FILE "clock.ini"

/* The names of the parts, in order (numbers count as numbers); empty if there are none. Free with g_strfreev. */
char **lc_trace_list_parts (const char *path);

/* The files in a trace directory that any reader would read, relative to it, in order (numbers count as numbers).
 * Others may put files of their own beside them. Free with g_strfreev. */
char **lc_trace_list_files (const char *path);

/*
 * Opens the trace at `path`, a directory. NULL with LC_TRACE_ERROR, G_FILE_ERROR or G_IO_ERROR if it cannot be read;
 * the message begins with the file, and names the place in it.
 */
LcTrace *lc_trace_open (const char *path, GError **error);

/* All cursors must have been closed. */
void lc_trace_free (LcTrace *trace);

/* Unless stated otherwise, everything that the functions below return belongs to the trace and lives as long. */
const char *lc_trace_get_path (const LcTrace *trace);
const char *lc_trace_get_format (const LcTrace *trace); /* "ctf" or "text"; of several parts "text" if one of them is */

/* TRUE if the trace was made by other tools or by hand, so that its sequence numbers need not follow each other as the
 * recorder's do: what is missing can only be told after all that is there has been counted. */
gboolean lc_trace_is_counted (const LcTrace *trace);

/* The settings of trace.ini; empty if there is no such file. */
GKeyFile *lc_trace_get_settings (const LcTrace *trace);

/* The ticks per second of the clock that stamped the events. */
guint64 lc_trace_get_frequency (const LcTrace *trace);

/* Time 0 in ns of the Unix epoch; 0: not known. */
gint64 lc_trace_get_start (const LcTrace *trace);

/* What the clock of the recording says at time 0: when the run began or, of a trace of the newest events only, when the
 * recording did. 0: it has no clock, or several. */
guint64 lc_trace_get_first_tick (const LcTrace *trace);

/* From when on the run is counted, in ns: when the first rank was ready, if there is
 * one, else when the program's own first instruction ran, if that is known; and not before the end of a gap that the
 * trace begins with. */
guint64 lc_trace_get_ready (const LcTrace *trace);

/* Until when, in ns, a recording that goes on has been read; 0: it has ended. What is pending, is so at that time. */
guint64 lc_trace_get_until (const LcTrace *trace);

/* Gives the number of lost events, as the recorder counted them. */
void lc_trace_get_lost (const LcTrace *trace, LcTraceLost *lost);

/* In order of time; they do not overlap. Of several parts: those of all, and what one of them has not got at the begin
 * or at the end is not there of the others either. */
const LcTraceGap *lc_trace_get_gaps (const LcTrace *trace, gsize *n_gaps);

/* Where the gap ends that the trace begins with; 0: there is none. */
guint64 lc_trace_get_kept_from (const LcTrace *trace);

/* From when on the process is followed: no later than its first event, which begins at `begin`. */
guint64 lc_trace_get_followed (const LcTrace *trace, guint32 process, guint64 begin);

guint32 lc_trace_get_n_processes (const LcTrace *trace);
const LcTraceProcess *lc_trace_get_process (const LcTrace *trace, guint32 process);

/*
 * How many events the stream of a process says it has: quick, as it reads at most one packet. In a damaged stream,
 * reading them can give another number.
 */
guint64 lc_trace_count_events (const LcTrace *trace, guint32 process);

/* The number of operation numbers: they run from 0 to before it, with gaps. */
guint32 lc_trace_get_n_operations (const LcTrace *trace);
const LcTraceOperation *lc_trace_get_operation (const LcTrace *trace, guint32 operation); /* NULL: a gap */

guint32 lc_trace_get_n_objects (const LcTrace *trace);
void lc_trace_get_object (const LcTrace *trace, guint32 object, LcTraceObject *result);

/* Modules, sites and stacks by number, from 0 on. */
guint32 lc_trace_get_n_modules (const LcTrace *trace);
const LcTraceModule *lc_trace_get_module (const LcTrace *trace, guint32 module);
guint32 lc_trace_get_n_sites (const LcTrace *trace);
const LcTraceSite *lc_trace_get_site (const LcTrace *trace, guint32 site);
guint32 lc_trace_get_n_stacks (const LcTrace *trace);
const LcTraceStack *lc_trace_get_stack (const LcTrace *trace, guint32 stack);

/* A short name that no other object of its class has: its own ("queue"), numbered ("queue 2", "mutex 3") where needed.
 */
char *lc_trace_dup_object_name (const LcTrace *trace, guint32 object);

/*
 * Gives processes and objects other names than the files do: by what is known of the program. `processes` and `objects`
 * have one for each, or NULL where the name stays; both are copied. Objects of the same class and name are numbered,
 * in their order or in `order` of all objects, and those that stand for processes have their names. Nobody else may use
 * the trace meanwhile.
 */
void lc_trace_set_names (LcTrace *trace, const char *const *processes, const char *const *objects,
                         const guint32 *order);

/*
 * Copies the list of known problems, sorted by file and place; elements are LcTraceProblem. Problems of events are
 * known only after the events have been read; reading them again does not count them twice.
 */
GArray *lc_trace_list_problems (LcTrace *trace);

/* Opens a cursor at the first event of the process. */
LcTraceCursor *lc_trace_cursor_open (LcTrace *trace, guint32 process);
void lc_trace_cursor_close (LcTraceCursor *cursor);

/* Gives the next events, at least one, in `batch`; FALSE at the end. After damage, events go on until the end of the
 * file. */
gboolean lc_trace_cursor_next (LcTraceCursor *cursor, LcTraceBatch *batch);

/*
 * Reads a whole file (a profile, a file of rules or settings) of at most `limit` bytes: only a regular one, which a
 * link may lead to. A zero byte follows; free with g_free.
 */
gboolean lc_trace_read_file (const char *path, gsize limit, char **text, gsize *length, GError **error);

/* The number of bytes read so far, of LcTraceProcess.bytes. */
guint64 lc_trace_cursor_tell (const LcTraceCursor *cursor);

/*
 * Opens the absences of a process from its processors. NULL without an error: the switches of this process were not
 * recorded. An absence may lie within an event, overlap several, or none.
 */
LcAbsences *lc_trace_open_absences (LcTrace *trace, guint process, GError **error);

/* Gives the next absences, at most `room`: sorted, none of them empty, and none overlapping another. 0 at the end, -1
 * for an error. */
gssize lc_absences_next (LcAbsences *absences, LcAbsence *next, gsize room, GError **error);

void lc_absences_close (LcAbsences *absences);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTrace, lc_trace_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcAbsences, lc_absences_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTraceCursor, lc_trace_cursor_close)

G_END_DECLS

#endif
