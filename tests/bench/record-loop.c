/* SPDX-License-Identifier: Apache-2.0 */
/* Times one small thing that is done very often, in one or more threads. */
#include "record-loop.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_THREADS 64

struct timed
{
  pthread_t thread;
  loop_body body;
  uint64_t count;
  pthread_barrier_t *barrier;
  double wall, cpu;
};

static double
now (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void *
run (void *data)
{
  struct timed *timed = data;
  double wall, cpu;

  timed->body (timed->count / 16 + 1);
  pthread_barrier_wait (timed->barrier);
  wall = now (CLOCK_MONOTONIC);
  cpu = now (CLOCK_THREAD_CPUTIME_ID);
  timed->body (timed->count);
  timed->cpu = now (CLOCK_THREAD_CPUTIME_ID) - cpu;
  timed->wall = now (CLOCK_MONOTONIC) - wall;
  return NULL;
}

int
loop_main (int argc, char **argv, loop_body body)
{
  static struct timed timed[MOST_THREADS];
  uint64_t count = argc > 1 ? strtoull (argv[1], NULL, 10) : 0;
  unsigned long threads = argc > 2 ? strtoul (argv[2], NULL, 10) : 1;
  double wall = 0, cpu = 0, times;
  pthread_barrier_t barrier;

  if (body == NULL || count == 0 || threads == 0 || threads > MOST_THREADS)
    {
      fprintf (stderr, "%s: COUNT [THREADS] expected\n", argv[0]);
      return 2;
    }
  pthread_barrier_init (&barrier, NULL, (unsigned int)threads);
  for (unsigned long i = 0; i < threads; i++)
    {
      timed[i].body = body;
      timed[i].count = count;
      timed[i].barrier = &barrier;
      if (pthread_create (&timed[i].thread, NULL, run, &timed[i]) != 0)
        return 1;
    }
  for (unsigned long i = 0; i < threads; i++)
    {
      pthread_join (timed[i].thread, NULL);
      wall += timed[i].wall;
      cpu += timed[i].cpu;
    }
  times = (double)count * (double)threads;
  printf ("%.4f %.4f\n", wall / times, cpu / times);
  return 0;
}
