/* SPDX-License-Identifier: Apache-2.0 */
/* The parallel job that this process is a rank of, as launchers tell it in the environment. */
#ifndef LC_CLI_JOB_H
#define LC_CLI_JOB_H

#include <glib.h>

typedef struct
{
  char *name;       /* the same for all ranks, at least on this host; NULL: this is not one of several ranks */
  gboolean is_host; /* ranks on other hosts have another name */
  guint ranks;      /* number of ranks of the job */
  guint members;    /* number of ranks on this host; 0: unknown */
  gboolean first;   /* this is the first rank of this host */
} LcJob;

void lc_job_find (LcJob *job);
void lc_job_clear (LcJob *job);

/* Complains, unless another rank of the host has just told the same, as far as can be known. It has been told when this
 * returns, for a launcher may end all ranks as soon as one of them has ended. */
void lc_job_complain (const LcJob *job, const char *message);

/* Gives the word of a command that names the program. If the command is a launcher (mpirun, mpiexec, srun ...), that
 * is the first word that names a program and is no option's value. Otherwise, or if there is none, it is the first
 * word. */
const char *lc_job_find_program (char *const *command);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcJob, lc_job_clear)

#endif
