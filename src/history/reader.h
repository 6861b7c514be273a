/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the queries of a history: its small tables, its pool of connections, and their functions. */
#ifndef LC_HISTORY_READER_H
#define LC_HISTORY_READER_H

#include "cache.h"
#include "holding.h"
#include "postings.h"
#include "store.h"

/* A rule with the numbers of its operations; LC_TRACE_NONE: the trace has no operation of this name. */
typedef struct
{
  LcHistoryRule rule;
  guint32 from;
  guint32 to;
  int step;
} LcReaderRule;

typedef enum
{
  LC_QUERY_BLOCK,
  LC_QUERY_DIRECTORY,
  LC_QUERY_SHAPES,
  LC_QUERY_CHUNKS,
  LC_QUERY_POSTING,
  LC_QUERY_RUN,
  LC_QUERY_LAST_RUN,
  LC_QUERY_ORIGIN,
  LC_QUERY_ORIGIN_RUN,
  LC_QUERY_ORIGIN_LAST_RUN,
  LC_QUERY_LONGEST,
  LC_QUERY_LOWEST,
  LC_QUERY_TIMELINE,
  LC_QUERY_TIMELINES,
  LC_QUERY_OBJECT,
  LC_QUERY_PROBLEMS,
  LC_QUERY_CHANGES,
  LC_N_QUERIES
} LcQuery;

/* A snapshot borrows all that stays as it was read from the history that it is of (history_borrow). */
struct _LcHistory
{
  LcHistory *of; /* a snapshot: the history that it is of, with the pool; else NULL */
  gint refs;     /* one of its own, and one of each snapshot */
  char *path;
  LcDatabase *borrowed; /* NULL, or the database of somebody else, with neither file nor pool */
  LcHistoryFile *file;  /* the file that is read */
  gboolean stays;       /* lc_history_stay */
  guint64 generation;   /* the cache's generation when that file was opened */
  struct stat refused;  /* another file at our path that was refused */
  char *run;            /* lc_history_dup_run */
  GStringChunk *texts;
  GArray *processes;  /* LcHistoryProcess */
  GArray *operations; /* LcHistoryOperation; a gap has no name */
  GArray *rules;      /* LcReaderRule */
  GHashTable *meta;   /* char *: char * */
  LcHoldingPairs *pairs;
  gint8 *changes; /* by operation: lc_history_holding_change */
  guint32 n_objects;
  guint32 n_stacks; /* that the file should have */
  GArray *sites;    /* LcHistorySite; this and the next are read when they are first asked for */
  GArray *stacks;   /* LcHistoryStack */
  GStringChunk *place_texts;
  gsize has_places;     /* they were read */
  GError *places_error; /* why they could not be, or NULL */
  guint64 n_events;
  guint64 n_arcs;
  guint64 n_layers;
  guint64 begin;
  guint64 end;
  GArray *gaps;      /* LcTraceGap */
  guint64 until;     /* when a recording that went on was read; 0: it had ended */
  guint64 kept_from; /* where the one ends that it begins with; 0: there is none */
  LcCache *cache;
  GMutex lock;                 /* protects the file, whether it stays, the pool, and what was asked */
  GPtrArray *idle;             /* LcConnection: the pool */
  LcConnection *only;          /* the connection of a borrowed database */
  guint n_taken;               /* how often `only` is taken now */
  guint64 asked[LC_N_QUERIES]; /* by connections that have been given back; of a snapshot its own */
};

/* The history that a snapshot is of, or the history itself. */
static inline LcHistory *
lc_history_get_owner (LcHistory *history)
{
  return history->of != NULL ? history->of : history;
}

/* How often a query was run, by connections that have been given back. A snapshot has its own count. */
guint64 lc_history_count_asked (LcHistory *history, LcQuery query);

/* Reads the small tables of a new history. */
gboolean lc_history_read_tables (LcHistory *history, LcDatabase *database, GError **error);

/* Sets an error "PATH: damaged: ...". */
void lc_history_set_damaged (const LcHistory *history, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Propagates the error, as damage if the statement needs a table or column that is missing. Takes `own`. */
void lc_history_propagate_missing (const LcHistory *history, GError **error, GError *own);

void lc_history_close_connections (LcHistory *history);

/* Closes those idle connections that read another file than the history. The lock must be held. */
void lc_history_close_stale (LcHistory *history);

/* Goes on to the file that is at the path now, if it is the same history. The lock must be held. Connections in use go
 * on reading the file that they began with. */
void lc_history_follow_path (LcHistory *history);

gboolean lc_history_check_process (const LcHistory *history, guint32 process, GError **error);

/* Returns the operation of this name, or LC_TRACE_NONE. */
guint32 lc_history_find_operation (const LcHistory *history, const char *name);

/* Returns a statement that is prepared once; reset it when its rows have been used. NULL: an error. */
LcStatement *lc_connection_prepare (LcConnection *connection, LcQuery query, GError **error);

LcHistory *lc_connection_get_history (LcConnection *connection);

/* A held block stays valid, whatever else is read. */
void lc_connection_hold_block (LcConnection *connection, const LcBlock *block);
void lc_connection_release_block (LcConnection *connection, const LcBlock *block);

/* Frees blocks beyond LC_CONNECTION_BLOCKS that are not held, after many were held. */
void lc_connection_trim_blocks (LcConnection *connection);

/* Reads the buckets from `first` on of one of the process's levels; buckets that were not written are zero. */
gboolean lc_connection_get_buckets (LcConnection *connection, guint32 timeline, LcAxis axis, guint32 process,
                                    guint level, guint64 first, gsize n_buckets, LcSummaryBucket *buckets,
                                    GError **error);

/* Called with the postings of one block that have the key (`sequence` NULL: any). FALSE, perhaps without an error,
 * stops. */
typedef gboolean (*LcVisitPostings) (LcConnection *connection, const GArray *postings, gpointer data, GError **error);
gboolean lc_connection_visit_postings (LcConnection *connection, guint32 timeline, guint32 object,
                                       const gint64 *sequence, LcVisitPostings visit, gpointer data,
                                       GCancellable *cancellable, GError **error);

/* Appends the arcs of some events of a block to an array of LcHistoryArcEnd. */
void lc_block_append_arc_ends (const LcBlock *block, guint32 first, guint32 n_events, GArray *ends);

/* Checks that a process has an event, and reads an event that it has. */
#define LC_EVENT_COLUMNS (LC_COLUMN_ALL & ~(guint)LC_COLUMN_HELD)
gboolean lc_connection_check_event (LcConnection *connection, guint32 timeline, guint32 process, guint64 ordinal,
                                    GError **error);
gboolean lc_connection_get_event (LcConnection *connection, guint32 timeline, guint32 process, guint64 ordinal,
                                  LcHistoryEvent *event, GError **error);

/* Returns the objects held at the begin of a block that has LC_COLUMN_HELD, as a new array of LcHold; since when, only
 * if it is wanted. */
GArray *lc_connection_list_holds (LcConnection *connection, guint32 timeline, const LcBlock *block, gboolean since,
                                  GError **error);

/* What of a block does not depend on its times: whether the process held anything before each event (`before`) and
 * during it (`inside`), and whether the event was outside (LC_HISTORY_EVENT_OUTSIDE). A bit for each event. */
typedef struct
{
  guint64 before[LC_BLOCK_EVENTS / 64];
  guint64 inside[LC_BLOCK_EVENTS / 64];
  guint64 outside[LC_BLOCK_EVENTS / 64];
} LcBlockHolding;

static inline gboolean
lc_block_holding_has (const guint64 *bits, guint32 i)
{
  return bits[i / 64] >> i % 64 & 1;
}

/* Follows what is held through a block, once: the result is kept in the cache, so that whoever comes back to the block
 * decodes no more than its times. */
gboolean lc_connection_get_holding (LcConnection *connection, guint32 timeline, guint32 process, guint number,
                                    LcBlockHolding *holding, GError **error);

/* Computes buckets of a level of the window's axis from the process's events. The buckets must be zero before. */
gboolean lc_connection_fill_buckets (LcConnection *connection, const LcWindow *window, guint32 process, guint level,
                                     guint64 first, gsize n_buckets, LcSummaryBucket *buckets,
                                     GCancellable *cancellable, GError **error);

/* --- Windows (touching.c) ------------------------------------------------------------------------------------ */

/* Checks that the window's timeline and processes exist. */
gboolean lc_window_check (LcConnection *connection, const LcWindow *window, GError **error);
guint32 lc_window_n_processes (const LcHistory *history, const LcWindow *window);
guint32 lc_window_get_process (const LcWindow *window, guint32 i);

/* Returns the directory with the places of blocks on an axis. Layers are those of the base. */
const LcDirectory *lc_connection_get_axis (LcConnection *connection, guint32 timeline, LcAxis axis, guint32 process,
                                           GError **error);

gboolean lc_connection_check_timeline (LcConnection *connection, guint32 timeline, GError **error);

/* Estimates from the directory of a process what touches a window. */
typedef struct
{
  guint32 process;
  guint first_block; /* the first block that touches it */
  guint n_blocks;    /* how many blocks touch it */
  guint64 certain;   /* events that surely touch it */
  guint64 possible;  /* events that may touch it */
  double likely;
} LcTouching;

gboolean lc_connection_estimate (LcConnection *connection, const LcWindow *window, guint32 process,
                                 LcTouching *touching, GError **error);

/* Finds the events of a block that touch a window: `first` to `last` - 1. */
void lc_block_find_touching (const LcBlock *block, const LcWindow *window, guint32 *first, guint32 *last);

/* The summary of a window. The argument `rows` below has what the directories say of each of its processes. */
typedef struct
{
  LcSummary summary;
  LcSummaryRow *rows;
  LcSummaryBucket *buckets;
  guint64 certain; /* events that surely touch the window */
} LcSummaryOwner;

gboolean lc_connection_summarize (LcConnection *connection, const LcWindow *window, const GArray *rows, gsize limit,
                                  guint64 resolution, LcSummaryOwner *owner, GCancellable *cancellable, GError **error);
/* Visits the same, one process after the other. */
gboolean lc_connection_visit_summary (LcConnection *connection, const LcWindow *window, const GArray *rows,
                                      guint64 resolution, LcVisitSummary visit, gpointer data,
                                      GCancellable *cancellable, GError **error);
/* Finds the level that such a summary has, without reading it. */
gboolean lc_connection_find_level (LcConnection *connection, const LcWindow *window, const GArray *rows, gsize limit,
                                   guint64 resolution, guint *level, GError **error);
void lc_summary_owner_clear (LcSummaryOwner *owner);

/* Makes an arc from its stored form; looks up the time of its begin, as the caller knows its end. */
gboolean lc_connection_make_arc (LcConnection *connection, guint32 timeline, const LcHistoryEvent *to,
                                 const LcBlockArc *from, LcHistoryArc *arc, GError **error);

#endif
