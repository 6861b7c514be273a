/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for all of several requests, the late one first and last, between others that are over at once. */
#include <mpi.h>

#include "expect.h"

enum
{
  SENT = 7,
  LATE_FIRST,
  LATE_LAST,
  TURNS
};

static const double LATE = 0.06; /* seconds */

static void
come_late (void)
{
  double begin = MPI_Wtime ();

  while (MPI_Wtime () - begin < LATE)
    ;
}

/* Rank 1 is late once, rank 2 twice. */
static void
wait_for_all (int tag)
{
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int numbers[3] = {0, 0, 0};
  int first = tag == LATE_FIRST ? 2 : 1;

  DO (MPI_Isend (&numbers[0], 1, MPI_INT, 1, SENT, MPI_COMM_WORLD, &requests[0]));
  DO (MPI_Irecv (&numbers[1], 1, MPI_INT, first, tag, MPI_COMM_WORLD, &requests[1]));
  DO (MPI_Irecv (&numbers[2], 1, MPI_INT, 3 - first, tag, MPI_COMM_WORLD, &requests[2]));
  DO (MPI_Waitall (3, requests, statuses));
  for (int i = 0; i < 3; i++)
    CHECK (requests[i] == MPI_REQUEST_NULL);
  CHECK (numbers[1] == first && numbers[2] == 3 - first);
  CHECK (statuses[1].MPI_SOURCE == first && statuses[2].MPI_TAG == tag);
}

int
main (int argc, char **argv)
{
  int number;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  for (int tag = LATE_FIRST; tag < TURNS; tag++)
    {
      DO (MPI_Barrier (MPI_COMM_WORLD));
      for (int i = 0; i < rank; i++)
        come_late ();
      if (rank == 0)
        wait_for_all (tag);
      else
        DO (MPI_Send (&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD));
      if (rank == 1)
        DO (MPI_Recv (&number, 1, MPI_INT, 0, SENT, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
  return test_end ();
}
