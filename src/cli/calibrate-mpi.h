/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone calibrate --mpi: measures what MPI's messages take, and what recording its operations costs. */
#ifndef LC_CLI_CALIBRATE_MPI_H
#define LC_CLI_CALIBRATE_MPI_H

#include <glib.h>

typedef struct
{
  const char *mpi;               /* or NULL: the one that is here */
  char **launcher;               /* the command that starts the ranks, or NULL: two of them on this machine */
  const char *topology, *output; /* or NULL */
  gboolean quick, as_json;
} LcCalibrateMpi;

/* Measures, keeps the numbers and prints them. */
gboolean lc_calibrate_mpi (const LcCalibrateMpi *choice, GError **error);

#endif
