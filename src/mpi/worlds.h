/* SPDX-License-Identifier: Apache-2.0 */
/* Several worlds in one recording: the numbers of their ranks, and sessions, which have a world without MPI_Init. */
#ifndef LC_MPI_WORLDS_H
#define LC_MPI_WORLDS_H

#include "recording.h"

/*
 * A recording may have several MPI_COMM_WORLDs: of programs that MPI_Comm_spawn has started, or of several launchers
 * of one script. Each has a rank 0, a tag 7 and a "world", and none must be taken for another's. So the ranks of all
 * worlds are counted together, and what is said of "ranks of the world" elsewhere are these numbers: the second world
 * after one of 4 ranks begins with rank 4, and is called "world-4".
 */
extern uint32_t lc_world_first;

/* In MPI_Init, after lc_mpi_hooks has been set: by all ranks of MPI_COMM_WORLD, for rank 0 tells the others. */
void lc_world_begin (int rank, int size);

/* The calling thread is told to the recorder as this rank of its world: only the first time. */
void lc_world_name_rank (struct lc_mpi_call *call, int rank, int size);

/* init.c: the recorder, or NULL; lc_mpi_enter and lc_mpi_leave, while or although lc_mpi_hooks is NULL. */
const struct lc_hooks *lc_mpi_find_hooks (void);
void lc_mpi_enter_with (const struct lc_hooks *hooks, struct lc_mpi_call *call);
void lc_mpi_leave_with (const struct lc_hooks *hooks, struct lc_mpi_call *call);

/* Before MPI_Finalize: whether there are sessions that are not over. */
bool lc_sessions_go_on (void);

#endif
