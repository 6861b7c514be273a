/* SPDX-License-Identifier: Apache-2.0 */
/* Files as readers open them: once, with a bounded size, and only regular files. */
#ifndef LC_TRACE_FILES_H
#define LC_TRACE_FILES_H

#include <glib.h>

/*
 * Files of others are never mapped: a file that is truncated meanwhile would kill the reader, and the number of
 * mappings is limited.
 */

/* Opens a regular file for reading; for a pipe or a device it fails instead of waiting. -1: error. */
int lc_file_open (const char *path, guint64 *size, GError **error);

/* Reads a file of at most `limit` bytes. The text ends with a zero byte; free it with g_free. `path` is for
 * messages. */
gboolean lc_file_read_all (int fd, const char *path, gsize limit, char **text, gsize *length, GError **error);

/* Reads `size` bytes, or fewer at the end of the file. -1: errno. */
gssize lc_file_read (int fd, void *bytes, gsize size, guint64 offset);

typedef struct
{
  guint32 number;
  char *name;
} LcNumberedFile;

/* Compares names (const char **) for sorting, with numbers in them by value, so that worker-9 comes before
 * worker-10. */
int lc_files_compare_names (gconstpointer a, gconstpointer b);

/* Sets an error from an errno code: "PATH: what is wrong". */
void lc_file_set_error (GError **error, const char *path, int code);

#endif
