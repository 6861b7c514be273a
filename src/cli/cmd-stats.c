/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone stats: tables of what processes did and waited for. */
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "lost.h"
#include "open-history.h"
#include "position.h"
#include "sites.h"
#include "statistics.h"
#ifdef LC_HAVE_SCRIPT
#include "script-analysis.h"
#endif

enum
{
  MOST_INTERVALS = 10000000,
};

static char *timeline, *format_name, *phases, *by_name, *max_slack_text;
static char **rules_files, **skip;
static gboolean json, per_process, trusts;
static int limit = -1, intervals = -1;
static gint64 actual = -1;
static LcSitesBy by;
static LcWaitsBy waits_by;
static LcSlackRows slack_by;
static guint64 max_slack = LC_SLACK_ANY;

static const GOptionEntry options[] = {
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline, N_ ("Of this timeline, instead of the measured one"),
     N_ ("NAME")},
    {"format", 0, 0, G_OPTION_ARG_STRING, &format_name, N_ ("text, csv or json"), N_ ("FORMAT")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("The same as --format json"), NULL},
    {"limit", 0, 0, G_OPTION_ARG_INT, &limit, N_ ("At most so many lines of the table"), N_ ("NUMBER")},
    {"intervals", 0, 0, G_OPTION_ARG_INT, &intervals, N_ ("Of a history: so many parts of the time"), N_ ("NUMBER")},
    {"actual", 0, 0, G_OPTION_ARG_INT64, &actual, N_ ("Of ratio: how long it took without the measurement, ns"),
     N_ ("NS")},
    {"phases", 0, 0, G_OPTION_ARG_STRING, &phases,
     N_ ("Of phases: what begins one (tag, region:NAME, barrier[:NAME], object:NAME, rule:NAME, auto)"), N_ ("WHAT")},
    {"per-process", 0, 0, G_OPTION_ARG_NONE, &per_process, N_ ("Of phases: each process for itself"), NULL},
    {"by", 0, 0, G_OPTION_ARG_STRING, &by_name,
     N_ ("Of sites and blame: a row for each site (default), function, file or module; of waits: for each object "
         "(default), site, stack, process, for (whom) or pair; of slack: process (default), object, operation, site, "
         "event or arc"),
     N_ ("WHAT")},
    {"max-slack", 0, 0, G_OPTION_ARG_STRING, &max_slack_text,
     N_ ("Of slack: up to so much is little, or is listed by event and arc (1ms, 20us, 42: ns)"), N_ ("TIME")},
    {"skip", 0, 0, G_OPTION_ARG_STRING_ARRAY, &skip,
     N_ ("Of sites and blame: a function, file or module to take for a library; more than once"), N_ ("PATTERN")},
    {"trust-scripts", 0, 0, G_OPTION_ARG_NONE, &trusts, N_ ("Look for WHAT in the scripts in DIR/scripts, too"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandLine line = {
    .name = "stats",
    .arguments = N_ ("DIR WHAT"),
    .description =
        N_ ("WHAT is one of: waiting, waiting-history, parallelism, parallelism-history, objects, object-uses, "
            "operations, matrix, processors, phases, ratio, sites, blame, waits, slack, marks. sites are the places in "
            "the source "
            "that wait, or "
            "make others wait; blame is which place waits for which; waits are in groups of the same object, site, "
            "stack or process; slack is how much later events could have ended without the run's end moving; marks are "
            "what lightcone script has marked. A script can define others (docs/scripting.md)."),
    .options = options,
    .n_arguments = 2,
};

typedef struct
{
  const char *name;
  gboolean (*show) (const LcStatisticsShow *show, GError **error);
  gsize lines;        /* lines for people, without --limit */
  gboolean intervals; /* --intervals is allowed */
  gboolean all;       /* shows all timelines, and --actual is allowed */
  gboolean phases;    /* --phases and --per-process are allowed */
  gboolean sites;     /* --by and --skip are allowed */
  gboolean waits;     /* --by is allowed, with other words */
  gboolean slack;     /* --by is allowed, with other words again, and --max-slack */
} Statistics;

static const Statistics statistics[] = {
    {"waiting", lc_statistics_show_waiting, G_MAXSIZE, FALSE, FALSE, FALSE, FALSE},
    {"waiting-history", lc_statistics_show_waiting_history, 200, TRUE, FALSE, FALSE, FALSE},
    {"parallelism", lc_statistics_show_parallelism, G_MAXSIZE, FALSE, FALSE, FALSE, FALSE},
    {"parallelism-history", lc_statistics_show_parallelism_history, G_MAXSIZE, TRUE, FALSE, FALSE, FALSE},
    {"objects", lc_statistics_show_objects, G_MAXSIZE, FALSE, FALSE, FALSE, FALSE},
    {"object-uses", lc_statistics_show_object_uses, 200, FALSE, FALSE, FALSE, FALSE},
    {"operations", lc_statistics_show_operations, G_MAXSIZE, FALSE, FALSE, FALSE, FALSE},
    {"matrix", lc_statistics_show_matrix, 200, FALSE, FALSE, FALSE, FALSE},
    {"processors", lc_statistics_show_processors, 200, TRUE, FALSE, FALSE, FALSE},
    {"phases", lc_statistics_show_phases, 200, FALSE, FALSE, TRUE, FALSE},
    {"ratio", lc_statistics_show_ratio, G_MAXSIZE, FALSE, TRUE, FALSE, FALSE},
    {"sites", lc_statistics_show_sites, 200, FALSE, FALSE, FALSE, TRUE},
    {"blame", lc_statistics_show_blame, 200, FALSE, FALSE, FALSE, TRUE},
    {"waits", lc_statistics_show_waits, 200, FALSE, FALSE, FALSE, FALSE, TRUE},
    {"slack", lc_statistics_show_slack, 200, FALSE, FALSE, FALSE, FALSE, FALSE, TRUE},
    {"marks", lc_statistics_show_marks, 200, FALSE, FALSE, FALSE, FALSE},
};

#ifdef LC_HAVE_SCRIPT
/* Analyses of scripts have no options but those of all. */
static Statistics scripted = {.lines = 200};
#endif

static char *
stats_dup_names (void)
{
  GString *names = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (statistics); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", statistics[i].name);
  return g_string_free (names, FALSE);
}

static const Statistics *
find_statistics (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (statistics); i++)
    if (strcmp (statistics[i].name, name) == 0)
      return &statistics[i];
#ifdef LC_HAVE_SCRIPT
  scripted.name = name;
  return &scripted;
#else
  g_autofree char *names = stats_dup_names ();

  lc_complain (_ ("stats: “%s” is none of %s"), name, names);
  return NULL;
#endif
}

static gboolean
stats_check_options (const Statistics *what)
{
  if (intervals != -1 && !what->intervals)
    lc_complain (_ ("stats: --intervals goes with waiting-history, parallelism-history and processors only"));
  else if (actual != -1 && !what->all)
    lc_complain (_ ("stats: --actual goes with ratio only"));
  else if (phases != NULL && !what->phases)
    lc_complain (_ ("stats: --phases goes with phases only"));
  else if (per_process && !what->phases)
    lc_complain (_ ("stats: --per-process goes with phases only"));
  else if (by_name != NULL && !what->sites && !what->waits && !what->slack)
    lc_complain (_ ("stats: --by goes with sites, blame, waits and slack only"));
  else if (max_slack_text != NULL && !what->slack)
    lc_complain (_ ("stats: --max-slack goes with slack only"));
  else if (max_slack_text != NULL && !lc_parse_time (max_slack_text, &max_slack))
    lc_complain (_ ("stats: --max-slack is a time (1ms, 20us, 42: ns), not “%s”"), max_slack_text);
  else if (skip != NULL && !what->sites)
    lc_complain (_ ("stats: --skip goes with sites and blame only"));
  else if (timeline != NULL && what->all)
    lc_complain (_ ("stats: --timeline does not go with %s, which shows all timelines"), what->name);
  else if (intervals != -1 && (intervals < 1 || intervals > MOST_INTERVALS))
    lc_complain (_ ("stats: --intervals can be from 1 to %d"), MOST_INTERVALS);
  else if (actual != -1 && actual < 1)
    lc_complain (_ ("stats: --actual is a number of nanoseconds, 1 or more"));
  else
    return what->waits   ? lc_waits_by_parse (by_name, &waits_by)
           : what->slack ? lc_slack_by_parse (by_name, &slack_by)
                         : lc_sites_by_parse ("stats", by_name, &by);
  return FALSE;
}

/* Shows an analysis of a script if it is none of ours. */
static gboolean
stats_show (const LcStatisticsShow *show, const Statistics *what, const char *directory, int *status, GError **error)
{
#ifdef LC_HAVE_SCRIPT
  if (what->show == NULL)
    {
      g_autofree char *names = stats_dup_names ();

      *status = lc_script_analysis_show (show, directory, (const char *const *)rules_files, trusts, names);
      return TRUE;
    }
#endif
  *status = LC_EXIT_GOOD;
  return what->show (show, error);
}

static gboolean
stats_run (LcHistory *history, const char *directory, const Statistics *what, LcFormat format, int *status,
           GError **error)
{
  g_autoptr (LcNames) names = lc_names_new (history);
  LcStatisticsShow show = {.history = history,
                           .names = names,
                           .what = what->name,
                           .timeline_name = what->all          ? NULL
                                            : timeline != NULL ? timeline
                                                               : "measured",
                           .format = format,
                           .limit = format == LC_FORMAT_TEXT ? what->lines : G_MAXSIZE,
                           .intervals = intervals > 0 ? (guint32)intervals : 0,
                           .actual = actual > 0 ? (guint64)actual : 0,
                           .phases = phases != NULL ? phases : "auto",
                           .per_process = per_process,
                           .by = by,
                           .waits_by = waits_by,
                           .slack_by = slack_by,
                           .max_slack = max_slack,
                           .skip = (const char *const *)skip};

  if (format == LC_FORMAT_CSV)
    lc_lost_complain (history);
  if (limit >= 0)
    show.limit = (gsize)limit;
  return (what->all || lc_find_timeline (history, show.timeline_name, &show.timeline, error)) &&
         stats_show (&show, what, directory, status, error);
}

int
lc_cmd_stats (int argc, char **argv)
{
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  const Statistics *what;
  LcFormat format;
  int status;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  format = json ? LC_FORMAT_JSON : LC_FORMAT_TEXT;
  what = find_statistics (argv[2]);
  if (what == NULL || !stats_check_options (what) ||
      (format_name != NULL && !lc_format_parse ("stats", format_name, &format)))
    return LC_EXIT_UNUSABLE;
  history = lc_open_history (argv[1], (const char *const *)rules_files, format != LC_FORMAT_TEXT, &error);
  if (history != NULL && stats_run (history, argv[1], what, format, &status, &error))
    return status;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
