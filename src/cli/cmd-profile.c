/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone profile: runs an MPI program and tells where its time goes, without a trace; or shows a profile again. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "find-library.h"
#include "job.h"
#include "lightcone/profile.h"
#include "lightcone/recording.h"
#include "mpi-trouble.h"
#include "others.h"
#include "report/output.h"
#include "profile.h"
#include "program.h"
#include "run.h"
#include "scratch.h"
#include "where/demangle.h"

/* Exit statuses as in shells and env(1). */
enum
{
  EXIT_CANNOT_RUN = 126,
  EXIT_NOT_FOUND = 127,
  LINES = 20,
};

static char *output, *compensation, *mpi_name;
static char **settings;
static gint64 overhead;
static int limit = LINES;
static gboolean callpath, json, quiet;

static const GOptionEntry options[] = {
    {"compensation", 'c', 0, G_OPTION_ARG_STRING, &compensation,
     N_ ("Which times to tell: none, local, parallel, all (default: all)"), N_ ("HOW")},
    {"callpath", 0, 0, G_OPTION_ARG_NONE, &callpath, N_ ("Tell the times of each routine by what has called it"), NULL},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
     N_ ("Where to leave the profile (default: PROGRAM.profile; of a trace: nowhere)"), N_ ("FILE")},
    {"overhead", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Lose so much time in each measured call on purpose"), N_ ("NS")},
    {"mpi", 0, 0, G_OPTION_ARG_STRING, &mpi_name, N_ ("Of a program that loads MPI itself: openmpi or mpich"),
     N_ ("NAME")},
    {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &settings, N_ ("Of a trace: a cost, as lightcone approximate has it"),
     N_ ("SECTION.KEY=VALUE")},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("At most so many routines or call paths of each process (default: 20)"), N_ ("NUMBER")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("Write the file, and say nothing but errors"), NULL},
    {NULL},
};

/* A program's own options come after "--". Without "--" there is one argument, which options may follow. */
static const LcCommandNumber numbers[] = {
    {"overhead", 0, 1e9, .large = &overhead},
    {"limit", 0, LC_COMMAND_ANY, .integer = &limit},
    {NULL},
};

static const LcCommandLine line = {
    .name = "profile",
    .arguments = N_ ("-- PROGRAM ARGS... | FILE | DIR"),
    .description =
        N_ ("Runs a program, usually mpirun with its own arguments; or shows a profile that is there; or makes one "
            "of a trace.\nThe exit status is the program's; 127 if it is not there, 126 if it cannot be run."),
    .options = options,
    .numbers = numbers,
    .n_arguments = -1,
};

/* --- Settings ---------------------------------------------------------------------------------------------- */

/* Gives bits 1 << LcProfileWay; the first three are those of enum lc_compensation. */
static gboolean
parse_compensation (guint *ways)
{
  static const struct
  {
    const char *name;
    guint ways;
  } choices[] = {
      {"all", LC_COMPENSATION_NONE | LC_COMPENSATION_LOCAL | LC_COMPENSATION_PARALLEL},
      {"none", LC_COMPENSATION_NONE},
      {"local", LC_COMPENSATION_LOCAL},
      {"parallel", LC_COMPENSATION_PARALLEL},
  };

  G_STATIC_ASSERT (LC_COMPENSATION_LOCAL == 1 << LC_PROFILE_LOCALLY);
  G_STATIC_ASSERT (LC_COMPENSATION_PARALLEL == 1 << LC_PROFILE_IN_PARALLEL);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (compensation == NULL || strcmp (compensation, choices[i].name) == 0)
      {
        *ways = choices[i].ways;
        return TRUE;
      }
  lc_complain (_ ("--compensation: there is no “%s”: none, local, parallel or all"), compensation);
  return FALSE;
}

/* --- Showing ----------------------------------------------------------------------------------------------- */

static void
profile_show (LcProfile *profile, guint ways)
{
  g_autofree char *text = NULL;

  profile->ways &= ways | 1u << LC_PROFILE_APPROXIMATED;
  if (quiet)
    return;
  if (!json)
    {
      lc_profile_print (profile, (guint)limit, callpath);
      return;
    }
  text = lc_profile_dup_json (profile);
  lc_output_write (text, -1);
}

static gboolean
profile_write (const LcProfile *profile, const char *path, GError **error)
{
  g_autofree char *text = lc_profile_dup_json (profile);

  return g_file_set_contents (path, text, -1, error);
}

static int
show_existing (const char *path, guint ways)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcProfile) profile = lc_profile_open (path, (const char *const *)settings, &error);

  if (profile != NULL && callpath && !lc_profile_has_paths (profile))
    {
      lc_complain (_ ("%s: this profile has no call paths: measure the program again, with --callpath"), path);
      return LC_EXIT_UNUSABLE;
    }
  if (profile == NULL || (output != NULL && !profile_write (profile, output, &error)))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  profile_show (profile, ways);
  return LC_EXIT_GOOD;
}

/* --- Running ----------------------------------------------------------------------------------------------- */

/* The ranks know symbols only. */
static void
profile_demangle (GPtrArray *routines)
{
  for (guint i = 0; routines != NULL && i < routines->len; i++)
    {
      LcProfileRoutine *routine = g_ptr_array_index (routines, i);
      char *name = lc_demangle (routine->name);

      g_free (routine->name);
      routine->name = name;
    }
}

/* Without "--" the argument may have been meant to be a profile, or a trace. */
static int
profile_complain_of_argument (const char *name)
{
  lc_complain (_ ("%s: there is no such profile or trace, and no such program"), name);
  return LC_EXIT_UNUSABLE;
}

static LcProfile *
profile_collect (const char *folder, char **command, guint ways, GError **error)
{
  g_autofree char *title = g_strjoinv (" ", command);
  g_autoptr (LcProfile) profile = lc_profile_new (title, ways);
  g_autoptr (GDir) files = g_dir_open (folder, 0, error);
  const char *name;

  while (files != NULL && (name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_prefix (name, "rank-") && !lc_profile_add_rank (profile, path, error))
        return NULL;
    }
  if (files == NULL)
    return NULL;
  for (guint i = 0; i < profile->processes->len; i++)
    {
      const LcProfileProcess *process = g_ptr_array_index (profile->processes, i);

      profile_demangle (process->routines);
      profile_demangle (process->paths);
    }
  lc_profile_sort (profile);
  return g_steal_pointer (&profile);
}

static gboolean
profile_keep (const LcProfile *profile, char **command, GError **error)
{
  g_autofree char *name = g_path_get_basename (lc_job_find_program (command));
  g_autofree char *path = output != NULL ? g_strdup (output) : g_strconcat (name, ".profile", NULL);

  return profile_write (profile, path, error);
}

static char **
profile_make_environment (const char *folder, const char *library)
{
  char **environment = g_get_environ ();
  const char *others = g_environ_getenv (environment, "LD_PRELOAD");
  g_autofree char *preload = g_strconcat (library, others != NULL && others[0] != '\0' ? ":" : "", others, NULL);

  environment = g_environ_setenv (environment, LC_CONTROL_ENVIRONMENT, folder, TRUE);
  environment = g_environ_setenv (environment, LC_CONTROL_PRELOAD, library, TRUE);
  return g_environ_setenv (environment, "LD_PRELOAD", preload, TRUE);
}

static int
profile_complain_of_program (const char *name, int error)
{
  if (error == ENOENT)
    {
      lc_complain (_ ("%s: there is no such program"), name);
      return EXIT_NOT_FOUND;
    }
  lc_complain (_ ("%s: cannot be run: %s"), name, g_strerror (error));
  return EXIT_CANNOT_RUN;
}

/* Some launchers have daemons that start the ranks: these are no children of ours, but no others either. */
static double
profile_find_others (const LcProfile *profile, const LcOthers *before, const LcOthers *after)
{
  LcOthers known = *before;
  double ranks = 0;

  for (guint i = 0; i < profile->processes->len; i++)
    {
      const LcProfileProcess *process = g_ptr_array_index (profile->processes, i);

      if (strcmp (process->host, g_get_host_name ()) == 0)
        ranks += (double)process->cpu / 1e9;
    }
  known.others += MAX (0, ranks - (after->children - before->children));
  return lc_others_get_share (&known, after);
}

static void
profile_finish (LcRecording *recording, const char *folder, char **command, guint ways, const LcOthers looks[2])
{
  guint32 trouble = lc_recording_get_mpi_trouble (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcProfile) profile = profile_collect (folder, command, ways, &error);

  if (profile != NULL && profile->processes->len == 0)
    {
      lc_complain (_ ("%s: there is no profile: %s"), command[0],
                   trouble != 0 ? lc_mpi_trouble_why (trouble)
                                : _ ("no process has called MPI_Init, or none has come to its end"));
      return;
    }
  if (profile != NULL)
    profile->others = (guint)(100 * profile_find_others (profile, &looks[0], &looks[1]) + 0.5);
  if (profile == NULL || !profile_keep (profile, command, &error))
    {
      lc_complain ("%s", error->message);
      return;
    }
  profile_show (profile, ways);
  if (profile->n_ranks > profile->processes->len)
    lc_complain (_ ("%s: only %u of %u ranks have left a profile: the others did not come to MPI_Finalize"), command[0],
                 profile->processes->len, profile->n_ranks);
}

/* Returns the exit status of the program, unless it could not be started. */
static int
profile_in (LcRun *run, const char *folder, char **command, guint ways, const char *library)
{
  LcRecordingSettings recorded = LC_RECORDING_SETTINGS_INIT;
  g_autofree char *directory = g_build_filename (folder, "profile", NULL);
  g_autoptr (LcRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environment = NULL;
  LcOthers looks[2]; /* before and after the run */
  int status, terminal = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

  recorded.command = (const char *const *)command;
  recorded.overhead_test = (guint64)overhead;
  recorded.purpose = LC_PURPOSE_PROFILE;
  if (mpi_name != NULL)
    recorded.mpi = strcmp (mpi_name, "openmpi") == 0 ? LC_MPI_OPENMPI : LC_MPI_MPICH;
  recorded.compensation = ways;
  recorded.callpaths = callpath;
  recording = lc_recording_prepare (directory, &recorded, &error);
  if (recording == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  environment = profile_make_environment (lc_recording_get_directory (recording), library);
  looks[0] = lc_others_look ();
  status = lc_run_start (run, command, environment);
  if (status != 0)
    return profile_complain_of_program (command[0], status);
  status = lc_run_wait (run);
  looks[1] = lc_others_look ();
  if (terminal >= 0)
    dup2 (terminal, STDOUT_FILENO); /* only the program wrote to the standard output until now */
  profile_finish (recording, directory, command, ways, looks);
  return lc_run_end_like (status);
}

static int
profile_program (LcRun *run, char **command, guint ways)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *library = NULL, *mpi_library = NULL, *folder = NULL;
  int result;

  library = lc_find_library (&error);
  if (library != NULL && mpi_name != NULL)
    mpi_library = lc_find_mpi_library (library, "profile", mpi_name, &error);
  if (error == NULL)
    folder = lc_scratch_new ("profile", &error);
  if (error != NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  result = profile_in (run, folder, command, ways, library);
  lc_scratch_remove (folder);
  return result;
}

int
lc_cmd_profile (int argc, char **argv)
{
  g_autoptr (LcRun) run = lc_run_new ();
  g_autofree char *program = NULL;
  LcCommandLine wanted = line;
  int reason;
  guint ways;

  if (!g_strv_contains ((const char *const *)argv, "--"))
    wanted.n_arguments = 1;
  if (!lc_command_parse (&wanted, &argc, &argv) || !parse_compensation (&ways))
    return LC_EXIT_UNUSABLE;
  /* An executable file is a program to run; other files are profiles. */
  if (argc == 2 && g_file_test (argv[1], G_FILE_TEST_EXISTS) &&
      (g_file_test (argv[1], G_FILE_TEST_IS_DIR) || !g_file_test (argv[1], G_FILE_TEST_IS_EXECUTABLE)))
    return show_existing (argv[1], ways);
  program = lc_program_find (argv[1], &reason);
  if (program == NULL && wanted.n_arguments == 1 && reason == ENOENT)
    return profile_complain_of_argument (argv[1]);
  if (program == NULL)
    return profile_complain_of_program (argv[1], reason);
  return profile_program (run, argv + 1, ways);
}
