/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the clocks of several hosts. */
#ifndef LC_MPI_CLOCKS_H
#define LC_MPI_CLOCKS_H

#include "messages.h"

/* Both are collective over the world: the first is called once lc_mpi_hooks is set, the second before MPI_Finalize. */
void lc_clocks_begin (int rank, int ranks);
void lc_clocks_end (void);

#endif
