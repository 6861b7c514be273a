/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone control: stops a recording that goes on, lets it go on, and takes out what it has. */
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "report/format.h"
#include "trace/json.h"
#include "lightcone/recording.h"
#include "lightcone/trace.h"
#include "report/output.h"

static char *output;
static gboolean json, quiet;

static const GOptionEntry options[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("dump: where to leave the trace (default: beside DIR)"),
     N_ ("DIR")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("status: for programs to read"), NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("Say nothing but errors"), NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "control",
    .arguments = N_ ("DIR start|stop|dump|status"),
    .description = N_ ("stop: record nothing until start. dump: make a trace of what has been recorded until now.\n"
                       "status: say how the recording is. DIR is where lightcone record leaves its trace."),
    .options = options,
    .n_arguments = 2,
};

/* --- Stop and start ------------------------------------------------------------------------------------------ */

static gboolean
control_set_paused (const char *directory, gboolean paused, GError **error)
{
  g_autofree char *display = g_filename_display_name (directory), *name = lc_format_text (display);
  gboolean changed;

  if (!lc_recording_set_paused (directory, paused, &changed, error))
    return FALSE;
  if (quiet)
    return TRUE;
  if (changed)
    g_print (paused ? _ ("%s: recording has stopped\n") : _ ("%s: recording goes on\n"), name);
  else
    g_print (paused ? _ ("%s: recording had been stopped before\n") : _ ("%s: recording was going on already\n"), name);
  return TRUE;
}

static gboolean
control_start (const char *directory, GError **error)
{
  return control_set_paused (directory, FALSE, error);
}

static gboolean
control_stop (const char *directory, GError **error)
{
  return control_set_paused (directory, TRUE, error);
}

/* --- Dump ------------------------------------------------------------------------------------------------------ */

/* server.trace: server-dump-1.trace, or the first number that is free. */
static char *
control_dup_dump_name (const char *directory)
{
  g_autofree char *path = g_canonicalize_filename (directory, NULL);
  gsize length = g_str_has_suffix (path, ".trace") ? strlen (path) - strlen (".trace") : strlen (path);

  for (guint i = 1;; i++)
    {
      g_autofree char *name = g_strdup_printf ("%.*s-dump-%u%s", (int)length, path, i, path + length);

      if (!g_file_test (name, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&name);
    }
}

static gboolean
control_dump (const char *directory, GError **error)
{
  g_autofree char *to = output != NULL ? g_strdup (output) : control_dup_dump_name (directory);
  g_autofree char *display = g_filename_display_name (to), *name = lc_format_text (display);
  g_autofree char *processes = NULL, *events = NULL, *lost = NULL;
  LcRecordingResult result;

  if (!lc_recording_dump (directory, to, &result, error))
    return FALSE;
  if (quiet)
    return TRUE;
  processes = lc_format_count (result.processes);
  events = lc_format_count (result.events);
  lost = lc_format_count (result.n_lost);
  g_print (_ ("%s: processes: %s, events: %s, lost: %s\n"), name, processes, events, lost);
  return TRUE;
}

/* --- Status ---------------------------------------------------------------------------------------------------- */

static char *
control_status_to_json (const LcRecordingStatus *status)
{
  LcJson out = LC_JSON_INIT ();

  lc_json_begin_object (&out, NULL);
  lc_json_add_string (&out, "state", status->is_paused ? "paused" : "recording");
  lc_json_add_count (&out, "elapsed", status->elapsed);
  lc_json_add_count (&out, "processes", status->processes);
  lc_json_add_count (&out, "bytes", status->bytes);
  lc_json_add_count (&out, "keep_bytes", status->keep_bytes);
  lc_json_add_count (&out, "keep_time", status->keep_time);
  lc_json_add_count (&out, "since", status->since);
  lc_json_add_count (&out, "dropped", status->dropped);
  lc_json_add_count (&out, "lost", status->lost);
  if (status->stopped >= 0)
    lc_json_add_string (&out, "stopped", lc_recording_lost_name ((guint)status->stopped));
  lc_json_end_object (&out);
  return lc_json_finish (&out);
}

static void
control_add_row (GString *text, const char *title, const char *value)
{
  guint width = lc_format_width (title);

  g_string_append_printf (text, "%s%*s  %s\n", title, width < 12 ? (int)(12 - width) : 0, "", value);
}

static void
control_add_kept (GString *text, const LcRecordingStatus *status)
{
  g_autofree char *size = lc_format_bytes (status->keep_bytes), *time = lc_format_duration (status->keep_time);
  g_autofree char *since = lc_format_duration (status->since), *dropped = lc_format_count (status->dropped);
  g_autofree char *before = g_strdup_printf (_ ("%s events, up to %s after the start"), dropped, since);

  control_add_row (text, _ ("Kept"), status->keep_bytes > 0 ? size : time);
  if (status->dropped > 0)
    control_add_row (text, _ ("Dropped"), before);
}

static char *
control_status_to_text (const LcRecordingStatus *status)
{
  GString *text = g_string_new (NULL);
  g_autofree char *elapsed = lc_format_duration (status->elapsed), *bytes = lc_format_bytes (status->bytes);
  g_autofree char *processes = lc_format_count (status->processes), *lost = lc_format_count (status->lost);

  control_add_row (text, _ ("State"), status->is_paused ? _ ("stopped: nothing is recorded") : _ ("recording"));
  control_add_row (text, _ ("Since"), elapsed);
  control_add_row (text, _ ("Processes"), processes);
  control_add_row (text, _ ("Written"), bytes);
  if (status->keep_bytes > 0 || status->keep_time > 0)
    control_add_kept (text, status);
  if (status->lost > 0)
    control_add_row (text, _ ("Lost"), lost);
  if (status->stopped == LC_LOST_LIMIT)
    control_add_row (text, _ ("Problem"), _ ("the trace is as large as it may be: nothing more is written"));
  else if (status->stopped >= 0)
    control_add_row (text, _ ("Problem"), _ ("nothing can be written: the disk is full, or a file cannot be opened"));
  return g_string_free (text, FALSE);
}

static gboolean
control_status (const char *directory, GError **error)
{
  g_autofree char *text = NULL;
  LcRecordingStatus status;

  if (!lc_recording_get_status (directory, &status, error))
    return FALSE;
  text = json ? control_status_to_json (&status) : control_status_to_text (&status);
  if (json)
    lc_output_write (text, -1);
  else
    g_print ("%s", text);
  return TRUE;
}

/* --------------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  gboolean (*run) (const char *directory, GError **error);
} actions[] = {{"start", control_start}, {"stop", control_stop}, {"dump", control_dump}, {"status", control_status}};

int
lc_cmd_control (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      if (!g_str_equal (argv[2], actions[i].name))
        continue;
      if (actions[i].run (argv[1], &error))
        return LC_EXIT_GOOD;
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  lc_complain (_ ("control: there is no “%s”: start, stop, dump or status (see lightcone help control)"), argv[2]);
  return LC_EXIT_UNUSABLE;
}
