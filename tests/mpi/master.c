/* SPDX-License-Identifier: Apache-2.0 */
/* A master that waits for its worker, whose functions are instrumented: all overhead is the worker's. */
#include <mpi.h>

#define PLAIN __attribute__ ((no_instrument_function))

/* ms of work. */
PLAIN static void
work (double duration)
{
  double begin = MPI_Wtime ();

  while (MPI_Wtime () - begin < duration / 1000)
    ;
}

__attribute__ ((noinline)) static void
step (void)
{
  work (0.1);
}

__attribute__ ((noinline)) static void
task (void)
{
  for (int i = 0; i < 200; i++)
    step ();
}

PLAIN int
main (int argc, char **argv)
{
  int rank, number = 0;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 1)
    {
      task ();
      MPI_Send (&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  else if (rank == 0)
    MPI_Recv (&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize ();
  return 0;
}
