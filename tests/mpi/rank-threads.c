/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that compute while the first one of their rank alone calls MPI (MPI_THREAD_FUNNELED). */
#include "expect.h"

#include <pthread.h>

enum
{
  THREADS = 2,
  ROUNDS = 4,
  TAG = 1,
};

static pthread_barrier_t barrier;
static int parts[THREADS], round_value;

static void *
work (void *argument)
{
  int me = (int)((int *)argument - parts);

  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_barrier_wait (&barrier);
      parts[me] = round_value * (me + 1);
      pthread_barrier_wait (&barrier);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  int next, previous, sum;

  test_begin (&argc, &argv, MPI_THREAD_FUNNELED);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  CHECK (pthread_barrier_init (&barrier, NULL, THREADS + 1) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, work, &parts[i]) == 0);
  for (int i = 0; i < ROUNDS; i++)
    {
      struct message sent = message_to (next, TAG), came;

      round_value = rank + i;
      pthread_barrier_wait (&barrier);
      DO (MPI_Sendrecv (&sent, MESSAGE, next, TAG, &came, MESSAGE, previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      CHECK (is_from (&came, previous, TAG) && came.number == i);
      expect_message ("isend", &sent);
      expect_message ("recv", &came);
      expect_message ("complete", &sent);
      pthread_barrier_wait (&barrier);
      DO (MPI_Allreduce (&parts[1], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
      expect_collective ("world", "all-reduce", ranks, 4);
      CHECK (sum == 2 * (ranks * (ranks - 1) / 2 + i * ranks));
    }
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  result ("sum %d", sum);
  return test_end ();
}
