/* SPDX-License-Identifier: Apache-2.0 */
/* What the example programs for MPI need besides their subject: a beginning, an end, and work. */
#ifndef JOB_H
#define JOB_H

#include <mpi.h>

#include "../example.h"

/* This rank, and how many there are. */
extern int job_rank, job_ranks;

/* MPI_Init, and the command line; ends all ranks with status 2 if there are fewer than `least`, or it is wrong. */
void job_begin (int argc, char **argv, int least, const char *purpose, const struct example_option *options);

/* With --time, prints how long each rank took since job_begin; then MPI_Finalize. */
void job_end (bool show_time);

/* Computes for a while: `units` of some microseconds, the same number of instructions whoever else runs. */
void job_work (long units);

/* Ends all ranks with status 1: a result is wrong. */
_Noreturn void job_fail (const char *what);

#endif
