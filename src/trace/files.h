/* SPDX-License-Identifier: Apache-2.0 */
/* Files as the readers see them: opened once, of a bounded size, and never anything but a regular file. */
#ifndef LC_TRACE_FILES_H
#define LC_TRACE_FILES_H

#include <glib.h>

/*
 * Nothing of what others have written is mapped: a file that becomes shorter meanwhile would kill us, and the system
 * has no room for as many mappings as a trace may have files.
 */

/* Opens a regular file for reading (a pipe or a device is an error, not a wait). -1: error. */
int lc_file_open (const char *path, guint64 *size, GError **error);

/* Reads a file of at most `limit` bytes, to be freed with g_free; a zero byte follows. `path` is for messages. */
gboolean lc_file_read_all (int fd, const char *path, gsize limit, char **text, gsize *length, GError **error);

/* Reads all that is asked for, or up to the end of the file. -1: errno. */
gssize lc_file_read (int fd, void *bytes, gsize size, guint64 offset);

typedef struct
{
  guint32 number;
  char *name;
} LcNumberedFile;

/* For sorting names (const char **): numbers in them count as numbers, so worker-9 comes before worker-10. */
int lc_files_compare_names (gconstpointer a, gconstpointer b);

/* Sets an error from errno: "PATH: what is wrong". */
void lc_file_set_error (GError **error, const char *path, int code);

#endif
