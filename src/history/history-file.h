/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a history: opened once and held by its descriptor, even if its path names another file later. */
#ifndef LC_HISTORY_HISTORY_FILE_H
#define LC_HISTORY_HISTORY_FILE_H

#include <gio/gio.h>
#include <sys/stat.h>

typedef struct
{
  char *path;
  int fd;
  struct stat status; /* when the file was opened */
} LcHistoryFile;

/* Opens a regular file; links are refused. NULL with LC_HISTORY_ERROR_NONE or G_IO_ERROR. */
LcHistoryFile *lc_history_file_open (const char *path, GError **error);
LcHistoryFile *lc_history_file_ref (LcHistoryFile *file);
void lc_history_file_unref (LcHistoryFile *file); /* NULL is allowed */

/* Returns when the merge began that made the file, ns of the Unix epoch: adding to a history does not make it
 * younger. */
gint64 lc_history_file_get_time (const LcHistoryFile *file);

/* Whether the path still names this file. */
gboolean lc_history_file_is_current (const LcHistoryFile *file);

/* Whether the file can be trusted as much as the trace beside it: it belongs to us or to the owner of its folder, and
 * nobody else may write to it. */
gboolean lc_history_file_is_trusted (const LcHistoryFile *file);

/* SQLite's suffixes of files beside a database that is being changed. Our programs make none. */
extern const char *const lc_journal_suffixes[];
gboolean lc_history_file_has_journal (const LcHistoryFile *file);

/* Locks the file that `path` names against others who would replace it, until the file is freed. NULL: G_IO_ERROR_BUSY
 * after `patience` microseconds, or the errors of lc_history_file_open. */
LcHistoryFile *lc_history_file_lock (const char *path, gint64 patience, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHistoryFile, lc_history_file_unref)

#endif
