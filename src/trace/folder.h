/* SPDX-License-Identifier: Apache-2.0 */
/* A trace directory as everybody here reaches into it: from one descriptor, and never through a symbolic link. */
#ifndef LC_TRACE_FOLDER_H
#define LC_TRACE_FOLDER_H

#include <sys/stat.h>

#include "files.h"

/*
 * Whoever gives us a trace may have put a link, a pipe or a device in it under any name. So all that is done in a trace
 * begins at the descriptor of its directory and goes down name by name without following links, and only regular files
 * are opened: nothing outside is read, changed or waited for. An LcFolder can be used by several threads.
 */
typedef struct _LcFolder LcFolder;

/* What is made is the user's alone, or also of the group that the trace is shared with. */
#define LC_FOLDER_PRIVATE ((gid_t)-1)

/* Links in `path` are followed: a user has named it. NULL: error. */
LcFolder *lc_folder_open (const char *path, GError **error);

/* The folder of that name in `folder`, and no link to one. It need not be readable yet. */
LcFolder *lc_folder_open_inner (LcFolder *folder, const char *name, GError **error);

LcFolder *lc_folder_ref (LcFolder *folder);
void lc_folder_unref (LcFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFolder, lc_folder_unref)

/* For messages. */
const char *lc_folder_get_path (const LcFolder *folder);
char *lc_folder_dup_path (const LcFolder *folder, const char *name);

/* Sets an error from errno about a file in it. */
void lc_folder_set_error (const LcFolder *folder, const char *name, int code, GError **error);

/* --- What is there ------------------------------------------------------------------------------------------------ */

/* Of the file called `name`, or with NULL of the folder itself. FALSE: errno. */
gboolean lc_folder_stat (const LcFolder *folder, const char *name, struct stat *status);
gboolean lc_folder_has_file (const LcFolder *folder, const char *name);   /* a regular one */
gboolean lc_folder_has_folder (const LcFolder *folder, const char *name); /* no link to one */

/* TRUE if this user has made the directory: nobody else has. */
gboolean lc_folder_is_ours (const LcFolder *folder);

/* The names (char *) of all that is in it, in no order. NULL: error. */
GPtrArray *lc_folder_list (const LcFolder *folder, GError **error);

/* LcNumberedFile: all that are called `prefix` and a number in its shortest form, sorted by it. NULL: error. */
GArray *lc_folder_list_numbered (const LcFolder *folder, const char *prefix, GError **error);

/* --- Reading ------------------------------------------------------------------------------------------------------ */

/* Opens a regular file for reading. -1: error. */
int lc_folder_open_file (const LcFolder *folder, const char *name, guint64 *size, GError **error);

/*
 * Reads a file of at most `limit` bytes; one that is larger is an error. A zero byte follows `text`, which is to be
 * freed with g_free.
 */
gboolean lc_folder_read (const LcFolder *folder, const char *name, gsize limit, char **text, gsize *length,
                         GError **error);

/* --- Changing ----------------------------------------------------------------------------------------------------- */

/* What is made here and below from now on belongs to that group too. */
void lc_folder_share (LcFolder *folder, gid_t group);

/* Opens a regular file to change it, or with O_CREAT in `flags` makes it. It has no other name. -1: error. */
int lc_folder_open_to_change (const LcFolder *folder, const char *name, int flags, GError **error);

/* Makes a file that is not there yet. -1: error. */
int lc_folder_create (const LcFolder *folder, const char *name, GError **error);

gboolean lc_folder_make (const LcFolder *folder, const char *name, GError **error);

/* Replaces the file of that name at once, whatever it is. */
gboolean lc_folder_write (const LcFolder *folder, const char *name, const void *bytes, gsize size, GError **error);

/* TRUE also if it is not there. */
gboolean lc_folder_remove (const LcFolder *folder, const char *name, GError **error);
gboolean lc_folder_remove_folder (const LcFolder *folder, const char *name, GError **error);

/* Makes the directory at `path` as ours are, for nobody else but that group. FALSE: errno. */
gboolean lc_folder_make_root (const char *path, gid_t group);

#endif
