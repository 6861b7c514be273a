/* SPDX-License-Identifier: Apache-2.0 */
/* The parallel job that this process is a rank of, as launchers tell it in the environment. */
#ifndef LC_CLI_JOB_H
#define LC_CLI_JOB_H

#include <glib.h>

typedef struct
{
  char *name;       /* the same for all ranks, at least of this host; NULL: this is no rank of several */
  gboolean is_host; /* the ranks of other hosts have another one */
  guint ranks;      /* of the job */
  guint members;    /* how many of them are on this host; 0: not known */
  gboolean first;   /* of this host */
} LcJob;

void lc_job_find (LcJob *job);
void lc_job_clear (LcJob *job);

/* Whether it is for this rank to say this: no other one of the host has done so just now, as far as can be known. */
gboolean lc_job_claim (const LcJob *job, const char *message);

/* The word of a command that names the program: of a launcher's (mpirun, mpiexec, srun ...), the first word that is the
   name of a program and no option's value. Of all others, and if there is none, the first one. */
const char *lc_job_find_program (char *const *command);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcJob, lc_job_clear)

#endif
