/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: finds the command and leaves the rest to it. */
#include <errno.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "command.h"
#include "lightcone/picture.h"
#include "nearest.h"
#include "report/output.h"
#include "report/statistics.h"

typedef struct
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *summary;
} Command;

static const Command commands[] = {
    {"record", lc_cmd_record, N_ ("Record how the threads of a program synchronise")},
    {"cc", lc_cmd_cc, N_ ("Compile a program so that each block of its code is recorded")},
    {"control", lc_cmd_control, N_ ("Stop and start a recording, or take out what it has")},
    {"profile", lc_cmd_profile, N_ ("Say where the time of an MPI program goes, without a trace")},
    {"replay", lc_cmd_replay, N_ ("Run a program again in the recorded order")},
    {"open", lc_cmd_open, N_ ("Show traces in the browser")},
    {"info", lc_cmd_info, N_ ("Say what is in a trace")},
    {"merge", lc_cmd_merge, N_ ("Make the execution history of a trace")},
    {"sql", lc_cmd_sql, N_ ("Ask the history of a trace in SQL")},
    {"script", lc_cmd_script, N_ ("Ask the history of a trace in Scheme")},
    {"stats", lc_cmd_stats, N_ ("Show tables of running and waiting")},
    {"critical-path", lc_cmd_critical_path, N_ ("Show what decided how long it took")},
    {"compare", lc_cmd_compare, N_ ("Say where two runs of a program differ")},
    {"approximate", lc_cmd_approximate, N_ ("Take the measurement out of the run")},
    {"explain", lc_cmd_explain, N_ ("Say why an event is where it is without the measurement")},
    {"export", lc_cmd_export, N_ ("Draw a view of a trace as a picture")},
    {"what-if", lc_cmd_what_if, N_ ("Let something take another time than it does")},
    {"predict", lc_cmd_predict, N_ ("Say what a run would take on other numbers of processors")},
    {"races", lc_cmd_races, N_ ("Show orders that the run decided by chance")},
    {"validate", lc_cmd_validate, N_ ("Say how near the approximation of a program comes")},
    {"check", lc_cmd_check, N_ ("Say what is wrong with a trace")},
    {"calibrate", lc_cmd_calibrate, N_ ("Measure what recording costs on this machine")},
};

static const Command *
find_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

/* A word that is no command may name something that a command shows. */
static gboolean
main_complain_of_what_is_shown (const char *name)
{
  for (const LcStatistics *one = lc_statistics_table; one->name != NULL; one++)
    if (strcmp (one->name, name) == 0)
      {
        lc_complain (_ ("%s: no such command, but a table: lightcone stats DIR %s"), name, name);
        return TRUE;
      }
  if (lc_views_find (name) == NULL)
    return FALSE;
  lc_complain (_ ("%s: no such command, but a view: lightcone export DIR --view %s -o FILE"), name, name);
  return TRUE;
}

static int
complain_of_command (const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  if (main_complain_of_what_is_shown (name))
    return LC_EXIT_UNUSABLE;
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_ptr_array_add (names, (gpointer)commands[i].name);
  hint = lc_nearest_dup_hint (name, names);
  lc_complain (_ ("%s: no such command%s: lightcone --help lists all"), name, hint);
  return LC_EXIT_UNUSABLE;
}

static int
print_help (void)
{
  g_print (_ ("Usage: lightcone COMMAND [OPTION...] [ARGUMENT...]\n\n"
              "Records how the threads of a parallel program synchronise.\n\n"
              "Commands:\n"));
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_print ("  %-13s  %s\n", commands[i].name, _ (commands[i].summary));
  g_print (_ ("\nlightcone help COMMAND explains a command, lightcone --version says which version this is.\n"));
  return LC_EXIT_GOOD;
}

static int
main_help (int argc, char **argv)
{
  const Command *command;
  char *arguments[] = {argv[0], (char *)"--help", NULL};

  if (argc < 2)
    return print_help ();
  if (argc > 2)
    {
      lc_complain (_ ("help: %s is one argument too many"), argv[2]);
      return LC_EXIT_UNUSABLE;
    }
  command = find_command (argv[1]);
  return command != NULL ? command->run (2, arguments) : complain_of_command (argv[1]);
}

/* Runs `lightcone DIR...`. */
static int
main_open_all (int argc, char **argv)
{
  g_autofree char **arguments = g_new0 (char *, argc + 1);

  arguments[0] = (char *)"open";
  for (int i = 1; i < argc; i++)
    arguments[i] = argv[i];
  return lc_cmd_open (argc, arguments);
}

/* Whether a file looks like a trace or a profile. */
static gboolean
can_be_shown (const char *name)
{
  return g_file_test (name, G_FILE_TEST_IS_DIR) ||
         (g_str_has_suffix (name, ".profile") && g_file_test (name, G_FILE_TEST_EXISTS));
}

static int
main_run (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : NULL;
  const Command *command;

  if (name == NULL)
    {
      lc_complain (_ ("what shall be done? (see lightcone --help)"));
      return LC_EXIT_UNUSABLE;
    }
  if (strcmp (name, "help") == 0 || strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0)
    return main_help (argc - 1, argv + 1);
  if (strcmp (name, "--version") == 0)
    {
      g_print ("lightcone %s\n", LC_VERSION);
      return LC_EXIT_GOOD;
    }
  command = find_command (name);
  if (command != NULL)
    return command->run (argc - 1, argv + 1);
  return can_be_shown (name) ? main_open_all (argc, argv) : complain_of_command (name);
}

int
main (int argc, char **argv)
{
  int status;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, LC_LOCALE_FOLDER);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_prgname ("lightcone");
  lc_output_init ();

  status = main_run (argc, argv);
  errno = 0; /* an earlier write may have failed, and much has been called since */
  if (fflush (stdout) != 0 || ferror (stdout))
    {
      lc_complain (_ ("standard output: %s"),
                   errno != 0 ? g_strerror (errno) : _ ("not all that was to be told could be written"));
      return LC_EXIT_UNUSABLE;
    }
  return status;
}
