/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of a history share: connections, directories of blocks, decoded blocks. */
#ifndef LC_HISTORY_STORE_H
#define LC_HISTORY_STORE_H

#include "database.h"
#include "directory.h"
#include "lightcone/history.h"
#include "pyramid.h"

/* PRAGMA user_version and application_id of a history file. */
#define LC_HISTORY_VERSION 1
#define LC_HISTORY_APPLICATION 0x4c434831 /* "LCH1" */

/*
 * A history over an open database that belongs to somebody else, as an extension of SQLite has it: it is used from the
 * thread that uses the database, and is to be freed before it is closed.
 */
LcHistory *lc_history_new_for_database (LcDatabase *database, GError **error);

/* A connection of the pool, for one thread until it is given back. With statements that are prepared once. */
typedef struct _LcConnection LcConnection;
LcConnection *lc_history_take_connection (LcHistory *history, GError **error);
void lc_history_give_connection (LcHistory *history, LcConnection *connection);
LcDatabase *lc_connection_get_database (LcConnection *connection);

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
gboolean lc_connection_find_postings (LcConnection *connection, guint32 object, const gint64 *sequence, gsize limit,
                                      GCancellable *cancellable, GArray *postings, GError **error);

gboolean lc_connection_get_shape (LcConnection *connection, guint32 timeline, guint32 process, LcPyramidShape *shape,
                                  GError **error);

/* Which pairs of operations hold an object of a class: for an operation, +1 it begins to hold at its end, -1 at its
 * begin it ends to hold, 0 neither. */
int lc_history_holding_change (const LcHistory *history, guint32 operation);

#endif
