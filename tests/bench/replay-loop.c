/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that lock or meet, with work in between: KIND COUNT WORK (ns). Prints the ns that passed from the first
 * thread's begin to the last one's end. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  THREADS = 2,
  APART = 64, /* bytes, so that threads share no line of memory */
};

static union
{
  pthread_mutex_t mutex;
  char line[4 * APART];
} own[THREADS];

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t gate, barrier;
static uint64_t count, rounds_of_work, begins[THREADS], ends[THREADS];
static volatile uint64_t sink;

static uint64_t
time_now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void
do_work (uint64_t rounds)
{
  uint64_t value = sink;

  for (uint64_t i = 0; i < rounds; i++)
    {
      value = value * 6364136223846793005 + 1442695040888963407;
      __asm__ volatile("" : "+r"(value));
    }
}

/* Finds out how many rounds take so many ns: the best of some tries, since others may run. */
static uint64_t
find_rounds (uint64_t ns)
{
  enum
  {
    ROUNDS = 1000000
  };
  uint64_t best = UINT64_MAX;

  for (int i = 0; i < 10; i++)
    {
      uint64_t begin = time_now (), length;

      do_work (ROUNDS);
      length = time_now () - begin;
      best = length < best ? length : best;
    }
  return ns * ROUNDS / (best > 0 ? best : 1);
}

static void
use_own (unsigned int thread)
{
  pthread_mutex_lock (&own[thread].mutex);
  pthread_mutex_unlock (&own[thread].mutex);
}

static void
use_shared (unsigned int thread)
{
  pthread_mutex_lock (&shared);
  pthread_mutex_unlock (&shared);
}

static void
use_barrier (unsigned int thread)
{
  pthread_barrier_wait (&barrier);
}

static void (*use) (unsigned int thread);

static void *
run (void *data)
{
  const unsigned int thread = (unsigned int)(uintptr_t)data;

  pthread_barrier_wait (&gate);
  begins[thread] = time_now ();
  for (uint64_t i = 0; i < count; i++)
    {
      do_work (rounds_of_work);
      use (thread);
    }
  ends[thread] = time_now ();
  return NULL;
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*use) (unsigned int thread);
  } uses[] = {{"uncontended", use_own}, {"contended", use_shared}, {"barrier", use_barrier}};
  uint64_t first = UINT64_MAX, last = 0;
  pthread_t threads[THREADS];

  for (size_t i = 0; argc == 4 && i < sizeof uses / sizeof uses[0]; i++)
    if (strcmp (uses[i].name, argv[1]) == 0)
      use = uses[i].use;
  if (use == NULL)
    {
      fprintf (stderr, "usage: %s uncontended|contended|barrier COUNT WORK\n", argv[0]);
      return 2;
    }
  count = strtoull (argv[2], NULL, 10);
  rounds_of_work = find_rounds (strtoull (argv[3], NULL, 10));
  pthread_barrier_init (&gate, NULL, THREADS);
  pthread_barrier_init (&barrier, NULL, THREADS);
  for (unsigned int i = 0; i < THREADS; i++)
    {
      pthread_mutex_init (&own[i].mutex, NULL);
      pthread_create (&threads[i], NULL, run, (void *)(uintptr_t)i);
    }
  for (unsigned int i = 0; i < THREADS; i++)
    {
      pthread_join (threads[i], NULL);
      first = begins[i] < first ? begins[i] : first;
      last = ends[i] > last ? ends[i] : last;
    }
  printf ("%llu\n", (unsigned long long)(last - first));
  return 0;
}
