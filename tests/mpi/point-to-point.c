/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that are sent and received at once, in each of the ways that MPI has for it. */
#include "expect.h"

#include <stdlib.h>

enum
{
  PLAIN = 1,
  SYNCHRONOUS,
  BUFFERED,
  GO,
  READY,
  BOTH,
  REPLACED,
  EMPTY,
  LARGE,
  STRIDED,
  SELF,
};

typedef int send_function (const void *, int, MPI_Datatype, int, int, MPI_Comm);

static int next, previous;

static void
receive (int tag)
{
  struct message message;
  MPI_Status status;

  DO (MPI_Recv (&message, MESSAGE, previous, tag, MPI_COMM_WORLD, &status));
  CHECK (is_from (&message, previous, tag));
  CHECK (status.MPI_SOURCE == previous && status.MPI_TAG == tag);
  expect_message ("recv", &message);
}

static void
send_with (send_function *send, const char *operation, int tag)
{
  struct message message = message_to (next, tag);

  DO (send (&message, MESSAGE, next, tag, MPI_COMM_WORLD));
  expect_message (operation, &message);
}

/* Around the ring: those with an even rank send first. */
static void
pass_on (send_function *send, const char *operation, int tag)
{
  for (int i = 0; i < 3; i++)
    {
      if (rank % 2 == 0)
        send_with (send, operation, tag);
      receive (tag);
      if (rank % 2 != 0)
        send_with (send, operation, tag);
    }
}

/* A ready send needs a receive that is there already. */
static void
send_ready (void)
{
  struct message message, go = message_to (previous, GO), came;
  MPI_Request request;
  int line;

  DO (MPI_Irecv (&message, MESSAGE, previous, READY, MPI_COMM_WORLD, &request));
  line = expect_later ();
  DO (MPI_Send (&go, MESSAGE, previous, GO, MPI_COMM_WORLD));
  expect_message ("send", &go);
  DO (MPI_Recv (&came, MESSAGE, next, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  expect_message ("recv", &came);
  send_with (MPI_Rsend, "send", READY);
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  CHECK (is_from (&message, previous, READY));
  expect_received (line, &message);
}

static void
exchange (void)
{
  struct message sent = message_to (next, BOTH), came;
  MPI_Status status;

  DO (MPI_Sendrecv (&sent, MESSAGE, next, BOTH, &came, MESSAGE, previous, BOTH, MPI_COMM_WORLD, &status));
  CHECK (is_from (&came, previous, BOTH));
  expect_message ("isend", &sent);
  expect_message ("recv", &came);
  expect_message ("complete", &sent);

  sent = came = message_to (next, REPLACED);
  DO (MPI_Sendrecv_replace (&came, MESSAGE, next, REPLACED, previous, REPLACED, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, REPLACED));
  expect_message ("isend", &sent);
  expect_message ("recv", &came);
  expect_message ("complete", &sent);
}

/* Half of what sendrecv has to do may be with nobody. */
static void
exchange_with_nobody (void)
{
  struct message sent = message_to (next, BOTH), came;

  if (rank % 2 == 0)
    {
      DO (MPI_Sendrecv (&sent, MESSAGE, next, BOTH, &came, MESSAGE, MPI_PROC_NULL, BOTH, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
      expect_message ("send", &sent);
      return;
    }
  DO (MPI_Sendrecv (&sent, MESSAGE, MPI_PROC_NULL, BOTH, &came, MESSAGE, previous, BOTH, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, BOTH));
  expect_message ("recv", &came);
}

static void
nobody_and_nothing (void)
{
  struct message message;
  MPI_Status status;
  int count = -1;

  DO (MPI_Send (&rank, 1, MPI_INT, MPI_PROC_NULL, PLAIN, MPI_COMM_WORLD));
  DO (MPI_Recv (&message, MESSAGE, MPI_PROC_NULL, PLAIN, MPI_COMM_WORLD, &status));
  CHECK (status.MPI_SOURCE == MPI_PROC_NULL);

  DO (MPI_Send (NULL, 0, MPI_BYTE, next, EMPTY, MPI_COMM_WORLD));
  expect ("send %d>%d:%d 0 bytes=0", rank, next, EMPTY);
  DO (MPI_Recv (&message, MESSAGE, previous, EMPTY, MPI_COMM_WORLD, &status));
  DO (MPI_Get_count (&status, MPI_INT, &count));
  CHECK (count == 0);
  expect ("recv %d>%d:%d 0 bytes=0", previous, rank, EMPTY);
}

/* What no MPI sends before it has been asked for; and every other element of an array. */
static void
send_much (void)
{
  enum
  {
    N = 200000
  };
  int *there = malloc (N * sizeof *there), *here = malloc (N * sizeof *here);
  MPI_Datatype every_other;

  CHECK (there != NULL && here != NULL);
  for (int i = 0; i < N; i++)
    there[i] = rank + i, here[i] = -1;
  DO (MPI_Sendrecv (there, N, MPI_INT, next, LARGE, here, N, MPI_INT, previous, LARGE, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
  CHECK (here[0] == previous && here[N - 1] == previous + N - 1);
  expect ("isend %d>%d:%d 0 bytes=%d", rank, next, LARGE, 4 * N);
  expect ("recv %d>%d:%d 0 bytes=%d", previous, rank, LARGE, 4 * N);
  expect ("complete %d>%d:%d 0 bytes=%d", rank, next, LARGE, 4 * N);

  DO (MPI_Type_vector (100, 1, 2, MPI_INT, &every_other));
  DO (MPI_Type_commit (&every_other));
  DO (MPI_Sendrecv (there, 2, every_other, next, STRIDED, here, 200, MPI_INT, previous, STRIDED, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
  CHECK (here[1] == previous + 2 && here[100] == previous + 199);
  DO (MPI_Type_free (&every_other));
  expect ("isend %d>%d:%d 0 bytes=800", rank, next, STRIDED);
  expect ("recv %d>%d:%d 0 bytes=800", previous, rank, STRIDED);
  expect ("complete %d>%d:%d 0 bytes=800", rank, next, STRIDED);
  result ("sum %d", here[100] + here[99]);
  free (there);
  free (here);
}

static void
send_to_oneself (void)
{
  struct message sent = message_to (rank, SELF), came;

  DO (MPI_Sendrecv (&sent, MESSAGE, rank, SELF, &came, MESSAGE, rank, SELF, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, rank, SELF));
  expect_message ("isend", &sent);
  expect_message ("recv", &came);
  expect_message ("complete", &sent);
}

int
main (int argc, char **argv)
{
  static char buffer[1 << 16];
  void *detached;
  int size;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  pass_on (MPI_Send, "send", PLAIN);
  pass_on (MPI_Ssend, "ssend", SYNCHRONOUS);
  DO (MPI_Buffer_attach (buffer, sizeof buffer));
  pass_on (MPI_Bsend, "send", BUFFERED);
  DO (MPI_Buffer_detach (&detached, &size));
  CHECK (detached == buffer && size == sizeof buffer);
  send_ready ();
  exchange ();
  exchange_with_nobody ();
  nobody_and_nothing ();
  send_much ();
  send_to_oneself ();
  return test_end ();
}
