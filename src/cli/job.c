/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the launcher that started this process: Open MPI's (and others with PMIx), MPICH's, or Slurm's. */
#include "job.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "process-table.h"
#include "program.h"

/* Variables with the number of ranks of the job, of ranks on this host, and this rank's number on this host. */
static const struct
{
  const char *ranks, *members, *number;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_SIZE", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE", "SLURM_LOCALID"},
};

/* Slurm's "4(x2),3" gives 0: it is about several hosts, and does not say which of them is this one. */
static guint
read_count (const char *variable)
{
  const char *text = g_getenv (variable);
  guint64 count;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT16, &count, NULL))
    return 0;
  return (guint)count;
}

/* Options of launchers whose values may look like names of programs. */
static const char *const valued[] = {
    "n",
    "np",
    "c",
    "launcher",
    "launcher-exec",
    "rmk",
    "bootstrap",
    "bootstrap-exec",
    "x",
    "wdir",
    "wd",
    "path",
    "prefix",
    "host",
    "H",
    "hosts",
    "f",
    "hostfile",
    "machinefile",
    "app",
    "configfile",
    "iface",
    "demux",
    "bind-to",
    "map-by",
    "rank-by",
    "tune",
    "am",
    "N",
    "ppn",
    "envlist",
    "genvlist",
    "p",
    "partition",
    "J",
    "job-name",
    "w",
    "nodelist",
    "task-prolog",
    "task-epilog",
    "prolog",
    "epilog",
    "mpi",
    "chdir",
    "D",
};
static const char *const valued_twice[] = {"mca", "gmca", "omca", "pmixmca", "prtemca", "env", "genv"};

static gboolean
is_launcher (const char *program)
{
  static const char *const names[] = {"mpirun", "mpiexec",        "orterun", "orted",  "prterun",    "prted",
                                      "prte",   "hydra_pmi_prox", "srun",    "slurmd", "slurmstepd", "prun"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (program, names[i]))
      return TRUE;
  return FALSE;
}

/* Names the launcher on this host, which may have started us through scripts, or else our parent. */
static char *
name_launcher (void)
{
  pid_t found = getppid ();
  guint64 since = 0;

  for (pid_t process = found; process > 1; process = lc_process_get_parent (process))
    {
      g_autofree char *program = lc_process_dup_program (process);

      if (program != NULL && is_launcher (program))
        {
          found = process;
          break;
        }
    }
  since = lc_process_get_start (found);
  return g_strdup_printf ("%d.%" G_GUINT64_FORMAT, (int)found, since);
}

static void
job_find_name (LcJob *job)
{
  const char *name = g_getenv ("PMIX_NAMESPACE");
  const char *slurm = g_getenv ("SLURM_JOB_ID"), *step = g_getenv ("SLURM_STEP_ID");

  if (name != NULL && *name != '\0')
    job->name = g_strdup (name);
  else if (slurm != NULL && step != NULL)
    job->name = g_strdup_printf ("%s.%s", slurm, step);
  else
    {
      job->name = name_launcher ();
      job->is_host = TRUE;
    }
}

void
lc_job_find (LcJob *job)
{
  *job = (LcJob){.first = TRUE};
  for (gsize i = 0; i < G_N_ELEMENTS (launchers); i++)
    {
      job->ranks = read_count (launchers[i].ranks);
      if (job->ranks == 0)
        continue;
      job->members = read_count (launchers[i].members);
      job->first = read_count (launchers[i].number) == 0;
      break;
    }
  if (job->ranks > 1)
    job_find_name (job);
}

static guint
count_values (const char *option)
{
  option += strspn (option, "-");
  for (gsize i = 0; i < G_N_ELEMENTS (valued_twice); i++)
    if (strcmp (option, valued_twice[i]) == 0)
      return 2;
  for (gsize i = 0; i < G_N_ELEMENTS (valued); i++)
    if (strcmp (option, valued[i]) == 0)
      return 1;
  return 0;
}

const char *
lc_job_find_program (char *const *command)
{
  g_autofree char *first = g_path_get_basename (command[0]);
  guint values = 0;

  if (!is_launcher (first))
    return command[0];
  for (guint i = 1; command[i] != NULL; i++)
    {
      g_autofree char *file = NULL;
      int error;

      if (values > 0)
        values--;
      else if (command[i][0] == '-')
        values = count_values (command[i]);
      else if ((file = lc_program_find (command[i], &error)) != NULL)
        return command[i];
    }
  return command[0];
}

/* For so long (us), ranks do not repeat a message that another rank has told; by then all ranks have got there. */
#define SAID_TIME (10 * G_USEC_PER_SEC)

/* `file`, which is locked, holds the last message. If it cannot be written, other ranks tell the message too. */
static gboolean
claim_in (int file, const char *words)
{
  gsize length = strlen (words);
  g_autofree char *last = g_malloc (length + 1);
  gssize written;
  struct stat status;

  if (fstat (file, &status) == 0 && status.st_size == (off_t)length &&
      g_get_real_time () - (gint64)status.st_mtime * G_USEC_PER_SEC < SAID_TIME &&
      pread (file, last, length, 0) == (gssize)length && memcmp (last, words, length) == 0)
    return FALSE;
  written = ftruncate (file, 0) == 0 ? pwrite (file, words, length, 0) : -1;
  (void)written;
  return TRUE;
}

void
lc_job_complain (const LcJob *job, const char *message)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "lightcone", NULL);
  g_autofree char *path = g_build_filename (folder, "said", NULL), *launcher = NULL, *words = NULL;
  int file = -1;

  if (job->ranks >= 2 && g_mkdir_with_parents (folder, 0700) == 0)
    file = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  launcher = name_launcher ();
  words = g_strdup_printf ("%s %s\n", launcher, message);
  if (file < 0 || flock (file, LOCK_EX) != 0 || claim_in (file, words))
    lc_complain ("%s", message);
  if (file >= 0)
    close (file);
}

void
lc_job_clear (LcJob *job)
{
  g_clear_pointer (&job->name, g_free);
}
