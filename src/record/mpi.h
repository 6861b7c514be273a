/* SPDX-License-Identifier: Apache-2.0 */
/* Gets the library that records MPI's calls into MPI programs. */
#ifndef LC_RECORD_MPI_H
#define LC_RECORD_MPI_H

#include <signal.h>
#include <stdbool.h>

/* Removes from the environment what lc_mpi_begin has put there. Called before all else, even if nothing is recorded. */
void lc_mpi_clean (void);

/* Tells whether this program only starts others, which are recorded in its place. */
bool lc_mpi_is_launcher (void);

/*
 * Executes the program again, and does not return, if it has MPI loaded but not our library for it. If that is
 * impossible, sets control->mpi_trouble to the reason and returns. `signals`: the program's blocked signals.
 */
void lc_mpi_begin (const sigset_t *signals);

/* After lc_mpi_begin: tells whether this is or will be a rank, because the program is linked with MPI. */
bool lc_mpi_is_here (void);

/* At the program's end: notes whether it has loaded MPI meanwhile. */
void lc_mpi_end (void);

#endif
