/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the matrices that a program has kept in its trace. */
#include "lightcone/snapshot.h"

#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "lightcone/trace-format.h"
#include "lightcone/trace.h"
#include "reader.h"

#define FOLDER "snapshots"

/* Most bytes of a matrix with its name: a sparse file may be far larger than its space on the disk. */
#define SNAPSHOT_LIMIT (UINT64_C (1) << 30)

/* Lists the snapshots of one folder; the n-th gets the number `first` + n * `step`. */
static gboolean
snapshot_list_folder (LcFolder *trace, guint64 first, guint64 step, GArray *result, GError **error)
{
  g_autoptr (LcFolder) folder = NULL;
  g_autoptr (GArray) files = NULL;

  if (!lc_folder_has_folder (trace, FOLDER))
    return TRUE;
  folder = lc_folder_open_inner (trace, FOLDER, error);
  files = folder != NULL ? lc_folder_list_numbered (folder, "", error) : NULL;
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      guint64 number = first + step * g_array_index (files, LcNumberedFile, i).number;

      g_array_append_val (result, number);
    }
  return files != NULL;
}

static int
snapshot_compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 left = *(const guint64 *)a, right = *(const guint64 *)b;

  return left < right ? -1 : left > right;
}

GArray *
lc_snapshot_list (const char *directory, GError **error)
{
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (LcFolder) trace = lc_folder_open (directory, error);
  g_auto (GStrv) parts = NULL;
  guint n;

  if (trace == NULL)
    return NULL;
  parts = lc_trace_list_folder_parts (trace);
  n = g_strv_length (parts);
  if (n == 0 && !snapshot_list_folder (trace, 0, 1, result, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LcFolder) part = lc_folder_open_inner (trace, parts[i], error);

      if (part == NULL || !snapshot_list_folder (part, i, n, result, error))
        return NULL;
    }
  g_array_sort (result, snapshot_compare_numbers);
  return g_steal_pointer (&result);
}

/* Finds the folder and the name of a snapshot: the hosts of a trace number their snapshots independently. */
static LcFolder *
find_folder (const char *directory, guint64 number, char **name, GError **error)
{
  g_autoptr (LcFolder) trace = lc_folder_open (directory, error), part = NULL;
  g_auto (GStrv) parts = NULL;
  guint n;

  *name = NULL;
  if (trace == NULL)
    return NULL;
  parts = lc_trace_list_folder_parts (trace);
  n = g_strv_length (parts);
  *name = g_strdup_printf ("%" G_GUINT64_FORMAT, n > 0 ? number / n : number);
  if (n == 0)
    return lc_folder_open_inner (trace, FOLDER, error);
  part = lc_folder_open_inner (trace, parts[number % n], error);
  return part != NULL ? lc_folder_open_inner (part, FOLDER, error) : NULL;
}

/* `values` is set to the offset of the values. */
static gboolean
check_header (const char *path, guint64 size, const struct lc_snapshot_header *header, guint64 *values, GError **error)
{
  guint64 name = ((guint64)header->name_length + 7) / 8 * 8, count = 0, bytes = 0;

  if (memcmp (header->magic, "LCMATRIX", sizeof header->magic) != 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s: no snapshot of a matrix (byte 0)", path);
  else if (header->version != LC_SNAPSHOT_VERSION)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_VERSION,
                 "%s: version %u of the format of snapshots; this Lightcone reads version %u (byte 8)", path,
                 header->version, LC_SNAPSHOT_VERSION);
  else if (name > size - sizeof *header)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 "%s: the file ends within the name (byte %" G_GUINT64_FORMAT ")", path, size);
  else if (__builtin_mul_overflow (header->rows, header->columns, &count) ||
           __builtin_mul_overflow (count, sizeof (double), &bytes) || bytes != size - sizeof *header - name)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 "%s: the file should have %" G_GUINT64_FORMAT " times %" G_GUINT64_FORMAT
                 " values, and has %" G_GUINT64_FORMAT " bytes of them (byte %" G_GUINT64_FORMAT ")",
                 path, header->rows, header->columns, size - sizeof *header - name, sizeof *header + name);
  else
    {
      *values = sizeof *header + name;
      return TRUE;
    }
  return FALSE;
}

/* FALSE: the file was truncated, or cannot be read. */
static gboolean
snapshot_read_bytes (int fd, void *bytes, guint64 size, guint64 offset, const char *path, GError **error)
{
  if (lc_file_read (fd, bytes, (gsize)size, offset) == (gssize)size)
    return TRUE;
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
               "%s: the file cannot be read to its end (byte %" G_GUINT64_FORMAT ")", path, offset);
  return FALSE;
}

static LcSnapshot *
read_matrix (int fd, const char *path, guint64 size, GError **error)
{
  struct lc_snapshot_header header;
  g_autoptr (LcSnapshot) snapshot = g_new0 (LcSnapshot, 1);
  g_autofree char *name = NULL;
  guint64 values;

  if (!snapshot_read_bytes (fd, &header, sizeof header, 0, path, error) ||
      !check_header (path, size, &header, &values, error))
    return NULL;
  name = g_malloc0 ((gsize)header.name_length + 1);
  snapshot->rows = header.rows;
  snapshot->columns = header.columns;
  snapshot->values = g_malloc ((gsize)(size - values));
  if (!snapshot_read_bytes (fd, name, header.name_length, sizeof header, path, error) ||
      !snapshot_read_bytes (fd, snapshot->values, size - values, values, path, error))
    return NULL;
  snapshot->name = g_utf8_make_valid (name, header.name_length);
  return g_steal_pointer (&snapshot);
}

LcSnapshot *
lc_snapshot_read (const char *directory, guint64 number, GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (LcFolder) folder = find_folder (directory, number, &name, error);
  g_autofree char *path = folder != NULL ? lc_folder_dup_path (folder, name) : NULL;
  LcSnapshot *snapshot = NULL;
  guint64 size;
  int fd = folder != NULL ? lc_folder_open_file (folder, name, &size, error) : -1;

  if (fd < 0)
    return NULL;
  if (size < sizeof (struct lc_snapshot_header))
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 "%s: the file ends within its header (byte %" G_GUINT64_FORMAT ")", path, size);
  else if (size > SNAPSHOT_LIMIT)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 "%s: has %" G_GUINT64_FORMAT " bytes, where %" G_GUINT64_FORMAT " are the most that are read", path,
                 size, SNAPSHOT_LIMIT);
  else
    snapshot = read_matrix (fd, path, size, error);
  close (fd);
  return snapshot;
}

void
lc_snapshot_free (LcSnapshot *snapshot)
{
  if (snapshot == NULL)
    return;
  g_free (snapshot->name);
  g_free (snapshot->values);
  g_free (snapshot);
}
