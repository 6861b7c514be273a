/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores: what they guarantee to many threads at once, and that the recording agrees. */
#include "program-threads.h"

enum
{
  SEMAPHORE_ROUNDS = 10000,
  ROOMS = 3
};

static struct lc_semaphore lock, rooms, items;
static uint64_t guarded;
static uint32_t inside, produced, consumed, places;

static void *
use_semaphores (void *argument)
{
  for (int i = 0; i < SEMAPHORE_ROUNDS; i++)
    {
      lc_semaphore_wait (&rooms);
      expect (__atomic_add_fetch (&inside, 1, __ATOMIC_RELAXED) <= ROOMS);
      while (i % 16 == 0 && !lc_semaphore_try_wait (&lock))
        sched_yield ();
      if (i % 16 != 0)
        lc_semaphore_wait (&lock);
      guarded++;
      lc_semaphore_post (&lock);
      __atomic_fetch_sub (&inside, 1, __ATOMIC_RELAXED);
      lc_semaphore_post (&rooms);
    }
  return NULL;
}

static void *
produce_or_consume (void *argument)
{
  for (int i = 0; i < SEMAPHORE_ROUNDS; i++)
    if ((uintptr_t)argument % 2 == 0)
      {
        __atomic_fetch_add (&produced, 1, __ATOMIC_RELAXED);
        lc_semaphore_post (&items);
      }
    else
      {
        lc_semaphore_wait (&items);
        expect (__atomic_add_fetch (&consumed, 1, __ATOMIC_RELAXED) <= __atomic_load_n (&produced, __ATOMIC_RELAXED));
      }
  return NULL;
}

static void
test_semaphore (void)
{
  BEGIN_LOG ();
  lc_semaphore_init (&lock, "lock", 1);
  lc_semaphore_init (&rooms, "rooms", ROOMS);
  lc_semaphore_init (&items, "items", 0);
  guarded = 0;
  produced = consumed = 0;
  run (THREADS, use_semaphores);
  no_failures ("semaphore: no more come in than there are tokens");
  tap_ok (guarded == THREADS * SEMAPHORE_ROUNDS, "semaphore: one token excludes all others");
  run (THREADS, produce_or_consume);
  no_failures ("semaphore: no token is taken before it is posted");
  tap_ok (!lc_semaphore_try_wait (&items), "semaphore: no token is left");
  tap_ok (lc_semaphore_try_wait (&rooms) && lc_semaphore_try_wait (&rooms) && lc_semaphore_try_wait (&rooms) &&
              !lc_semaphore_try_wait (&rooms),
          "semaphore: no token is lost");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_semaphore ("lock", 1, THREADS * SEMAPHORE_ROUNDS, THREADS * SEMAPHORE_ROUNDS));
  LOG_OK (log_check_semaphore ("rooms", ROOMS, THREADS * SEMAPHORE_ROUNDS, THREADS * SEMAPHORE_ROUNDS + ROOMS));
  LOG_OK (log_check_semaphore ("items", 0, THREADS / 2 * SEMAPHORE_ROUNDS, THREADS / 2 * SEMAPHORE_ROUNDS));
  lc_semaphore_destroy (&lock);
  lc_semaphore_destroy (&rooms);
  lc_semaphore_destroy (&items);
}

static void *
wait_once (void *argument)
{
  errno = EDOM;
  lc_semaphore_wait (&items);
  expect (errno == EDOM);
  __atomic_fetch_add (&places, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void
test_semaphore_asleep (void)
{
  pthread_t threads[3];

  BEGIN_LOG ();
  lc_semaphore_init (&items, "asleep", 0);
  places = 0;
  for (int i = 0; i < 3; i++)
    start (&threads[i], wait_once, NULL);
  WAIT_UNTIL (load (&items.tokens) == 3 * LC_SLEEPER);
  for (uint32_t i = 1; i <= 3; i++)
    {
      lc_semaphore_post (&items);
      WAIT_UNTIL (load_small (&places) == i);
    }
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  no_failures ("semaphore: each post wakes one who waits");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_semaphore ("asleep", 0, 3, 3));
  LOG_OK (log_check_contended ("asleep", LC_WAIT, 3));
  lc_semaphore_destroy (&items);
}

static void
post_item (int number)
{
  lc_semaphore_post (&items);
}

static void *
wait_for_signals (void *argument)
{
  for (int i = 0; i < SEMAPHORE_ROUNDS / 10; i++)
    {
      lc_semaphore_wait (&items);
      __atomic_fetch_add (&consumed, 1, __ATOMIC_RELEASE);
    }
  return NULL;
}

/* The handler interrupts the very wait, asleep or about to be. */
static void
test_semaphore_signal (void)
{
  struct sigaction action = {.sa_handler = post_item};
  pthread_t waiter;

#ifdef LC_TEST_TSAN
  tap_skip ("semaphore: the thread sanitizer keeps back a signal that comes just before a system call");
  return;
#endif
  sigaction (SIGUSR1, &action, NULL);
  lc_semaphore_init (&items, "signals", 0);
  consumed = 0;
  start (&waiter, wait_for_signals, NULL);
  for (uint32_t i = 0; i < SEMAPHORE_ROUNDS / 10; i++)
    {
      pthread_kill (waiter, SIGUSR1);
      while (__atomic_load_n (&consumed, __ATOMIC_ACQUIRE) == i)
        sched_yield ();
    }
  pthread_join (waiter, NULL);
  tap_ok (consumed == SEMAPHORE_ROUNDS / 10, "semaphore: a signal handler can post what its own thread waits for");
  lc_semaphore_destroy (&items);
}

int
main (void)
{
  alarm (200);
  test_semaphore_asleep ();
  test_semaphore_signal ();
  test_with_interruptions (test_semaphore);
  return tap_end ();
}
