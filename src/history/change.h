/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a history that is there: in one transaction, and only if it is still the same file. */
#ifndef LC_HISTORY_CHANGE_H
#define LC_HISTORY_CHANGE_H

#include <sys/stat.h>

#include "database.h"

/* What is done to it. */
typedef gboolean (*LcChange) (LcDatabase *database, gpointer data, GError **error);

/* A merge puts another file into its place: LC_HISTORY_ERROR_OLD. */
gboolean lc_change_check_file (const char *path, const struct stat *file, GError **error);

/* `aside`: another database, which is there under the name "made"; or NULL. FALSE also with G_IO_ERROR_BUSY. */
gboolean lc_change_history (const char *path, const struct stat *file, const char *aside, LcChange change,
                            gpointer data, GError **error);

#endif
