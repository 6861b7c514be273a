/* SPDX-License-Identifier: Apache-2.0 */
/* Changes an existing history: the change is made in a copy, which takes its place when it is complete. */
#ifndef LC_HISTORY_CHANGE_H
#define LC_HISTORY_CHANGE_H

#include "database.h"
#include "lightcone/history.h"

/* Carries out the change in `database`, the copy. */
typedef gboolean (*LcChange) (LcDatabase *database, gpointer data, GError **error);

/*
 * Changes the file that the history's path names now, provided that it is a history of the same run as ours: another
 * program may have added to it, or made it again from the same trace. `made` is the descriptor of another database,
 * which is attached under the name "made", or -1. Waits up to `patience` microseconds for others who change it. FALSE
 * also with G_IO_ERROR_BUSY, and with LC_HISTORY_ERROR_OLD if the path names no history, or one of another run.
 */
gboolean lc_change_history (LcHistory *history, int made, gint64 patience, LcChange change, gpointer data,
                            GError **error);

#endif
