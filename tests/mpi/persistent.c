/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that are made once and started several times. */
#include "expect.h"

enum
{
  STANDARD = 1,
  BUFFERED,
  SYNCHRONOUS,
  READY,
  KINDS = 4,
  ROUNDS = 3,
};

static struct message here[KINDS], there[KINDS];
static MPI_Request receives[KINDS], sends[KINDS];
static int next, previous;

static void
make (void)
{
  for (int i = 0; i < KINDS; i++)
    DO (MPI_Recv_init (&here[i], MESSAGE, previous, STANDARD + i, MPI_COMM_WORLD, &receives[i]));
  DO (MPI_Send_init (&there[0], MESSAGE, next, STANDARD, MPI_COMM_WORLD, &sends[0]));
  DO (MPI_Bsend_init (&there[1], MESSAGE, next, BUFFERED, MPI_COMM_WORLD, &sends[1]));
  DO (MPI_Ssend_init (&there[2], MESSAGE, next, SYNCHRONOUS, MPI_COMM_WORLD, &sends[2]));
  DO (MPI_Rsend_init (&there[3], MESSAGE, next, READY, MPI_COMM_WORLD, &sends[3]));
}

/* All receives are there before anything is sent, for the ready one. */
static void
start (int round, int lines[KINDS])
{
  DO (MPI_Startall (KINDS, receives));
  for (int i = 0; i < KINDS; i++)
    lines[i] = expect_later ();
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  for (int i = 0; i < KINDS; i++)
    there[i] = message_to (next, STANDARD + i);
  if (round == 1)
    DO (MPI_Startall (KINDS, sends));
  else
    for (int i = 0; i < KINDS; i++)
      DO (MPI_Start (&sends[i]));
  for (int i = 0; i < KINDS; i++)
    expect_message ("isend", &there[i]);
}

static void
finish (int round, const int lines[KINDS])
{
  for (int i = 0; i < KINDS; i++)
    {
      int which = round == 2 ? KINDS - 1 - i : i;

      DO (MPI_Wait (&receives[which], MPI_STATUS_IGNORE));
      CHECK (receives[which] != MPI_REQUEST_NULL);
      CHECK (is_from (&here[which], previous, STANDARD + which) && here[which].number == round);
      expect_received (lines[which], &here[which]);
      DO (MPI_Wait (&receives[which], MPI_STATUS_IGNORE));
    }
  DO (MPI_Waitall (KINDS, sends, MPI_STATUSES_IGNORE));
  for (int i = 0; i < KINDS; i++)
    expect_message ("complete", &there[i]);
  DO (MPI_Waitall (KINDS, sends, MPI_STATUSES_IGNORE));
}

/* One that is freed while it is inactive, and one with nobody. */
static void
others (void)
{
  MPI_Request request;
  int word = 0, done = 0;

  DO (MPI_Send_init (&word, 1, MPI_INT, MPI_PROC_NULL, STANDARD, MPI_COMM_WORLD, &request));
  DO (MPI_Start (&request));
  while (!done)
    DO (MPI_Test (&request, &done, MPI_STATUS_IGNORE));
  DO (MPI_Request_free (&request));
  DO (MPI_Recv_init (&word, 1, MPI_INT, previous, STANDARD, MPI_COMM_WORLD, &request));
  DO (MPI_Request_free (&request));
}

int
main (int argc, char **argv)
{
  static char buffer[1 << 16];
  void *detached;
  int lines[KINDS], size;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  DO (MPI_Buffer_attach (buffer, sizeof buffer));
  make ();
  for (int round = 0; round < ROUNDS; round++)
    {
      start (round, lines);
      finish (round, lines);
    }
  for (int i = 0; i < KINDS; i++)
    {
      DO (MPI_Request_free (&receives[i]));
      DO (MPI_Request_free (&sends[i]));
    }
  others ();
  DO (MPI_Buffer_detach (&detached, &size));
  return test_end ();
}
