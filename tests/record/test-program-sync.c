/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization variables: what they guarantee to many threads at once, and that the recording agrees. */
#include "program-threads.h"

static uint32_t places;

enum
{
  INDICES = 20000,
  FIRST_INDEX = 7
};

static struct lc_sync steps, races;
static uint64_t results[INDICES];

/* A loop whose iterations, dealt out in turn, each need the one before; and indices that all threads advance. */
static void *
use_sync (void *argument)
{
  for (uint64_t i = (uintptr_t)argument; i < INDICES; i += THREADS)
    {
      if (i > 0)
        lc_await (&steps, FIRST_INDEX + i - 1);
      results[i] = i > 0 ? results[i - 1] + i : 0;
      lc_advance (&steps, FIRST_INDEX + i);
    }
  for (uint64_t i = 0; i < INDICES; i++)
    {
      lc_advance (&races, i);
      lc_await (&races, i);
    }
  return NULL;
}

static void
test_sync (void)
{
  BEGIN_LOG ();
  lc_sync_init (&steps, "steps", FIRST_INDEX, INDICES);
  lc_sync_init (&races, "races", 0, INDICES);
  run (THREADS, use_sync);
  for (uint64_t i = 0; i < INDICES; i++)
    expect (results[i] == i * (i + 1) / 2);
  no_failures ("sync: what was before the advance is seen after the await");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_sync ("steps", FIRST_INDEX, INDICES, INDICES - 1));
  LOG_OK (log_check_sync ("races", 0, INDICES, INDICES * THREADS));
  lc_sync_destroy (&steps);
  lc_sync_destroy (&races);
}

static void *
await_once (void *argument)
{
  errno = EDOM;
  lc_await (&steps, 1);
  expect (results[0] == 42 && errno == EDOM);
  __atomic_fetch_add (&places, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void
test_sync_asleep (void)
{
  pthread_t threads[3];

  BEGIN_LOG ();
  lc_sync_init (&steps, "asleep", 0, 2);
  places = 0;
  for (int i = 0; i < 3; i++)
    start (&threads[i], await_once, NULL);
  WAIT_UNTIL (load_small (&steps.advanced[1]) != 0);
  pause_ms (20);
  lc_advance (&steps, 0);
  pause_ms (300); /* all three, on a busy machine too */
  tap_ok (load_small (&places) == 0, "sync: await waits for its own index");
  results[0] = 42;
  errno = ERANGE;
  lc_advance (&steps, 1);
  expect (errno == ERANGE);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  tap_ok (places == 3, "sync: advance wakes all who wait");
  no_failures ("sync: and they see what was before it, with errno kept");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_contended ("asleep", LC_AWAIT, 3));
  lc_sync_destroy (&steps);
}

int
main (void)
{
  alarm (200);
  test_sync_asleep ();
  test_with_interruptions (test_sync);
  return tap_end ();
}
