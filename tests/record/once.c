/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_once and call_once: PROGRAM CASE. */
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

#include "case.h"

enum
{
  MANY = 4,
  ROUNDS = 500,
};

static pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static uint32_t has_begun, may_end;
static int calls;

static void
count_call (void)
{
  calls++;
}

static void
count_nested (void)
{
  SHOW (pthread_once (&second, count_call));
  calls++;
}

/* One within another, and what is done already: nobody waits, so nothing is an event. */
static void
one_thread (void)
{
  SHOW (pthread_once (&first, count_nested));
  SHOW (pthread_once (&first, count_nested));
  call_once (&flag, count_call);
  call_once (&flag, count_call);
  printf ("%d calls\n", calls);
}

static void
begin_and_wait (void)
{
  case_set (&has_begun, 1);
  case_await (&may_end, 1);
}

static void *
initialize (void *data)
{
  if (data == NULL)
    CHECK (pthread_once (&first, begin_and_wait) == 0);
  else
    call_once (&flag, begin_and_wait);
  return NULL;
}

/* Another thread comes while the first one is at it. */
static void
wait_for (void *data)
{
  pthread_t initializer, waiter;

  CHECK (pthread_create (&initializer, NULL, initialize, data) == 0);
  case_await (&has_begun, 1);
  waiter = case_start (initialize, data);
  case_set (&may_end, 1);
  CHECK (pthread_join (initializer, NULL) == 0);
  CHECK (pthread_join (waiter, NULL) == 0);
}

static void
one_waits (void)
{
  wait_for (NULL);
}

static void
one_waits_c11 (void)
{
  wait_for (&flag);
}

static void *
give_up (void *data)
{
  (void)data;
  pthread_once (&first, begin_and_wait);
  return NULL;
}

/* The one who waits has to do it then. */
static void
cancelled (void)
{
  pthread_t initializer, waiter;
  void *result;

  CHECK (pthread_create (&initializer, NULL, give_up, NULL) == 0);
  case_await (&has_begun, 1);
  waiter = case_start (give_up, NULL);
  CHECK (pthread_cancel (initializer) == 0);
  CHECK (pthread_join (initializer, &result) == 0);
  printf ("cancelled: %d\n", result == PTHREAD_CANCELED);
  case_set (&may_end, 1);
  CHECK (pthread_join (waiter, &result) == 0);
  printf ("cancelled: %d\n", result == PTHREAD_CANCELED);
}

static pthread_once_t many[ROUNDS];

static void
count_atomically (void)
{
  __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
}

static void *
initialize_all (void *data)
{
  (void)data;
  for (int i = 0; i < ROUNDS; i++)
    CHECK (pthread_once (&many[i], count_atomically) == 0);
  return NULL;
}

static void
crowd (void)
{
  pthread_t threads[MANY];

  for (int i = 0; i < MANY; i++)
    CHECK (pthread_create (&threads[i], NULL, initialize_all, NULL) == 0);
  for (int i = 0; i < MANY; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  printf ("%d calls\n", calls);
}

const struct test_case cases[] = {
    {"one-thread", one_thread}, {"one-waits", one_waits}, {"one-waits-c11", one_waits_c11},
    {"cancelled", cancelled},   {"crowd", crowd},         {NULL, NULL},
};
