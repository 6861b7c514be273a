/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines of which files are shown of a site, and what starts the editor there. */
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "../analysis/case.h"
#include "app/editor.h"
#include "app/inspect/source-lines.h"

static const char source_text[] = "one\n\ttwo\n\t\tthree\n\n\tfive\nsix\nseven\n    eight";

static char *
make_file (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *above = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (above, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Gives "first: line|line|...", or an empty text. */
static char *
dup_lines (const char *file, guint32 line, const char *module, const char *trace)
{
  const LcHistorySite site = {.file = file, .line = line, .module = module};
  g_autoptr (LcSourceLines) source = lc_source_lines_read (&site, trace);
  g_autoptr (GString) text = g_string_new (NULL);

  if (source == NULL)
    return g_strdup ("");
  g_assert_true (g_path_is_absolute (source->path));
  g_assert_cmpuint (source->line, ==, line);
  g_string_append_printf (text, "%u: ", source->first);
  for (guint i = 0; i < source->lines->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "|" : "", (char *)source->lines->pdata[i]);
  return g_strdup (text->str);
}

#define CHECK(expected, ...) \
  do \
    { \
      g_autofree char *lines = dup_lines (__VA_ARGS__); \
      g_assert_cmpstr (lines, ==, expected); \
    } \
  while (0)

static void
test_lines (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lightcone-source-XXXXXX", NULL);
  g_autofree char *file = make_file (folder, "a.c", source_text);

  CHECK ("1: one|    two|        three||    five", file, 2, NULL, folder);
  CHECK ("5:     five|six|seven|    eight", file, 8, NULL, folder);
  CHECK ("2:     two|        three||    five|six|seven|    eight", file, 5, NULL, folder);
  CHECK ("", file, 9, NULL, folder);
  CHECK ("", file, 0, NULL, folder);
  CHECK ("", NULL, 1, NULL, folder);
  g_assert_true (g_file_set_contents (file, "\t\tx\n\n\t  y\n", -1, NULL));
  CHECK ("1:   x||y", file, 1, NULL, folder);
  g_assert_true (g_file_set_contents (file,
                                      "a\xff"
                                      "b\n",
                                      -1, NULL));
  CHECK ("1: a\xef\xbf\xbd"
         "b",
         file, 1, NULL, folder);
  case_remove_folder (folder);
}

static void
test_folders (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lightcone-source-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "trace", NULL);
  g_autofree char *built = make_file (folder, "build/src/program", "");

  g_free (make_file (folder, "src/a.c", "src\n"));
  g_free (make_file (folder, "build/src/b.c", "beside\n"));
  g_free (make_file (folder, "trace/c.c", "moved\n"));
  CHECK ("1: src", "../src/a.c", 1, built, trace);
  CHECK ("1: src", "src/a.c", 1, built, trace);
  CHECK ("1: beside", "b.c", 1, built, trace);
  CHECK ("1: beside", "/no/such/folder/b.c", 1, built, trace);
  CHECK ("1: moved", "/no/such/folder/c.c", 1, built, trace);
  CHECK ("1: moved", "c.c", 1, NULL, trace);
  CHECK ("", "d.c", 1, built, trace);
  case_remove_folder (folder);
}

/* A pipe would keep whoever opens it, and a device may be anything. */
static void
test_no_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lightcone-source-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe.c", NULL), *link = g_build_filename (folder, "link.c", NULL);
  g_autofree char *large = g_build_filename (folder, "large.c", NULL);
  g_autofree char *bytes = g_strnfill (5 << 20, '\n');

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink (pipe, link), ==, 0);
  g_assert_true (g_file_set_contents (large, bytes, -1, NULL));
  CHECK ("", pipe, 1, NULL, folder);
  CHECK ("", link, 1, NULL, folder);
  CHECK ("", folder, 1, NULL, folder);
  CHECK ("", "/dev/zero", 1, NULL, folder);
  CHECK ("", large, 1, NULL, folder);
  case_remove_folder (folder);
}

static void
check_words (const char *command, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = lc_editor_split (command, "/a b/x.c", 7, &error);
  g_autofree char *joined = words != NULL ? g_strjoinv ("|", words) : NULL;

  g_assert_cmpstr (joined, ==, expected);
  g_assert_cmpint (words == NULL, ==, error != NULL);
}

static void
test_editor (void)
{
  check_words ("vi +%l %f", "vi|+7|/a b/x.c");
  check_words ("code -g '%f:%l'", "code|-g|/a b/x.c:7");
  check_words ("edit", "edit|/a b/x.c");
  check_words ("'my editor' 100%% %x %", "my editor|100%|%x|%|/a b/x.c");
  check_words ("", NULL);
  check_words ("'edit", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source-lines/lines", test_lines);
  g_test_add_func ("/source-lines/folders", test_folders);
  g_test_add_func ("/source-lines/no-files", test_no_files);
  g_test_add_func ("/source-lines/editor", test_editor);
  return g_test_run ();
}
