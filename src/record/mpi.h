/* SPDX-License-Identifier: Apache-2.0 */
/* How programs that use MPI get the library that records MPI's calls. */
#ifndef LC_RECORD_MPI_H
#define LC_RECORD_MPI_H

#include <signal.h>
#include <stdbool.h>

/* Takes from the environment what lc_mpi_begin has put there. First of all, even if nothing is recorded. */
void lc_mpi_clean (void);

/* Whether this program only starts others: it is not recorded, they are. */
bool lc_mpi_is_launcher (void);

/*
 * If the program has MPI loaded, but not our library for it, it is executed again with that library, and this does not
 * return; unless it cannot be done, when control->mpi_trouble says why. `signals`: those that the program has blocked.
 */
void lc_mpi_begin (const sigset_t *signals);

/* After lc_mpi_begin: this is a rank, or will be: the program is linked with MPI. */
bool lc_mpi_is_here (void);

/* At the program's end: whether it has loaded MPI in the meantime. */
void lc_mpi_end (void);

#endif
