/* SPDX-License-Identifier: Apache-2.0 */
/* How the clocks of several hosts are compared. */
#ifndef LC_MPI_CLOCKS_H
#define LC_MPI_CLOCKS_H

#include "messages.h"

/* Collective over the world, after lc_mpi_hooks has been set; and before MPI_Finalize. */
void lc_clocks_begin (int rank, int ranks);
void lc_clocks_end (void);

#endif
