/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes of every kind do under recording what they do without, and are told as what they did. */
#include "case.h"

#include <stdio.h>
#include <string.h>

static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                            PTHREAD_MUTEX_ADAPTIVE_NP};

static void
make (pthread_mutex_t *mutex, int type, int protocol, int robust)
{
  pthread_mutexattr_t attributes;

  CHECK (pthread_mutexattr_init (&attributes) == 0);
  CHECK (pthread_mutexattr_settype (&attributes, type) == 0);
  CHECK (pthread_mutexattr_setprotocol (&attributes, protocol) == 0);
  CHECK (pthread_mutexattr_setrobust (&attributes, robust) == 0);
  CHECK (pthread_mutex_init (mutex, &attributes) == 0);
  CHECK (pthread_mutexattr_destroy (&attributes) == 0);
}

/* --- One thread -------------------------------------------------------------------------------------------- */

static void
kinds (void)
{
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    {
      pthread_mutex_t mutex;

      make (&mutex, types[i], PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_trylock (&mutex));
      SHOW (pthread_mutex_destroy (&mutex));
      SHOW (pthread_mutex_unlock (&mutex));
      if (types[i] == PTHREAD_MUTEX_RECURSIVE)
        SHOW (pthread_mutex_unlock (&mutex));
      SHOW (pthread_mutex_trylock (&mutex));
      SHOW (pthread_mutex_unlock (&mutex));
      SHOW (pthread_mutex_destroy (&mutex));
    }
}

static void
made_without_calls (void)
{
  static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_t *const mutexes[] = {&plain, &recursive, &checked, &adaptive};

  for (size_t i = 0; i < sizeof mutexes / sizeof mutexes[0]; i++)
    {
      SHOW (pthread_mutex_lock (mutexes[i]));
      SHOW (pthread_mutex_trylock (mutexes[i]));
      SHOW (pthread_mutex_unlock (mutexes[i]));
    }
}

static void
recursive (void)
{
  pthread_mutex_t mutex;

  make (&mutex, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  for (int round = 0; round < 2; round++)
    {
      const struct timespec soon = case_after (CLOCK_REALTIME, 1);

      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_trylock (&mutex));
      SHOW (pthread_mutex_timedlock (&mutex, &soon));
      for (int depth = 0; depth < 4; depth++)
        SHOW (pthread_mutex_unlock (&mutex));
      SHOW (pthread_mutex_unlock (&mutex));
    }
}

static void
error_checking (void)
{
  const struct timespec soon = case_after (CLOCK_REALTIME, 1);
  pthread_mutex_t mutex;

  make (&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_mutex_lock (&mutex));
  SHOW (pthread_mutex_lock (&mutex));
  SHOW (pthread_mutex_timedlock (&mutex, &soon));
  SHOW (pthread_mutex_clocklock (&mutex, CLOCK_MONOTONIC, &soon));
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_mutex_unlock (&mutex));
}

/* A mutex that is destroyed and made again, or just made again, is another one. */
static void
made_again (void)
{
  pthread_mutex_t mutex;

  for (int round = 0; round < 3; round++)
    {
      make (&mutex, types[round], PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_unlock (&mutex));
      if (round == 0)
        SHOW (pthread_mutex_destroy (&mutex));
    }
}

/* Who may use these protocols depends on the machine; whoever may must see no difference. */
static void
protocols (void)
{
  const int all[] = {PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT};

  for (size_t i = 0; i < 2 * sizeof types / sizeof types[0]; i++)
    {
      const struct timespec soon = case_after (CLOCK_REALTIME, 1);
      pthread_mutex_t mutex;
      int ceiling = 0;

      make (&mutex, types[i / 2], all[i % 2], PTHREAD_MUTEX_STALLED);
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_trylock (&mutex));
      SHOW (pthread_mutex_timedlock (&mutex, &soon));
      SHOW (pthread_mutex_getprioceiling (&mutex, &ceiling));
      printf ("ceiling %d\n", ceiling);
      for (int unlock = 0; unlock < (types[i / 2] == PTHREAD_MUTEX_RECURSIVE ? 3 : 1); unlock++)
        SHOW (pthread_mutex_unlock (&mutex));
      SHOW (pthread_mutex_destroy (&mutex));
    }
}

/* --- Two threads ------------------------------------------------------------------------------------------- */

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;

static void *
lock_and_unlock (void *data)
{
  int *results = data;

  results[0] = pthread_mutex_lock (&contended);
  results[1] = pthread_mutex_unlock (&contended);
  return NULL;
}

static void
one_waits (void)
{
  pthread_t thread;
  int results[2] = {-1, -1};

  SHOW (pthread_mutex_lock (&contended));
  thread = case_start (lock_and_unlock, results);
  printf ("the other one waits: %d\n", results[0] == -1);
  SHOW (pthread_mutex_unlock (&contended));
  SHOW (pthread_join (thread, NULL));
  SHOW (results[0]);
  SHOW (results[1]);
}

static void *
try_all_times (void *data)
{
  pthread_mutex_t *mutex = data;
  struct timespec soon = case_after (CLOCK_REALTIME, 20), wrong = {0, 1000000000}, negative = {0, -1};

  SHOW (pthread_mutex_trylock (mutex));
  SHOW (pthread_mutex_timedlock (mutex, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  soon = case_after (CLOCK_MONOTONIC, 20);
  SHOW (pthread_mutex_clocklock (mutex, CLOCK_MONOTONIC, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_MONOTONIC, soon));
  SHOW (pthread_mutex_clocklock (mutex, CLOCK_REALTIME, &(struct timespec){1, 0}));
  SHOW (pthread_mutex_timedlock (mutex, &wrong));
  SHOW (pthread_mutex_timedlock (mutex, &negative));
  SHOW (pthread_mutex_clocklock (mutex, CLOCK_MONOTONIC, &wrong));
  SHOW (pthread_mutex_clocklock (mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
  SHOW (pthread_mutex_clocklock (mutex, 12345, &soon));
  return NULL;
}

static void
times (void)
{
  const struct timespec past = {1, 0}, wrong = {0, 1000000000};
  pthread_mutex_t mutex;
  pthread_t thread;

  make (&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
  SHOW (pthread_mutex_lock (&mutex));
  CHECK (pthread_create (&thread, NULL, try_all_times, &mutex) == 0 && pthread_join (thread, NULL) == 0);
  SHOW (pthread_mutex_unlock (&mutex));

  SHOW (pthread_mutex_timedlock (&mutex, &past));
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_mutex_timedlock (&mutex, &wrong));
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_mutex_clocklock (&mutex, CLOCK_MONOTONIC, &wrong));
  SHOW (pthread_mutex_unlock (&mutex));
  SHOW (pthread_mutex_clocklock (&mutex, CLOCK_THREAD_CPUTIME_ID, &past));
}

static void *
unlock (void *mutex)
{
  SHOW (pthread_mutex_unlock (mutex));
  return NULL;
}

static void
not_the_owner (void)
{
  pthread_mutex_t mutex;
  pthread_t thread;

  for (size_t i = 1; i < 3; i++)
    {
      make (&mutex, types[i], PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
      SHOW (pthread_mutex_lock (&mutex));
      CHECK (pthread_create (&thread, NULL, unlock, &mutex) == 0 && pthread_join (thread, NULL) == 0);
      SHOW (pthread_mutex_unlock (&mutex));
    }
}

/* Wrong, but this C library allows it and programs live on it. */
static void
handed_over (void)
{
  pthread_t thread;

  for (int round = 0; round < 3; round++)
    {
      SHOW (pthread_mutex_lock (&contended));
      CHECK (pthread_create (&thread, NULL, unlock, &contended) == 0 && pthread_join (thread, NULL) == 0);
    }
  SHOW (pthread_mutex_lock (&contended));
  SHOW (pthread_mutex_trylock (&contended));
  SHOW (pthread_mutex_unlock (&contended));
}

static void *
lock_and_die (void *mutex)
{
  SHOW (pthread_mutex_lock (mutex));
  return NULL;
}

static void
leave_locked (pthread_mutex_t *mutex)
{
  pthread_t thread;

  CHECK (pthread_create (&thread, NULL, lock_and_die, mutex) == 0 && pthread_join (thread, NULL) == 0);
}

static void
robust (void)
{
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    {
      const struct timespec soon = case_after (CLOCK_REALTIME, 1000);
      pthread_mutex_t mutex;

      make (&mutex, types[i], PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
      leave_locked (&mutex);
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_consistent (&mutex));
      SHOW (pthread_mutex_consistent (&mutex));
      SHOW (pthread_mutex_unlock (&mutex));
      leave_locked (&mutex);
      SHOW (pthread_mutex_trylock (&mutex));
      SHOW (pthread_mutex_consistent (&mutex));
      SHOW (pthread_mutex_unlock (&mutex));
      leave_locked (&mutex);
      SHOW (pthread_mutex_timedlock (&mutex, &soon));
      SHOW (pthread_mutex_unlock (&mutex));
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_timedlock (&mutex, &soon));
      /* The last one: a C library may leave the mutex locked. */
      SHOW (pthread_mutex_trylock (&mutex));
    }
}

static void *
wait_for_heritage (void *mutex)
{
  SHOW (pthread_mutex_lock (mutex));
  SHOW (pthread_mutex_consistent (mutex));
  SHOW (pthread_mutex_unlock (mutex));
  return NULL;
}

static void *
die_when_waited_for (void *mutex)
{
  pthread_t heir;

  SHOW (pthread_mutex_lock (mutex));
  heir = case_start (wait_for_heritage, mutex);
  CHECK (pthread_detach (pthread_self ()) == 0);
  return (void *)heir;
}

/* The owner dies while another one waits. */
static void
inherited (void)
{
  static pthread_mutex_t mutex;
  pthread_t owner;

  make (&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_ROBUST);
  CHECK (pthread_create (&owner, NULL, die_when_waited_for, &mutex) == 0);
  case_nap (100);
  while (pthread_mutex_trylock (&mutex) != 0)
    case_nap (1);
  SHOW (pthread_mutex_unlock (&mutex));
}

/* --- Many threads ------------------------------------------------------------------------------------------ */

enum
{
  THREADS = 4,
  ROUNDS = 20000
};

static uint64_t sums[2];
static pthread_mutex_t many[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};

static void *
count_up (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      int which = i % 2;

      if (i % 16 == 15)
        while (pthread_mutex_trylock (&many[which]) != 0)
          ;
      else
        pthread_mutex_lock (&many[which]);
      sums[which]++;
      pthread_mutex_unlock (&many[which]);
    }
  return NULL;
}

static void
crowd (void)
{
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, count_up, NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  printf ("%ju and %ju\n", (uintmax_t)sums[0], (uintmax_t)sums[1]);
}

const struct test_case cases[] = {
    {"kinds", kinds},
    {"made-without-calls", made_without_calls},
    {"recursive", recursive},
    {"error-checking", error_checking},
    {"made-again", made_again},
    {"protocols", protocols},
    {"one-waits", one_waits},
    {"times", times},
    {"not-the-owner", not_the_owner},
    {"handed-over", handed_over},
    {"robust", robust},
    {"inherited", inherited},
    {"crowd", crowd},
    {NULL, NULL},
};
