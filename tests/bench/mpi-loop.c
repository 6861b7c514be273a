/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and collective operations between two ranks, over and over, and how long each took: mpi-loop COUNT TURNS. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;
static long out, in;

static void
ping_pong (int count)
{
  for (int i = 0; i < count; i += 2)
    {
      if (rank == 0)
        MPI_Send (&out, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
      MPI_Recv (&in, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1)
        MPI_Send (&out, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
    }
}

static void
exchange (int count)
{
  for (int i = 0; i < count; i++)
    {
      MPI_Request requests[2];
      MPI_Status statuses[2];

      MPI_Irecv (&in, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend (&out, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall (2, requests, statuses);
    }
}

/* No other rank has a part in this. */
static void
message_to_self (int count)
{
  for (int i = 0; i < count; i++)
    {
      MPI_Request request;

      MPI_Irecv (&in, 1, MPI_LONG, 0, 0, MPI_COMM_SELF, &request);
      MPI_Send (&out, 1, MPI_LONG, 0, 0, MPI_COMM_SELF);
      MPI_Wait (&request, MPI_STATUS_IGNORE);
    }
}

static void
barrier (int count)
{
  for (int i = 0; i < count; i++)
    MPI_Barrier (MPI_COMM_WORLD);
}

static void
all_reduce (int count)
{
  for (int i = 0; i < count; i++)
    MPI_Allreduce (&out, &in, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

/* The least of all turns: what disturbs makes it longer. */
static void
measure (const char *name, void (*loop) (int count), int count, int turns)
{
  double least = 1e9;

  for (int turn = 0; turn < turns; turn++)
    {
      double begin, taken;

      MPI_Barrier (MPI_COMM_WORLD);
      begin = MPI_Wtime ();
      loop (count);
      taken = MPI_Wtime () - begin;
      if (taken < least)
        least = taken;
    }
  if (rank == 0)
    printf ("%s %.2f\n", name, least / count * 1e9);
}

int
main (int argc, char **argv)
{
  int count, turns, ranks;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  if (argc != 3 || ranks != 2)
    {
      fprintf (stderr, "Usage: mpirun -n 2 mpi-loop COUNT TURNS\n");
      MPI_Abort (MPI_COMM_WORLD, 2);
    }
  count = atoi (argv[1]);
  turns = atoi (argv[2]);
  measure ("ping-pong", ping_pong, count, turns);
  measure ("exchange", exchange, count, turns);
  measure ("self", message_to_self, count, turns);
  measure ("barrier", barrier, count, turns);
  measure ("all-reduce", all_reduce, count, turns);
  MPI_Finalize ();
  return 0;
}
