/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and unlocks a mutex 100,000 times, and says what a pair takes in ns, when little disturbs it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum
{
  BATCHES = 1000,
  UNDISTURBED = 50, /* of them, the fastest */
  PAIRS = 100
};

static int
compare (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static uint64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* A program of one thread alone would be spared what locking costs. */
static void *
stand_by (void *data)
{
  pthread_barrier_wait (data);
  return NULL;
}

int
main (void)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static uint64_t batches[BATCHES];
  pthread_barrier_t end;
  pthread_t thread;

  if (pthread_barrier_init (&end, NULL, 2) != 0 || pthread_create (&thread, NULL, stand_by, &end) != 0)
    return 1;
  for (int i = 0; i < BATCHES; i++)
    {
      uint64_t begin = now ();

      for (int j = 0; j < PAIRS; j++)
        {
          pthread_mutex_lock (&mutex);
          pthread_mutex_unlock (&mutex);
        }
      batches[i] = now () - begin;
    }
  pthread_barrier_wait (&end);
  pthread_join (thread, NULL);
  qsort (batches, BATCHES, sizeof batches[0], compare);
  printf ("%.2f\n", (double)batches[UNDISTURBED] / PAIRS);
  return 0;
}
