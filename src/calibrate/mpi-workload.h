/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the calibration's workload for MPI. */
#ifndef LC_CALIBRATE_MPI_WORKLOAD_H
#define LC_CALIBRATE_MPI_WORKLOAD_H

#include <mpi.h>

#include "log.h"

/* Rank 0 measures. The others answer, and sleep in between, so that they do not use up the processors. */
void lc_measure_messages (struct lc_log *log, int rank, int ranks);
void lc_measure_operations (struct lc_log *log);

#endif
