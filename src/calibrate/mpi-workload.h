/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the calibration's workload for MPI. */
#ifndef LC_CALIBRATE_MPI_WORKLOAD_H
#define LC_CALIBRATE_MPI_WORKLOAD_H

#include <mpi.h>

#include "log.h"

/* Rank 0 measures; the others answer, and sleep when there is nothing to answer: their processors are wanted. */
void lc_measure_messages (struct lc_log *log, int rank, int ranks);
void lc_measure_operations (struct lc_log *log);

#endif
