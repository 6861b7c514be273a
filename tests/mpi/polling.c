/* SPDX-License-Identifier: Apache-2.0 */
/* Waits by asking again and again: for a message, for one of two, for any message, and for a barrier. */
#include <mpi.h>

#include "expect.h"

enum
{
  ONE,
  OTHER,
  NEVER,
  PROBED
};

static const double LATE = 0.06; /* seconds */
static long tests;

static void
come_late (void)
{
  double begin = MPI_Wtime ();

  while (MPI_Wtime () - begin < LATE)
    ;
}

/* Two requests in turn, of which one is never answered before the other is. */
static void
wait_for_either (void)
{
  MPI_Request requests[2];
  int number, there = 0;

  DO (MPI_Irecv (&number, 1, MPI_INT, 0, OTHER, MPI_COMM_WORLD, &requests[0]));
  DO (MPI_Irecv (&number, 1, MPI_INT, 0, NEVER, MPI_COMM_WORLD, &requests[1]));
  for (int i = 1; !there; tests++)
    {
      i = 1 - i;
      DO (MPI_Test (&requests[i], &there, MPI_STATUS_IGNORE));
      CHECK (!there || i == 0);
    }
  DO (MPI_Send (&number, 1, MPI_INT, 0, NEVER, MPI_COMM_WORLD));
  DO (MPI_Wait (&requests[1], MPI_STATUS_IGNORE));
}

static void
ask (void)
{
  MPI_Request request;
  int number, there = 0;

  DO (MPI_Irecv (&number, 1, MPI_INT, MPI_ANY_SOURCE, ONE, MPI_COMM_WORLD, &request));
  for (; !there; tests++)
    DO (MPI_Test (&request, &there, MPI_STATUS_IGNORE));
  wait_for_either ();
  for (there = 0; !there; tests++)
    DO (MPI_Iprobe (MPI_ANY_SOURCE, PROBED, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
  DO (MPI_Recv (&number, 1, MPI_INT, 0, PROBED, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void
answer (void)
{
  int number = 1;

  come_late ();
  DO (MPI_Send (&number, 1, MPI_INT, 1, ONE, MPI_COMM_WORLD));
  come_late ();
  DO (MPI_Send (&number, 1, MPI_INT, 1, OTHER, MPI_COMM_WORLD));
  DO (MPI_Recv (&number, 1, MPI_INT, 1, NEVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DO (MPI_Send (&number, 1, MPI_INT, 1, NEVER, MPI_COMM_WORLD));
  come_late ();
  DO (MPI_Send (&number, 1, MPI_INT, 1, PROBED, MPI_COMM_WORLD));
  come_late ();
}

int
main (int argc, char **argv)
{
  MPI_Request request;
  int there = 0;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  if (rank == 0)
    answer ();
  else
    ask ();
  DO (MPI_Ibarrier (MPI_COMM_WORLD, &request));
  for (; !there; tests++)
    DO (MPI_Test (&request, &there, MPI_STATUS_IGNORE));
  result ("%ld", tests);
  return test_end ();
}
