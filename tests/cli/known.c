/* SPDX-License-Identifier: Apache-2.0 */
/* A program with a known number of events: two threads lock a mutex ten times each, between two barriers. */
#include <pthread.h>

enum
{
  THREADS = 2,
  ROUNDS = 10,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int sum;

static void *
work (void *argument)
{
  pthread_barrier_wait (&barrier);
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&mutex);
      sum++;
      pthread_mutex_unlock (&mutex);
    }
  pthread_barrier_wait (&barrier);
  return argument;
}

int
main (void)
{
  pthread_t threads[THREADS];

  pthread_barrier_init (&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  return sum == THREADS * ROUNDS ? 0 : 1;
}
