/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 takes messages from whoever sends first, and ends with status 3 if that is not rank 1. It is, for rank 2 sends
 * later. What kind of receive it is, and why rank 2 is later, is the first argument; the second is a file to make. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
  TAG = 7,
  SENDERS = 2,
};

static const char *kind = "receive", *path = "sent";
static int me;

static int
is_kind (const char *name)
{
  return strcmp (kind, name) == 0;
}

static void
send_to_first (int value)
{
  MPI_Send (&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
}

/* --- Rank 0 ----------------------------------------------------------------------------------------------------- */

static int
receive (int source)
{
  MPI_Status status;
  int value;

  MPI_Recv (&value, 1, MPI_INT, source, is_kind ("tag") ? MPI_ANY_TAG : TAG, MPI_COMM_WORLD, &status);
  return status.MPI_SOURCE;
}

static int
probe (void)
{
  MPI_Status status;
  int flag = 0;

  while (is_kind ("iprobe") && !flag)
    MPI_Iprobe (MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, &status);
  if (!flag)
    MPI_Probe (MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
  return receive (status.MPI_SOURCE);
}

static void
receive_posted (int order[])
{
  MPI_Request requests[SENDERS];
  MPI_Status status;
  int values[SENDERS], place;

  for (int i = 0; i < SENDERS; i++)
    MPI_Irecv (&values[i], 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < SENDERS; i++)
    {
      MPI_Waitany (SENDERS, requests, &place, &status);
      order[i] = status.MPI_SOURCE;
    }
}

static int
receive_all (void)
{
  const int n = is_kind ("twice") ? 2 * SENDERS : SENDERS;
  int order[2 * SENDERS];

  if (is_kind ("posted"))
    receive_posted (order);
  for (int i = 0; i < n && !is_kind ("posted"); i++)
    order[i] = is_kind ("probe") || is_kind ("iprobe") ? probe () : receive (MPI_ANY_SOURCE);
  printf ("%d came first\n", order[0]);
  return order[0];
}

/* Rank 2 waits for what is told. */
static int
receive_and_tell (void)
{
  int first = receive (MPI_ANY_SOURCE);
  FILE *file = is_kind ("outside") ? fopen (path, "w") : NULL;

  if (file != NULL)
    fclose (file);
  else
    MPI_Send (&first, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD);
  receive (MPI_ANY_SOURCE);
  return first;
}

/* Rank 1 answers if it was asked, as the first: otherwise both wait for ever. */
static void
answer (int first)
{
  if (first == 1)
    MPI_Send (&first, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  MPI_Recv (&first, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* --- Others ----------------------------------------------------------------------------------------------------- */

/* With "after" and "outside", rank 2 sends when rank 0 has heard of rank 1, by MPI or by a file; otherwise when rank 1
 * has sent, which only the file tells. */
static void
come_later (void)
{
  const struct timespec pause = {0, 5000000};
  int value;

  if (is_kind ("after"))
    MPI_Recv (&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    while (access (path, F_OK) != 0)
      nanosleep (&pause, NULL);
}

/* Tells rank 2 by the file. */
static void
tell_outside (void)
{
  FILE *file = fopen (path, "w");

  if (file != NULL)
    fclose (file);
}

static void
send_as_rank (void)
{
  int value = me;

  if (me == 2)
    come_later ();
  for (int i = 0; i < 1 + is_kind ("twice"); i++)
    send_to_first (value);
  if (me == 1 && !is_kind ("after") && !is_kind ("outside"))
    tell_outside ();
  if (me == 1 && is_kind ("hang"))
    {
      MPI_Recv (&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      send_to_first (value);
    }
}

int
main (int argc, char **argv)
{
  int first = 1;

  if (argc > 1)
    kind = argv[1];
  if (argc > 2)
    path = argv[2];
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &me);
  if (me == 0)
    unlink (path);
  MPI_Barrier (MPI_COMM_WORLD);
  if (me == 0 && (is_kind ("after") || is_kind ("outside")))
    first = receive_and_tell ();
  else if (me == 0)
    first = receive_all ();
  else if (me <= SENDERS)
    send_as_rank ();
  if (me == 0 && is_kind ("hang"))
    answer (first);
  MPI_Finalize ();
  return me == 0 && first != 1 ? 3 : 0;
}
