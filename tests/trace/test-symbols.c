/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions from symbol tables: of this very program, of a stripped copy of it, and of damaged ones. */
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "maker.h"
#include "symbols.h"

/* One that only the full symbol table knows, and one that a library shows to others. */
static __attribute__ ((noinline)) int
a_function_of_this_test (int value)
{
  __asm__ volatile("" : "+r"(value));
  return value + 1;
}

static int
take_bias (struct dl_phdr_info *info, size_t size, void *data)
{
  *(guint64 *)data = info->dlpi_addr;
  return 1;
}

/* As the recorder says where a function is. */
static guint64
offset_in_program (gconstpointer address)
{
  guint64 bias = 0;

  dl_iterate_phdr (take_bias, &bias);
  return (guint64)(guintptr)address - bias;
}

static char *
this_program (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_file_read_link ("/proc/self/exe", &error);

  g_assert_no_error (error);
  return path;
}

static void
test_this_program (void)
{
  g_autoptr (LcSymbols) symbols = lc_symbols_new (NULL);
  g_autofree char *path = this_program ();
  guint64 offset = offset_in_program ((gconstpointer)a_function_of_this_test);
  g_autofree char *first = lc_symbols_name (symbols, path, offset);
  g_autofree char *inside = lc_symbols_name (symbols, path, offset + 1);
  g_autofree char *main_name = lc_symbols_name (symbols, path, offset_in_program ((gconstpointer)maker_sample));

  g_assert_cmpint (a_function_of_this_test (1), ==, 2);
  g_assert_cmpstr (first, ==, "a_function_of_this_test");
  g_assert_cmpstr (inside, ==, "a_function_of_this_test");
  g_assert_cmpstr (main_name, ==, "maker_sample");
  g_assert_null (lc_symbols_name (symbols, path, 0));
  g_assert_null (lc_symbols_name (symbols, path, G_MAXUINT64));
}

static void
test_no_file (void)
{
  g_autoptr (LcSymbols) symbols = lc_symbols_new (NULL);

  g_assert_null (lc_symbols_name (symbols, "/nothing/here", 0x1000));
  g_assert_null (lc_symbols_name (symbols, "", 0x1000));
  g_assert_null (lc_symbols_name (symbols, "/proc", 0x1000));
  g_assert_null (lc_symbols_name (symbols, "/dev/zero", 0x1000));
}

static gboolean
run (const char *const *arguments)
{
  int status = -1;

  return g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL) &&
         status == 0;
}

/* The build id, in hexadecimal, as readelf prints it; NULL: there is none. */
static char *
build_id (const char *path)
{
  const char *arguments[] = {"readelf", "-n", path, NULL};
  g_autofree char *output = NULL;
  const char *place;

  if (!g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, NULL, NULL))
    return NULL;
  place = strstr (output, "Build ID: ");
  return place != NULL ? g_strndup (place + 10, strspn (place + 10, "0123456789abcdef")) : NULL;
}

/* A stripped program whose symbols are in a file of their own, where distributions put it. */
static void
test_separate_file (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = this_program ();
  g_autofree char *stripped = g_build_filename (directory, "stripped", NULL);
  g_autofree char *debug_root = g_build_filename (directory, "debug", NULL);
  g_autofree char *id = build_id (path);
  guint64 offset = offset_in_program ((gconstpointer)a_function_of_this_test);
  const char *strip[] = {"objcopy", "--strip-all", path, stripped, NULL};

  if (id == NULL || strlen (id) < 4 || !run (strip))
    {
      g_test_skip ("no objcopy, readelf or build id");
      maker_remove (directory);
      return;
    }
  {
    g_autoptr (LcSymbols) symbols = lc_symbols_new (debug_root);

    g_assert_null (lc_symbols_name (symbols, stripped, offset));
  }
  {
    g_autofree char *folder = g_strdup_printf ("%s/.build-id/%.2s", debug_root, id);
    g_autofree char *file = g_strdup_printf ("%s/%s.debug", folder, id + 2);
    const char *keep[] = {"objcopy", "--only-keep-debug", path, file, NULL};
    g_autoptr (LcSymbols) symbols = lc_symbols_new (debug_root);
    g_autofree char *name = NULL;

    g_assert_cmpint (g_mkdir_with_parents (folder, 0777), ==, 0);
    g_assert_true (run (keep));
    name = lc_symbols_name (symbols, stripped, offset);
    g_assert_cmpstr (name, ==, "a_function_of_this_test");
  }
  maker_remove (directory);
}

static void
read_damaged (const char *directory, const guint8 *bytes, gsize size)
{
  g_autofree char *path = g_build_filename (directory, "damaged", NULL);
  g_autoptr (LcSymbols) symbols = lc_symbols_new (directory);

  maker_write (directory, "damaged", bytes, size);
  for (guint64 offset = 0; offset < 0x10000; offset += 0x777)
    {
      g_autofree char *name = lc_symbols_name (symbols, path, offset);

      g_assert_true (name == NULL || g_utf8_validate (name, -1, NULL));
    }
}

/* The tables that say where everything is are at the file's ends. */
static void
test_damaged (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = this_program ();
  g_autoptr (GByteArray) program = maker_read ("/", path);
  const gsize size = program->len;
  gsize sections;

  sections = ((const Elf64_Ehdr *)(void *)program->data)->e_shoff;
  g_assert_cmpuint (sections, <, size);
  for (guint i = 0; i < 30; i++)
    read_damaged (directory, program->data, size / 30 * i + i);
  for (guint i = 0; i < 150; i++)
    {
      gsize place = i % 3 ? sections + (gsize)g_test_rand_int_range (0, (gint32)(size - sections))
                          : (gsize)g_test_rand_int_range (0, sizeof (Elf64_Ehdr));
      guint8 before = program->data[place];

      program->data[place] = (guint8)g_test_rand_int_range (0, 256);
      read_damaged (directory, program->data, size);
      program->data[place] = before;
    }
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbols/this-program", test_this_program);
  g_test_add_func ("/symbols/no-file", test_no_file);
  g_test_add_func ("/symbols/separate-file", test_separate_file);
  g_test_add_func ("/symbols/damaged", test_damaged);
  return g_test_run ();
}
