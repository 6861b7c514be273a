/* SPDX-License-Identifier: Apache-2.0 */
/* For how long the ranks of a replay have done nothing, whether they follow their plan or are free. */
#ifndef LC_CLI_REPLAY_MPI_IDLE_H
#define LC_CLI_REPLAY_MPI_IDLE_H

#include "lightcone/replay-mpi.h"

/* All zero at first. */
typedef struct
{
  guint64 moved;
  gint64 since; /* us; 0: they have not been looked at */
  guint64 spent;
} LcReplayMpiIdle;

/* Gives the time (us) in which `moved` was the same and no rank has computed: ranks wait in calls of MPI, in which they
 * may use a processor, and elsewhere, where they do not. */
gint64 lc_replay_mpi_idle_measure (LcReplayMpiIdle *idle, struct lc_replay_mpi_header *plan, guint64 moved);

#endif
