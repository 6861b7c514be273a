/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of a reader of one format, and the content of an open trace. */
#ifndef LC_TRACE_READER_H
#define LC_TRACE_READER_H

#include "folder.h"
#include "gaps.h"
#include "objects.h"
#include "problems.h"
#include "sites.h"
#include "timescale.h"

/*
 * Largest number of events in a batch, so that the batches of some dozen processes stay in the processor's cache; the
 * limit for the batches of all processes together; and the least size of a batch in spite of that limit.
 */
#define LC_TRACE_BATCH 128
#define LC_TRACE_BATCHES (1 << 19)
#define LC_TRACE_LEAST_BATCH 64

/*
 * A format. `open` fills in the trace's processes, operations, objects and clock, and `data`; if it fails it sets an
 * error, and what it has filled in is freed as after a success. The first reader whose probe returns TRUE opens the
 * trace.
 */
typedef struct
{
  const char *name;
  const char *sign;         /* what of it is in a trace's folder, for who is told that a folder is no trace */
  const char *const *files; /* patterns of the names of its files, relative to the folder; ends with NULL */

  /* The traces are made by other tools or by hand. Their sequence numbers need not follow each other as the recorder's
   * do, so the sweep has to count what there is of each before it can tell what is missing. */
  gboolean is_counted;

  /* Names of objects and numbers of processes are those of the whole, if the trace is the part of one host. */
  gboolean is_global;

  gboolean (*probe) (LcFolder *folder);
  gboolean (*open) (LcTrace *trace, GError **error);
  void (*close) (LcTrace *trace); /* frees `data` unless it is NULL */
  guint64 (*count_events) (const LcTrace *trace, guint32 process);
  LcTraceCursor *(*cursor_open) (LcTrace *trace, guint32 process);
  gboolean (*cursor_next) (LcTraceCursor *cursor, LcTraceBatch *batch);
  void (*cursor_close) (LcTraceCursor *cursor);

  /* As lc_trace_open_absences and so on; NULL: the format has none. What is out of order, empty, or not within what
   * was kept, is left out by the callers of these. */
  LcAbsences *(*absences_open) (LcTrace *trace, guint32 process, GError **error);
  gssize (*absences_next) (LcAbsences *absences, LcAbsence *next, gsize room, GError **error);
  void (*absences_close) (LcAbsences *absences);

  GArray *(*list_problems) (LcTrace *trace); /* NULL: the problems of the trace itself */
  void (*count_lost) (LcTrace *trace);       /* NULL: lc_trace_count_lost is called */
  void (*keep_within) (LcTrace *trace);      /* leave out what is not within kept_from and kept_to; NULL: nothing is */
} LcTraceReader;

/* Adds a format, for which those before it are asked first. Only before a trace is opened. */
void lc_trace_add_reader (const LcTraceReader *reader);

extern const LcTraceReader lc_trace_reader_ctf;
extern const LcTraceReader lc_trace_reader_text;
extern const LcTraceReader lc_trace_reader_parts;

struct _LcTrace
{
  const LcTraceReader *reader;
  const LcTraceReader *format; /* the reader; for parts, that of one of them */
  char *path;
  LcFolder *folder;
  GKeyFile *settings;
  guint64 frequency;
  gboolean is_part; /* of several that are read as one, by the clock of its own recording */
  gint64 start;     /* ns of the Unix epoch at time 0; 0: not known */
  guint64 until;    /* ns: when a recording that goes on was read; 0: it has ended */
  guint64 origin;   /* of a part: from when on there is anything, in its time */
  LcTimescale timescale;
  GArray *processes;  /* LcTraceProcess */
  guint32 n_peers;    /* number of processes to send to and receive from, including those of other parts */
  GArray *operations; /* LcTraceOperation; name NULL: a gap */
  LcObjects *objects;
  LcSites *sites;
  LcProblems *problems;
  LcTraceLost lost;
  GArray *gaps;               /* LcTraceGap */
  guint64 kept_from, kept_to; /* events that end before or after are not given; 0 and LC_GAP_OPEN: all are */
  GStringChunk *strings;      /* owns all names */
  gpointer data;              /* belongs to the reader */
};

/* The fields that all cursors begin with. */
struct _LcTraceCursor
{
  LcTrace *trace;
  guint32 process;
  guint64 position;     /* bytes of the process's file */
  guint64 ordinal;      /* of the next event */
  LcTraceEvent *events; /* memory of the current batch */
  gsize room;           /* size of `events` */
};

/* The fields that the absences of all readers begin with. */
struct _LcAbsences
{
  LcTrace *trace;
  guint32 process;
  gint64 last; /* end of the last one that was given */
};

/*
 * Opens a trace as lc_trace_open does. The times of a part count from the start of its own recording, where those of
 * others that were recorded count from the begin of the run.
 */
LcTrace *lc_trace_open_folder (LcFolder *folder, gboolean is_part, GError **error);

/* Returns the names of the parts as lc_trace_list_parts does. */
char **lc_trace_list_folder_parts (const LcFolder *folder);

/* For the cursor_open and cursor_close of readers; `size` is that of the reader's own struct. */
LcTraceCursor *lc_trace_cursor_new (LcTrace *trace, guint32 process, gsize size);
void lc_trace_cursor_free (LcTraceCursor *cursor);

/*
 * After how many ns from its start the recording had certainly ended, by the settings: what is later is damage.
 * G_MAXUINT64: they do not say; nobody closed the recording, or it goes on.
 */
guint64 lc_trace_find_recorded_end (const LcTrace *trace);

/* Names every process from its given_name, rank and number; the settings must have been read. */
void lc_trace_name_processes (LcTrace *trace);

/* The names that the processes would have if `functions` were what they run: of those that have no name of their own,
 * and where it is not NULL. Where `given` is not NULL, it is the name instead. Both may be NULL. Strings
 * to free, by process. */
GPtrArray *lc_trace_make_process_names (const LcTrace *trace, const char *const *functions, const char *const *given);

/* Counts the losses from processes, settings or the open control block, after everything else has been filled in. */
void lc_trace_count_lost (LcTrace *trace);

/* Returns a copy of a name of any bytes as valid UTF-8, which lives as long as the trace; `length` -1: up to the zero
 * byte. */
const char *lc_trace_keep_string (LcTrace *trace, const char *bytes, gssize length);

#endif
