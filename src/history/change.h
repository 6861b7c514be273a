/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a history that is there: in a copy, which takes its place when the change is complete. */
#ifndef LC_HISTORY_CHANGE_H
#define LC_HISTORY_CHANGE_H

#include "database.h"
#include "lightcone/history.h"

/* What is done to it. */
typedef gboolean (*LcChange) (LcDatabase *database, gpointer data, GError **error);

/*
 * Changes the file that the history's path names now, if that is a history of the same run as ours: another program may
 * have added to it, or made it again of the same trace. `made`: the descriptor of another database, which is there
 * under the name "made"; or -1. Waits so many microseconds for others who are at it. FALSE also with G_IO_ERROR_BUSY,
 * and with LC_HISTORY_ERROR_OLD when there is a history of something else, or none.
 */
gboolean lc_change_history (LcHistory *history, int made, gint64 patience, LcChange change, gpointer data,
                            GError **error);

#endif
