/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in partitions, where MPI has them: two of the same ends and tag, and one of another communicator. */
#include "expect.h"

enum
{
  PARTS = 4,
  EACH = 3,
  TAG = 7,
  SEVERAL = 3,
  ROUNDS = 3,
};

#if MPI_VERSION >= 4
static const char *const names[SEVERAL] = {"partitioned.7@world", "partitioned.7.2@world", "partitioned.7@world.1"};
static int there[SEVERAL][PARTS * EACH], here[SEVERAL][PARTS * EACH];
static MPI_Request sends[SEVERAL], receives[SEVERAL];
static MPI_Comm other;
static int next, previous;

static void
make (void)
{
  DO (MPI_Comm_dup (MPI_COMM_WORLD, &other));
  expect_collective ("world", "communicator", ranks, 0);
  for (int i = 0; i < SEVERAL; i++)
    {
      MPI_Comm comm = i < 2 ? MPI_COMM_WORLD : other;

      DO (MPI_Psend_init (there[i], PARTS, EACH, MPI_INT, next, TAG, comm, MPI_INFO_NULL, &sends[i]));
      DO (MPI_Precv_init (here[i], PARTS, EACH, MPI_INT, previous, TAG, comm, MPI_INFO_NULL, &receives[i]));
    }
}

static void
tell (const char *operation, int from, int to, int which, int round)
{
  expect ("%s %d>%d:%s %d bytes=%d", operation, from, to, names[which], round, 4 * PARTS * EACH);
}

static void
send (int which, int round)
{
  int list[] = {0};

  for (int i = 0; i < PARTS * EACH; i++)
    there[which][i] = 10000 * round + 1000 * which + 100 * rank + i;
  if (round == 1)
    {
      DO (MPI_Pready_range (0, PARTS - 1, sends[which]));
      tell ("isend", rank, next, which, round);
      return;
    }
  DO (MPI_Pready (2, sends[which]));
  DO (MPI_Pready_range (1, 1, sends[which]));
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  DO (MPI_Pready_list (1, list, sends[which]));
  DO (MPI_Pready (3, sends[which]));
  tell ("isend", rank, next, which, round);
}

static void
exchange (int round)
{
  int arrived = 0;

  for (int i = 0; i < SEVERAL; i++)
    {
      int which = round % 2 == 0 ? i : SEVERAL - 1 - i;

      DO (MPI_Start (&receives[which]));
      tell ("irecv", previous, rank, which, round);
    }
  DO (MPI_Startall (SEVERAL, sends));
  for (int i = 0; i < SEVERAL; i++)
    send (i, round);
  while (!arrived)
    DO (MPI_Parrived (receives[0], 1, &arrived));
  CHECK (here[0][EACH] == 10000 * round + 100 * previous + EACH);
  DO (MPI_Waitall (SEVERAL, receives, MPI_STATUSES_IGNORE));
  for (int i = 0; i < SEVERAL; i++)
    {
      tell ("complete", previous, rank, i, round);
      CHECK (here[i][1] == 10000 * round + 1000 * i + 100 * previous + 1);
    }
  DO (MPI_Waitall (SEVERAL, sends, MPI_STATUSES_IGNORE));
  for (int i = 0; i < SEVERAL; i++)
    tell ("complete", rank, next, i, round);
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  make ();
  for (int round = 0; round < ROUNDS; round++)
    exchange (round);
  for (int i = 0; i < SEVERAL; i++)
    {
      DO (MPI_Request_free (&sends[i]));
      DO (MPI_Request_free (&receives[i]));
    }
  DO (MPI_Comm_free (&other));
  result ("%d", here[0][0]);
  return test_end ();
}
#else
int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  return test_end ();
}
#endif
