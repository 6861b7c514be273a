/* SPDX-License-Identifier: Apache-2.0 */
/* Stops ranks of MPI in the middle of their histories. */
#ifndef LC_CLI_REPLAY_MPI_STOP_H
#define LC_CLI_REPLAY_MPI_STOP_H

#include "lightcone/replay-mpi.h"
#include "replay-followers.h"
#include "replay-mpi-idle.h"
#include "replay-mpi-threads.h"

typedef enum
{
  LC_REPLAY_MPI_ON_THE_WAY,
  LC_REPLAY_MPI_THERE,  /* no rank can go on, and that is as it should be */
  LC_REPLAY_MPI_IDLE,   /* none goes on, but some have not come to their limits */
  LC_REPLAY_MPI_NO_WAY, /* so that the one that was aimed at cannot come to its own */
} LcReplayMpiProgress;

/* Where the ranks of a plan are, and whether they still go on. */
typedef struct
{
  LcTrace *trace;
  struct lc_replay_mpi_header *plan, kept;
  LcReplayMpiThreads *threads; /* of the ranks */
  guint32 target; /* the history that is to come to its limit; LC_REPLAY_NONE: each goes as far as it can */
  guint64 moved;
  gint64 moved_at, looked_at;
  LcReplayMpiIdle idle;
} LcReplayMpiStop;

/* What ranks share may have been damaged by them. */
void lc_replay_mpi_stop_restore (LcReplayMpiStop *stop);

/* Once limits are set, lets threads of a rank do what comes before what others of it may do, where they use one
 * channel.
 */
void lc_replay_mpi_stop_close (LcReplayMpiStop *stop);

/* Looks at the ranks. A rank that is needed by MPI itself for the target to come to its limit is let go on so far, with
 * all that is in the past of that, which is told. */
LcReplayMpiProgress lc_replay_mpi_stop_look (LcReplayMpiStop *stop);

/* The ranks as those who set limits see them. `stop` must live longer. */
LcReplayFollowers lc_replay_followers_of_ranks (LcReplayMpiStop *stop);

/* Whether a rank, or one of its threads that call MPI, has come to its limit; or stays in a call, since what it waits
 * for is to be done by those that are held. */
gboolean lc_replay_mpi_stop_is_there (LcReplayMpiStop *stop, guint32 number);

#endif
