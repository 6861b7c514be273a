/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that wait for ever, until one of them is ended by its alarm after a second, or all after as many as are
 * asked for: each for the next one, or all for one that sleeps, has ended, or does something else than they. */
#include "expect.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  PATIENCE = 1, /* s */
  SLEEPS = 30,
  ALL_LEFT = 200000, /* us */
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

/* The last one receives from the first, which with the others does what all are to do. */
static void
wait_in_collective (int last)
{
  int came = 0, sum;

  if (rank == last)
    MPI_Recv (&came, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Allreduce (&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void *
sleep_beside (void *data)
{
  sleep (SLEEPS);
  return data;
}

/* The first two have a communicator of their own, and go to the two barriers in different orders. */
static void
wait_in_barriers (void)
{
  MPI_Comm part;

  MPI_Comm_split (MPI_COMM_WORLD, rank < 2, rank, &part);
  MPI_Barrier (part);
  MPI_Barrier (rank == 0 ? part : MPI_COMM_WORLD);
  MPI_Barrier (rank == 0 ? MPI_COMM_WORLD : part);
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
  if (rank == 0 || argc > 2)
    alarm (argc > 2 ? (unsigned)atoi (argv[2]) : PATIENCE);
  if (strcmp (argv[1], "any") == 0)
    wait_for_any ();
  else if (strcmp (argv[1], "collective") == 0)
    wait_in_collective (ranks - 1);
  else if (strcmp (argv[1], "threads") == 0)
    {
      pthread_t beside;

      pthread_create (&beside, NULL, sleep_beside, NULL);
      wait_in_collective (ranks - 1);
    }
  else if (strcmp (argv[1], "barriers") == 0)
    wait_in_barriers ();
  else if (strcmp (argv[1], "finalized") == 0 && rank == ranks - 1)
    MPI_Finalize ();
  else if (strcmp (argv[1], "finalized") == 0)
    MPI_Barrier (MPI_COMM_WORLD);
  else if (strcmp (argv[1], "sleeps") == 0 || strcmp (argv[1], "killed") == 0)
    {
      if (rank == ranks - 1 && strcmp (argv[1], "killed") == 0)
        {
          usleep (ALL_LEFT); /* launchers kill the others at once, who might not have left the barrier before */
          raise (SIGKILL);
        }
      if (rank == ranks - 1)
        sleep (SLEEPS);
      MPI_Barrier (MPI_COMM_WORLD);
    }
  else if (strcmp (argv[1], "late") != 0)
    wait_for_all (argv[1], (rank + ranks - 1) % ranks, (rank + 1) % ranks);
  else if (rank == ranks - 1)
    sleep (SLEEPS);
  else
    MPI_Recv (&came, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
