/* SPDX-License-Identifier: Apache-2.0 */
/* Files as the readers see them: mapped, of a bounded size, and never anything but a regular file. */
#ifndef LC_TRACE_FILES_H
#define LC_TRACE_FILES_H

#include <glib.h>

typedef struct
{
  const guint8 *bytes; /* NULL if the file is empty */
  gsize size;
  guint64 file_size; /* more than `size` if the limit cut it */
} LcMapped;

/* Opens a regular file for reading (a pipe or a device is an error, not a wait). -1: error. */
int lc_file_open (const char *path, guint64 *size, GError **error);

/* Maps at most `limit` bytes from the start of a file. Unmap with lc_mapped_clear. */
gboolean lc_file_map (const char *path, gsize limit, LcMapped *mapped, GError **error);
void lc_mapped_clear (LcMapped *mapped);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcMapped, lc_mapped_clear)

/* Reads all that is asked for, or up to the end of the file. -1: errno. */
gssize lc_file_read (int fd, void *bytes, gsize size, guint64 offset);

typedef struct
{
  guint32 number;
  char *name;
} LcNumberedFile;

/*
 * The files of `directory` that are called `prefix` and a number in its shortest form, sorted by it. NULL: error.
 */
GArray *lc_files_list_numbered (const char *directory, const char *prefix, GError **error);

/* For sorting names (const char **): numbers in them count as numbers, so worker-9 comes before worker-10. */
int lc_files_compare_names (gconstpointer a, gconstpointer b);

/* Sets an error from errno: "PATH: what is wrong". */
void lc_file_set_error (GError **error, const char *path, int code);

#endif
