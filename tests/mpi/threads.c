/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that all call MPI (MPI_THREAD_MULTIPLE), with mutexes and conditions of their own beside it. */
#include "expect.h"

#include <pthread.h>

enum
{
  THREADS = 3,
  ROUNDS = 20,
  ANYONE = 100,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, total, next, previous;

static void
count_in (void)
{
  pthread_mutex_lock (&mutex);
  if (++ready == THREADS)
    pthread_cond_broadcast (&condition);
  while (ready < THREADS)
    pthread_cond_wait (&condition, &mutex);
  pthread_mutex_unlock (&mutex);
}

/* Each thread has a tag of its own, so that it alone gets what is meant for it. */
static void
exchange (int tag, int round)
{
  struct message sent = message_to (next, tag), came;
  MPI_Request request;
  int line, done = 0;

  DO (MPI_Irecv (&came, MESSAGE, previous, tag, MPI_COMM_WORLD, &request));
  line = expect_later ();
  DO (MPI_Send (&sent, MESSAGE, next, tag, MPI_COMM_WORLD));
  expect_message ("send", &sent);
  if (round % 2)
    DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  while (round % 2 == 0 && !done)
    DO (MPI_Test (&request, &done, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, tag) && came.number == round);
  expect_received (line, &came);
}

/* All threads share one tag: who gets which message is found out. */
static void
share (void)
{
  struct message sent, came;
  MPI_Request request;
  int line;

  /* Numbers are as they were taken only if they are sent so. */
  pthread_mutex_lock (&mutex);
  sent = message_to (next, ANYONE);
  DO (MPI_Isend (&sent, MESSAGE, next, ANYONE, MPI_COMM_WORLD, &request));
  expect_message ("isend", &sent);
  pthread_mutex_unlock (&mutex);
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  expect_message ("complete", &sent);
  DO (MPI_Irecv (&came, MESSAGE, previous, ANYONE, MPI_COMM_WORLD, &request));
  line = expect_later ();
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, ANYONE));
  expect_received (line, &came);
  pthread_mutex_lock (&mutex);
  total++;
  pthread_mutex_unlock (&mutex);
}

static void *
work (void *argument)
{
  int tag = *(int *)argument;

  count_in ();
  for (int i = 0; i < ROUNDS; i++)
    exchange (tag, i);
  for (int i = 0; i < ROUNDS / 4; i++)
    share ();
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  int tags[THREADS];

  test_begin (&argc, &argv, MPI_THREAD_MULTIPLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  for (int i = 0; i < THREADS; i++)
    {
      tags[i] = i + 1;
      CHECK (pthread_create (&threads[i], NULL, work, &tags[i]) == 0);
    }
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  CHECK (total == THREADS * (ROUNDS / 4));
  result ("messages %d", total);
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  return test_end ();
}
