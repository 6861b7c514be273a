/* SPDX-License-Identifier: Apache-2.0 */
/* What those share that replay an MPI program. */
#ifndef LC_CLI_REPLAY_MPI_PRIVATE_H
#define LC_CLI_REPLAY_MPI_PRIVATE_H

#include "replay-mpi-idle.h"
#include "replay-mpi-stop.h"
#include "replay-mpi-threads.h"
#include "replay-mpi.h"
#include "lightcone/recording.h"

/* A replay, and the present one of its runs. */
typedef struct
{
  const LcReplayMpi *replay;
  LcReplayMpiOnce *once; /* NULL: what comes of the runs is told */
  LcReplayMpiTurn turn;  /* of `once` */
  LcReplayMpiIdle idle;
  LcReplayMpiPlan result;
  struct lc_replay_mpi_header *plan;
  LcReplayMpiThreads threads;
  LcReplayGiven given;
  LcReplayMpiStop stop;
  guint64 *limits;        /* by process; NULL: there is no stop */
  guint32 target;         /* the rank to look at there */
  const char *folder;     /* of our own */
  LcRecording *recording; /* lets the recorder look for MPI programs, without recording them; NULL: it records */
  char **command, **environment;

  /* State of the present run. */
  pid_t pid;
  int status;
  LcReplayVerdict verdict; /* LC_REPLAY_VERDICTS: not known yet */
  gboolean is_ended;       /* the program did not end by itself */
  gboolean has_stopped;
  guint32 differing; /* the rank one of whose threads was the first to differ, or LC_REPLAY_NONE */
  guint64 moved;
  gint64 moved_at;
  gint64 changed_at;    /* when `moved` was another one */
  gint64 *suspected_at; /* by rank: since when it is in a call that was not to come; 0: it is not */
  gint64 asked_at;      /* when the launcher was asked to end; 0: it was not */
} LcMpiReplay;

/* Says each line by itself. */
void lc_mpi_replay_complain_lines (const char *text);

/* Say what is not as it was recorded before the program begins; how a run has ended that did not come to its end; that
 * nothing was replayed, and why; and that all ranks came to their ends. */
void lc_mpi_replay_warn (const LcMpiReplay *replay);
void lc_mpi_replay_tell (LcMpiReplay *replay);
void lc_mpi_replay_tell_silent (LcMpiReplay *replay);
void lc_mpi_replay_tell_end (const LcMpiReplay *replay);

#endif
