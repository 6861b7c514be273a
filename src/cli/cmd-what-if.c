/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone what-if: computes the run as it would be if something took more or less time. */
#include <glib/gi18n.h>
#include <string.h>

#include "approximating.h"
#include "command.h"
#include "recover.h"
#include "what-if.h"

/* Lines of a table for people, without --limit. */
enum
{
  LINES = 10,
};

static char *model_name, *name, *blind_name;
static char **scale_texts, **settings, **rules_files;
static gboolean approximate, json;
static int limit = -1;

static const GOptionEntry options[] = {
    {"scale", 0, 0, G_OPTION_ARG_STRING_ARRAY, &scale_texts,
     N_ ("An operation, object, region, line or function, or communication, that takes so many times as long"),
     N_ ("NAME=FACTOR")},
    {"approximate", 0, 0, G_OPTION_ARG_NONE, &approximate, N_ ("And without the measurement"), NULL},
    {"model", 0, 0, G_OPTION_ARG_STRING, &model_name,
     N_ ("auto (default), time, event, liberal, optimistic or pessimistic"), N_ ("MODEL")},
    {"name", 0, 0, G_OPTION_ARG_STRING, &name, N_ ("What to call the timeline, instead of what-if"), N_ ("NAME")},
    {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &settings, N_ ("Costs, over those of trace.ini: section.key=value"),
     N_ ("SETTING")},
    {"blind", 0, 0, G_OPTION_ARG_STRING, &blind_name,
     N_ ("Which message a blind receive takes: preserve, fifo or lifo"), N_ ("POLICY")},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("At most so many lines of a table"),
     N_ ("NUMBER")},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"limit", 0, LC_COMMAND_ANY, .integer = &limit},
    {NULL},
};

static const LcCommandLine line = {
    .name = "what-if",
    .arguments = N_ ("DIR"),
    .description =
        N_ ("--scale 'queue=0' asks what would be if nothing took any time on the lock queue, --scale 'pipe.cpp:7=0.5' "
            "if the work before and after that line were twice as fast; --scale may be given more than once."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 1,
};

static void
what_if_clear_scale (gpointer scale)
{
  lc_scale_clear (scale);
}

static GArray *
parse_scales (const char *directory, GError **error)
{
  const LcMergeOptions merge = {.rules = (const char *const *)rules_files};
  g_autoptr (GArray) scales = g_array_new (FALSE, FALSE, sizeof (LcScale));
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (LcTrace) trace = NULL;

  g_array_set_clear_func (scales, what_if_clear_scale);
  lc_recover (directory);
  history = lc_merge_open (directory, &merge, error);
  trace = history != NULL ? lc_trace_open (directory, error) : NULL;
  if (trace == NULL || !lc_history_name_trace (history, trace, error))
    return NULL;
  for (gsize i = 0; scale_texts[i] != NULL; i++)
    {
      LcScale scale;

      if (strrchr (scale_texts[i], '=') == NULL)
        {
          g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE,
                       _ ("--scale %s: it has to be NAME=FACTOR, as queue=0.5"), scale_texts[i]);
          return NULL;
        }
      if (!lc_scale_parse (trace, history, scale_texts[i], &scale, error))
        return NULL;
      g_array_append_val (scales, scale);
    }
  return g_steal_pointer (&scales);
}

/* With --approximate, the run is not compared with the measured one, but with one approximated without --scale. */
static gboolean
approximate_before (const char *directory, LcApproximateOptions how, LcApproximation **before, GError **error)
{
  g_autofree char *before_name = g_strconcat (how.name, "-before", NULL);

  if (!approximate)
    return TRUE;
  how.name = before_name;
  how.scales = NULL;
  how.n_scales = 0;
  *before = lc_approximate_directory (directory, how, json, error);
  return *before != NULL;
}

static gboolean
what_if_show (const char *directory, const LcApproximation *before, LcApproximation *after, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_approximated (directory, error);
  g_autoptr (LcNames) names = history != NULL ? lc_names_new (history) : NULL;
  g_autoptr (LcCriticalPath) before_path = NULL, after_path = NULL;
  g_autoptr (LcSiteGroups) groups = NULL;
  g_autoptr (GPtrArray) pieces = NULL;
  LcWhatIfShow what = {.history = history,
                       .names = names,
                       .scales = (const char *const *)scale_texts,
                       .before = before,
                       .after = after,
                       .limit = limit >= 0 ? (gsize)limit
                                : json     ? G_MAXSIZE
                                           : LINES,
                       .json = json};

  if (history == NULL)
    return FALSE;
  what.before_path = before_path =
      lc_critical_path_find (history, before != NULL ? before->timeline : LC_TIMELINE_MEASURED, NULL, error);
  if (before_path == NULL)
    return FALSE;
  what.after_path = after_path = lc_critical_path_find (history, after->timeline, NULL, error);
  if (after_path == NULL || !lc_what_if_warn_of_clocks (history, after_path, after, error))
    return FALSE;
  what.groups = groups = lc_site_groups_new (history, LC_SITES_BY_SITE);
  if (!lc_what_if_find_pieces (&what, &pieces, error))
    return FALSE;
  what.pieces = pieces;
  lc_what_if_show (&what);
  return TRUE;
}

static gboolean
what_if_ask (const char *directory, LcModel model, LcBlindPolicy blind, GError **error)
{
  g_autoptr (GArray) scales = parse_scales (directory, error);
  g_autoptr (LcApproximation) before = NULL, after = NULL;
  LcApproximateOptions how = {.model = model,
                              .blind = blind,
                              .name = name != NULL ? name : "what-if",
                              .settings = (const char *const *)settings,
                              .rules = (const char *const *)rules_files,
                              .keep_measurement = !approximate};

  if (scales == NULL)
    return FALSE;
  how.scales = (const LcScale *)(void *)scales->data;
  how.n_scales = scales->len;
  if (!approximate_before (directory, how, &before, error))
    return FALSE;
  after = lc_approximate_directory (directory, how, json, error);
  return after != NULL && what_if_show (directory, before, after, error);
}

int
lc_cmd_what_if (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  LcModel model = LC_MODEL_AUTO;
  LcBlindPolicy blind;

  if (!lc_command_parse (&line, &argc, &argv) || !lc_parse_model (line.name, model_name, &model) ||
      !lc_parse_blind (line.name, blind_name, &blind) || !lc_check_timeline_name (line.name, name))
    return LC_EXIT_UNUSABLE;
  if (scale_texts == NULL)
    {
      lc_complain (_ ("what-if: --scale NAME=FACTOR says what is to take another time (see lightcone help what-if)"));
      return LC_EXIT_UNUSABLE;
    }
  if (what_if_ask (argv[1], model, blind, &error))
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
