/* SPDX-License-Identifier: Apache-2.0 */
/* Times what a program does to many objects, or to one that it tries in vain: the recorder has to find each of them. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void *
need_memory (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

  if (memory == MAP_FAILED)
    {
      perror ("record-objects");
      exit (1);
    }
  return memory;
}

static pthread_mutex_t *
make_mutexes (size_t number)
{
  pthread_mutex_t *mutexes = need_memory (number * sizeof *mutexes);

  for (size_t i = 0; i < number; i++)
    pthread_mutex_init (&mutexes[i], NULL);
  return mutexes;
}

static uint64_t
next_random (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Any of the mutexes, each time. */
static double
lock_any (size_t number, size_t count)
{
  pthread_mutex_t *mutexes = make_mutexes (number);
  uint64_t random = 88172645463325252;
  double begin = 0;

  for (size_t i = 0; i < count + number; i++)
    {
      pthread_mutex_t *mutex = &mutexes[i < number ? i : next_random (&random) % number];

      if (i == number)
        begin = now ();
      pthread_mutex_lock (mutex);
      pthread_mutex_unlock (mutex);
    }
  return (now () - begin) / (double)count;
}

/* As a program that puts bodies into a tree: some 200 ns of work on a cell that one of the mutexes guards. */
static double
work_on_cells (size_t number, size_t count)
{
  enum
  {
    CELLS = 1 << 16,
    WORDS = 16,
    STEPS = 12
  };
  double (*cells)[WORDS] = need_memory (CELLS * sizeof *cells), begin;
  pthread_mutex_t *mutexes = make_mutexes (number);
  uint64_t random = 88172645463325252;

  for (size_t i = 0; i < number; i++)
    {
      pthread_mutex_lock (&mutexes[i]);
      pthread_mutex_unlock (&mutexes[i]);
    }
  begin = now ();
  for (size_t i = 0; i < count; i++)
    {
      size_t cell = next_random (&random) % CELLS;

      pthread_mutex_lock (&mutexes[cell % number]);
      for (size_t step = 0; step < STEPS; step++)
        for (size_t word = 0; word < WORDS; word++)
          cells[cell][word] = cells[cell][word] * 0.5 + (double)step;
      pthread_mutex_unlock (&mutexes[cell % number]);
    }
  return (now () - begin) / (double)count;
}

/* Each is made, used once and destroyed, at an address of its own; `together`: all are there at the same time. */
static double
make_and_destroy (size_t number, int together)
{
  pthread_mutex_t *mutexes = need_memory (number * sizeof *mutexes);
  double begin = now ();

  for (size_t i = 0; i < number; i++)
    {
      pthread_mutex_init (&mutexes[i], NULL);
      pthread_mutex_lock (&mutexes[i]);
      pthread_mutex_unlock (&mutexes[i]);
      if (!together)
        pthread_mutex_destroy (&mutexes[i]);
    }
  for (size_t i = 0; together && i < number; i++)
    pthread_mutex_destroy (&mutexes[i]);
  return (now () - begin) / (double)number;
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *
try_in_vain (void *data)
{
  const size_t *count = data;

  for (size_t i = 0; i < *count; i++)
    if (pthread_mutex_trylock (&held) == 0)
      abort ();
  return NULL;
}

static double
try_held (size_t count)
{
  pthread_t thread;
  double begin;

  pthread_mutex_lock (&held);
  begin = now ();
  if (pthread_create (&thread, NULL, try_in_vain, &count) != 0)
    exit (1);
  pthread_join (thread, NULL);
  begin = (now () - begin) / (double)count;
  pthread_mutex_unlock (&held);
  return begin;
}

/* `lock NUMBER COUNT`, `cells NUMBER COUNT`, `make COUNT`, `together COUNT`, `try COUNT`: prints ns each time round. */
int
main (int argc, char **argv)
{
  const char *what = argc > 2 ? argv[1] : "";
  size_t first = argc > 2 ? strtoull (argv[2], NULL, 10) : 0, second = argc > 3 ? strtoull (argv[3], NULL, 10) : 0;
  double ns = 0;

  if (first > 0 && second > 0 && strcmp (what, "lock") == 0)
    ns = lock_any (first, second);
  else if (first > 0 && second > 0 && strcmp (what, "cells") == 0)
    ns = work_on_cells (first, second);
  else if (first > 0 && (strcmp (what, "make") == 0 || strcmp (what, "together") == 0))
    ns = make_and_destroy (first, strcmp (what, "together") == 0);
  else if (first > 0 && strcmp (what, "try") == 0)
    ns = try_held (first);
  else
    {
      fprintf (stderr, "%s: lock NUMBER COUNT | cells NUMBER COUNT | make COUNT | together COUNT | try COUNT\n",
               argv[0]);
      return 2;
    }
  printf ("%.4f\n", ns);
  return 0;
}
