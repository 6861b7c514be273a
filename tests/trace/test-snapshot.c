/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of matrices: whole, cut at any byte, and claiming more than there is. */
#include <glib/gstdio.h>
#include <string.h>

#include "lightcone/snapshot.h"
#include "lightcone/trace-format.h"
#include "maker.h"

static GByteArray *
make (const char *name, guint64 rows, guint64 columns, const double *values, guint n_values)
{
  const struct lc_snapshot_header header = {.magic = "LCMATRIX",
                                            .version = LC_SNAPSHOT_VERSION,
                                            .name_length = (uint32_t)strlen (name),
                                            .rows = rows,
                                            .columns = columns};
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *)&header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *)name, header.name_length);
  g_byte_array_append (bytes, (const guint8 *)"\0\0\0\0\0\0\0", (8 - header.name_length % 8) % 8);
  g_byte_array_append (bytes, (const guint8 *)values, n_values * (guint)sizeof *values);
  return bytes;
}

static char *
begin (void)
{
  char *directory = maker_directory ();
  g_autofree char *folder = g_build_filename (directory, "snapshots", NULL);

  g_assert_cmpint (g_mkdir (folder, 0777), ==, 0);
  return directory;
}

static void
write_bytes (const char *directory, const char *name, GByteArray *bytes)
{
  maker_write (directory, name, bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

static void
test_list (void)
{
  const double one = 1;
  char *directory = begin ();
  g_autoptr (GArray) numbers = NULL;

  write_bytes (directory, "snapshots/10", make ("c", 1, 1, &one, 1));
  write_bytes (directory, "snapshots/9", make ("b", 1, 1, &one, 1));
  write_bytes (directory, "snapshots/0", make ("a", 1, 1, &one, 1));
  maker_write_text (directory, "snapshots/01", "");
  maker_write_text (directory, "snapshots/notes", "");
  numbers = lc_snapshot_list (directory, NULL);
  g_assert_cmpuint (numbers->len, ==, 3);
  g_assert_cmpuint (g_array_index (numbers, guint64, 0), ==, 0);
  g_assert_cmpuint (g_array_index (numbers, guint64, 1), ==, 9);
  g_assert_cmpuint (g_array_index (numbers, guint64, 2), ==, 10);
  maker_remove (directory);
}

static void
test_none (void)
{
  char *directory = maker_directory ();
  g_autoptr (GArray) numbers = lc_snapshot_list (directory, NULL);
  g_autoptr (LcSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (numbers->len, ==, 0);
  snapshot = lc_snapshot_read (directory, 0, &error);
  g_assert_null (snapshot);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  maker_remove (directory);
}

static void
test_values (void)
{
  const double values[] = {1, -2.5, 1e300, 0, 4, 5};
  char *directory = begin ();
  g_autoptr (LcSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  write_bytes (directory, "snapshots/3", make ("half-way", 2, 3, values, 6));
  snapshot = lc_snapshot_read (directory, 3, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (snapshot->name, ==, "half-way");
  g_assert_cmpuint (snapshot->rows, ==, 2);
  g_assert_cmpuint (snapshot->columns, ==, 3);
  g_assert_cmpmem (snapshot->values, sizeof values, values, sizeof values);
  maker_remove (directory);
}

static void
assert_refused (const char *directory, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSnapshot) snapshot = lc_snapshot_read (directory, 0, &error);

  g_assert_null (snapshot);
  g_assert_error (error, LC_TRACE_ERROR, code);
  g_assert_nonnull (strstr (error->message, "snapshots/0: "));
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_damage (void)
{
  const double values[] = {1, 2, 3, 4};
  g_autoptr (GByteArray) whole = make ("name", 2, 2, values, 4);
  struct lc_snapshot_header *header = (struct lc_snapshot_header *)(void *)whole->data;
  char *directory = begin ();

  for (guint size = 0; size < whole->len; size++)
    {
      maker_write (directory, "snapshots/0", whole->data, size);
      assert_refused (directory, LC_TRACE_ERROR_DAMAGED,
                      size < 32   ? "within its header"
                      : size < 40 ? "within the name"
                                  : "should have 2 times 2 values");
    }
  write_bytes (directory, "snapshots/0",
               make ("", G_GUINT64_CONSTANT (1) << 32, G_GUINT64_CONSTANT (1) << 32, values, 0));
  assert_refused (directory, LC_TRACE_ERROR_DAMAGED, "has 0 bytes");
  write_bytes (directory, "snapshots/0", make ("", G_GUINT64_CONSTANT (1) << 61, 1, values, 0));
  assert_refused (directory, LC_TRACE_ERROR_DAMAGED, "has 0 bytes");
  header->version = 9;
  maker_write (directory, "snapshots/0", whole->data, whole->len);
  assert_refused (directory, LC_TRACE_ERROR_VERSION, "version 9");
  header->magic[0] = 'X';
  maker_write (directory, "snapshots/0", whole->data, whole->len);
  assert_refused (directory, LC_TRACE_ERROR_DAMAGED, "no snapshot");
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/snapshot/none", test_none);
  g_test_add_func ("/snapshot/list", test_list);
  g_test_add_func ("/snapshot/values", test_values);
  g_test_add_func ("/snapshot/damage", test_damage);
  return g_test_run ();
}
