/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the matrices that a program has kept in its trace. */
#include "lightcone/snapshot.h"

#include <string.h>

#include "files.h"
#include "lightcone/trace-format.h"
#include "lightcone/trace.h"

#define FOLDER "snapshots"

/* Those in one folder; the n-th is number `first` + n * `step`. */
static gboolean
list_folder (const char *directory, guint64 first, guint64 step, GArray *result, GError **error)
{
  g_autofree char *folder = g_build_filename (directory, FOLDER, NULL);
  g_autoptr (GArray) files = NULL;
  g_autoptr (GError) own = NULL;

  files = lc_files_list_numbered (folder, "", &own);
  if (files == NULL && !g_error_matches (own, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      guint64 number = first + step * g_array_index (files, LcNumberedFile, i).number;

      g_array_append_val (result, number);
    }
  return TRUE;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 left = *(const guint64 *)a, right = *(const guint64 *)b;

  return left < right ? -1 : left > right;
}

GArray *
lc_snapshot_list (const char *directory, GError **error)
{
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_auto (GStrv) parts = lc_trace_list_parts (directory);
  guint n = g_strv_length (parts);

  if (n == 0 && !list_folder (directory, 0, 1, result, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *part = g_build_filename (directory, parts[i], NULL);

      if (!list_folder (part, i, n, result, error))
        return NULL;
    }
  g_array_sort (result, compare_numbers);
  return g_steal_pointer (&result);
}

/* Where a snapshot is: of several hosts, each has numbers of its own. */
static char *
find_file (const char *directory, guint64 number)
{
  g_auto (GStrv) parts = lc_trace_list_parts (directory);
  guint n = g_strv_length (parts);
  g_autofree char *name = g_strdup_printf ("%" G_GUINT64_FORMAT, n > 0 ? number / n : number);

  return n > 0 ? g_build_filename (directory, parts[number % n], FOLDER, name, NULL)
               : g_build_filename (directory, FOLDER, name, NULL);
}

/* `values`: where they begin. */
static gboolean
check_header (const char *path, const LcMapped *mapped, const struct lc_snapshot_header *header, guint64 *values,
              GError **error)
{
  guint64 name = ((guint64)header->name_length + 7) / 8 * 8, count = 0, bytes = 0;

  if (memcmp (header->magic, "LCMATRIX", sizeof header->magic) != 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s: no snapshot of a matrix (byte 0)", path);
  else if (header->version != LC_SNAPSHOT_VERSION)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_VERSION,
                 "%s: version %u of the format of snapshots; this Lightcone reads version %u (byte 8)", path,
                 header->version, LC_SNAPSHOT_VERSION);
  else if (name > mapped->size - sizeof *header)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s: the file ends within the name (byte %zu)", path,
                 mapped->size);
  else if (__builtin_mul_overflow (header->rows, header->columns, &count) ||
           __builtin_mul_overflow (count, sizeof (double), &bytes) || bytes != mapped->size - sizeof *header - name)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 "%s: the file should have %" G_GUINT64_FORMAT " times %" G_GUINT64_FORMAT
                 " values, and has %zu bytes of them (byte %" G_GUINT64_FORMAT ")",
                 path, header->rows, header->columns, mapped->size - sizeof *header - (gsize)name,
                 sizeof *header + name);
  else
    {
      *values = sizeof *header + name;
      return TRUE;
    }
  return FALSE;
}

/* Of a mapped file that is large enough for a header. */
static LcSnapshot *
read_matrix (const char *path, const LcMapped *mapped, GError **error)
{
  struct lc_snapshot_header header;
  LcSnapshot *snapshot;
  guint64 values;

  memcpy (&header, mapped->bytes, sizeof header);
  if (!check_header (path, mapped, &header, &values, error))
    return NULL;
  snapshot = g_new0 (LcSnapshot, 1);
  snapshot->name = g_utf8_make_valid ((const char *)mapped->bytes + sizeof header, header.name_length);
  snapshot->rows = header.rows;
  snapshot->columns = header.columns;
  snapshot->values = g_memdup2 (mapped->bytes + values, mapped->size - (gsize)values);
  return snapshot;
}

LcSnapshot *
lc_snapshot_read (const char *directory, guint64 number, GError **error)
{
  g_autofree char *path = find_file (directory, number);
  g_auto (LcMapped) mapped = {0};

  if (!lc_file_map (path, G_MAXSIZE, &mapped, error))
    return NULL;
  if (mapped.size >= sizeof (struct lc_snapshot_header))
    return read_matrix (path, &mapped, error);
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s: the file ends within its header (byte %zu)", path,
               mapped.size);
  return NULL;
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
