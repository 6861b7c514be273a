/* SPDX-License-Identifier: Apache-2.0 */
/* Says how a replay of an MPI program ended: where a rank differs from what was recorded, or what it waits for. */
#ifndef LC_CLI_REPLAY_MPI_TEXT_H
#define LC_CLI_REPLAY_MPI_TEXT_H

#include "lightcone/replay-mpi.h"

/* Gives what was to come and what came, of the rank that was the first to differ; free with g_free. */
char *lc_replay_mpi_text_difference (LcTrace *trace, struct lc_replay_mpi_header *plan);

/* Gives a line for each rank that has not done all that was recorded, at most `most` of them; free with g_free. */
char *lc_replay_mpi_text_next (LcTrace *trace, struct lc_replay_mpi_header *plan, guint most);

/* Where the ranks are that have been stopped: a line for what each has done last, and a line for what it is to do next;
 * free with g_free. */
char *lc_replay_mpi_text_stops (LcTrace *trace, struct lc_replay_mpi_header *plan);
char *lc_replay_mpi_text_nexts (LcTrace *trace, struct lc_replay_mpi_header *plan);

/* Which call a rank is in that does not end; free with g_free. */
char *lc_replay_mpi_text_inside (LcTrace *trace, struct lc_replay_mpi_header *plan, guint32 number);

/* How far a rank goes on because MPI needs it; free with g_free. */
char *lc_replay_mpi_text_needed (LcTrace *trace, struct lc_replay_mpi_header *plan,
                                 const struct lc_replay_mpi_rank *rank, guint64 number);

/* The processes of all ranks but one, as "RANK in process PID, ..."; free with g_free. */
char *lc_replay_mpi_text_others (LcTrace *trace, struct lc_replay_mpi_header *plan, guint32 number);

#endif
