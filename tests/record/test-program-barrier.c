/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers: what they guarantee to many threads at once, and that the recording agrees. */
#include "program-threads.h"

enum
{
  GENERATIONS = 5000
};

static struct lc_barrier barrier;
static uint32_t rounds[THREADS]; /* of each thread, written before the barrier and read after it */
static uint32_t last_ones, arrivals_left;

static void *
use_barrier (void *argument)
{
  uintptr_t self = (uintptr_t)argument;

  for (uint32_t i = 1; i <= GENERATIONS; i++)
    {
      rounds[self] = i;
      if (lc_barrier_wait (&barrier))
        __atomic_fetch_add (&last_ones, 1, __ATOMIC_RELAXED);
      for (int other = 0; other < THREADS; other++)
        expect (rounds[other] == i);
      lc_barrier_wait (&barrier);
    }
  return NULL;
}

static void *
use_small_barrier (void *argument)
{
  while (__atomic_fetch_sub (&arrivals_left, 1, __ATOMIC_RELAXED) - 1 < GENERATIONS * 2)
    if (lc_barrier_wait (&barrier))
      __atomic_fetch_add (&last_ones, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void
test_barrier (void)
{
  BEGIN_LOG ();
  lc_barrier_init (&barrier, "all", THREADS);
  last_ones = 0;
  run (THREADS, use_barrier);
  no_failures ("barrier: nobody leaves before all have come");
  tap_ok (last_ones == GENERATIONS, "barrier: one of each generation is the last");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_barrier ("all", GENERATIONS * 2, THREADS));
  lc_barrier_destroy (&barrier);

  BEGIN_LOG ();
  lc_barrier_init (&barrier, "pairs", 2);
  last_ones = 0;
  arrivals_left = GENERATIONS * 2;
  run (THREADS, use_small_barrier);
  tap_ok (last_ones == GENERATIONS, "barrier: any two of many threads pass");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_barrier ("pairs", GENERATIONS, 2));
  lc_barrier_destroy (&barrier);
}

static uint32_t passed;

static void *
pass_once (void *argument)
{
  lc_barrier_wait (&barrier);
  __atomic_fetch_add (&passed, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* As when the last one of a generation has not yet let it go, and the next generation is already full. */
static void
test_barrier_overtaken (void)
{
  pthread_t threads[2];

  lc_barrier_init (&barrier, "overtaken", 2);
  barrier.arrived = 2;
  for (int i = 0; i < 2; i++)
    start (&threads[i], pass_once, NULL);
  WAIT_UNTIL (load (&barrier.arrived) == 4);
  pause_ms (20);
  tap_ok (load_small (&passed) == 0, "barrier: a generation waits for the one before");
  __atomic_store_n (&barrier.passed, 2, __ATOMIC_RELEASE);
  lc_wake (&barrier.passed, 2, LC_ANYONE);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  tap_ok (barrier.passed >> 1 == 2, "barrier: and comes after it");
  lc_barrier_destroy (&barrier);
}

static struct lc_barrier *brief;

static void *
pass_brief_barrier (void *argument)
{
  if (lc_barrier_wait (brief))
    return NULL;
  lc_barrier_destroy (brief);
  memset (brief, 0xFF, sizeof *brief);
  free (brief);
  return NULL;
}

/* The one that did not come last has the barrier to itself: the last one need not look at it again. */
static void
test_brief_barrier (void)
{
  for (int i = 0; i < 500; i++)
    {
      brief = malloc (sizeof *brief);
      lc_barrier_init (brief, "brief", 2);
      run (2, pass_brief_barrier);
    }
  tap_ok (true, "barrier: can be destroyed by the first to leave");
}

static void
test_barrier_wrapping (void)
{
  uint64_t generations = (UINT64_C (1) << 31) - GENERATIONS;

  lc_barrier_init (&barrier, "wrapping", THREADS);
  barrier.arrived = generations * THREADS;
  barrier.passed = (uint32_t)generations << 1;
  run (THREADS, use_barrier);
  no_failures ("barrier: generations come round");
  lc_barrier_destroy (&barrier);
}

int
main (void)
{
  alarm (200);
  test_barrier_overtaken ();
  test_brief_barrier ();
  test_barrier_wrapping ();
  test_with_interruptions (test_barrier);
  return tap_end ();
}
