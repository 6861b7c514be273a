/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone merge: makes the execution history of a trace. */
#include <glib/gi18n.h>
#include <stdio.h>

#include "command.h"
#include "report/format.h"
#include "trace/json.h"
#include "lightcone/clock-correction.h"
#include "open-history.h"
#include "report/output.h"

static gboolean again, json, quiet, no_clock_correction;
static char **rules_files, *names;

static const GOptionEntry options[] = {
    {"again", 0, 0, G_OPTION_ARG_NONE, &again, N_ ("Merge even if the history is up to date"), NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"names", 0, 0, G_OPTION_ARG_FILENAME, &names, N_ ("Names for objects and processes; empty: none any more"),
     N_ ("FILE")},
    {"no-clock-correction", 0, 0, G_OPTION_ARG_NONE, &no_clock_correction,
     N_ ("Of several hosts, leave their clocks as they were compared"), NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("Say nothing but errors"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandLine line = {
    .name = "merge",
    .arguments = N_ ("DIR"),
    .description = N_ ("Other commands merge by themselves when they have to."),
    .options = options,
    .n_arguments = 1,
};

static char *
to_json (const char *directory, const LcMergeResult *result)
{
  g_autofree char *path = lc_merge_dup_path (directory);
  LcJson out = LC_JSON_INIT ();

  lc_json_begin_object (&out, NULL);
  lc_json_add_count (&out, "events", result->events);
  lc_json_add_count (&out, "arcs", result->arcs);
  lc_json_add_count (&out, "layers", result->layers);
  lc_json_add_count (&out, "problems", result->problems);
  lc_json_add_count (&out, "lost", result->lost);
  lc_json_add_count (&out, "bytes", result->bytes);
  lc_json_add_boolean (&out, "made", result->made);
  lc_json_add_string (&out, "history", path);
  lc_json_end_object (&out);
  return lc_json_finish (&out);
}

/* Gives "gauss.trace: 1,234 events, 567 arcs, 89 layers, 12.3 KiB, in 120 ms (9,876,543 events a second)". */
static char *
to_text (const char *directory, const LcMergeResult *result, gint64 microseconds)
{
  GString *text = g_string_new (NULL);
  g_autofree char *display = g_filename_display_name (directory), *name = lc_format_text (display);
  g_autofree char *events = lc_format_count (result->events);
  g_autofree char *arcs = lc_format_count (result->arcs), *layers = lc_format_count (result->layers);
  g_autofree char *bytes = lc_format_bytes (result->bytes), *problems = lc_format_count (result->problems);
  g_autofree char *lost = lc_format_count (result->lost);

  g_string_append_printf (text, _ ("%s: %s events, %s arcs, %s layers, %s"), name, events, arcs, layers, bytes);
  if (result->made)
    {
      g_autofree char *time = lc_format_duration ((guint64)microseconds * 1000);
      g_autofree char *rate = lc_format_count ((guint64)((double)result->events / (double)MAX (microseconds, 1) * 1e6));

      g_string_append_printf (text, _ (", in %s (%s events a second)"), time, rate);
    }
  else
    g_string_append (text, _ (", up to date"));
  if (result->problems > 0)
    g_string_append_printf (text,
                            ngettext ("; %s problem: lightcone check tells more",
                                      "; %s problems: lightcone check tells more", result->problems),
                            problems);
  if (result->lost > 0)
    g_string_append_printf (text,
                            ngettext ("; %s event was lost: lightcone info tells why",
                                      "; %s events were lost: lightcone info tells why", result->lost),
                            lost);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

int
lc_cmd_merge (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gint64 begin = g_get_monotonic_time ();
  LcMergeResult result;
  LcMergeOptions asked;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  if (no_clock_correction && !lc_clocks_decline (argv[1], &error))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  asked = (LcMergeOptions){.rules = (const char *const *)rules_files, .names = names, .again = again};
  if (!lc_merge_directory (argv[1], &asked, quiet, &result, &error))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  if (json)
    {
      text = to_json (argv[1], &result);
      lc_output_write (text, -1);
    }
  else if (!quiet)
    {
      text = to_text (argv[1], &result, g_get_monotonic_time () - begin);
      g_print ("%s", text);
    }
  return LC_EXIT_GOOD;
}
