/* SPDX-License-Identifier: Apache-2.0 */
/* A replay that is recorded itself. */
#ifndef LC_CLI_REPLAY_RECORD_H
#define LC_CLI_REPLAY_RECORD_H

#include "replay-mpi-threads.h"

/* What `lightcone record` is to do. */
typedef struct
{
  char *output;  /* absolute path of the new trace */
  char *stacks;  /* of which events; NULL: all */
  char **others; /* other options, or NULL */
  gboolean lays; /* whether the new trace gets a timeline with the times of the old one, if it has the same events */
  char **probes; /* expressions that become tags (replay-probe.h), or NULL */
} LcReplayRecord;

/* Gives the command that records another one, in the classes that the trace has. Free with g_strfreev. */
char **lc_replay_record_command (LcTrace *trace, const LcReplayRecord *record, char *const *command);

/* Gives its environment: the recorder, which is not replayed itself, loads the replay's library into the program. Free
 * with g_strfreev. */
char **lc_replay_record_environment (const char *library, const char *plan);

/* Whether the new trace has the events of the plan. The user is told where not, and that it has, unless `quiet`.
 * `folder` is for a plan of the new trace. */
gboolean lc_replay_record_check (LcTrace *trace, struct lc_replay_header *plan, const LcReplayRecord *record,
                                 const char *folder, gboolean quiet);

/* The same of an MPI program, and of the threads of its ranks. */
gboolean lc_replay_record_check_ranks (LcReplayMpiThreads *threads, struct lc_replay_mpi_header *plan,
                                       const LcReplayRecord *record, const char *folder, gboolean quiet);

#endif
