/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the calibration's workload, recorded and not, and reads its timings. */
#include "workload.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>

#include "find-library.h"
#include "report/format.h"
#include "lightcone/recording.h"
#include "scratch.h"

#define PROGRAM "lightcone-calibrate-workload"
#define MPI_PROGRAM "lightcone-calibrate-mpi-"

/* --- Stamps ------------------------------------------------------------------------------------------------------- */

static gboolean
workload_ends (const char *text, gsize size)
{
  return memchr (text, '\0', size) != NULL;
}

/* Returns FALSE if the bytes are not in the workload's format. */
static gboolean
split_series (LcWorkload *workload)
{
  gsize size, at = sizeof (struct lc_stamps_header);
  const guint8 *bytes = g_bytes_get_data (workload->contents, &size);
  const struct lc_stamps_header *header = (const void *)bytes;

  if (size < at || memcmp (header->magic, LC_STAMPS_MAGIC, sizeof header->magic) != 0 ||
      header->bytes != sizeof (struct lc_stamps_series))
    return FALSE;
  for (guint i = 0; i < header->series; i++)
    {
      LcWorkloadSeries series = {.head = (const void *)(bytes + at)};

      if (size - at < sizeof *series.head)
        return FALSE;
      at += sizeof *series.head;
      if ((size - at) / sizeof *series.pairs < series.head->count || series.head->repeat == 0 ||
          series.head->batch == 0 || !workload_ends (series.head->operation, sizeof series.head->operation) ||
          !workload_ends (series.head->partner, sizeof series.head->partner) ||
          !workload_ends (series.head->interface, sizeof series.head->interface))
        return FALSE;
      series.pairs = (const void *)(bytes + at);
      at += series.head->count * sizeof *series.pairs;
      g_array_append_val (workload->series, series);
    }
  return at == size;
}

static gboolean
read_stamps (LcWorkload *workload, const char *path, GError **error)
{
  g_autofree char *contents = NULL;
  gsize length;

  if (!g_file_get_contents (path, &contents, &length, error))
    return FALSE;
  workload->contents = g_bytes_new_take (g_steal_pointer (&contents), length);
  workload->series = g_array_new (FALSE, FALSE, sizeof (LcWorkloadSeries));
  if (split_series (workload))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("%s: these are not the stamps of %s"), path, PROGRAM);
  return FALSE;
}

static void
clear_workload (LcWorkload *workload)
{
  g_clear_pointer (&workload->series, g_array_unref);
  g_clear_pointer (&workload->contents, g_bytes_unref);
  g_clear_pointer (&workload->trace, lc_trace_free);
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

/* Looks beside this program, where it was built, or else where it is installed. */
char *
lc_workload_find (const char *mpi)
{
  g_autofree char *name = mpi != NULL ? g_strconcat (MPI_PROGRAM, mpi, NULL) : g_strdup (PROGRAM);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *built = folder != NULL ? g_build_filename (folder, "..", "calibrate", name, NULL) : NULL;

  if (built != NULL && g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
    return g_canonicalize_filename (built, NULL);
  return g_build_filename (LC_LIBEXEC_FOLDER, name, NULL);
}

/* If SIGCHLD were ignored, we would not learn how the workload ended. */
static gboolean
workload_spawn (char **command, char **environment, int *status, GError **error)
{
  const struct sigaction by_default = {.sa_handler = SIG_DFL};
  struct sigaction before;
  gboolean spawned;

  sigaction (SIGCHLD, &by_default, &before);
  spawned = g_spawn_sync (NULL, command, environment, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_CHILD_INHERITS_STDIN, NULL,
                          NULL, NULL, NULL, status, error);
  sigaction (SIGCHLD, &before, NULL);
  return spawned && g_spawn_check_wait_status (*status, error);
}

static char **
own_environment (void)
{
  char **environment = g_get_environ ();

  environment = g_environ_unsetenv (environment, "LD_PRELOAD");
  environment = g_environ_unsetenv (environment, LC_CONTROL_ENVIRONMENT);
  return g_environ_unsetenv (environment, LC_CONTROL_PRELOAD);
}

static gboolean
run_bare (char **command, GError **error)
{
  g_auto (GStrv) environment = own_environment ();
  int status;

  return workload_spawn (command, environment, &status, error);
}

static gboolean
lost_nothing (const LcRecordingResult *result, GError **error)
{
  g_autofree char *lost = lc_format_count (result->n_lost);

  if (result->n_lost == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("%s events of the calibration were lost"), lost);
  return FALSE;
}

/* `trouble`: the reasons why not all futexes were seen, if they were asked for; NULL: they are not. */
static gboolean
run_recorded (char **command, const char *library, const char *directory, guint32 *trouble, GError **error)
{
  LcRecordingSettings settings = LC_RECORDING_SETTINGS_INIT;
  g_auto (GStrv) environment = own_environment ();
  g_autoptr (LcRecording) recording = NULL;
  LcRecordingResult result;
  int status = -1;

  settings.command = (const char *const *)command;
  settings.clock = lc_recording_tsc_usable () ? LC_RECORDING_CLOCK_TSC : LC_RECORDING_CLOCK_MONOTONIC;
  settings.futex_all = trouble != NULL;
  settings.io_threshold = 0; /* the workload's calls do not wait, so they are short */
  recording = lc_recording_prepare (directory, &settings, error);
  if (recording == NULL)
    return FALSE;
  environment = g_environ_setenv (environment, "LD_PRELOAD", library, TRUE);
  environment = g_environ_setenv (environment, LC_CONTROL_PRELOAD, library, TRUE);
  environment = g_environ_setenv (environment, LC_CONTROL_ENVIRONMENT, lc_recording_get_directory (recording), TRUE);
  if (!workload_spawn (command, environment, &status, error))
    {
      lc_recording_discard (recording);
      return FALSE;
    }
  if (trouble != NULL)
    *trouble = lc_recording_get_futex_trouble (recording);
  return lc_recording_finish (recording, status, &result, error) && lost_nothing (&result, error);
}

/* `run` tells the workload which of its runs this is. */
static char **
workload_make_command (const LcWorkloadPlan *plan, const char *stamps, const char *run)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *program = lc_workload_find (plan->mpi);

  if (plan->launcher != NULL)
    g_strv_builder_addv (builder, (const char **)plan->launcher);
  g_strv_builder_add_many (builder, program, stamps, lc_recording_tsc_usable () ? "tsc" : "monotonic", run,
                           plan->quick ? "quick" : "full", NULL);
  return g_strv_builder_end (builder);
}

/* Where the system, or somebody else, is against it, nothing is measured of it, and that is no error. */
static gboolean
run_trapped (LcWorkloadRuns *runs, const LcWorkloadPlan *plan, const char *library, const char *stamps, GError **error)
{
  g_auto (GStrv) command = workload_make_command (plan, stamps, "trapped");
  g_autofree char *directory = g_build_filename (runs->folder, "trapped", NULL);
  guint32 trouble = 0;

  if (!run_recorded (command, library, directory, &trouble, error))
    return FALSE;
  if (trouble != 0)
    return TRUE;
  if (!read_stamps (&runs->trapped, stamps, error))
    return FALSE;
  runs->trapped.trace = lc_trace_open (directory, error);
  return runs->trapped.trace != NULL;
}

static gboolean
run_all (LcWorkloadRuns *runs, const LcWorkloadPlan *plan, GError **error)
{
  g_autofree char *library = lc_find_library (error);
  g_autofree char *stamps = g_build_filename (runs->folder, "stamps", NULL);
  g_autofree char *directory = g_build_filename (runs->folder, "trace", NULL);
  g_auto (GStrv) bare = workload_make_command (plan, stamps, "bare"),
                 recorded = workload_make_command (plan, stamps, "recorded");

  if (library == NULL || !run_bare (bare, error) || !read_stamps (&runs->bare, stamps, error))
    return FALSE;
  if (!run_recorded (recorded, library, directory, NULL, error) || !read_stamps (&runs->recorded, stamps, error))
    return FALSE;
  runs->has_ranks = plan->mpi != NULL;
  runs->recorded.trace = lc_trace_open (directory, error);
  if (runs->recorded.trace == NULL)
    return FALSE;
  return plan->mpi != NULL || run_trapped (runs, plan, library, stamps, error);
}

LcWorkloadRuns *
lc_workload_runs_new (const LcWorkloadPlan *plan, GError **error)
{
  g_autoptr (LcWorkloadRuns) runs = g_new0 (LcWorkloadRuns, 1);

  runs->folder = lc_scratch_new ("calibrate", error);
  if (runs->folder == NULL || !run_all (runs, plan, error))
    {
      g_prefix_error (error, _ ("calibration: "));
      return NULL;
    }
  return g_steal_pointer (&runs);
}

void
lc_workload_runs_free (LcWorkloadRuns *runs)
{
  clear_workload (&runs->bare);
  clear_workload (&runs->recorded);
  clear_workload (&runs->trapped);
  if (runs->folder != NULL)
    lc_scratch_remove (runs->folder);
  g_free (runs->folder);
  g_free (runs);
}
