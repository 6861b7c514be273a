/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves out what the handlers of MPI's libraries do when the program exits. */
#ifndef LC_MPI_EXIT_H
#define LC_MPI_EXIT_H

#include "recording.h"

/* Called immediately before and after MPI is initialised, which is when its libraries register their handlers. */
void lc_exit_before_mpi (const struct lc_hooks *hooks);
void lc_exit_after_mpi (void);

#endif
