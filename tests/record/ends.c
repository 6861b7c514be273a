/* SPDX-License-Identifier: Apache-2.0 */
/* However a program ends, it ends under recording as it does without, and what was recorded is there. */
#include "case.h"

#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static uint32_t ready;

enum
{
  ROUNDS = 3000
};

static void
lock_and_unlock (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
}

static void *
wait_for_ever (void *data)
{
  lock_and_unlock ();
  pthread_mutex_lock (&other);
  return data;
}

/* One thread that waits, and one that has done its work. */
static void
begin (void)
{
  CHECK (pthread_mutex_lock (&other) == 0);
  case_start (wait_for_ever, NULL);
  case_nap (10);
  lock_and_unlock ();
  puts ("and now");
}

static void
by_return (void)
{
  begin ();
}

static void
lock_at_exit (void)
{
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  puts ("at exit");
}

static void
by_exit (void)
{
  CHECK (atexit (lock_at_exit) == 0);
  begin ();
  exit (7);
}

static void
by_quick_exit (void)
{
  CHECK (at_quick_exit (lock_at_exit) == 0);
  begin ();
  quick_exit (8);
}

static void
by__exit (void)
{
  begin ();
  _exit (9);
}

static void
by_system_call (void)
{
  begin ();
  syscall (SYS_exit_group, 10);
}

static void
by_abort (void)
{
  begin ();
  abort ();
}

static void
by_fault (void)
{
  char *nothing = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  begin ();
  nothing[0] = 1;
}

static void
by_kill (void)
{
  begin ();
  kill (getpid (), SIGKILL);
}

static void
by_terminate (void)
{
  begin ();
  raise (SIGTERM);
}

/* --- Ends from outside ------------------------------------------------------------------------------------- */

static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

/* Counts each pair of events after it is over, where the one who ends us can see it. */
static void *
work_for_ever (void *data)
{
  volatile uint64_t *count = data;

  for (;;)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
      *count = *count + 1;
      for (volatile int i = 0; i < 300; i++)
        ;
      if (*count % 64 == 0)
        {
          sem_post (&semaphore);
          sem_wait (&semaphore);
          pthread_rwlock_rdlock (&rwlock);
          pthread_rwlock_unlock (&rwlock);
        }
      if (*count % 4096 == 0)
        pthread_barrier_wait (&barrier);
    }
  return NULL;
}

/* `hot FILE`: two threads' counts are the first words of FILE. */
static void
hot (void)
{
  uint64_t *counts;
  pthread_t thread;
  FILE *file = case_arguments != NULL ? fopen (case_arguments[0], "r+") : NULL;

  CHECK (file != NULL);
  counts = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno (file), 0);
  CHECK (counts != MAP_FAILED);
  CHECK (pthread_barrier_init (&barrier, NULL, 2) == 0 && sem_init (&semaphore, 0, 0) == 0);
  CHECK (pthread_create (&thread, NULL, work_for_ever, &counts[1]) == 0);
  work_for_ever (&counts[0]);
}

static void *
lock_in_other_order (void *data)
{
  CHECK (pthread_mutex_lock (&other) == 0);
  case_set (&ready, 1);
  case_await (&ready, 2);
  pthread_mutex_lock (&mutex);
  return NULL;
}

/* Two wait for each other; a timer ends it. */
static void
deadlock (void)
{
  pthread_t thread;

  CHECK (setitimer (ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 200000}}, NULL) == 0);
  CHECK (pthread_mutex_lock (&mutex) == 0);
  CHECK (pthread_create (&thread, NULL, lock_in_other_order, NULL) == 0);
  case_await (&ready, 1);
  case_set (&ready, 2);
  pthread_mutex_lock (&other);
}

const struct test_case cases[] = {
    {"by-return", by_return},
    {"by-exit", by_exit},
    {"by-quick-exit", by_quick_exit},
    {"by-_exit", by__exit},
    {"by-system-call", by_system_call},
    {"by-abort", by_abort},
    {"by-fault", by_fault},
    {"by-kill", by_kill},
    {"by-terminate", by_terminate},
    {"hot", hot},
    {"deadlock", deadlock},
    {NULL, NULL},
};
