/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a history: opened once, and held by its descriptor, whatever its path names later. */
#ifndef LC_HISTORY_HISTORY_FILE_H
#define LC_HISTORY_HISTORY_FILE_H

#include <gio/gio.h>
#include <sys/stat.h>

typedef struct
{
  char *path;
  int fd;
  struct stat status; /* when it was opened */
} LcHistoryFile;

/* Only a regular file, and no link to one. NULL with LC_HISTORY_ERROR_NONE or G_IO_ERROR. */
LcHistoryFile *lc_history_file_open (const char *path, GError **error);
LcHistoryFile *lc_history_file_ref (LcHistoryFile *file);
void lc_history_file_unref (LcHistoryFile *file); /* NULL: does nothing */

/* When the merge began that made it, ns of the Unix epoch: adding to a history does not make it younger. */
gint64 lc_history_file_get_time (const LcHistoryFile *file);

/* Whether its path names it still. */
gboolean lc_history_file_is_current (const LcHistoryFile *file);

/*
 * Whether nobody could have written it who could not have written the trace beside it: it is ours, or of the owner of
 * its folder, and nobody else may write to it.
 */
gboolean lc_history_file_is_trusted (const LcHistoryFile *file);

/* What SQLite leaves beside a file that is being changed. No program of ours makes any. */
extern const char *const lc_journal_suffixes[];
gboolean lc_history_file_has_journal (const LcHistoryFile *file);

/*
 * Locks the file that `path` names against others who would put another one there. It is unlocked when it is freed.
 * NULL: G_IO_ERROR_BUSY after so many microseconds, or as lc_history_file_open.
 */
LcHistoryFile *lc_history_file_lock (const char *path, gint64 patience, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHistoryFile, lc_history_file_unref)

#endif
