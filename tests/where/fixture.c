/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are compiled for a test, and what they say of themselves. */
#include "fixture.h"

#include <glib/gstdio.h>
#include <string.h>

static void
clear_item (gpointer data)
{
  g_free (((FixtureItem *)data)->expected);
}

static char *
run_line (const char *folder, const char *line)
{
  g_auto (GStrv) arguments = g_strsplit (line, " ", -1);
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL, *errors = NULL;
  int status = -1;

  g_spawn_sync (folder, arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &errors, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_test_message ("%s: %s", line, errors);
  g_assert_cmpint (status, ==, 0);
  return g_steal_pointer (&output);
}

void
fixture_run (const Fixture *fixture, const char *format, ...)
{
  g_autofree char *line = NULL, *output = NULL;
  va_list values;

  va_start (values, format);
  line = g_strdup_vprintf (format, values);
  va_end (values);
  output = run_line (fixture->folder, line);
}

/* Each line is KIND OFFSET TEXT. */
static void
take_items (Fixture *fixture, const char *output)
{
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);

  for (gsize i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 3);
      FixtureItem item = {.offset = g_ascii_strtoull (words[1], NULL, 16), .expected = g_strdup (words[2])};

      g_array_append_val (g_str_equal (words[0], "variable") ? fixture->variables : fixture->calls, item);
    }
}

Fixture *
fixture_new (const char *name, const char *compiler, const char *options)
{
  g_autofree char *found = g_find_program_in_path (compiler), *path = NULL, *output = NULL;
  g_autoptr (GError) error = NULL;
  Fixture *fixture;

  if (found == NULL)
    {
      g_test_skip (compiler);
      return NULL;
    }
  fixture = g_new0 (Fixture, 1);
  fixture->folder = g_dir_make_tmp ("lightcone-where-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->source_name = name;
  fixture->program = g_build_filename (fixture->folder, "program", NULL);
  fixture->calls = g_array_new (FALSE, FALSE, sizeof (FixtureItem));
  fixture->variables = g_array_new (FALSE, FALSE, sizeof (FixtureItem));
  g_array_set_clear_func (fixture->calls, clear_item);
  g_array_set_clear_func (fixture->variables, clear_item);
  path = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
  g_file_get_contents (path, &fixture->source, NULL, &error);
  g_assert_no_error (error);
  if (g_str_has_suffix (name, ".rs"))
    fixture_run (fixture, "%s %s -C link-arg=-Wl,--build-id --crate-name places -o program %s", compiler, options,
                 path);
  else
    fixture_run (fixture, "%s -Wl,--build-id %s -pthread -o program %s", compiler, options, path);
  output = run_line (fixture->folder, fixture->program);
  take_items (fixture, output);
  g_assert_cmpuint (fixture->calls->len, >, 0);
  return fixture;
}

void
fixture_free (Fixture *fixture)
{
  g_autofree char *line = g_strdup_printf ("rm -r %s", fixture->folder);

  g_free (run_line ("/", line));
  g_array_unref (fixture->calls);
  g_array_unref (fixture->variables);
  g_free (fixture->folder);
  g_free (fixture->program);
  g_free (fixture->source);
  g_free (fixture);
}

/* The number of the line that ends with a mark. */
static guint
line_of_mark (const Fixture *fixture, const char *mark)
{
  g_autofree char *text = g_strdup_printf (" @ %s", mark);
  g_auto (GStrv) lines = g_strsplit (fixture->source, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *found = strstr (lines[i], text);

      if (found != NULL && (found[strlen (text)] == '\0' || found[strlen (text)] == ' '))
        return i + 1;
    }
  g_error ("there is no mark %s", mark);
}

char *
fixture_expected (const Fixture *fixture, const char *frames)
{
  g_auto (GStrv) parts = g_strsplit (frames, "|", -1);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; parts[i] != NULL; i++)
    {
      char *at = strrchr (parts[i], '@');

      g_assert_nonnull (at);
      *at = '\0';
      g_string_append_printf (text, "%s%s %s:%u", i > 0 ? "|" : "", parts[i], fixture->source_name,
                              line_of_mark (fixture, at + 1));
    }
  return g_string_free (text, FALSE);
}

char *
fixture_frames (LcResolver *resolver, guint64 offset, gboolean is_entry)
{
  g_autoptr (GArray) frames = lc_resolver_frames_new ();
  GString *text = g_string_new (NULL);

  lc_resolver_find (resolver, offset, is_entry, frames);
  for (guint i = 0; i < frames->len; i++)
    {
      const LcFrame *frame = &g_array_index (frames, LcFrame, i);
      g_autofree char *base = frame->file != NULL ? g_path_get_basename (frame->file) : g_strdup ("?");

      g_string_append_printf (text, "%s%s %s:%u", i > 0 ? "|" : "", frame->function, base, frame->line);
    }
  return g_string_free (text, FALSE);
}

void
fixture_check (const Fixture *fixture, LcResolver *resolver)
{
  for (guint i = 0; i < fixture->calls->len; i++)
    {
      const FixtureItem *item = &g_array_index (fixture->calls, FixtureItem, i);
      g_autofree char *expected = fixture_expected (fixture, item->expected);
      g_autofree char *found = fixture_frames (resolver, item->offset, FALSE);

      g_assert_cmpstr (found, ==, expected);
    }
  for (guint i = 0; i < fixture->variables->len; i++)
    {
      const FixtureItem *item = &g_array_index (fixture->variables, FixtureItem, i);
      g_autofree char *found = lc_resolver_dup_variable (resolver, item->offset);

      if (!g_str_equal (item->expected, "entry"))
        g_assert_cmpstr (found, ==, item->expected);
    }
}
