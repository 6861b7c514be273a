/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a snapshot of a matrix. */
#include <glib/gstdio.h>
#include <string.h>

#include "fuzz.h"
#include "lightcone/snapshot.h"
#include "lightcone/trace-format.h"
#include "maker.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  char *directory = maker_directory ();
  g_autofree char *folder = g_build_filename (directory, "snapshots", NULL);
  g_autoptr (GArray) numbers = NULL;
  g_autoptr (LcSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  double sum = 0;

  g_assert_cmpint (g_mkdir (folder, 0777), ==, 0);
  maker_write (directory, "snapshots/7", bytes, size);
  numbers = lc_snapshot_list (directory, NULL);
  g_assert_cmpuint (numbers->len, ==, 1);
  snapshot = lc_snapshot_read (directory, g_array_index (numbers, guint64, 0), &error);
  g_assert_true ((snapshot == NULL) == (error != NULL));
  if (snapshot != NULL)
    {
      g_assert_true (g_utf8_validate (snapshot->name, -1, NULL));
      for (guint64 i = 0; i < snapshot->rows * snapshot->columns; i++)
        sum += snapshot->values[i];
      g_assert_true (snapshot->rows * snapshot->columns * sizeof sum < size);
    }
  else
    g_assert_nonnull (strstr (error->message, "(byte "));
  maker_remove (directory);
  return sum > 1e300;
}

static void
append (GByteArray *bytes, const char *name, guint64 rows, guint64 columns, guint n_values)
{
  const struct lc_snapshot_header header = {.magic = "LCMATRIX",
                                            .version = LC_SNAPSHOT_VERSION,
                                            .name_length = (uint32_t)strlen (name),
                                            .rows = rows,
                                            .columns = columns};

  g_byte_array_append (bytes, (const guint8 *)&header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *)name, (guint)strlen (name));
  g_byte_array_append (bytes, (const guint8 *)"\0\0\0\0\0\0\0", (8 - (guint)strlen (name) % 8) % 8);
  for (guint i = 0; i < n_values; i++)
    {
      double value = i;

      g_byte_array_append (bytes, (const guint8 *)&value, sizeof value);
    }
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  if (number == 0)
    append (bytes, "start", 3, 4, 12);
  else if (number == 1)
    append (bytes, "half-way", 1, 1, 1);
  else if (number == 2)
    append (bytes, "", G_GUINT64_CONSTANT (1) << 61, 8, 2);
  return number < 3;
}
