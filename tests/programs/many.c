/* SPDX-License-Identifier: Apache-2.0 */
/* Two thousand threads at once. */
#include <pthread.h>
#include <stdio.h>

enum
{
  THREADS = 2000,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t together;
static long sum;

static void *
work (void *data)
{
  pthread_barrier_wait (&together);
  pthread_mutex_lock (&mutex);
  sum += (long)data;
  pthread_mutex_unlock (&mutex);
  return NULL;
}

int
main (void)
{
  static pthread_t threads[THREADS];
  pthread_attr_t small;

  pthread_attr_init (&small);
  pthread_attr_setstacksize (&small, 64 << 10);
  pthread_barrier_init (&together, NULL, THREADS);
  for (long i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], &small, work, (void *)i) != 0)
      return 2;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", sum);
  return 0;
}
