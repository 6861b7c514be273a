/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone critical-path: shows what determined the length of an execution. */
#include <glib/gi18n.h>
#include <stdio.h>

#include "command.h"
#include "draw/options/find-named.h"
#include "open-history.h"
#include "report/critical-path.h"
#include "report/sites.h"

/* Lines of a table for people, without --limit. */
enum
{
  LINES = 10,
  EVENT_LINES = 200,
};

static char *timeline, *by_name;
static char **rules_files, **skip;
static gboolean events, json, csv;
static int limit = -1;
static guint by;

static const GOptionEntry options[] = {
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline, N_ ("The path on this timeline, instead of the measured one"),
     N_ ("NAME")},
    {"events", 0, 0, G_OPTION_ARG_NONE, &events, N_ ("The path itself, event after event"), NULL},
    {"by", 0, 0, G_OPTION_ARG_STRING, &by_name,
     N_ ("From where to where in the source: a row for each site, function, file or module"), N_ ("WHAT")},
    {"skip", 0, 0, G_OPTION_ARG_STRING_ARRAY, &skip,
     N_ ("With --by: a function, file or module to take for a library; more than once"), N_ ("PATTERN")},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("At most so many lines of a table"),
     N_ ("NUMBER")},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, N_ ("A table for programs to read"), NULL},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"limit", 0, LC_COMMAND_ANY, .integer = &limit},
    {NULL},
};

static const LcCommandLine line = {
    .name = "critical-path",
    .arguments = N_ ("DIR"),
    .description =
        N_ ("The critical path ends with the last event, and goes back over what each event had to wait for."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 1,
};

static gsize
get_limit (LcFormat format)
{
  if (limit >= 0)
    return (gsize)limit;
  return format != LC_FORMAT_TEXT ? G_MAXSIZE : events || by_name != NULL ? EVENT_LINES : LINES;
}

static gboolean
critical_path_show (LcHistory *history, GError **error)
{
  LcFormat format = json ? LC_FORMAT_JSON : csv ? LC_FORMAT_CSV : LC_FORMAT_TEXT;
  const char *name = timeline != NULL ? timeline : "measured";
  LcCriticalPathAsked asked = {.timeline_name = name,
                               .format = format,
                               .events = events,
                               .sites = by_name != NULL,
                               .by = by,
                               .skip = (const char *const *)skip,
                               .limit = get_limit (format)};
  g_autoptr (LcCriticalPath) path = NULL;

  if (!lc_find_timeline (history, name, &asked.timeline, error))
    return FALSE;
  path = lc_critical_path_find (history, asked.timeline, NULL, error);
  return path != NULL && lc_critical_path_show (path, history, &asked, error);
}

int
lc_cmd_critical_path (int argc, char **argv)
{
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  if (json && csv)
    {
      lc_complain (_ ("critical-path: --json and --csv do not go together"));
      return LC_EXIT_UNUSABLE;
    }
  if (by_name != NULL && events)
    {
      lc_complain (_ ("critical-path: --events and --by do not go together"));
      return LC_EXIT_UNUSABLE;
    }
  if (skip != NULL && by_name == NULL)
    {
      lc_complain (_ ("critical-path: --skip goes with --by only"));
      return LC_EXIT_UNUSABLE;
    }
  if (!lc_by_parse ("critical-path", by_name, lc_sites_by_names, &by))
    return LC_EXIT_UNUSABLE;
  history = lc_open_history (argv[1], (const char *const *)rules_files, json || csv, &error);
  if (history != NULL && critical_path_show (history, &error))
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
