/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that are looked at before they are received. */
#include "expect.h"

enum
{
  PLAIN = 1,
  ANY,
  MATCHED,
  MATCHED_LATER,
  ASKED,
  POSTED,
  GO,
};

static int next, previous;

static struct message
send_one (int to, int tag)
{
  struct message message = message_to (to, tag);

  DO (MPI_Send (&message, MESSAGE, to, tag, MPI_COMM_WORLD));
  expect_message ("send", &message);
  return message;
}

static struct message
receive_one (int from, int tag)
{
  struct message message;

  DO (MPI_Recv (&message, MESSAGE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  expect_on ("", "recv", &message, from == MPI_ANY_SOURCE);
  return message;
}

/* What was looked at is known once it has been received: twice the same. */
static void
look_then_receive (int from, int tag)
{
  struct message message;
  int first = expect_later (), second = expect_later (), count;
  const char *blind = from == MPI_ANY_SOURCE ? " blind" : "";
  MPI_Status status;

  DO (MPI_Probe (from, tag, MPI_COMM_WORLD, &status));
  DO (MPI_Get_count (&status, MPI_INT, &count));
  CHECK (count == 4);
  DO (MPI_Probe (from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  message = receive_one (status.MPI_SOURCE, status.MPI_TAG);
  CHECK (is_from (&message, status.MPI_SOURCE, status.MPI_TAG));
  expect_now (first, "probe %s %d bytes=16%s", channel_on ("", &message), message.number, blind);
  expect_now (second, "probe %s %d%s", channel_on ("", &message), message.number, blind);
}

/* In vain, as long as nobody is told to send; then until it is there. */
static void
look_until_it_comes (void)
{
  struct message message;
  int there = 1, line;

  DO (MPI_Iprobe (previous, ASKED, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
  CHECK (!there);
  DO (MPI_Iprobe (MPI_ANY_SOURCE, ASKED, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
  CHECK (!there);
  expect ("probe-failed");
  send_one (previous, GO);
  receive_one (next, GO);
  send_one (next, ASKED);
  while (!there)
    DO (MPI_Iprobe (previous, ASKED, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
  line = expect_later ();
  message = receive_one (previous, ASKED);
  expect_now (line, "probe %s %d", channel_on ("", &message), message.number);
}

/* Taken out of the queue: another receive gets the message after it, though it comes before. */
static void
match (void)
{
  struct message sent[3], came[3];
  MPI_Message matched, later;
  MPI_Request request;
  int there = 0, lines[3];

  for (int i = 0; i < 3; i++)
    sent[i] = send_one (next, MATCHED);
  CHECK (sent[2].number == 2);
  DO (MPI_Mprobe (previous, MATCHED, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE));
  lines[0] = expect_later ();
  while (!there)
    DO (MPI_Improbe (MPI_ANY_SOURCE, MATCHED, MPI_COMM_WORLD, &there, &later, MPI_STATUS_IGNORE));
  lines[1] = expect_later ();
  came[2] = receive_one (previous, MATCHED);
  CHECK (came[2].number == 2);
  DO (MPI_Imrecv (&came[1], MESSAGE, &later, &request));
  lines[2] = expect_later ();
  DO (MPI_Mrecv (&came[0], MESSAGE, &matched, MPI_STATUS_IGNORE));
  CHECK (is_from (&came[0], previous, MATCHED) && came[0].number == 0 && matched == MPI_MESSAGE_NULL);
  expect_message ("recv", &came[0]);
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  CHECK (came[1].number == 1);
  expect_now (lines[0], "probe %s 0", channel_on ("", &came[0]));
  expect_now (lines[1], "probe %s 1 blind", channel_on ("", &came[1]));
  expect_now (lines[2], "irecv %s 1", channel_on ("", &came[1]));
  expect_message ("complete", &came[1]);
}

static void
match_nobody (void)
{
  MPI_Message matched;
  int there = 1, word;

  DO (MPI_Improbe (previous, MATCHED_LATER, MPI_COMM_WORLD, &there, &matched, MPI_STATUS_IGNORE));
  CHECK (!there);
  expect ("probe-failed");
  DO (MPI_Probe (MPI_PROC_NULL, MATCHED, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DO (MPI_Mprobe (MPI_PROC_NULL, MATCHED, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE));
  CHECK (matched == MPI_MESSAGE_NO_PROC);
  DO (MPI_Mrecv (&word, 1, MPI_INT, &matched, MPI_STATUS_IGNORE));
}

/* A receive that is posted already takes the first message: what can be looked at is the second one. */
static void
look_behind_posted (void)
{
  struct message first, second;
  MPI_Request request;
  int line, seen;

  DO (MPI_Irecv (&first, MESSAGE, MPI_ANY_SOURCE, POSTED, MPI_COMM_WORLD, &request));
  line = expect_later ();
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  send_one (next, POSTED);
  send_one (next, POSTED);
  DO (MPI_Probe (previous, POSTED, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  seen = expect_later ();
  second = receive_one (previous, POSTED);
  CHECK (second.number == 1);
  expect_now (seen, "probe %s 1", channel_on ("", &second));
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  CHECK (first.number == 0);
  expect_received_blind (line, &first);
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  for (int i = 0; i < 3; i++)
    {
      send_one (next, PLAIN);
      send_one (next, ANY);
      look_then_receive (previous, PLAIN);
      look_then_receive (MPI_ANY_SOURCE, ANY);
    }
  look_until_it_comes ();
  match ();
  match_nobody ();
  look_behind_posted ();
  return test_end ();
}
