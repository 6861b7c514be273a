/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone races: orders that the run decided by chance. */
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "flip.h"
#include "report/lost.h"
#include "open-history.h"
#include "races.h"
#include "schedule-file.h"
#include "trace/quantities.h"

enum
{
  LINES = 30, /* lines for people, without --limit */
};

static char *format_name, *from_text, *to_text, *kind_name, *judged;
static char **objects, **rules_files, **skip;
static gboolean json, csv;
static int limit = -1, scheduled = 0, flipped = 0;

static const GOptionEntry options[] = {
    {"object", 0, 0, G_OPTION_ARG_STRING_ARRAY, &objects,
     N_ ("Only of objects with such a name (* and ? stand for others); more than once"), N_ ("PATTERN")},
    {"kind", 0, 0, G_OPTION_ARG_STRING, &kind_name, N_ ("Only lock, crew, token, wake-up, work or message"),
     N_ ("KIND")},
    {"from", 0, 0, G_OPTION_ARG_STRING, &from_text, N_ ("Only what ends after this time (12ms, 1.5s, 42: ns)"),
     N_ ("TIME")},
    {"to", 0, 0, G_OPTION_ARG_STRING, &to_text, N_ ("Only what ends before this time"), N_ ("TIME")},
    {"skip", 0, 0, G_OPTION_ARG_STRING_ARRAY, &skip,
     N_ ("A function, file or module to take for a library; more than once"), N_ ("PATTERN")},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("At most so many lines of the table"),
     N_ ("NUMBER")},
    {"schedule", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Write FILE: a schedule that turns this race round"), N_ ("RACE")},
    {"flip", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Run the program again with this race of a lock, crew or message turned round"), N_ ("RACE")},
    {"judge", 0, 0, G_OPTION_ARG_FILENAME, &judged, N_ ("Say whether the orders of this schedule could be"),
     N_ ("SCHEDULE")},
    {"format", 0, 0, G_OPTION_ARG_STRING, &format_name, N_ ("text, csv or json"), N_ ("FORMAT")},
    {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, N_ ("The same as --format csv"), NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("The same as --format json"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"limit", 0, LC_COMMAND_ANY, .integer = &limit},
    {"schedule", 1, LC_COMMAND_ANY, .integer = &scheduled},
    {"flip", 1, LC_COMMAND_ANY, .integer = &flipped},
    {NULL},
};

static const LcCommandLine line = {
    .name = "races",
    .arguments = N_ ("DIR [FILE]"),
    .description = N_ ("Who got a lock, a token, a wake-up, a piece of work or a message first may have been chance: "
                       "such pairs are listed by object and places in the source, those that could change most first."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 1,
    .n_optional = 1,
};

/* Races of one kind have a bit of their own. */
static gboolean
races_parse_kind (guint *kinds)
{
  *kinds = G_MAXUINT;
  if (kind_name == NULL)
    return TRUE;
  for (guint i = 0; i < LC_RACE_KINDS; i++)
    if (strcmp (kind_name, lc_race_kind_name ((LcRaceKind)i)) == 0)
      {
        *kinds = 1U << i;
        return TRUE;
      }
  lc_complain (_ ("races: --kind can be lock, crew, token, wake-up, work or message, not “%s”"), kind_name);
  return FALSE;
}

static gboolean
races_parse_time (const char *option, const char *text, guint64 *time)
{
  if (text == NULL || lc_parse_time (text, time))
    return TRUE;
  lc_complain (_ ("races: %s is a time (12ms, 1.5s, 42: ns), not “%s”"), option, text);
  return FALSE;
}

static gboolean
races_is_asked_for (LcNames *names, const LcRaceGroup *group, guint kinds)
{
  const char *name;

  if (!(kinds & 1U << group->kind))
    return FALSE;
  name = objects != NULL ? lc_names_object (names, group->object) : NULL;
  for (gsize i = 0; objects != NULL && objects[i] != NULL; i++)
    if (name != NULL && g_pattern_match_simple (objects[i], name))
      return TRUE;
  return objects == NULL;
}

static const LcRaceGroup *
races_find_group (const LcRaces *races, int number, GError **error)
{
  if (number >= 1 && (guint)number <= races->groups->len)
    return &g_array_index (races->groups, LcRaceGroup, number - 1);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               _ ("races: there is no race %d; there are %u (see lightcone races DIR)"), number, races->groups->len);
  return NULL;
}

static gboolean
races_write_schedule (LcHistory *history, LcNames *names, const char *directory, const LcRaces *races, const char *file,
                      GError **error)
{
  const LcRaceGroup *group = races_find_group (races, scheduled, error);
  g_autofree char *title = NULL;

  if (group == NULL)
    return FALSE;
  title = g_strdup_printf ("race %d: %s of %s", scheduled, lc_race_kind_name (group->kind),
                           lc_names_object (names, group->object));
  return lc_schedule_file_write_race (history, directory, title, &group->nearest, file, error);
}

static gboolean
races_flip (LcHistory *history, const char *directory, const LcRaces *races, int *status, GError **error)
{
  const LcRaceGroup *group = races_find_group (races, flipped, error);
  LcFlip flip = {.keeps_order = FALSE};

  if (group == NULL)
    return FALSE;
  if (group->kind != LC_RACE_LOCK && group->kind != LC_RACE_CREW && group->kind != LC_RACE_MESSAGE)
    {
      g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                   _ ("races: race %d is of kind %s: only those of locks, crews and messages can be turned round"),
                   flipped, lc_race_kind_name (group->kind));
      return FALSE;
    }
  flip.first = (LcReplayStop){group->nearest.first.process, group->nearest.first.ordinal};
  flip.second = (LcReplayStop){group->nearest.second.process, group->nearest.second.ordinal};
  *status = lc_flip_events (history, directory, &flip);
  return TRUE;
}

static gboolean
races_run (LcHistory *history, const char *directory, LcFormat format, guint kinds, guint64 from, guint64 to,
           const char *file, int *status, GError **error)
{
  g_autoptr (LcRules) rules = lc_merge_load_rules (directory, (const char *const *)rules_files, error);
  g_autoptr (LcNames) names = lc_names_new (history);
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (history, LC_SITES_BY_SITE);
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (LcRaces) races = NULL;
  LcRacesShow show = {.history = history, .names = names, .groups = groups, .shown = shown, .format = format};

  if (rules == NULL)
    return FALSE;
  lc_site_groups_skip (groups, (const char *const *)skip);
  show.races = races = lc_races_find (history, rules, groups, from, to, NULL, error);
  if (races == NULL)
    return FALSE;
  if (file != NULL)
    return races_write_schedule (history, names, directory, races, file, error);
  if (flipped != 0)
    return races_flip (history, directory, races, status, error);
  for (guint i = 0; i < races->groups->len; i++)
    if (races_is_asked_for (names, &g_array_index (races->groups, LcRaceGroup, i), kinds))
      g_array_append_val (shown, i);
  show.limit = limit >= 0 ? (gsize)limit : format == LC_FORMAT_TEXT ? LINES : G_MAXSIZE;
  if (format == LC_FORMAT_CSV)
    lc_lost_complain (history);
  lc_races_show (&show);
  return TRUE;
}

static gboolean
races_check_options (gboolean has_file)
{
  if (has_file != (scheduled != 0))
    lc_complain (_ ("races: --schedule RACE goes with a file to write (see lightcone help races)"));
  else if ((scheduled != 0) + (judged != NULL) + (flipped != 0) > 1)
    lc_complain (_ ("races: --schedule, --flip and --judge exclude each other (see lightcone help races)"));
  else
    return TRUE;
  return FALSE;
}

int
lc_cmd_races (int argc, char **argv)
{
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  guint64 from = 0, to = G_MAXUINT64;
  int status = LC_EXIT_GOOD;
  gboolean all;
  LcFormat format;
  guint kinds;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  format = json ? LC_FORMAT_JSON : csv ? LC_FORMAT_CSV : LC_FORMAT_TEXT;
  if (!races_check_options (argc > 2) || !races_parse_kind (&kinds) || !races_parse_time ("--from", from_text, &from) ||
      !races_parse_time ("--to", to_text, &to) ||
      (format_name != NULL && !lc_format_parse (line.name, format_name, &format)))
    return LC_EXIT_UNUSABLE;
  history = lc_open_history (argv[1], (const char *const *)rules_files, format != LC_FORMAT_TEXT, &error);
  if (history != NULL && judged != NULL && lc_schedule_file_judge (history, judged, &all, &error))
    return all ? LC_EXIT_GOOD : LC_EXIT_PROBLEM;
  if (history != NULL && judged == NULL &&
      races_run (history, argv[1], format, kinds, from, to, argc > 2 ? argv[2] : NULL, &status, &error))
    return status;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
