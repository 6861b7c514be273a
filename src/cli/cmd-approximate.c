/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone approximate: the run as it would have been without the measurement. */
#include <glib/gi18n.h>

#include "approximating.h"
#include "command.h"
#include "lightcone/timeline-trace.h"
#include "lightcone/timeline.h"
#include "draw/options/find-named.h"
#include "open-history.h"
#include "report/approximation.h"

static char *model_name, *name, *blind_name, *removed_name, *output;
static char **settings, **rules_files;
static gboolean json, replace;

static const GOptionEntry options[] = {
    {"model", 0, 0, G_OPTION_ARG_STRING, &model_name,
     N_ ("auto (default), time, event, liberal, optimistic or pessimistic"), N_ ("MODEL")},
    {"name", 0, 0, G_OPTION_ARG_STRING, &name, N_ ("What to call the timeline, instead of its model"), N_ ("NAME")},
    {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &settings, N_ ("Costs, over those of trace.ini: section.key=value"),
     N_ ("SETTING")},
    {"blind", 0, 0, G_OPTION_ARG_STRING, &blind_name,
     N_ ("Which message a blind receive takes: preserve, fifo or lifo"), N_ ("POLICY")},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Write the approximated run as a trace of its own, too"),
     N_ ("DIR")},
    {"replace", 0, 0, G_OPTION_ARG_NONE, &replace, N_ ("With --output: remove an old trace that is there"), NULL},
    {"remove", 0, 0, G_OPTION_ARG_STRING, &removed_name, N_ ("Remove this timeline, and make none"), N_ ("NAME")},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "approximate",
    .arguments = N_ ("DIR"),
    .description = N_ ("The new timeline replaces one of the same name. It is kept in the history, besides others."),
    .options = options,
    .n_arguments = 1,
};

static gboolean
approximate_write (LcHistory *history, const char *directory, guint32 timeline, GError **error)
{
  const LcTimelineTraceOptions how = {
      .origin = directory, .rules = (const char *const *)rules_files, .path = output, .replace = replace};

  return lc_timeline_write_trace (history, timeline, &how, error);
}

static gboolean
approximate_show (const char *directory, const LcApproximation *approximation, GError **error)
{
  g_autoptr (LcRules) rules = lc_merge_load_rules (directory, (const char *const *)rules_files, error);
  g_autoptr (LcHistory) history = rules != NULL ? lc_open_approximated (directory, error) : NULL;
  g_autoptr (LcNames) names = NULL;
  LcApproximationShow what = {.approximation = approximation, .rules = rules, .json = json};

  if (history == NULL)
    return FALSE;
  if (output != NULL && !approximate_write (history, directory, approximation->timeline, error))
    return FALSE;
  what.history = history;
  what.names = names = lc_names_new (history);
  lc_approximation_show (&what);
  return TRUE;
}

static gboolean
approximate_run_command (const char *directory, LcModel model, LcBlindPolicy blind, GError **error)
{
  const LcApproximateOptions how = {.model = model,
                                    .blind = blind,
                                    .name = name,
                                    .settings = (const char *const *)settings,
                                    .rules = (const char *const *)rules_files};
  g_autoptr (LcApproximation) approximation = lc_approximate_directory (directory, how, json, error);

  return approximation != NULL && approximate_show (directory, approximation, error);
}

static gboolean
approximate_remove_timeline (const char *directory, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, (const char *const *)rules_files, json, error);
  guint32 number;

  return history != NULL && lc_find_timeline (history, removed_name, &number, error) &&
         lc_timeline_remove (lc_history_get_path (history), removed_name, error);
}

static gboolean
approximate_check_options (void)
{
  if (replace && output == NULL)
    {
      lc_complain (_ ("approximate: --replace goes with --output only"));
      return FALSE;
    }
  if (removed_name == NULL ||
      (model_name == NULL && name == NULL && blind_name == NULL && settings == NULL && output == NULL))
    return TRUE;
  lc_complain (_ ("approximate: --remove does not go together with what a new timeline is made of"));
  return FALSE;
}

int
lc_cmd_approximate (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  LcModel model = LC_MODEL_AUTO;
  LcBlindPolicy blind;

  if (!lc_command_parse (&line, &argc, &argv) || !lc_parse_model (line.name, model_name, &model) ||
      !lc_parse_blind (line.name, blind_name, &blind) || !lc_check_timeline_name (line.name, name) ||
      !approximate_check_options ())
    return LC_EXIT_UNUSABLE;
  if (removed_name != NULL ? approximate_remove_timeline (argv[1], &error)
                           : approximate_run_command (argv[1], model, blind, &error))
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
