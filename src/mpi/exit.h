/* SPDX-License-Identifier: Apache-2.0 */
/* What MPI's libraries do when the program exits is none of the program's, as all that MPI does. */
#ifndef LC_MPI_EXIT_H
#define LC_MPI_EXIT_H

#include "recording.h"

/* Immediately before and after MPI is initialised, when its libraries say what they want to be called for at exit. */
void lc_exit_before_mpi (const struct lc_hooks *hooks);
void lc_exit_after_mpi (void);

#endif
