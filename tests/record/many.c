/* SPDX-License-Identifier: Apache-2.0 */
/* Programs with very many objects, that come and go, and programs that try very often. */
#include "case.h"

#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  THREADS = 3,
  OBJECTS = 30000, /* of which each thread knows all */
  MADE = 60000,    /* by each thread, one after the other, at addresses of their own */
  TRIES = 20000,
};

static pthread_mutex_t objects[OBJECTS];
static uint64_t sums[OBJECTS];

static void
lock_and_unlock (pthread_mutex_t *mutex)
{
  CHECK (pthread_mutex_lock (mutex) == 0);
  CHECK (pthread_mutex_unlock (mutex) == 0);
}

static void *
need_memory (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

  CHECK (memory != MAP_FAILED);
  return memory;
}

/* --- Objects ----------------------------------------------------------------------------------------------- */

/* In an order of its own, while others do the same: the table grows under those who look. */
static void *
lock_all (void *data)
{
  const size_t step = 7919 + 2 * (size_t)(uintptr_t)data; /* no divisor of the number of objects */

  for (size_t i = 0, which = (size_t)(uintptr_t)data; i < OBJECTS; i++, which = (which + step) % OBJECTS)
    {
      CHECK (pthread_mutex_lock (&objects[which]) == 0);
      sums[which]++;
      CHECK (pthread_mutex_unlock (&objects[which]) == 0);
    }
  return NULL;
}

static void *
make_and_destroy (void *data)
{
  pthread_mutex_t *mutexes = data;

  for (size_t i = 0; i < MADE; i++)
    {
      CHECK (pthread_mutex_init (&mutexes[i], NULL) == 0);
      lock_and_unlock (&mutexes[i]);
      lock_and_unlock (&objects[i % OBJECTS]);
      CHECK (pthread_mutex_destroy (&mutexes[i]) == 0);
    }
  return NULL;
}

static void
in_threads (void *(*routine) (void *), void *const *arguments)
{
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, routine, arguments[i]) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
}

static void
growing (void)
{
  uint64_t sum = 0;

  in_threads (lock_all, (void *const[]){(void *)0, (void *)1, (void *)2});
  for (size_t i = 0; i < OBJECTS; i++)
    sum += sums[i];
  printf ("%ju\n", (uintmax_t)sum);
}

/* What only this process has of memory, in KB. */
static size_t
own_memory (void)
{
  FILE *file = fopen ("/proc/self/status", "r");
  char line[256];
  size_t kilobytes = 0;

  CHECK (file != NULL);
  while (fgets (line, sizeof line, file) != NULL)
    sscanf (line, "RssAnon: %zu", &kilobytes);
  fclose (file);
  return kilobytes;
}

static void
made_and_destroyed (void)
{
  void *made[THREADS];
  size_t before;

  for (int i = 0; i < THREADS; i++)
    made[i] = need_memory (MADE * sizeof (pthread_mutex_t));
  lock_all (NULL);
  before = own_memory ();
  in_threads (make_and_destroy, made);
  printf ("no more memory than for those that are there: %d\n", own_memory () - before < 6 << 10);
}

/* Another object at the same address, which nobody makes by a call. */
static void
made_again_without_calls (void)
{
  static pthread_mutex_t mutexes[5000];
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

  for (int round = 0; round < 3; round++)
    {
      for (size_t i = 0; i < 5000; i++)
        lock_and_unlock (&mutexes[i]);
      for (size_t i = 0; i < 5000; i++)
        {
          CHECK (pthread_mutex_destroy (&mutexes[i]) == 0);
          mutexes[i] = fresh;
        }
      for (size_t i = 0; i < 3000; i++)
        lock_and_unlock (&objects[(size_t)round * 3000 + i]);
    }
}

/* The child's table is its own, and small again. */
static void
forked (void)
{
  int status = 0;
  pid_t child;

  lock_all (NULL);
  fflush (stdout);
  child = fork ();
  if (child == 0)
    {
      lock_all (NULL);
      _exit (0);
    }
  CHECK (child > 0 && waitpid (child, &status, 0) == child && status == 0);
  lock_all (NULL);
}

/* As much as can be had of the address space is taken, so that the table cannot grow. */
static void
no_address_space (void)
{
  const struct rlimit limit = {(size_t)300 << 20, (size_t)300 << 20};

  lock_and_unlock (&objects[0]);
  CHECK (setrlimit (RLIMIT_AS, &limit) == 0);
  for (size_t bytes = (size_t)64 << 20; bytes >= 4096; bytes /= 2)
    while (mmap (NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
      ;
  lock_all (NULL);
  puts ("done");
}

/* --- Tries ------------------------------------------------------------------------------------------------- */

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinning;
static sem_t none;

static void *
try_all (void *data)
{
  for (int i = 0; i < TRIES; i++)
    CHECK (pthread_mutex_trylock (&held) == EBUSY);
  for (int i = 0; i < TRIES; i++)
    CHECK (pthread_spin_trylock (&spinning) == EBUSY);
  for (int i = 0; i < TRIES; i++)
    CHECK (pthread_rwlock_tryrdlock (&written) == EBUSY);
  for (int i = 0; i < TRIES; i++)
    CHECK (pthread_rwlock_trywrlock (&written) == EBUSY);
  for (int i = 0; i < TRIES; i++)
    CHECK (sem_trywait (&none) == -1 && errno == EAGAIN);
  /* Nothing comes of these but events of their own. */
  for (int i = 0; i < 10; i++)
    {
      CHECK (pthread_mutex_trylock (&held) == EBUSY);
      CHECK (pthread_mutex_trylock (&other) == EBUSY);
    }
  return data;
}

static void
hold_all (void)
{
  CHECK (pthread_spin_init (&spinning, PTHREAD_PROCESS_PRIVATE) == 0 && sem_init (&none, 0, 0) == 0);
  CHECK (pthread_mutex_lock (&held) == 0 && pthread_mutex_lock (&other) == 0);
  CHECK (pthread_rwlock_wrlock (&written) == 0 && pthread_spin_lock (&spinning) == 0);
}

static void
tries (void)
{
  pthread_t thread;

  hold_all ();
  CHECK (pthread_create (&thread, NULL, try_all, NULL) == 0 && pthread_join (thread, NULL) == 0);
}

/* The handler tries too: the same mutex and another one, at any moment of the other's tries. */
static void
try_both (int number)
{
  CHECK (pthread_mutex_trylock (&held) == EBUSY);
  CHECK (pthread_mutex_trylock (number != 0 ? &other : &held) == EBUSY);
}

static void *
try_with_handler (void *data)
{
  const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  struct sigaction action = {.sa_handler = try_both};
  sigset_t alarm;

  sigemptyset (&alarm);
  sigaddset (&alarm, SIGALRM);
  CHECK (sigaction (SIGALRM, &action, NULL) == 0 && pthread_sigmask (SIG_UNBLOCK, &alarm, NULL) == 0);
  CHECK (setitimer (ITIMER_REAL, &often, NULL) == 0);
  for (int i = 0; i < 50 * TRIES; i++)
    CHECK (pthread_mutex_trylock (&held) == EBUSY);
  CHECK (setitimer (ITIMER_REAL, &never, NULL) == 0);
  return data;
}

static void
interrupted_tries (void)
{
  pthread_t thread;
  sigset_t alarm;

  hold_all ();
  sigemptyset (&alarm);
  sigaddset (&alarm, SIGALRM);
  CHECK (pthread_sigmask (SIG_BLOCK, &alarm, NULL) == 0);
  CHECK (pthread_create (&thread, NULL, try_with_handler, NULL) == 0 && pthread_join (thread, NULL) == 0);
}

const struct test_case cases[] = {
    {"growing", growing},
    {"made-and-destroyed", made_and_destroyed},
    {"made-again-without-calls", made_again_without_calls},
    {"forked", forked},
    {"no-address-space", no_address_space},
    {"tries", tries},
    {"interrupted-tries", interrupted_tries},
    {NULL, NULL},
};
