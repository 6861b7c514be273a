/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that wait for ever, until one of them is ended by its alarm: each for the next one, or all for one that sleeps.
 */
#include "expect.h"

#include <string.h>
#include <unistd.h>

enum
{
  PATIENCE = 1, /* s */
  SLEEPS = 30,
};

static void
wait_for_all (const char *how, int before, int after)
{
  int number = rank, came;
  MPI_Request request;

  if (strcmp (how, "recv") == 0)
    MPI_Recv (&came, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (strcmp (how, "ssend") == 0)
    MPI_Ssend (&number, 1, MPI_INT, after, 1, MPI_COMM_WORLD);
  else
    {
      MPI_Irecv (&came, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &request);
      MPI_Wait (&request, MPI_STATUS_IGNORE);
    }
}

/* Rank 0 goes on with the message of any other, and one of them only sleeps. */
static void
wait_for_any (void)
{
  int came[2], place;
  MPI_Request requests[2];

  if (rank == ranks - 1)
    sleep (SLEEPS);
  else if (rank > 0)
    MPI_Recv (&came, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    {
      MPI_Irecv (&came[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv (&came[1], 1, MPI_INT, ranks - 1, 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitany (2, requests, &place, MPI_STATUS_IGNORE);
    }
}

int
main (int argc, char **argv)
{
  int came = 0;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  /* A message that is received, before that which is not. */
  MPI_Sendrecv (&rank, 1, MPI_INT, (rank + 1) % ranks, 1, &came, 1, MPI_INT, (rank + ranks - 1) % ranks, 1,
                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 0)
    alarm (PATIENCE);
  if (strcmp (argv[1], "any") == 0)
    wait_for_any ();
  else if (strcmp (argv[1], "late") != 0)
    wait_for_all (argv[1], (rank + ranks - 1) % ranks, (rank + 1) % ranks);
  else if (rank == ranks - 1)
    sleep (SLEEPS);
  else
    MPI_Recv (&came, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
