/* SPDX-License-Identifier: Apache-2.0 */
/* What the example programs for MPI need besides their subject. */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int job_rank, job_ranks;

static double begun;

void
job_begin (int argc, char **argv, int least, const char *purpose, const struct example_option *options)
{
  example_options (argc, argv, purpose, options);
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &job_rank);
  MPI_Comm_size (MPI_COMM_WORLD, &job_ranks);
  if (job_ranks < least)
    {
      if (job_rank == 0)
        fprintf (stderr, "%s: needs %d ranks, and has %d: mpirun -n %d ...\n", argv[0], least, job_ranks, least);
      MPI_Finalize ();
      exit (2);
    }
  MPI_Barrier (MPI_COMM_WORLD);
  begun = MPI_Wtime ();
}

static void
print_times (void)
{
  double taken = MPI_Wtime () - begun, *all = example_allocate ((size_t)job_ranks, sizeof *all);

  MPI_Gather (&taken, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int rank = 0; job_rank == 0 && rank < job_ranks; rank++)
    printf ("rank %d: %.0f ns\n", rank, all[rank] * 1e9);
  free (all);
}

void
job_end (bool show_time)
{
  if (show_time)
    print_times ();
  MPI_Finalize ();
}

void
job_work (long units)
{
  volatile double sink = 1;

  for (long i = 0; i < units * 1000; i++)
    sink = sink * 0.999999 + 1e-6;
}

void
job_fail (const char *what)
{
  fprintf (stderr, "rank %d: %s\n", job_rank, what);
  MPI_Abort (MPI_COMM_WORLD, 1);
  abort ();
}
