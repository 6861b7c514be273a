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
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcJob, lc_job_clear)

#endif
