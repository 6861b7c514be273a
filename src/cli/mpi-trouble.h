/* SPDX-License-Identifier: Apache-2.0 */
/* Tells why the calls of MPI were not recorded. */
#ifndef LC_CLI_MPI_TROUBLE_H
#define LC_CLI_MPI_TROUBLE_H

#include <glib.h>

/* Gives a phrase for people. `trouble` has bits of enum lc_mpi_trouble, and is not 0. */
const char *lc_mpi_trouble_why (guint32 trouble);

#endif
