/* SPDX-License-Identifier: Apache-2.0 */
/* Why the calls of MPI were not recorded. */
#ifndef LC_CLI_MPI_TROUBLE_H
#define LC_CLI_MPI_TROUBLE_H

#include <glib.h>

/* A phrase to show, for bits of enum lc_mpi_trouble, not 0. */
const char *lc_mpi_trouble_why (guint32 trouble);

#endif
