/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of a history share: connections, directories of blocks, decoded blocks. */
#ifndef LC_HISTORY_STORE_H
#define LC_HISTORY_STORE_H

#include "database.h"
#include "directory.h"
#include "history-file.h"
#include "lightcone/history.h"
#include "pyramid.h"

/* PRAGMA user_version and application_id of a history file. */
#define LC_HISTORY_VERSION 5
#define LC_HISTORY_APPLICATION 0x4c434831 /* "LCH1" */

/* Of many tables the key says which timeline a row belongs to; within it, rows are counted. */
#define LC_TIMELINE_SHIFT 55
#define LC_TIMELINES 256

static inline gint64
lc_timeline_key (guint32 timeline, guint64 row)
{
  return (gint64)((guint64)timeline << LC_TIMELINE_SHIFT | row);
}

/*
 * A history over an open database that belongs to somebody else, as an extension of SQLite has it: it is used from the
 * thread that uses the database, and is to be freed before it is closed.
 */
LcHistory *lc_history_new_for_database (LcDatabase *database, GError **error);

/* It reads this file, and one that others put into its place when they have added to it. */
LcHistory *lc_history_open_file (LcHistoryFile *file, GError **error);

/* A connection of the pool, for one thread until it is given back. With statements that are prepared once. */
typedef struct _LcConnection LcConnection;
LcConnection *lc_history_take_connection (LcHistory *history, GError **error);
void lc_history_give_connection (LcHistory *history, LcConnection *connection);
LcDatabase *lc_connection_get_database (LcConnection *connection);

/*
 * The timeline that a timeline has all from but what is its own: its events, their order and their arcs. It is the
 * measured one, or itself. FALSE: an error, as LC_HISTORY_ERROR_UNKNOWN.
 */
gboolean lc_connection_get_base (LcConnection *connection, guint32 timeline, guint32 *base, GError **error);

/* How many events a process has on a timeline. */
gboolean lc_connection_count_events (LcConnection *connection, guint32 timeline, guint32 process, guint64 *events,
                                     GError **error);

/* Borrowed from the history, until the connection is given back or has given out 16 others: NULL with
 * LC_HISTORY_ERROR_DAMAGED or _UNKNOWN (no such timeline). */
const LcDirectory *lc_connection_get_directory (LcConnection *connection, guint32 timeline, guint32 process,
                                                GError **error);

/*
 * Block `number` of a process with at least these columns, borrowed until the connection's next call or until it has
 * given out LC_CONNECTION_BLOCKS others. Times are those of the timeline.
 */
#define LC_CONNECTION_BLOCKS 16
const LcBlock *lc_connection_get_block (LcConnection *connection, guint32 timeline, guint32 process, guint64 number,
                                        LcColumns columns, GError **error);

/* Up to `limit` events with this key, as LcPosting appended to an array; sequence NULL: with any. */
gboolean lc_connection_find_postings (LcConnection *connection, guint32 timeline, guint32 object,
                                      const gint64 *sequence, gsize limit, GCancellable *cancellable, GArray *postings,
                                      GError **error);

gboolean lc_connection_get_shape (LcConnection *connection, guint32 timeline, guint32 process, LcPyramidShape *shape,
                                  GError **error);

/* Which pairs of operations hold an object of a class: for an operation, +1 it begins to hold at its end, -1 at its
 * begin it ends to hold, 0 neither. */
int lc_history_holding_change (const LcHistory *history, guint32 operation);

#endif
