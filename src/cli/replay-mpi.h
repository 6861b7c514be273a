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

/* A run, as recorded or with two messages turned round, of which nothing is said. */
typedef struct
{
  int output;                         /* where the program prints; 0: where we do */
  const LcReplayStop *first, *second; /* messages to turn round (see lc_replay_mpi_plan_turn_round), or NULL */
  gboolean keeps_order;

  /* The outcome. */
  LcReplayVerdict verdict;
  int status;         /* the launcher's, as waitpid gives it */
  gboolean is_ended;  /* the program did not end by itself */
  gboolean has_hung;  /* ... but did nothing for so long */
  gboolean is_turned; /* the second message has come first */
  char *text; /* lines: the first difference, or what each rank was to do next when none had a way on; or NULL */
} LcReplayMpiOnce;

/* FALSE: it could not be started. Free the text with g_free. */
gboolean lc_replay_mpi_once (const LcReplayMpi *replay, LcReplayMpiOnce *once, GError **error);

#endif
