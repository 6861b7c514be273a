/* SPDX-License-Identifier: Apache-2.0 */
/* Safe access to a trace directory: relative to its descriptor, and never through a symbolic link. */
#ifndef LC_TRACE_FOLDER_H
#define LC_TRACE_FOLDER_H

#include <sys/stat.h>

#include "files.h"

/*
 * A trace that comes from others may contain links, pipes or devices under any name. So every access starts at the
 * descriptor of the trace directory and goes down name by name without following links, and only regular files are
 * opened: nothing outside is read, changed or waited for. An LcFolder can be used by several threads.
 */
typedef struct _LcFolder LcFolder;

/* No group: new files are accessible only to the user. */
#define LC_FOLDER_PRIVATE ((gid_t)-1)

/* Opens a directory. Links in `path` are followed, because a user has named it. NULL: error. */
LcFolder *lc_folder_open (const char *path, GError **error);

/* Opens the folder `name` in `folder`, but no link to a folder. It need not be readable yet. */
LcFolder *lc_folder_open_inner (LcFolder *folder, const char *name, GError **error);

LcFolder *lc_folder_ref (LcFolder *folder);
void lc_folder_unref (LcFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFolder, lc_folder_unref)

/* Return paths for messages. */
const char *lc_folder_get_path (const LcFolder *folder);
char *lc_folder_dup_path (const LcFolder *folder, const char *name);

/* Sets an error from an errno code about a file in the folder. */
void lc_folder_set_error (const LcFolder *folder, const char *name, int code, GError **error);

/* --- Looking ----------------------------------------------------------------------------------------------------- */

/* Gets the status of the file `name`, or of the folder itself if NULL. FALSE: errno. */
gboolean lc_folder_stat (const LcFolder *folder, const char *name, struct stat *status);
gboolean lc_folder_has_file (const LcFolder *folder, const char *name);   /* a regular file */
gboolean lc_folder_has_folder (const LcFolder *folder, const char *name); /* not a link to a folder */

/* TRUE if the directory belongs to this user. */
gboolean lc_folder_is_ours (const LcFolder *folder);

/* Returns the names (char *) in the folder, in no order. NULL: error. */
GPtrArray *lc_folder_list (const LcFolder *folder, GError **error);

/* Returns LcNumberedFile for all names made of `prefix` and a number in its shortest form, sorted by number. NULL:
 * error. */
GArray *lc_folder_list_numbered (const LcFolder *folder, const char *prefix, GError **error);

/* --- Reading ------------------------------------------------------------------------------------------------------ */

/* Opens a regular file for reading. -1: error. */
int lc_folder_open_file (const LcFolder *folder, const char *name, guint64 *size, GError **error);

/*
 * Reads a file of at most `limit` bytes; a larger one is an error. The text ends with a zero byte; free it with g_free.
 */
gboolean lc_folder_read (const LcFolder *folder, const char *name, gsize limit, char **text, gsize *length,
                         GError **error);

/* --- Changing ----------------------------------------------------------------------------------------------------- */

/* Shares files and folders that are made here and below from now on with a group. */
void lc_folder_share (LcFolder *folder, gid_t group);

/* Opens a regular file for changing, or makes it with O_CREAT in `flags`. A file with another hard link is refused. -1:
 * error. */
int lc_folder_open_to_change (const LcFolder *folder, const char *name, int flags, GError **error);

/* Makes a file that must not exist yet. -1: error. */
int lc_folder_create (const LcFolder *folder, const char *name, GError **error);

gboolean lc_folder_make (const LcFolder *folder, const char *name, GError **error);

/* Replaces a file atomically, whatever is there under its name. */
gboolean lc_folder_write (const LcFolder *folder, const char *name, const void *bytes, gsize size, GError **error);

/* Waits until all that was written to the file system of the folder survives a loss of power. */
gboolean lc_folder_sync (const LcFolder *folder, GError **error);

/* Removes a file. TRUE also if it does not exist. */
gboolean lc_folder_remove (const LcFolder *folder, const char *name, GError **error);
gboolean lc_folder_remove_folder (const LcFolder *folder, const char *name, GError **error);

/* Makes the directory at `path`, accessible to this user and the group only. FALSE: errno. */
gboolean lc_folder_make_root (const char *path, gid_t group);

#endif
