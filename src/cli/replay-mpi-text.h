/* SPDX-License-Identifier: Apache-2.0 */
/* Says how a replay of an MPI program ended: where a rank differs from what was recorded, or what it waits for. */
#ifndef LC_CLI_REPLAY_MPI_TEXT_H
#define LC_CLI_REPLAY_MPI_TEXT_H

#include "lightcone/replay-mpi.h"

/* Gives what was to come and what came, of the rank that was the first to differ; free with g_free. */
char *lc_replay_mpi_text_difference (LcTrace *trace, struct lc_replay_mpi_header *plan);

/* Gives a line for each rank that has not done all that was recorded, at most `most` of them; free with g_free. */
char *lc_replay_mpi_text_next (LcTrace *trace, struct lc_replay_mpi_header *plan, guint most);

#endif
