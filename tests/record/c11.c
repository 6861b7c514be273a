/* SPDX-License-Identifier: Apache-2.0 */
/* C11 threads, mutexes and condition variables do under recording what they do without. */
#include "case.h"

#include <stdio.h>
#include <threads.h>

static const char *
name_of (int result)
{
  switch (result)
    {
    case thrd_success:
      return "success";
    case thrd_busy:
      return "busy";
    case thrd_error:
      return "error";
    case thrd_nomem:
      return "nomem";
    case thrd_timedout:
      return "timedout";
    default:
      return "?";
    }
}

#define SHOW_C11(call) printf ("%s: %s\n", #call, name_of (call))

static mtx_t mutex;
static cnd_t condition;
static int ready;

static int
return_it (void *value)
{
  return (int)(intptr_t)value;
}

static int
exit_with_it (void *value)
{
  thrd_exit ((int)(intptr_t)value);
}

static void
joins (void)
{
  thrd_t thread;
  int value = 0;

  SHOW_C11 (thrd_create (&thread, return_it, (void *)(intptr_t)-5));
  SHOW_C11 (thrd_join (thread, &value));
  printf ("%d\n", value);
  SHOW_C11 (thrd_create (&thread, exit_with_it, (void *)8));
  SHOW_C11 (thrd_join (thread, &value));
  printf ("%d\n", value);
  SHOW_C11 (thrd_create (&thread, return_it, NULL));
  SHOW_C11 (thrd_join (thread, NULL));
  SHOW_C11 (thrd_join (thrd_current (), NULL));
}

static void
detached (void)
{
  thrd_t thread;

  SHOW_C11 (thrd_create (&thread, return_it, NULL));
  SHOW_C11 (thrd_detach (thread));
}

static int
try_lock (void *data)
{
  struct timespec soon = case_after (CLOCK_REALTIME, 20);

  SHOW_C11 (mtx_trylock (data));
  SHOW_C11 (mtx_timedlock (data, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  return 0;
}

static void
mutexes (void)
{
  static const int types[] = {mtx_plain, mtx_timed, mtx_plain | mtx_recursive, mtx_timed | mtx_recursive};

  for (size_t i = 0; i < 4; i++)
    {
      struct timespec soon = case_after (CLOCK_REALTIME, 1000);
      thrd_t thread;

      SHOW_C11 (mtx_init (&mutex, types[i]));
      SHOW_C11 (mtx_lock (&mutex));
      SHOW_C11 (mtx_trylock (&mutex));
      CHECK (thrd_create (&thread, try_lock, &mutex) == thrd_success && thrd_join (thread, NULL) == thrd_success);
      SHOW_C11 (mtx_unlock (&mutex));
      if (types[i] & mtx_recursive)
        SHOW_C11 (mtx_unlock (&mutex));
      SHOW_C11 (mtx_timedlock (&mutex, &soon));
      SHOW_C11 (mtx_unlock (&mutex));
      mtx_destroy (&mutex);
    }
  SHOW_C11 (mtx_init (&mutex, 99));
}

static void *
wait_until_ready (void *data)
{
  mtx_lock (&mutex);
  while (!ready)
    CHECK (cnd_wait (&condition, &mutex) == thrd_success);
  mtx_unlock (&mutex);
  return NULL;
}

static void
conditions (void)
{
  struct timespec soon = case_after (CLOCK_REALTIME, 20);
  pthread_t waiter;

  SHOW_C11 (mtx_init (&mutex, mtx_plain));
  SHOW_C11 (cnd_init (&condition));
  SHOW_C11 (mtx_lock (&mutex));
  SHOW_C11 (cnd_timedwait (&condition, &mutex, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  SHOW_C11 (mtx_unlock (&mutex));
  for (int i = 0; i < 2; i++)
    {
      ready = 0;
      waiter = case_start (wait_until_ready, NULL);
      SHOW_C11 (mtx_lock (&mutex));
      ready = 1;
      SHOW_C11 (i == 0 ? cnd_signal (&condition) : cnd_broadcast (&condition));
      SHOW_C11 (mtx_unlock (&mutex));
      SHOW (pthread_join (waiter, NULL));
    }
  cnd_destroy (&condition);
  mtx_destroy (&mutex);
}

const struct test_case cases[] = {
    {"joins", joins}, {"detached", detached}, {"mutexes", mutexes}, {"conditions", conditions}, {NULL, NULL},
};
