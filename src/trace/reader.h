/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader of one format is, and what an open trace holds whatever its format. */
#ifndef LC_TRACE_READER_H
#define LC_TRACE_READER_H

#include "folder.h"
#include "objects.h"
#include "problems.h"
#include "timescale.h"

/*
 * Events in a batch at most, so that those of some dozen processes are still in the processor's cache when they are
 * swept; and in the batches of all processes together unless that were too few for each.
 */
#define LC_TRACE_BATCH 128
#define LC_TRACE_BATCHES (1 << 19)
#define LC_TRACE_LEAST_BATCH 64

/*
 * A format. `open` fills the trace's processes, operations, objects and clock, and `data`; on failure it sets an error
 * and what it filled is freed as after a success. Readers are asked in order, and the first whose probe is TRUE opens.
 */
typedef struct
{
  const char *name;
  gboolean (*probe) (LcFolder *folder);
  gboolean (*open) (LcTrace *trace, GError **error);
  void (*close) (LcTrace *trace); /* frees `data`, if it is not NULL */
  guint64 (*count_events) (const LcTrace *trace, guint32 process);
  LcTraceCursor *(*cursor_open) (LcTrace *trace, guint32 process);
  gboolean (*cursor_next) (LcTraceCursor *cursor, LcTraceBatch *batch);
  void (*cursor_close) (LcTraceCursor *cursor);
  GArray *(*list_problems) (LcTrace *trace); /* NULL: those of the trace */
  void (*count_lost) (LcTrace *trace);       /* NULL: lc_trace_count_lost */
} LcTraceReader;

extern const LcTraceReader lc_trace_reader_ctf;
extern const LcTraceReader lc_trace_reader_text;
extern const LcTraceReader lc_trace_reader_parts;

struct _LcTrace
{
  const LcTraceReader *reader;
  const char *format; /* the reader's name; of parts, that of their readers */
  char *path;
  LcFolder *folder;
  GKeyFile *settings;
  guint64 frequency;
  gint64 start; /* ns of the Unix epoch; 0: not known */
  LcTimescale timescale;
  GArray *processes;  /* LcTraceProcess */
  guint32 n_peers;    /* as many processes there are to send to and receive from: those of other parts too */
  GArray *operations; /* LcTraceOperation; name NULL: a gap */
  LcObjects *objects;
  LcProblems *problems;
  LcTraceLost lost;
  GStringChunk *strings; /* all names */
  gpointer data;         /* the reader's */
};

/* What every cursor begins with. */
struct _LcTraceCursor
{
  LcTrace *trace;
  guint32 process;
  guint64 position;     /* in bytes of the process's file */
  guint64 ordinal;      /* of the next event */
  LcTraceEvent *events; /* a batch is what lies here */
  gsize room;           /* for so many */
};

/* As lc_trace_open does. */
LcTrace *lc_trace_open_folder (LcFolder *folder, GError **error);

/* The names of the parts, as lc_trace_list_parts gives them. */
char **lc_trace_list_folder_parts (const LcFolder *folder);

/* For the readers' cursor_open and cursor_close; `size` is that of the reader's own struct. */
LcTraceCursor *lc_trace_cursor_new (LcTrace *trace, guint32 process, gsize size);
void lc_trace_cursor_free (LcTraceCursor *cursor);

/* Gives every process a name of its own from given_name, rank and number; the settings must have been read. */
void lc_trace_name_processes (LcTrace *trace);

/* When all else has been filled: what its processes, its settings or its open control block say that was lost. */
void lc_trace_count_lost (LcTrace *trace);

/* A copy of a name that may hold any bytes, as valid UTF-8 that lives as long as the trace; `length` -1: to its end. */
const char *lc_trace_keep_string (LcTrace *trace, const char *bytes, gssize length);

#endif
