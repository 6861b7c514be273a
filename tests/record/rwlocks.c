/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks in all their forms do under recording what they do without. */
#include "case.h"

#include <stdio.h>

static const struct timespec past = {1, 0}, wrong = {0, 1000000000}, negative = {0, -1};

static void
one_thread (void)
{
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  struct timespec soon = case_after (CLOCK_REALTIME, 1000), soon_monotonic = case_after (CLOCK_MONOTONIC, 1000);

  SHOW (pthread_rwlock_rdlock (&lock));
  SHOW (pthread_rwlock_tryrdlock (&lock));
  SHOW (pthread_rwlock_timedrdlock (&lock, &soon));
  SHOW (pthread_rwlock_clockrdlock (&lock, CLOCK_MONOTONIC, &soon_monotonic));
  SHOW (pthread_rwlock_trywrlock (&lock));
  SHOW (pthread_rwlock_timedwrlock (&lock, &past));
  for (int i = 0; i < 4; i++)
    SHOW (pthread_rwlock_unlock (&lock));
  SHOW (pthread_rwlock_wrlock (&lock));
  SHOW (pthread_rwlock_tryrdlock (&lock));
  SHOW (pthread_rwlock_trywrlock (&lock));
  SHOW (pthread_rwlock_rdlock (&lock));
  SHOW (pthread_rwlock_wrlock (&lock));
  SHOW (pthread_rwlock_timedrdlock (&lock, &soon));
  SHOW (pthread_rwlock_clockwrlock (&lock, CLOCK_MONOTONIC, &soon_monotonic));
  SHOW (pthread_rwlock_unlock (&lock));
  SHOW (pthread_rwlock_timedwrlock (&lock, &soon));
  SHOW (pthread_rwlock_unlock (&lock));
  SHOW (pthread_rwlock_clockwrlock (&lock, CLOCK_MONOTONIC, &soon_monotonic));
  SHOW (pthread_rwlock_unlock (&lock));
  SHOW (pthread_rwlock_rdlock (&lock));
  SHOW (pthread_rwlock_unlock (&lock));
  SHOW (pthread_rwlock_destroy (&lock));
}

static void
wrong_times (void)
{
  pthread_rwlock_t lock;

  CHECK (pthread_rwlock_init (&lock, NULL) == 0);
  SHOW (pthread_rwlock_timedrdlock (&lock, &wrong));
  SHOW (pthread_rwlock_timedwrlock (&lock, &negative));
  SHOW (pthread_rwlock_clockrdlock (&lock, CLOCK_MONOTONIC, &wrong));
  SHOW (pthread_rwlock_clockrdlock (&lock, CLOCK_PROCESS_CPUTIME_ID, &past));
  SHOW (pthread_rwlock_clockwrlock (&lock, 12345, &past));
  SHOW (pthread_rwlock_timedrdlock (&lock, &past));
  SHOW (pthread_rwlock_unlock (&lock));
  SHOW (pthread_rwlock_clockwrlock (&lock, CLOCK_REALTIME, &past));
  SHOW (pthread_rwlock_unlock (&lock));
}

/* --- Two threads ------------------------------------------------------------------------------------------- */

static void *
try_all (void *data)
{
  pthread_rwlock_t *lock = data;
  struct timespec soon = case_after (CLOCK_REALTIME, 20);

  SHOW (pthread_rwlock_trywrlock (lock));
  SHOW (pthread_rwlock_timedwrlock (lock, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  soon = case_after (CLOCK_MONOTONIC, 20);
  SHOW (pthread_rwlock_clockwrlock (lock, CLOCK_MONOTONIC, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_MONOTONIC, soon));
  SHOW (pthread_rwlock_timedwrlock (lock, &wrong));
  SHOW (pthread_rwlock_clockwrlock (lock, CLOCK_THREAD_CPUTIME_ID, &soon));
  if (pthread_rwlock_tryrdlock (lock) == 0)
    {
      puts ("others may read");
      SHOW (pthread_rwlock_unlock (lock));
      return NULL;
    }
  soon = case_after (CLOCK_REALTIME, 20);
  SHOW (pthread_rwlock_timedrdlock (lock, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  soon = case_after (CLOCK_MONOTONIC, 20);
  SHOW (pthread_rwlock_clockrdlock (lock, CLOCK_MONOTONIC, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_MONOTONIC, soon));
  SHOW (pthread_rwlock_timedrdlock (lock, &wrong));
  SHOW (pthread_rwlock_clockrdlock (lock, 12345, &soon));
  return NULL;
}

static void
held_by_another (void)
{
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_t thread;

  SHOW (pthread_rwlock_rdlock (&lock));
  CHECK (pthread_create (&thread, NULL, try_all, &lock) == 0 && pthread_join (thread, NULL) == 0);
  SHOW (pthread_rwlock_unlock (&lock));
  SHOW (pthread_rwlock_wrlock (&lock));
  CHECK (pthread_create (&thread, NULL, try_all, &lock) == 0 && pthread_join (thread, NULL) == 0);
  SHOW (pthread_rwlock_unlock (&lock));
}

static pthread_rwlock_t contended = PTHREAD_RWLOCK_INITIALIZER;
static int waiter_result;

static void *
write_once (void *lock)
{
  waiter_result = pthread_rwlock_wrlock (lock);
  pthread_rwlock_unlock (lock);
  return NULL;
}

static void *
read_once (void *lock)
{
  waiter_result = pthread_rwlock_rdlock (lock);
  pthread_rwlock_unlock (lock);
  return NULL;
}

static void
one_waits (void)
{
  pthread_t thread;

  waiter_result = -1;
  SHOW (pthread_rwlock_rdlock (&contended));
  thread = case_start (write_once, &contended);
  printf ("the writer waits: %d\n", waiter_result == -1);
  SHOW (pthread_rwlock_unlock (&contended));
  SHOW (pthread_join (thread, NULL));
  SHOW (waiter_result);

  waiter_result = -1;
  SHOW (pthread_rwlock_wrlock (&contended));
  thread = case_start (read_once, &contended);
  printf ("the reader waits: %d\n", waiter_result == -1);
  SHOW (pthread_rwlock_unlock (&contended));
  SHOW (pthread_join (thread, NULL));
  SHOW (waiter_result);
}

/* With a writer waiting, who may still begin to read is what the kinds differ in. */
static void
preferences (void)
{
  static const int kinds[] = {PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP,
                              PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP};

  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    {
      struct timespec soon = case_after (CLOCK_REALTIME, 20);
      pthread_rwlockattr_t attributes;
      pthread_rwlock_t lock;
      pthread_t thread;
      int result;

      CHECK (pthread_rwlockattr_init (&attributes) == 0);
      CHECK (pthread_rwlockattr_setkind_np (&attributes, kinds[i]) == 0);
      CHECK (pthread_rwlock_init (&lock, &attributes) == 0);
      SHOW (pthread_rwlock_rdlock (&lock));
      thread = case_start (write_once, &lock);
      SHOW (result = pthread_rwlock_tryrdlock (&lock));
      if (result == 0)
        SHOW (pthread_rwlock_unlock (&lock));
      SHOW (result = pthread_rwlock_timedrdlock (&lock, &soon));
      if (result == 0)
        SHOW (pthread_rwlock_unlock (&lock));
      SHOW (pthread_rwlock_unlock (&lock));
      SHOW (pthread_join (thread, NULL));
      SHOW (waiter_result);
    }
}

/* --- Many threads ------------------------------------------------------------------------------------------ */

enum
{
  THREADS = 4,
  ROUNDS = 10000
};

static uint64_t both[2];

static void *
read_and_write (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    if (i % 8 == 0)
      {
        if (i % 16 != 0 || pthread_rwlock_trywrlock (&contended) != 0)
          pthread_rwlock_wrlock (&contended);
        both[0]++;
        both[1]++;
        pthread_rwlock_unlock (&contended);
      }
    else
      {
        const struct timespec later = {INT32_MAX, 0};

        if (i % 3 == 0)
          CHECK (pthread_rwlock_timedrdlock (&contended, &later) == 0);
        else
          pthread_rwlock_rdlock (&contended);
        CHECK (both[0] == both[1]);
        pthread_rwlock_unlock (&contended);
      }
  return NULL;
}

static void
crowd (void)
{
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, read_and_write, NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  printf ("%ju\n", (uintmax_t)both[0]);
}

const struct test_case cases[] = {
    {"one-thread", one_thread},
    {"wrong-times", wrong_times},
    {"held-by-another", held_by_another},
    {"one-waits", one_waits},
    {"preferences", preferences},
    {"crowd", crowd},
    {NULL, NULL},
};
