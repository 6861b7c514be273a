/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone compare: finds where the order of two executions first differs, and where their times differ most. */
#include <glib/gi18n.h>

#include "command.h"
#include "draw/options/find-named.h"
#include "open-history.h"
#include "report/comparison.h"
#include "report/sites.h"

enum
{
  LINES = 10, /* lines of a table for people, without --limit */
  MOST_LINES = 1000000,
};

static char *timeline, *by_name;
static char **rules_files, **skip;
static gboolean json;
static int limit = -1;
static guint by;

static const GOptionEntry options[] = {
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline, N_ ("This timeline of both, instead of the measured one"),
     N_ ("NAME")},
    {"by", 0, 0, G_OPTION_ARG_STRING, &by_name,
     N_ ("And where in the source waiting differs: by site, function, file or module"), N_ ("WHAT")},
    {"skip", 0, 0, G_OPTION_ARG_STRING_ARRAY, &skip,
     N_ ("With --by: a function, file or module to take for a library; more than once"), N_ ("PATTERN")},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("At most so many lines of a list"),
     N_ ("NUMBER")},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"limit", 0, MOST_LINES, .integer = &limit},
    {NULL},
};

static const LcCommandLine line = {
    .name = "compare",
    .arguments = N_ ("DIR DIR"),
    .description = N_ ("Events are the same if they have the same object and sequence, process and operation."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 2,
};

static gboolean
compare_run_command (LcCompareSide sides[2], char **directories, GError **error)
{
  const char *name = timeline != NULL ? timeline : "measured";
  gsize lines = limit >= 0 ? (gsize)limit : LINES;
  g_autoptr (LcComparison) comparison = NULL;
  g_autoptr (GArray) sites = NULL;

  for (guint side = 0; side < 2; side++)
    {
      sides[side].history = lc_open_history (directories[side], (const char *const *)rules_files, json, error);
      if (sides[side].history == NULL || !lc_find_timeline (sides[side].history, name, &sides[side].timeline, error))
        return FALSE;
    }
  comparison = lc_compare (sides, lines, NULL, NULL, NULL, error);
  if (comparison == NULL)
    return FALSE;
  if (by_name != NULL && (sites = lc_compare_sites (sides, by, (const char *const *)skip, NULL, error)) == NULL)
    return FALSE;
  if (sites != NULL && sites->len == 0)
    lc_sites_tell_none (sides[lc_sites_has_events (sides[1].history) ? 1 : 0].history, LC_FORMAT_JSON);
  lc_comparison_show (comparison, sites, sides, directories, lines, json);
  return TRUE;
}

int
lc_cmd_compare (int argc, char **argv)
{
  LcCompareSide sides[2] = {{NULL, 0}, {NULL, 0}};
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  if (skip != NULL && by_name == NULL)
    {
      lc_complain (_ ("compare: --skip goes with --by only"));
      return LC_EXIT_UNUSABLE;
    }
  if (!lc_by_parse ("compare", by_name, lc_sites_by_names, &by))
    return LC_EXIT_UNUSABLE;
  good = compare_run_command (sides, argv + 1, &error);
  for (guint side = 0; side < 2; side++)
    g_clear_pointer (&sides[side].history, lc_history_free);
  if (good)
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
