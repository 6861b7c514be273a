/* SPDX-License-Identifier: Apache-2.0 */
/* Several worlds in one recording: the numbers of their ranks; and sessions, which have a world without MPI_Init. */
#ifndef LC_MPI_WORLDS_H
#define LC_MPI_WORLDS_H

#include "recording.h"

/* Called in MPI_Init once lc_mpi_hooks is set, by all ranks of MPI_COMM_WORLD, because rank 0 tells the others. */
void lc_world_begin (int rank, int size);

/* Tells the recorder that the calling thread is this rank of its world; only the first call does. */
void lc_world_name_rank (struct lc_mpi_call *call, int rank, int size);

/* In init.c: lc_mpi_find_hooks returns the recorder, or NULL; the others are lc_mpi_enter and lc_mpi_leave for when
 * lc_mpi_hooks may be NULL. */
const struct lc_hooks *lc_mpi_find_hooks (void);
void lc_mpi_enter_with (const struct lc_hooks *hooks, struct lc_mpi_call *call);
void lc_mpi_leave_with (const struct lc_hooks *hooks, struct lc_mpi_call *call);

/* Called before MPI_Finalize: whether any session is still open. */
bool lc_sessions_go_on (void);

#endif
