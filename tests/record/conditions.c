/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables do under recording what they do without, and it is told who woke whom. */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static uint32_t ready;

/* --- Waits that end by themselves -------------------------------------------------------------------------- */

static void
times (void)
{
  const struct timespec past = {1, 0}, wrong = {0, 1000000000};
  struct timespec soon;

  SHOW (pthread_mutex_lock (&mutex));
  soon = case_after (CLOCK_REALTIME, 20);
  SHOW (pthread_cond_timedwait (&condition, &mutex, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  soon = case_after (CLOCK_MONOTONIC, 20);
  SHOW (pthread_cond_clockwait (&condition, &mutex, CLOCK_MONOTONIC, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_MONOTONIC, soon));
  SHOW (pthread_cond_timedwait (&condition, &mutex, &past));
  SHOW (pthread_cond_clockwait (&condition, &mutex, CLOCK_REALTIME, &past));
  SHOW (pthread_cond_timedwait (&condition, &mutex, &wrong));
  SHOW (pthread_cond_clockwait (&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
  SHOW (pthread_cond_clockwait (&condition, &mutex, 12345, &soon));
  SHOW (pthread_mutex_trylock (&mutex));
  SHOW (pthread_mutex_unlock (&mutex));
}

static void
clock_of_its_own (void)
{
  pthread_condattr_t attributes;
  pthread_cond_t own;
  struct timespec soon;

  CHECK (pthread_condattr_init (&attributes) == 0);
  SHOW (pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC));
  SHOW (pthread_cond_init (&own, &attributes));
  SHOW (pthread_mutex_lock (&mutex));
  soon = case_after (CLOCK_MONOTONIC, 20);
  SHOW (pthread_cond_timedwait (&own, &mutex, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_MONOTONIC, soon));
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_cond_destroy (&own));
}

static void *
try_lock (void *data)
{
  SHOW (pthread_mutex_trylock (data));
  return NULL;
}

/* A wait gives back one of two locks, so the mutex is not free. */
static void
locked_twice (void)
{
  pthread_mutex_t twice = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  struct timespec soon = case_after (CLOCK_REALTIME, 100);
  pthread_t thread;

  SHOW (pthread_mutex_lock (&twice));
  SHOW (pthread_mutex_lock (&twice));
  SHOW (pthread_cond_timedwait (&condition, &twice, &soon));
  CHECK (pthread_create (&thread, NULL, try_lock, &twice) == 0 && pthread_join (thread, NULL) == 0);
  SHOW (pthread_mutex_unlock (&twice));
  soon = case_after (CLOCK_REALTIME, 10);
  SHOW (pthread_cond_timedwait (&condition, &twice, &soon));
  SHOW (pthread_mutex_unlock (&twice));
  SHOW (pthread_mutex_unlock (&twice));
}

static void
mutex_not_held (void)
{
  pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

  SHOW (pthread_cond_wait (&condition, &checked));
  SHOW (pthread_mutex_lock (&checked));
  SHOW (pthread_mutex_unlock (&checked));
}

/* --- Waits that are ended ---------------------------------------------------------------------------------- */

static void *
wait_until_ready (void *data)
{
  pthread_mutex_lock (&mutex);
  while (!ready)
    CHECK (pthread_cond_wait (&condition, &mutex) == 0);
  pthread_mutex_unlock (&mutex);
  return NULL;
}

static void
signalled (void)
{
  pthread_t thread = case_start (wait_until_ready, NULL);

  SHOW (pthread_mutex_lock (&mutex));
  ready = 1;
  SHOW (pthread_cond_signal (&condition));
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_join (thread, NULL));
}

static void
signalled_from_outside (void)
{
  pthread_t thread = case_start (wait_until_ready, NULL);

  SHOW (pthread_mutex_lock (&mutex));
  ready = 1;
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_cond_signal (&condition));
  SHOW (pthread_join (thread, NULL));
}

static void
for_nobody (void)
{
  pthread_t thread;

  for (int i = 0; i < 40; i++)
    CHECK (pthread_cond_signal (&condition) == 0);
  SHOW (pthread_cond_broadcast (&condition));
  thread = case_start (wait_until_ready, NULL);
  ready = 1;
  SHOW (pthread_cond_broadcast (&condition));
  SHOW (pthread_join (thread, NULL));
}

/* The variable may be destroyed, and its memory used again, as soon as all have been woken. */
struct round
{
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  uint32_t waiting, go;
};

static void *
wait_in_round (void *data)
{
  struct round *round = data;

  pthread_mutex_lock (&round->mutex);
  __atomic_add_fetch (&round->waiting, 1, __ATOMIC_SEQ_CST);
  while (!round->go)
    pthread_cond_wait (&round->condition, &round->mutex);
  pthread_mutex_unlock (&round->mutex);
  return NULL;
}

static void
destroyed_at_once (void)
{
  struct round round = {.mutex = PTHREAD_MUTEX_INITIALIZER};

  for (int i = 0; i < 200; i++)
    {
      pthread_t threads[3];

      CHECK (pthread_cond_init (&round.condition, NULL) == 0);
      round.waiting = round.go = 0;
      for (int k = 0; k < 3; k++)
        CHECK (pthread_create (&threads[k], NULL, wait_in_round, &round) == 0);
      while (__atomic_load_n (&round.waiting, __ATOMIC_SEQ_CST) != 3)
        sched_yield ();
      pthread_mutex_lock (&round.mutex);
      round.go = 1;
      CHECK (pthread_cond_broadcast (&round.condition) == 0);
      pthread_mutex_unlock (&round.mutex);
      CHECK (pthread_cond_destroy (&round.condition) == 0);
      CHECK (pthread_cond_init (&round.condition, NULL) == 0);
      for (int k = 0; k < 3; k++)
        CHECK (pthread_join (threads[k], NULL) == 0);
      CHECK (pthread_cond_destroy (&round.condition) == 0);
    }
  puts ("done");
}

/* --- A robust mutex, whose owner dies while others wait ---------------------------------------------------- */

static pthread_mutex_t robust;
static int results[2];

static void *
wait_with_robust (void *data)
{
  int *result = data;

  CHECK (pthread_mutex_lock (&robust) == 0);
  *result = pthread_cond_wait (&condition, &robust);
  if (*result == EOWNERDEAD)
    pthread_mutex_unlock (&robust);
  return NULL;
}

static void *
signal_and_die (void *data)
{
  CHECK (pthread_mutex_lock (&robust) == 0);
  CHECK (pthread_cond_broadcast (&condition) == 0);
  return NULL;
}

static void
owner_died (void)
{
  pthread_mutexattr_t attributes;
  pthread_t threads[2], last;

  CHECK (pthread_mutexattr_init (&attributes) == 0);
  CHECK (pthread_mutexattr_setrobust (&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  CHECK (pthread_mutex_init (&robust, &attributes) == 0);
  for (int i = 0; i < 2; i++)
    threads[i] = case_start (wait_with_robust, &results[i]);
  CHECK (pthread_create (&last, NULL, signal_and_die, NULL) == 0 && pthread_join (last, NULL) == 0);
  for (int i = 0; i < 2; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  /* Who is first is not said; the first one inherits the mutex and leaves it so that nobody can use it again. */
  printf ("%s and %s\n", strerrorname_np (results[0] < results[1] ? results[0] : results[1]),
          strerrorname_np (results[0] < results[1] ? results[1] : results[0]));
  SHOW (pthread_mutex_lock (&robust));
}

/* --- Many threads ------------------------------------------------------------------------------------------ */

enum
{
  PLACES = 3,
  ITEMS = 4000
};

static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int places[PLACES], filled, taken_of_it;
static long sum;

static void
wait_for (pthread_cond_t *what, int item)
{
  struct timespec soon;

  if (item % 7 != 0)
    {
      pthread_cond_wait (what, &mutex);
      return;
    }
  soon = case_after (CLOCK_MONOTONIC, 1);
  pthread_cond_clockwait (what, &mutex, CLOCK_MONOTONIC, &soon);
}

static void *
produce (void *data)
{
  for (int item = 1; item <= ITEMS; item++)
    {
      pthread_mutex_lock (&mutex);
      while (filled == PLACES)
        wait_for (&not_full, item);
      places[filled++] = item;
      if (item % 5 != 0)
        pthread_cond_signal (&not_empty);
      pthread_mutex_unlock (&mutex);
      if (item % 5 == 0)
        pthread_cond_broadcast (&not_empty);
    }
  return NULL;
}

static void *
consume (void *data)
{
  for (;;)
    {
      pthread_mutex_lock (&mutex);
      while (filled == 0 && taken_of_it < 2 * ITEMS)
        wait_for (&not_empty, taken_of_it);
      if (taken_of_it == 2 * ITEMS)
        break;
      sum += places[--filled];
      taken_of_it++;
      if (taken_of_it == 2 * ITEMS)
        pthread_cond_broadcast (&not_empty);
      pthread_cond_signal (&not_full);
      pthread_mutex_unlock (&mutex);
    }
  pthread_mutex_unlock (&mutex);
  return NULL;
}

static void
crowd (void)
{
  pthread_t threads[5];

  for (int i = 0; i < 5; i++)
    CHECK (pthread_create (&threads[i], NULL, i < 2 ? produce : consume, NULL) == 0);
  for (int i = 0; i < 5; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  printf ("%ld\n", sum);
}

const struct test_case cases[] = {
    {"times", times},
    {"clock-of-its-own", clock_of_its_own},
    {"locked-twice", locked_twice},
    {"mutex-not-held", mutex_not_held},
    {"signalled", signalled},
    {"signalled-from-outside", signalled_from_outside},
    {"for-nobody", for_nobody},
    {"destroyed-at-once", destroyed_at_once},
    {"owner-died", owner_died},
    {"crowd", crowd},
    {NULL, NULL},
};
