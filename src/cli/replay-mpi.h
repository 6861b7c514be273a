/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an MPI program again, with the partners and the outcomes that its ranks had. */
#ifndef LC_CLI_REPLAY_MPI_H
#define LC_CLI_REPLAY_MPI_H

#include "lightcone/replay-mpi.h"
#include "replay-debug.h"
#include "replay-record.h"
#include "replay-run.h"
#include "replay-until.h"

typedef struct
{
  LcTrace *trace;
  char **command; /* the launcher and its arguments */
  guint times;
  gboolean goes_on, kills, quiet;
  const LcReplayUntil *until;
  const LcReplayDebugging *debugging;
  const LcReplayRecord *record; /* NULL: the replay is not recorded */
} LcReplayMpi;

/* Replays, says how that ended, and returns the exit status. */
int lc_replay_mpi (const LcReplayMpi *replay);

#endif
