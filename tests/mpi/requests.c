/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that are begun and found complete later: by each way of waiting and testing, freed, cancelled. */
#include "expect.h"

enum
{
  MANY = 6,
  ORDERED = 1,
  GO,
  READY,
  BUFFERED,
  SYNCHRONOUS,
  REVERSED,
  ALL,
  ANY,
  SOME,
  TESTED,
  TEST_ALL,
  TEST_ANY,
  TEST_SOME,
  FREED,
  NEVER,
  ASKED,
  BOTH,
};

static int next, previous;

/* Receives from the rank before, and sends to the one after, that have been begun. */
struct exchange
{
  struct message here[MANY], there[MANY];
  MPI_Request requests[2 * MANY]; /* receives, then sends */
  int lines[MANY];
};

static void
begin (struct exchange *exchange, int tag)
{
  for (int i = 0; i < MANY; i++)
    {
      DO (MPI_Irecv (&exchange->here[i], MESSAGE, previous, tag, MPI_COMM_WORLD, &exchange->requests[i]));
      exchange->lines[i] = expect_later ();
    }
  for (int i = 0; i < MANY; i++)
    {
      exchange->there[i] = message_to (next, tag);
      DO (MPI_Isend (&exchange->there[i], MESSAGE, next, tag, MPI_COMM_WORLD, &exchange->requests[MANY + i]));
      expect_message ("isend", &exchange->there[i]);
    }
}

/* Request i was found complete: its place in the exchange. */
static void
completed (struct exchange *exchange, int i, int tag)
{
  CHECK (exchange->requests[i] == MPI_REQUEST_NULL);
  if (i >= MANY)
    {
      /* Of sends that were over at once, an MPI may make the same request. */
      expect ("complete %s * bytes=16", channel_on ("", &exchange->there[i - MANY]));
      return;
    }
  CHECK (is_from (&exchange->here[i], previous, tag));
  CHECK (exchange->here[i].number == exchange->here[0].number + i || i == 0);
  expect_received (exchange->lines[i], &exchange->here[i]);
}

static void
wait_each (bool backwards, int tag)
{
  struct exchange exchange;

  begin (&exchange, tag);
  for (int i = 0; i < 2 * MANY; i++)
    {
      int which = backwards ? 2 * MANY - 1 - i : i;

      DO (MPI_Wait (&exchange.requests[which], MPI_STATUS_IGNORE));
      /* Those before it have come too, though nobody has looked. */
      if (backwards && which < MANY)
        {
          expect_received (exchange.lines[which], &exchange.here[which]);
          CHECK (exchange.here[which].number == which);
        }
      else
        completed (&exchange, which, tag);
    }
  DO (MPI_Wait (&exchange.requests[0], MPI_STATUS_IGNORE));
}

static void
wait_all (void)
{
  struct exchange exchange;
  MPI_Status statuses[2 * MANY];

  begin (&exchange, ALL);
  DO (MPI_Waitall (2 * MANY, exchange.requests, statuses));
  for (int i = 0; i < 2 * MANY; i++)
    completed (&exchange, i, ALL);
  CHECK (statuses[MANY - 1].MPI_SOURCE == previous && statuses[MANY - 1].MPI_TAG == ALL);
  begin (&exchange, ALL);
  DO (MPI_Waitall (2 * MANY, exchange.requests, MPI_STATUSES_IGNORE));
  for (int i = 0; i < 2 * MANY; i++)
    completed (&exchange, i, ALL);
  DO (MPI_Waitall (2 * MANY, exchange.requests, MPI_STATUSES_IGNORE));
  DO (MPI_Waitall (0, NULL, MPI_STATUSES_IGNORE));
}

static void
wait_any (void)
{
  struct exchange exchange;
  int which;

  begin (&exchange, ANY);
  for (int i = 0; i < 2 * MANY; i++)
    {
      DO (MPI_Waitany (2 * MANY, exchange.requests, &which, MPI_STATUS_IGNORE));
      completed (&exchange, which, ANY);
    }
  DO (MPI_Waitany (2 * MANY, exchange.requests, &which, MPI_STATUS_IGNORE));
  CHECK (which == MPI_UNDEFINED);
}

static void
wait_some (void)
{
  struct exchange exchange;
  MPI_Status statuses[2 * MANY];
  int which[2 * MANY], n, done = 0;

  begin (&exchange, SOME);
  while (done < 2 * MANY)
    {
      DO (MPI_Waitsome (2 * MANY, exchange.requests, &n, which, done % 2 ? statuses : MPI_STATUSES_IGNORE));
      CHECK (n > 0);
      for (int i = 0; i < n; i++)
        completed (&exchange, which[i], SOME);
      done += n;
    }
  DO (MPI_Waitsome (2 * MANY, exchange.requests, &n, which, MPI_STATUSES_IGNORE));
  CHECK (n == MPI_UNDEFINED);
}

/* The rank before sends only when it is told that we have looked for it in vain. */
static void
test_one (void)
{
  struct message message, go = message_to (previous, GO), went, came = message_to (next, TESTED);
  MPI_Request request;
  MPI_Status status;
  int line, done = 1;

  DO (MPI_Irecv (&message, MESSAGE, previous, TESTED, MPI_COMM_WORLD, &request));
  line = expect_later ();
  for (int i = 0; i < 3; i++)
    {
      DO (MPI_Test (&request, &done, &status));
      CHECK (!done);
    }
  expect ("test-failed");
  DO (MPI_Send (&go, MESSAGE, previous, GO, MPI_COMM_WORLD));
  expect_message ("send", &go);
  DO (MPI_Recv (&went, MESSAGE, next, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  expect_message ("recv", &went);
  DO (MPI_Send (&came, MESSAGE, next, TESTED, MPI_COMM_WORLD));
  expect_message ("send", &came);
  do
    DO (MPI_Test (&request, &done, &status));
  while (!done);
  CHECK (is_from (&message, previous, TESTED) && status.MPI_SOURCE == previous);
  expect_received (line, &message);
  DO (MPI_Test (&request, &done, &status));
  CHECK (done);
}

static void
test_many (void)
{
  struct exchange exchange;
  int which[2 * MANY], n = 0, done = 0;

  begin (&exchange, TEST_ALL);
  while (!done)
    DO (MPI_Testall (2 * MANY, exchange.requests, &done, MPI_STATUSES_IGNORE));
  for (int i = 0; i < 2 * MANY; i++)
    completed (&exchange, i, TEST_ALL);

  begin (&exchange, TEST_ANY);
  for (int i = 0; i < 2 * MANY; i += done)
    {
      DO (MPI_Testany (2 * MANY, exchange.requests, which, &done, MPI_STATUS_IGNORE));
      if (done)
        completed (&exchange, which[0], TEST_ANY);
    }
  DO (MPI_Testany (2 * MANY, exchange.requests, which, &done, MPI_STATUS_IGNORE));
  CHECK (done && which[0] == MPI_UNDEFINED);

  begin (&exchange, TEST_SOME);
  for (int i = 0; i < 2 * MANY; i += n)
    {
      DO (MPI_Testsome (2 * MANY, exchange.requests, &n, which, MPI_STATUSES_IGNORE));
      for (int k = 0; k < n; k++)
        completed (&exchange, which[k], TEST_SOME);
    }
}

typedef int isend_function (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void
send_with (isend_function *isend, int tag)
{
  struct message sent = message_to (next, tag), came;
  MPI_Request request;

  DO (isend (&sent, MESSAGE, next, tag, MPI_COMM_WORLD, &request));
  expect_message ("isend", &sent);
  DO (MPI_Recv (&came, MESSAGE, previous, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, tag));
  expect_message ("recv", &came);
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  expect_message ("complete", &sent);
}

static void
send_ready (void)
{
  struct message message, go = message_to (previous, GO), went, sent = message_to (next, READY);
  MPI_Request requests[2];
  int line;

  DO (MPI_Irecv (&message, MESSAGE, previous, READY, MPI_COMM_WORLD, &requests[0]));
  line = expect_later ();
  DO (MPI_Send (&go, MESSAGE, previous, GO, MPI_COMM_WORLD));
  expect_message ("send", &go);
  DO (MPI_Recv (&went, MESSAGE, next, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  expect_message ("recv", &went);
  DO (MPI_Irsend (&sent, MESSAGE, next, READY, MPI_COMM_WORLD, &requests[1]));
  expect_message ("isend", &sent);
  DO (MPI_Waitall (2, requests, MPI_STATUSES_IGNORE));
  expect_received (line, &message);
  expect_message ("complete", &sent);
}

/* Nobody waits for the first two, but they take the first two messages. */
static void
free_requests (void)
{
  struct message here[3], there[3];
  MPI_Request requests[3], request;
  int lines[3];

  for (int i = 0; i < 3; i++)
    {
      DO (MPI_Irecv (&here[i], MESSAGE, previous, FREED, MPI_COMM_WORLD, &requests[i]));
      lines[i] = expect_later ();
    }
  DO (MPI_Request_free (&requests[0]));
  DO (MPI_Request_free (&requests[1]));
  CHECK (requests[0] == MPI_REQUEST_NULL);
  for (int i = 0; i < 3; i++)
    {
      there[i] = message_to (next, FREED);
      DO (MPI_Isend (&there[i], MESSAGE, next, FREED, MPI_COMM_WORLD, &request));
      expect_message ("isend", &there[i]);
      DO (MPI_Request_free (&request));
    }
  DO (MPI_Wait (&requests[2], MPI_STATUS_IGNORE));
  for (int i = 0; i < 3; i++)
    CHECK (is_from (&here[i], previous, FREED) && here[i].number == i);
  expect_received (lines[2], &here[2]);
  for (int i = 0; i < 2; i++)
    expect_now (lines[i], "irecv %s %d", channel_on ("", &here[i]), i);

  /* What was sent must have gone before its memory does. */
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
}

static void
cancel (void)
{
  MPI_Request requests[2];
  MPI_Status status;
  int cancelled, done = 0, word = 0;

  DO (MPI_Irecv (&word, 1, MPI_INT, previous, NEVER, MPI_COMM_WORLD, &requests[0]));
  expect ("irecv - -");
  DO (MPI_Irecv (&word, 1, MPI_INT, MPI_ANY_SOURCE, NEVER, MPI_COMM_WORLD, &requests[1]));
  expect ("irecv - -");
  for (int i = 0; i < 2; i++)
    DO (MPI_Cancel (&requests[i]));
  DO (MPI_Wait (&requests[0], &status));
  DO (MPI_Test_cancelled (&status, &cancelled));
  CHECK (cancelled);
  while (!done)
    DO (MPI_Test (&requests[1], &done, &status));
  DO (MPI_Test_cancelled (&status, &cancelled));
  CHECK (cancelled);
}

static void
nobody (void)
{
  MPI_Request requests[2];
  int word = 0;

  DO (MPI_Isend (&word, 1, MPI_INT, MPI_PROC_NULL, ORDERED, MPI_COMM_WORLD, &requests[0]));
  DO (MPI_Irecv (&word, 1, MPI_INT, MPI_PROC_NULL, ORDERED, MPI_COMM_WORLD, &requests[1]));
  DO (MPI_Waitall (2, requests, MPI_STATUSES_IGNORE));
}

/* To be asked is not to be completed. */
static void
ask (void)
{
  struct message here, there = message_to (next, ASKED);
  MPI_Request requests[2];
  MPI_Status status;
  int done = 0;

  DO (MPI_Irecv (&here, MESSAGE, previous, ASKED, MPI_COMM_WORLD, &requests[0]));
  int line = expect_later ();
  DO (MPI_Isend (&there, MESSAGE, next, ASKED, MPI_COMM_WORLD, &requests[1]));
  expect_message ("isend", &there);
  while (!done)
    DO (MPI_Request_get_status (requests[0], &done, &status));
  CHECK (is_from (&here, previous, ASKED) && requests[0] != MPI_REQUEST_NULL && status.MPI_TAG == ASKED);
  DO (MPI_Waitall (2, requests, MPI_STATUSES_IGNORE));
  expect_received (line, &here);
  expect_message ("complete", &there);
}

#if MPI_VERSION >= 4
/* Two messages that are one request. */
static void
both (bool replace)
{
  struct message sent = message_to (next, BOTH), came = sent;
  MPI_Request request;
  int line;

  if (replace)
    DO (MPI_Isendrecv_replace (&came, MESSAGE, next, BOTH, previous, BOTH, MPI_COMM_WORLD, &request));
  else
    DO (MPI_Isendrecv (&sent, MESSAGE, next, BOTH, &came, MESSAGE, previous, BOTH, MPI_COMM_WORLD, &request));
  expect_message ("isend", &sent);
  line = expect_later ();
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, BOTH));
  expect_received (line, &came);
  expect_message ("complete", &sent);
}
#endif

int
main (int argc, char **argv)
{
  static char buffer[1 << 16];
  void *detached;
  int size;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  wait_each (false, ORDERED);
  wait_each (true, REVERSED);
  wait_all ();
  wait_any ();
  wait_some ();
  test_one ();
  test_many ();
  send_with (MPI_Issend, SYNCHRONOUS);
  DO (MPI_Buffer_attach (buffer, sizeof buffer));
  send_with (MPI_Ibsend, BUFFERED);
  DO (MPI_Buffer_detach (&detached, &size));
  send_ready ();
  free_requests ();
  cancel ();
  nobody ();
  ask ();
#if MPI_VERSION >= 4
  both (false);
  both (true);
#endif
  return test_end ();
}
