/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out from which launcher we come: Open MPI's (and others with PMIx), MPICH's, or Slurm's. */
#include "job.h"

#include <string.h>
#include <unistd.h>

#include "process-table.h"

/* Variables with the ranks of the job, those of this host, and which of the latter we are. */
static const struct
{
  const char *ranks, *members, *number;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_SIZE", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE", "SLURM_LOCALID"},
};

/* Slurm's "4(x2),3" is about several hosts, and does not say which of them is this one. */
static guint
read_count (const char *variable)
{
  const char *text = g_getenv (variable);
  guint64 count;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT16, &count, NULL))
    return 0;
  return (guint)count;
}

static gboolean
is_launcher (const char *program)
{
  static const char *const names[] = {"mpirun", "mpiexec",        "orterun", "orted",  "prterun",   "prted",
                                      "prte",   "hydra_pmi_prox", "srun",    "slurmd", "slurmstepd"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (program, names[i]))
      return TRUE;
  return FALSE;
}

/* The launcher on this host, which may have started us by way of scripts: else our parent. */
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
find_name (LcJob *job)
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
    find_name (job);
}

void
lc_job_clear (LcJob *job)
{
  g_clear_pointer (&job->name, g_free);
}
