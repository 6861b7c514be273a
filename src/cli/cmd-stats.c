/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone stats: tables of what processes did and waited for. */
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "open-history.h"
#include "statistics.h"

static char *timeline, *format_name;
static char **rules_files;
static gboolean json;
static int limit = -1;

static const GOptionEntry options[] = {
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline, N_ ("Of this timeline, instead of the measured one"),
     N_ ("NAME")},
    {"format", 0, 0, G_OPTION_ARG_STRING, &format_name, N_ ("text, csv or json"), N_ ("FORMAT")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("The same as --format json"), NULL},
    {"limit", 0, 0, G_OPTION_ARG_INT, &limit, N_ ("At most so many lines of the table"), N_ ("NUMBER")},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandLine line = {
    .name = "stats",
    .arguments = N_ ("DIR WHAT"),
    .description = N_ ("WHAT is one of: waiting, parallelism, objects, operations."),
    .options = options,
    .n_arguments = 2,
};

typedef struct
{
  const char *name;
  gboolean (*show) (const LcStatisticsShow *show, GError **error);
} Statistics;

static const Statistics statistics[] = {
    {"waiting", lc_statistics_show_waiting},
    {"parallelism", lc_statistics_show_parallelism},
    {"objects", lc_statistics_show_objects},
    {"operations", lc_statistics_show_operations},
};

static const Statistics *
find_statistics (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (statistics); i++)
    if (strcmp (statistics[i].name, name) == 0)
      return &statistics[i];
  lc_complain (_ ("stats: “%s” is none of waiting, parallelism, objects, operations"), name);
  return NULL;
}

static gboolean
run (LcHistory *history, const Statistics *what, LcFormat format, GError **error)
{
  g_autoptr (LcNames) names = lc_names_new (history);
  LcStatisticsShow show = {.history = history,
                           .names = names,
                           .what = what->name,
                           .timeline_name = timeline != NULL ? timeline : "measured",
                           .format = format,
                           .limit = limit >= 0 ? (gsize)limit : G_MAXSIZE};

  return lc_history_find_timeline (history, show.timeline_name, &show.timeline, error) && what->show (&show, error);
}

int
lc_cmd_stats (int argc, char **argv)
{
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  const Statistics *what;
  LcFormat format;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  format = json ? LC_FORMAT_JSON : LC_FORMAT_TEXT;
  what = find_statistics (argv[2]);
  if (what == NULL || (format_name != NULL && !lc_format_parse ("stats", format_name, &format)))
    return LC_EXIT_UNUSABLE;
  history = lc_open_history (argv[1], (const char *const *)rules_files, format != LC_FORMAT_TEXT, &error);
  if (history != NULL && run (history, what, format, &error))
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
