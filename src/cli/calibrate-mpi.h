/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone calibrate --mpi: measures the costs of MPI's messages, and of recording its operations. */
#ifndef LC_CLI_CALIBRATE_MPI_H
#define LC_CLI_CALIBRATE_MPI_H

#include <glib.h>

typedef struct
{
  const char *mpi;               /* NULL: the only MPI that is installed */
  char **launcher;               /* the command that starts the ranks; NULL: two ranks on this machine */
  const char *topology, *output; /* may be NULL */
  gboolean quick, as_json;
} LcCalibrateMpi;

/* Measures, keeps the numbers and prints them. */
gboolean lc_calibrate_mpi (const LcCalibrateMpi *choice, GError **error);

#endif
