/* SPDX-License-Identifier: Apache-2.0 */
/* Receives that say neither from whom nor with which tag, found complete in orders other than those of their posting.
 */
#include "expect.h"

enum
{
  A = 1,
  B,
  C,
  WORK,
  RESULT,
  STOP,
  GO,
  GATHERED,
  HIDDEN,
  EACH = 5, /* messages of each rank */
  MOST = 64,
};

struct receive
{
  struct message message;
  MPI_Request request;
  int line;
  bool is_blind;
};

static void
post (struct receive *receive, int from, int tag)
{
  receive->is_blind = from == MPI_ANY_SOURCE;
  DO (MPI_Irecv (&receive->message, MESSAGE, from, tag, MPI_COMM_WORLD, &receive->request));
  receive->line = expect_later ();
}

static void
wait_for (struct receive *receive)
{
  MPI_Status status;

  DO (MPI_Wait (&receive->request, &status));
  CHECK (is_from (&receive->message, status.MPI_SOURCE, status.MPI_TAG));
  expect_received_on ("", receive->line, &receive->message, receive->is_blind);
}

static void
send_one (int to, int tag)
{
  struct message message = message_to (to, tag);

  DO (MPI_Send (&message, MESSAGE, to, tag, MPI_COMM_WORLD));
  expect_message ("send", &message);
}

static void
receive_one (int from, int tag)
{
  struct message message;

  DO (MPI_Recv (&message, MESSAGE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK (message.to == rank);
  expect_on ("", "recv", &message, from == MPI_ANY_SOURCE);
}

static void
meet (void)
{
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
}

/*
 * Rank 1 sends A A B A C to rank 0, whose receives are posted as: any, A, any tag, anyone's A, C. So they match in this
 * order, whichever is waited for first.
 */
static void
one_sender (const int order[EACH])
{
  static const int tags[EACH] = {A, A, B, A, C};
  struct receive receives[EACH];

  if (rank == 0)
    {
      post (&receives[0], MPI_ANY_SOURCE, MPI_ANY_TAG);
      post (&receives[1], 1, A);
      post (&receives[2], 1, MPI_ANY_TAG);
      post (&receives[3], MPI_ANY_SOURCE, A);
      post (&receives[4], 1, C);
      send_one (1, GO);
      for (int i = 0; i < EACH; i++)
        {
          wait_for (&receives[order[i]]);
          CHECK (receives[order[i]].message.tag == tags[order[i]]);
        }
    }
  else if (rank == 1)
    {
      receive_one (0, GO);
      for (int i = 0; i < EACH; i++)
        send_one (0, tags[i]);
    }
  meet ();
}

/* Everybody sends EACH messages to rank 0, which takes them as they come, by tests and waits in several orders. */
static void
many_senders (bool backwards)
{
  static struct receive receives[MOST * EACH];
  int n = (ranks - 1) * EACH;

  if (rank != 0)
    for (int i = 0; i < EACH; i++)
      send_one (0, GATHERED);
  else
    {
      for (int i = 0; i < n; i++)
        post (&receives[i], MPI_ANY_SOURCE, i % 2 ? GATHERED : MPI_ANY_TAG);
      for (int i = 0; i < n; i++)
        wait_for (&receives[backwards ? n - 1 - i : i]);
    }
  meet ();
}

/*
 * The first one may take a message of any channel, so that the numbers of all others wait for it; all are found by
 * Waitany. Each sender has one receive of its own, before the other wildcard ones, so that none is left over.
 */
static void
mixed (void)
{
  static struct receive receives[MOST * 2];
  MPI_Request requests[MOST * 2];
  int n = 2 * (ranks - 1), which;

  if (rank != 0)
    {
      receive_one (0, GO);
      send_one (0, A);
      send_one (0, A);
    }
  else
    {
      for (int i = 0; i < n; i++)
        {
          post (&receives[i], i > 0 && i < ranks ? i : MPI_ANY_SOURCE, A);
          requests[i] = receives[i].request;
        }
      for (int i = 1; i < ranks; i++)
        send_one (i, GO);
      for (int i = 0; i < n; i++)
        {
          DO (MPI_Waitany (n, requests, &which, MPI_STATUS_IGNORE));
          expect_received_on ("", receives[which].line, &receives[which].message, receives[which].is_blind);
        }
    }
  meet ();
}

/* A master gives work to whoever asks for it. */
static void
master_and_workers (void)
{
  int left = 4 * (ranks - 1), workers = ranks - 1;
  struct message message;
  MPI_Status status;

  if (rank != 0)
    {
      do
        {
          send_one (0, RESULT);
          DO (MPI_Recv (&message, MESSAGE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
          expect_message ("recv", &message);
        }
      while (status.MPI_TAG == WORK);
    }
  while (rank == 0 && workers > 0)
    {
      DO (MPI_Recv (&message, MESSAGE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status));
      CHECK (message.from == status.MPI_SOURCE);
      expect_blind ("recv", &message);
      send_one (message.from, left > 0 ? WORK : STOP);
      if (left-- <= 0)
        workers--;
    }
  meet ();
}

/* A cancelled wildcard one takes nothing; one that was freed takes what it would have; a blocking one goes last. */
static void
cancelled_and_freed (void)
{
  struct receive cancelled, freed, kept;
  MPI_Status status;
  int is_cancelled;

  if (rank == 0)
    {
      post (&cancelled, MPI_ANY_SOURCE, HIDDEN);
      post (&freed, MPI_ANY_SOURCE, A);
      post (&kept, 1, A);
      DO (MPI_Cancel (&cancelled.request));
      DO (MPI_Wait (&cancelled.request, &status));
      DO (MPI_Test_cancelled (&status, &is_cancelled));
      CHECK (is_cancelled);
      expect_now (cancelled.line, "irecv - -");
      DO (MPI_Request_free (&freed.request));
      send_one (1, GO);
      receive_one (1, A);
      wait_for (&kept);
      CHECK (freed.message.tag == A && kept.message.number == freed.message.number + 1);
      expect_now (freed.line, "irecv %s %d", channel_on ("", &freed.message), freed.message.number);
    }
  else if (rank == 1)
    {
      receive_one (0, GO);
      for (int i = 0; i < 3; i++)
        send_one (0, A);
    }
  meet ();
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  one_sender ((int[]){0, 1, 2, 3, 4});
  one_sender ((int[]){4, 3, 2, 1, 0});
  one_sender ((int[]){3, 0, 4, 1, 2});
  many_senders (false);
  many_senders (true);
  mixed ();
  master_and_workers ();
  cancelled_and_freed ();
  return test_end ();
}
