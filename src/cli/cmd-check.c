/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone check: says what is wrong with a trace. */
#include <glib/gi18n.h>
#include <stdio.h>

#include "command.h"
#include "confirm.h"
#include "deadlock-text.h"
#include "lightcone/merge.h"
#include "lock-cycles.h"
#include "open-history.h"
#include "report/findings.h"
#include "report/output.h"
#include "recover.h"
#include "schedule-file.h"

static gboolean json, deadlocks, predict, confirm;
static char **rules_files;
static int scheduled = 0;

static const GOptionEntry options[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"deadlocks", 0, 0, G_OPTION_ARG_NONE, &deadlocks,
     N_ ("Only look for deadlocks, and say nothing if there are none"), NULL},
    {"predict", 0, 0, G_OPTION_ARG_NONE, &predict, N_ ("Only look for deadlocks that could have been"), NULL},
    {"confirm", 0, 0, G_OPTION_ARG_NONE, &confirm,
     N_ ("With --predict: run the program again into each of them, to see whether it comes to it"), NULL},
    {"schedule", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("With --predict: write FILE, a schedule that leads into this deadlock"), N_ ("NUMBER")},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"schedule", 1, LC_COMMAND_ANY, .integer = &scheduled},
    {NULL},
};

static const LcCommandLine line = {
    .name = "check",
    .arguments = N_ ("DIR [FILE]"),
    .description = N_ ("The exit status is 1 if anything is wrong."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 1,
    .n_optional = 1,
};

static gboolean
check_write_schedule (LcHistory *history, const char *directory, const LcLockCycles *cycles, const char *file,
                      GError **error)
{
  g_autofree char *title = g_strdup_printf ("possible deadlock %d", scheduled);

  if (scheduled >= 1 && (guint)scheduled <= cycles->cycles->len)
    return lc_schedule_file_write_cycle (history, directory, title,
                                         &g_array_index (cycles->cycles, LcLockCycle, scheduled - 1), file, error);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               _ ("check: there is no possible deadlock %d; there are %u (see lightcone check --predict DIR)"),
               scheduled, cycles->cycles->len);
  return FALSE;
}

static int
check_predict (const char *directory, const char *file)
{
  g_autofree LcConfirmation *confirmations = NULL;
  gboolean is_wrong = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (LcHistory) history = lc_open_history (directory, (const char *const *)rules_files, json, &error);
  g_autoptr (LcRules) rules =
      history != NULL ? lc_merge_load_rules (directory, (const char *const *)rules_files, &error) : NULL;
  g_autoptr (LcNames) names = history != NULL ? lc_names_new (history) : NULL;
  g_autoptr (LcSiteGroups) groups = history != NULL ? lc_site_groups_new (history, LC_SITES_BY_SITE) : NULL;
  g_autoptr (LcLockCycles) cycles = rules != NULL ? lc_lock_cycles_find (history, rules, groups, NULL, &error) : NULL;

  if (cycles == NULL || (file != NULL && !check_write_schedule (history, directory, cycles, file, &error)))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  if (file != NULL)
    return LC_EXIT_GOOD;
  if (confirm && (confirmations = lc_confirm_cycles (cycles, directory)) == NULL)
    return LC_EXIT_UNUSABLE;
  lc_lock_cycles_show (cycles, confirmations, names, json);
  for (guint i = 0; i < cycles->cycles->len; i++)
    is_wrong = is_wrong || !confirm || confirmations[i] == LC_CONFIRM_DEADLOCK;
  return is_wrong ? LC_EXIT_PROBLEM : LC_EXIT_GOOD;
}

static gboolean
check_options (gboolean has_file)
{
  if (deadlocks && json)
    lc_complain (_ ("check: --deadlocks and --json exclude each other (see lightcone help check)"));
  else if (deadlocks && predict)
    lc_complain (_ ("check: --deadlocks and --predict exclude each other (see lightcone help check)"));
  else if (confirm && !predict)
    lc_complain (_ ("check: --confirm goes with --predict only (see lightcone help check)"));
  else if (has_file != (scheduled != 0) || (scheduled != 0 && (!predict || confirm)))
    lc_complain (_ ("check: --schedule NUMBER goes with --predict and a file to write (see lightcone help check)"));
  else
    return TRUE;
  return FALSE;
}

/* A look at a recording that goes on leaves no history behind: it is taken again and again. */
static int
check_deadlocks (const char *directory)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  lc_recover (directory);
  text = lc_deadlock_text (directory, (const char *const *)rules_files, &error);
  if (text == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  g_print ("%s", text);
  return *text == '\0' ? LC_EXIT_GOOD : LC_EXIT_PROBLEM;
}

int
lc_cmd_check (int argc, char **argv)
{
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (LcFindings) findings = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  if (!check_options (argc > 2))
    return LC_EXIT_UNUSABLE;
  if (predict)
    return check_predict (argv[1], argc > 2 ? argv[2] : NULL);
  if (deadlocks)
    return check_deadlocks (argv[1]);
  history = lc_open_history_to_check (argv[1], (const char *const *)rules_files, json, &error);
  if (history != NULL)
    findings = lc_findings_new (history, argv[1], NULL, &error);
  if (findings == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  text = json ? lc_findings_to_json (findings) : lc_findings_to_text (findings);
  if (json)
    lc_output_write (text, -1); /* JSON is UTF-8 in every locale */
  else
    g_print ("%s", text);
  return findings->n_wrong == 0 ? LC_EXIT_GOOD : LC_EXIT_PROBLEM;
}
