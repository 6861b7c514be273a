/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the readers of a history: connections, directories of blocks, decoded blocks. */
#ifndef LC_HISTORY_STORE_H
#define LC_HISTORY_STORE_H

#include "database.h"
#include "directory.h"
#include "history-file.h"
#include "lightcone/history.h"
#include "pyramid.h"

/* PRAGMA user_version and application_id of a history file. */
#define LC_HISTORY_VERSION 14
#define LC_HISTORY_APPLICATION 0x4c434831 /* "LCH1" */

/* The upper bits of many tables' keys are the timeline; the rest counts its rows. */
#define LC_TIMELINE_SHIFT 55
#define LC_TIMELINES 256

static inline gint64
lc_timeline_key (guint32 timeline, guint64 row)
{
  return (gint64)((guint64)timeline << LC_TIMELINE_SHIFT | row);
}

/* Opens a history over a database that belongs to somebody else, as an extension of SQLite does. Use the history only
 * in the thread that uses the database, and free it before the database is closed. */
LcHistory *lc_history_new_for_database (LcDatabase *database, GError **error);

/* Opens a history in this file; it follows later files that others put into the file's place when they add to it. */
LcHistory *lc_history_open_file (LcHistoryFile *file, GError **error);

/* A connection of the pool, with its prepared statements, for one thread until it is given back. */
typedef struct _LcConnection LcConnection;
LcConnection *lc_history_take_connection (LcHistory *history, GError **error);
void lc_connection_give (LcConnection *connection);
LcDatabase *lc_connection_get_database (LcConnection *connection);

/* Sets `base` to the timeline from which a timeline has its events, their order and arcs: the measured timeline, or
 * itself. FALSE: an error, such as LC_HISTORY_ERROR_UNKNOWN. */
gboolean lc_connection_get_base (LcConnection *connection, guint32 timeline, guint32 *base, GError **error);

/* Counts the events of a process on a timeline. */
gboolean lc_connection_count_events (LcConnection *connection, guint32 timeline, guint32 process, guint64 *events,
                                     GError **error);

/* Returns a directory of the cache, valid until the connection is given back or has returned 16 others. NULL with
 * LC_HISTORY_ERROR_DAMAGED or _UNKNOWN (no such timeline). */
const LcDirectory *lc_connection_get_directory (LcConnection *connection, guint32 timeline, guint32 process,
                                                GError **error);

/* Returns block `number` of a process with at least these columns, valid until the connection's next call or until it
 * has returned LC_CONNECTION_BLOCKS others. Times are those of the timeline. */
#define LC_CONNECTION_BLOCKS 16
const LcBlock *lc_connection_get_block (LcConnection *connection, guint32 timeline, guint32 process, guint64 number,
                                        LcColumns columns, GError **error);

/* Appends up to `limit` events with this key to an array, as LcPosting; sequence NULL: with any. */
gboolean lc_connection_find_postings (LcConnection *connection, guint32 timeline, guint32 object,
                                      const gint64 *sequence, gsize limit, GCancellable *cancellable, GArray *postings,
                                      GError **error);

gboolean lc_connection_get_shape (LcConnection *connection, guint32 timeline, guint32 process, LcPyramidShape *shape,
                                  GError **error);

/* Returns what the operation does to a hold: +1: begins it at the event's end; -1: ends it at the event's begin; 0:
 * neither. */
int lc_history_holding_change (const LcHistory *history, guint32 operation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcConnection, lc_connection_give)

#endif
