/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the calibration's workload, recorded and not, and reads its timings. */
#ifndef LC_CLI_WORKLOAD_H
#define LC_CLI_WORKLOAD_H

#include <glib.h>

#include "calibrate/stamps.h"
#include "lightcone/trace.h"

/* A series of pairs of stamps (see calibrate/stamps.h). It belongs to the LcWorkload. */
typedef struct
{
  const struct lc_stamps_series *head; /* its texts end with a 0 byte */
  const struct lc_stamps_pair *pairs;
} LcWorkloadSeries;

typedef struct
{
  GBytes *contents;
  GArray *series; /* LcWorkloadSeries */
  LcTrace *trace; /* its recording; NULL: it was not recorded */
} LcWorkload;

/* The timings of the workload on its own and when it was recorded. */
typedef struct
{
  LcWorkload bare, recorded;
  LcWorkload trapped; /* recorded with --futex all; without a trace where that cannot be done */
  gboolean has_ranks; /* processes of series are ranks */
  char *folder;       /* the folder of all these files; it is removed with the struct */
} LcWorkloadRuns;

/* The choice of a workload, and the way to run it. */
typedef struct
{
  gboolean quick;
  const char *mpi;             /* "openmpi" or "mpich": the workload for this MPI; NULL: the one without MPI */
  const char *const *launcher; /* the command that starts ranks, to be followed by the program; NULL without MPI */
} LcWorkloadPlan;

/* Gives the path of the program, which need not exist. Free it with g_free. */
char *lc_workload_find (const char *mpi);

/* Runs the workload. Errors are G_FILE_ERROR, G_IO_ERROR, G_SPAWN_ERROR, G_SPAWN_EXIT_ERROR or those of the
 * recording. */
LcWorkloadRuns *lc_workload_runs_new (const LcWorkloadPlan *plan, GError **error);
void lc_workload_runs_free (LcWorkloadRuns *runs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWorkloadRuns, lc_workload_runs_free)

#endif
