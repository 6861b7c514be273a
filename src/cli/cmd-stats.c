/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone stats: tables of what processes did and waited for. */
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "picture-choice.h"
#include "report/lost.h"
#include "nearest.h"
#include "draw/options/find-named.h"
#include "open-history.h"
#include "report/statistics.h"
#ifdef LC_HAVE_SCRIPT
#include "script/script.h"
#include "script-analysis.h"
#endif
#include "trace/quantities.h"

enum
{
  MOST_INTERVALS = 10000000,
  MOST_NAMES = 4, /* of a filter */
};

static char *timeline, *format_name, *phases, *by_name, *max_slack_text;
static char **rules_files, **skip;
static gboolean json, per_process, trusts;
static int limit = -1, intervals = -1;
static gint64 actual = -1;
static LcStatisticsAsked asked = {.max_slack = LC_SLACK_ANY};
static LcPictureChoice choice; /* of filters */

static const GOptionEntry options[] = {
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline, N_ ("Of this timeline, instead of the measured one"),
     N_ ("NAME")},
    {"format", 0, 0, G_OPTION_ARG_STRING, &format_name, N_ ("text, csv or json"), N_ ("FORMAT")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("The same as --format json"), NULL},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("At most so many lines of the table"),
     N_ ("NUMBER")},
    {"intervals", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("Of a history: so many parts of the time"),
     N_ ("NUMBER")},
    {"actual", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Of ratio: how long it took without the measurement, ns"), N_ ("NS")},
    {"phases", 0, 0, G_OPTION_ARG_STRING, &phases,
     N_ ("Of phases: what begins one (tag, region:NAME, barrier[:NAME], collective:NAME, object:NAME, rule:NAME, "
         "auto)"),
     N_ ("WHAT")},
    {"per-process", 0, 0, G_OPTION_ARG_NONE, &per_process, N_ ("Of phases: each process for itself"), NULL},
    {"by", 0, 0, G_OPTION_ARG_STRING, &by_name, N_ ("A row for each of these (the first one below is the default)"),
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

static const GOptionEntry *
stats_get_filters (void)
{
  static GArray *entries;

  entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  lc_picture_choice_add_options (&choice, TRUE, entries, NULL);
  return (const GOptionEntry *)(const void *)entries->data;
}

static const LcCommandNumber numbers[] = {
    {"limit", 0, LC_COMMAND_ANY, .integer = &limit},
    {"intervals", 1, MOST_INTERVALS, .integer = &intervals},
    {"actual", 1, LC_COMMAND_ANY, .large = &actual},
    {NULL},
};

static LcCommandLine line = {
    .name = "stats",
    .arguments = N_ ("DIR WHAT"),
    .options = options,
    .numbers = numbers,
    .get_more = stats_get_filters,
    .n_arguments = 2,
};

#ifdef LC_HAVE_SCRIPT
/* Analyses of scripts have no options but those of all. */
static LcStatistics scripted = {.lines = 200};
#endif

/* --- Words ------------------------------------------------------------------------------------------------------- */

/* Those that have all of these options. */
static GPtrArray *
stats_list_names (guint having)
{
  GPtrArray *names = g_ptr_array_new ();

  for (const LcStatistics *one = lc_statistics_table; one->name != NULL; one++)
    if ((one->options & having) == having)
      g_ptr_array_add (names, (gpointer)one->name);
  return names;
}

static char *
stats_dup_names (guint having)
{
  g_autoptr (GPtrArray) names = stats_list_names (having);

  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **)names->pdata);
}

static char *
stats_dup_description (void)
{
  GString *text = g_string_new (_ ("WHAT is one of:"));

  for (const LcStatistics *one = lc_statistics_table; one->name != NULL; one++)
    {
      g_autofree char *by = one->by != NULL ? g_strjoinv (", ", (char **)one->by) : NULL;

      g_string_append_printf (text, "\n  %-20s  %s", one->name, _ (one->title));
      if (by != NULL)
        g_string_append_printf (text, "\n  %20s  --by %s", "", by);
    }
#ifdef LC_HAVE_SCRIPT
  g_string_append_printf (text, "\n\n%s", _ ("or one of those that scripts of the program define:"));
  for (const char *const *name = lc_script_own_analyses; *name != NULL; name++)
    g_string_append_printf (text, "\n  %s", *name);
#endif
  g_string_append_printf (text, "\n\n%s", _ ("A script can define others (docs/scripting.md)."));
  return g_string_free (text, FALSE);
}

/* --- Options ----------------------------------------------------------------------------------------------------- */

static const LcStatistics *
stats_find (const char *name)
{
  for (const LcStatistics *one = lc_statistics_table; one->name != NULL; one++)
    if (strcmp (one->name, name) == 0)
      return one;
#ifdef LC_HAVE_SCRIPT
  scripted.name = name;
  return &scripted;
#else
  g_autofree char *names = stats_dup_names (0);
  g_autoptr (GPtrArray) all = stats_list_names (0);
  g_autofree char *hint = lc_nearest_dup_hint (name, all);

  lc_complain (_ ("stats: “%s” is none of %s%s"), name, names, hint);
  return NULL;
#endif
}

/* Whether all options that are given are some of what is asked for. */
static gboolean
stats_check_given (const LcStatistics *what)
{
  gsize first = 0;
  const char *filter = lc_picture_choice_find_given (&choice, &first);
  g_autofree char *dashed = filter != NULL ? g_strconcat ("--", filter, NULL) : NULL;
  const struct
  {
    const char *name;
    gboolean is_given;
    guint option;
  } given[] = {
      {"--intervals", intervals != -1, LC_STATISTICS_INTERVALS},
      {"--actual", actual != -1, LC_STATISTICS_ALL},
      {"--phases", phases != NULL, LC_STATISTICS_PHASES},
      {"--per-process", per_process, LC_STATISTICS_PER_PROCESS},
      {"--by", by_name != NULL, LC_STATISTICS_BY},
      {"--max-slack", max_slack_text != NULL, LC_STATISTICS_MAX_SLACK},
      {"--skip", skip != NULL, LC_STATISTICS_SKIP},
      {dashed, filter != NULL, LC_STATISTICS_FILTERS},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (given); i++)
    if (given[i].is_given && (what->options & given[i].option) == 0)
      {
        g_autofree char *names = stats_dup_names (given[i].option);

        lc_complain (_ ("stats: %s goes with %s only"), given[i].name, names);
        return FALSE;
      }
  return TRUE;
}

static gboolean
stats_check_options (const LcStatistics *what)
{
  if (!stats_check_given (what))
    return FALSE;
  if (max_slack_text != NULL && !lc_parse_time (max_slack_text, &asked.max_slack))
    lc_complain (_ ("stats: --max-slack is a time (1ms, 20us, 42: ns), not “%s”"), max_slack_text);
  else if (timeline != NULL && (what->options & LC_STATISTICS_ALL) != 0)
    lc_complain (_ ("stats: --timeline does not go with %s, which shows all timelines"), what->name);
  else
    return what->by == NULL || lc_by_parse ("stats", by_name, what->by, &asked.by);
  return FALSE;
}

/* People read what is left in their language, programs in the words of the command line. */
static char *
stats_dup_filtered (const LcReport *report, GError **error)
{
  const LcOptionTelling telling = {.names = report->names, .most = MOST_NAMES};
  g_autoptr (GPtrArray) texts = g_ptr_array_new_null_terminated (1, g_free, TRUE);
  g_auto (GStrv) words = NULL;
  gboolean unsaid;

  lc_view_options_list_texts (&choice.values.options, LC_OPTION_FILTERS, &telling, texts);
  if (report->format == LC_FORMAT_TEXT)
    return g_strjoinv (" · ", (char **)texts->pdata);
  words = lc_picture_dup_arguments (report->history, &choice.values.options, &unsaid, NULL, error);
  return words != NULL ? g_strjoinv (" ", words) : NULL;
}

static gboolean
stats_read_filters (const LcReport *report, GError **error)
{
  LcPictureOptions *shown = &choice.values.options;
  gsize first = 0;

  if (lc_picture_choice_find_given (&choice, &first) == NULL)
    return TRUE;
  lc_option_values_init (&choice.values, line.name);
  shown->timelines = &report->timeline;
  shown->n_timelines = 1;
  if (!lc_picture_choice_read (&choice, line.name, report->history, error))
    return FALSE;
  shown->n_timelines = 0; /* it is told elsewhere */
  asked.filters = shown->selection.filters;
  asked.filtered = stats_dup_filtered (report, error);
  return asked.filtered != NULL;
}

/* --- Showing ----------------------------------------------------------------------------------------------------- */

/* Shows an analysis of a script if it is none of ours. */
static gboolean
stats_show (LcReport *report, const LcStatistics *what, const char *directory, int *status, GError **error)
{
#ifdef LC_HAVE_SCRIPT
  if (what->show == NULL)
    {
      g_autoptr (GPtrArray) names = stats_list_names (0);

      *status = lc_script_analysis_show (report, directory, (const char *const *)rules_files, trusts, names);
      return TRUE;
    }
#endif
  *status = LC_EXIT_GOOD;
  return what->show (report, &asked, error);
}

static gboolean
stats_run (LcHistory *history, const char *directory, const LcStatistics *what, LcFormat format, int *status,
           GError **error)
{
  const gboolean shows_all = (what->options & LC_STATISTICS_ALL) != 0;
  const gsize lines = format == LC_FORMAT_TEXT && what->lines > 0 ? what->lines : G_MAXSIZE;
  g_autoptr (LcNames) names = lc_names_new (history);
  LcReport report = {.history = history,
                     .names = names,
                     .what = what->name,
                     .title = what->title != NULL ? _ (what->title) : what->name,
                     .timeline_name = shows_all          ? NULL
                                      : timeline != NULL ? timeline
                                                         : "measured",
                     .format = format,
                     .limit = limit >= 0 ? (gsize)limit : lines};

  asked.intervals = (guint32)MAX (intervals, 0);
  asked.actual = (guint64)MAX (actual, 0);
  asked.phases = phases != NULL ? phases : "auto";
  asked.per_process = per_process;
  asked.skip = (const char *const *)skip;
  if (format == LC_FORMAT_CSV)
    lc_lost_complain (history);
  return (shows_all || lc_find_timeline (history, report.timeline_name, &report.timeline, error)) &&
         stats_read_filters (&report, error) && stats_show (&report, what, directory, status, error);
}

/* A user who names the table first is told so, instead of that there is no such trace. FALSE: that was it. */
static gboolean
stats_check_order (const char *directory, const char *name)
{
  for (const LcStatistics *one = lc_statistics_table; one->name != NULL; one++)
    if (strcmp (one->name, directory) == 0 && !g_file_test (directory, G_FILE_TEST_EXISTS) &&
        g_file_test (name, G_FILE_TEST_EXISTS))
      {
        lc_complain (_ ("stats: the trace comes first: lightcone stats %s %s"), name, directory);
        return FALSE;
      }
  return TRUE;
}

int
lc_cmd_stats (int argc, char **argv)
{
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *description = stats_dup_description ();
  const LcStatistics *what;
  LcFormat format;
  int status;

  line.description = description;
  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  format = json ? LC_FORMAT_JSON : LC_FORMAT_TEXT;
  if (!stats_check_order (argv[1], argv[2]))
    return LC_EXIT_UNUSABLE;
  what = stats_find (argv[2]);
  if (what == NULL || !stats_check_options (what) ||
      (format_name != NULL && !lc_format_parse ("stats", format_name, &format)))
    return LC_EXIT_UNUSABLE;
  history = lc_open_history (argv[1], (const char *const *)rules_files, format != LC_FORMAT_TEXT, &error);
  if (history != NULL && stats_run (history, argv[1], what, format, &status, &error))
    return status;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
