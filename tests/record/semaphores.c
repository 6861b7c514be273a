/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores, barriers and spin locks do under recording what they do without. */
#include "case.h"

#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static const struct timespec past = {1, 0}, wrong = {0, 1000000000};

static int
value_of (sem_t *semaphore)
{
  int value = -1;

  sem_getvalue (semaphore, &value);
  return value;
}

static void
one_thread (void)
{
  struct timespec soon = case_after (CLOCK_REALTIME, 20);
  sem_t semaphore;

  SHOW_ERRNO (sem_init (&semaphore, 0, 2));
  SHOW_ERRNO (sem_wait (&semaphore));
  SHOW_ERRNO (sem_trywait (&semaphore));
  SHOW_ERRNO (sem_trywait (&semaphore));
  SHOW_ERRNO (sem_timedwait (&semaphore, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  soon = case_after (CLOCK_MONOTONIC, 20);
  SHOW_ERRNO (sem_clockwait (&semaphore, CLOCK_MONOTONIC, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_MONOTONIC, soon));
  SHOW_ERRNO (sem_timedwait (&semaphore, &wrong));
  SHOW_ERRNO (sem_clockwait (&semaphore, CLOCK_PROCESS_CPUTIME_ID, &soon));
  SHOW_ERRNO (sem_post (&semaphore));
  SHOW_ERRNO (sem_timedwait (&semaphore, &wrong));
  SHOW_ERRNO (sem_clockwait (&semaphore, CLOCK_PROCESS_CPUTIME_ID, &past));
  SHOW_ERRNO (value_of (&semaphore));
  SHOW_ERRNO (sem_timedwait (&semaphore, &past));
  SHOW_ERRNO (sem_post (&semaphore));
  SHOW_ERRNO (sem_clockwait (&semaphore, CLOCK_MONOTONIC, &past));
  SHOW_ERRNO (value_of (&semaphore));
  SHOW_ERRNO (sem_destroy (&semaphore));
}

static void
limits (void)
{
  sem_t semaphore;

  SHOW_ERRNO (sem_init (&semaphore, 0, (unsigned int)SEM_VALUE_MAX + 1));
  SHOW_ERRNO (sem_init (&semaphore, 0, SEM_VALUE_MAX));
  SHOW_ERRNO (sem_post (&semaphore));
  SHOW_ERRNO (sem_wait (&semaphore));
  SHOW_ERRNO (sem_post (&semaphore));
  SHOW_ERRNO (sem_post (&semaphore));
}

static void
named (void)
{
  char name[64];
  sem_t *semaphore, *same;

  snprintf (name, sizeof name, "/lightcone-test-%d", getpid ());
  SHOW_ERRNO (sem_open (name, 0) == SEM_FAILED);
  semaphore = sem_open (name, O_CREAT | O_EXCL, 0600, 1);
  CHECK (semaphore != SEM_FAILED);
  SHOW_ERRNO (sem_open (name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
  same = sem_open (name, 0);
  printf ("the same: %d\n", semaphore == same);
  SHOW_ERRNO (sem_wait (semaphore));
  SHOW_ERRNO (sem_close (same));
  SHOW_ERRNO (sem_post (semaphore));
  SHOW_ERRNO (sem_wait (semaphore));
  SHOW_ERRNO (sem_close (semaphore));
  semaphore = sem_open (name, O_CREAT, 0600, 7);
  SHOW_ERRNO (value_of (semaphore));
  SHOW_ERRNO (sem_post (semaphore));
  SHOW_ERRNO (sem_wait (semaphore));
  SHOW_ERRNO (sem_close (semaphore));
  SHOW_ERRNO (sem_unlink (name));
}

/* --- Two threads ------------------------------------------------------------------------------------------- */

static sem_t contended;
static int waiter_result;

static void *
wait_once (void *data)
{
  errno = CASE_ERRNO;
  waiter_result = sem_wait (&contended);
  CHECK (errno == CASE_ERRNO);
  return NULL;
}

static void
one_waits (void)
{
  pthread_t thread;

  waiter_result = -1;
  SHOW_ERRNO (sem_init (&contended, 0, 0));
  thread = case_start (wait_once, NULL);
  printf ("the other one waits: %d\n", waiter_result == -1);
  SHOW_ERRNO (sem_post (&contended));
  SHOW (pthread_join (thread, NULL));
  SHOW (waiter_result);
}

enum
{
  THREADS = 4,
  ROUNDS = 8000
};

static uint32_t inside, most_inside;

static void *
come_and_go (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const struct timespec later = {INT32_MAX, 0};
      uint32_t count;

      if (i % 3 == 0)
        CHECK (sem_timedwait (&contended, &later) == 0);
      else
        CHECK (sem_wait (&contended) == 0);
      count = __atomic_add_fetch (&inside, 1, __ATOMIC_SEQ_CST);
      if (count > most_inside)
        most_inside = count;
      __atomic_sub_fetch (&inside, 1, __ATOMIC_SEQ_CST);
      CHECK (sem_post (&contended) == 0);
    }
  return NULL;
}

static void
crowd (void)
{
  pthread_t threads[THREADS];

  CHECK (sem_init (&contended, 0, 2) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, come_and_go, NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  printf ("%d are left, never more than 2: %d\n", value_of (&contended), most_inside <= 2);
}

/* --- Barriers ---------------------------------------------------------------------------------------------- */

static pthread_barrier_t *barrier;
static uint32_t serial, arrived[ROUNDS];

static void *
meet (void *data)
{
  const uint32_t *members = data;

  for (int i = 0; i < ROUNDS / 8; i++)
    {
      int result;

      __atomic_add_fetch (&arrived[i], 1, __ATOMIC_SEQ_CST);
      result = pthread_barrier_wait (barrier);
      CHECK (result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
      CHECK (__atomic_load_n (&arrived[i], __ATOMIC_SEQ_CST) == *members);
      if (result != 0)
        __atomic_add_fetch (&serial, 1, __ATOMIC_SEQ_CST);
    }
  return NULL;
}

static void
barriers (void)
{
  static pthread_barrier_t made;
  uint32_t members;

  barrier = &made;
  SHOW (pthread_barrier_init (&made, NULL, 0));
  for (members = 1; members <= 5; members += 2)
    {
      pthread_t threads[5];

      serial = 0;
      memset (arrived, 0, sizeof arrived);
      SHOW (pthread_barrier_init (&made, NULL, members));
      for (uint32_t i = 0; i < members; i++)
        CHECK (pthread_create (&threads[i], NULL, meet, &members) == 0);
      for (uint32_t i = 0; i < members; i++)
        CHECK (pthread_join (threads[i], NULL) == 0);
      printf ("%u members: %u rounds, %u were told to be serial\n", members, ROUNDS / 8, serial);
      SHOW (pthread_barrier_destroy (&made));
    }
}

static uint32_t rounds_done;

static void *
meet_once (void *data)
{
  if (pthread_barrier_wait (data) == PTHREAD_BARRIER_SERIAL_THREAD)
    {
      pthread_barrier_destroy (data);
      memset (data, 0x5A, sizeof (pthread_barrier_t));
      __atomic_add_fetch (&rounds_done, 1, __ATOMIC_SEQ_CST);
    }
  return NULL;
}

/* Whoever is told to be serial may destroy the barrier while the others are still on their way out. */
static void
barriers_destroyed_at_once (void)
{
  pthread_barrier_t made;

  for (int i = 0; i < 300; i++)
    {
      pthread_t threads[3];

      CHECK (pthread_barrier_init (&made, NULL, 3) == 0);
      for (int k = 0; k < 3; k++)
        CHECK (pthread_create (&threads[k], NULL, meet_once, &made) == 0);
      for (int k = 0; k < 3; k++)
        CHECK (pthread_join (threads[k], NULL) == 0);
    }
  printf ("%u rounds\n", rounds_done);
}

/* --- Spin locks -------------------------------------------------------------------------------------------- */

static pthread_spinlock_t spin;
static uint64_t count;

static void *
spin_and_count (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_spin_lock (&spin);
      count++;
      pthread_spin_unlock (&spin);
    }
  return NULL;
}

static void
spin_locks (void)
{
  pthread_t threads[2];

  SHOW (pthread_spin_init (&spin, PTHREAD_PROCESS_PRIVATE));
  SHOW (pthread_spin_lock (&spin));
  SHOW (pthread_spin_trylock (&spin));
  SHOW (pthread_spin_unlock (&spin));
  SHOW (pthread_spin_trylock (&spin));
  SHOW (pthread_spin_unlock (&spin));
  for (int i = 0; i < 2; i++)
    CHECK (pthread_create (&threads[i], NULL, spin_and_count, NULL) == 0);
  for (int i = 0; i < 2; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  printf ("%ju\n", (uintmax_t)count);
  SHOW (pthread_spin_destroy (&spin));
}

const struct test_case cases[] = {
    {"one-thread", one_thread},
    {"limits", limits},
    {"named", named},
    {"one-waits", one_waits},
    {"crowd", crowd},
    {"barriers", barriers},
    {"barriers-destroyed-at-once", barriers_destroyed_at_once},
    {"spin-locks", spin_locks},
    {NULL, NULL},
};
