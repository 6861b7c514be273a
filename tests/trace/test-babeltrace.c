/* SPDX-License-Identifier: Apache-2.0 */
/* Another reader, babeltrace2, takes our binary layout for what it is: not a word on stderr, and the same events. */
#include <string.h>

#include "closing.h"
#include "maker.h"

static char *
run (const char *directory, const char *option)
{
  const char *arguments[] = {"babeltrace2", option, directory, NULL};
  g_autoptr (GError) error = NULL;
  g_autofree char *problems = NULL;
  char *output = NULL;
  int status;

  g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &problems, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (problems, ==, "");
  g_assert_cmpint (status, ==, 0);
  return output;
}

/* The number after `name = ` in the fields of an event. */
static guint64
field (const char *line, const char *name)
{
  g_autofree char *key = g_strdup_printf (" %s = ", name);
  const char *place = strrchr (line, '{');

  g_assert_nonnull (place);
  place = strstr (place, key);
  if (place == NULL)
    g_error ("no %s in %s", name, line);
  return g_ascii_strtoull (place + strlen (key), NULL, 0);
}

static void
compare (const char *line, const LcTrace *trace, const LcTraceProcess *process, const LcTraceEvent *event)
{
  const LcTraceOperation *operation = lc_trace_get_operation (trace, event->operation);
  g_autofree char *begin = g_strdup_printf ("[%020" G_GUINT64_FORMAT "] ", MAKER_START + event->end);
  g_autofree char *middle =
      g_strdup_printf (") here %s: { process = %u, instance = 0, pid = %u, thread = %u, "
                       "name = \"%s\", first_ordinal = ",
                       operation->name, process->number, process->pid, process->thread, process->given_name);

  g_assert_true (g_str_has_prefix (line, begin));
  if (strstr (line, middle) == NULL)
    g_error ("%s does not contain %s", line, middle);
  g_assert_cmpuint (field (line, "cpu"), ==, event->cpu);
  if (event->operation == LC_TAG)
    {
      g_assert_cmpint ((gint64)field (line, "value"), ==, event->value);
      return;
    }
  g_assert_cmpuint (field (line, "object"), >, 0);
  if (event->operation == LC_ENTER || event->operation == LC_LEAVE)
    return;
  g_assert_cmpuint (field (line, "duration"), ==, event->end - event->begin);
  g_assert_cmpuint (field (line, "flags"), ==, event->flags & 0xFF);
  g_assert_cmpint ((gint64)field (line, "sequence"), ==, event->sequence);
  if (event->flags & LC_TRACE_EVENT_BYTES)
    g_assert_cmpuint (field (line, "bytes"), ==, event->bytes);
  else
    g_assert_cmpint ((gint64)field (line, "value"), ==, event->value);
}

static void
test_fields (void)
{
  char *directory = maker_sample ();
  g_autofree char *output = run (directory, "--clock-cycles");
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);
  guint at = 0;

  g_assert_nonnull (trace);
  for (guint process = 0; process < lc_trace_get_n_processes (trace); process++)
    {
      g_autoptr (GArray) events = maker_events (trace, process);

      g_assert_cmpuint (events->len, >=, 10);
      for (guint i = 0; i < events->len; i++)
        compare (lines[at++], trace, lc_trace_get_process (trace, process), &g_array_index (events, LcTraceEvent, i));
    }
  g_assert_cmpstr (lines[at], ==, "");
  g_assert_null (lines[at + 1]);
  maker_remove (directory);
}

/* The events' times are those of the wall clock. */
static void
test_wall_clock (void)
{
  char *directory = maker_sample ();
  g_autofree char *output = run (directory, "--clock-seconds");

  g_assert_true (g_str_has_prefix (output, "[1700000000.000000110] "));
  maker_remove (directory);
}

/* What a program that was killed left, after it was closed. */
static void
test_closed (void)
{
  g_autoptr (LcFolder) folder = NULL;
  char *directory = maker_directory ();
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;
  LcRecordingResult result = {0};
  guint64 last;

  maker_write_metadata (directory);
  for (guint process = 0; process < 3; process++)
    {
      g_autoptr (Maker) maker = maker_new (process);

      for (guint i = 0; i < 4; i++)
        {
          if (i == 2 && process > 0)
            maker_packet (maker);
          maker_sync (maker, LC_AWAIT, 2, i, 0, 20 + 10 * i, 25 + 10 * i, 0);
        }
      if (process == 0)
        maker_finish_loose (maker, directory);
      else
        maker_finish_with_head (maker, directory, process);
    }
  folder = lc_folder_open (directory, NULL);
  g_assert_true (lc_close_streams (folder, maker_uuid, 0, &result, &last, NULL));
  output = run (directory, "--clock-cycles");
  lines = g_strsplit (output, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 12 + 1);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_autofree char *program = g_find_program_in_path ("babeltrace2");

  g_test_init (&argc, &argv, NULL);
  if (program == NULL)
    {
      g_print ("1..0 # SKIP no babeltrace2\n");
      return 0;
    }
  g_test_add_func ("/babeltrace/fields", test_fields);
  g_test_add_func ("/babeltrace/wall-clock", test_wall_clock);
  g_test_add_func ("/babeltrace/closed", test_closed);
  return g_test_run ();
}
