/* SPDX-License-Identifier: Apache-2.0 */
/* Threads are made, joined, detached and ended under recording as they are without. */
#include "case.h"

#include <limits.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lightcone/trace-format.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t go;

static void *
return_it (void *value)
{
  return value;
}

static void *
exit_with_it (void *value)
{
  pthread_exit (value);
}

static void *
wait_for_go (void *value)
{
  case_await (&go, 1);
  return value;
}

static pthread_t
create (void *(*routine) (void *), void *argument)
{
  pthread_t thread;

  CHECK (pthread_create (&thread, NULL, routine, argument) == 0);
  return thread;
}

/* --- Joining ----------------------------------------------------------------------------------------------- */

static void
joins (void)
{
  void *(*const routines[]) (void *) = {return_it, exit_with_it};
  const struct timespec later = {INT32_MAX, 0};
  void *value = NULL;

  for (size_t i = 0; i < 6; i++)
    {
      pthread_t thread = create (routines[i % 2], (void *)(i + 1));

      if (i / 2 == 0)
        SHOW (pthread_join (thread, &value));
      else if (i / 2 == 1)
        SHOW (pthread_timedjoin_np (thread, &value, &later));
      else
        SHOW (pthread_clockjoin_np (thread, &value, CLOCK_MONOTONIC, &later));
      printf ("%ju\n", (uintmax_t)(uintptr_t)value);
    }
}

static void
tries_to_join (void)
{
  pthread_t thread = create (wait_for_go, (void *)7);
  void *value = NULL;

  SHOW (pthread_tryjoin_np (thread, &value));
  case_set (&go, 1);
  while (pthread_tryjoin_np (thread, &value) == EBUSY)
    case_nap (1);
  printf ("%ju\n", (uintmax_t)(uintptr_t)value);
}

static void
joins_that_fail (void)
{
  const struct timespec past = {1, 0};
  struct timespec soon = case_after (CLOCK_REALTIME, 20);
  pthread_t thread = create (wait_for_go, (void *)7);
  void *value = (void *)99;

  SHOW (pthread_tryjoin_np (thread, &value));
  SHOW (pthread_timedjoin_np (thread, &value, &past));
  SHOW (pthread_timedjoin_np (thread, &value, &soon));
  printf ("not too early: %d\n", case_is_past (CLOCK_REALTIME, soon));
  SHOW (pthread_clockjoin_np (thread, &value, CLOCK_PROCESS_CPUTIME_ID, &soon));
  SHOW (pthread_join (pthread_self (), NULL));
  printf ("nothing has been written: %d\n", value == (void *)99);
  case_set (&go, 1);
  SHOW (pthread_join (thread, &value));
  printf ("%ju\n", (uintmax_t)(uintptr_t)value);
}

static void
detached (void)
{
  pthread_t thread = case_start (wait_for_go, NULL);

  SHOW (pthread_detach (thread));
  SHOW (pthread_detach (thread));
  SHOW (pthread_join (thread, NULL));
  case_set (&go, 1);
}

/* What cannot be made never was. */
static void
not_made (void)
{
  pthread_attr_t attributes;
  pthread_t thread;

  CHECK (pthread_attr_init (&attributes) == 0);
  CHECK (pthread_attr_setstacksize (&attributes, (size_t)1 << 46) == 0);
  SHOW (pthread_mutex_lock (&mutex));
  SHOW (pthread_create (&thread, &attributes, return_it, NULL));
  SHOW (pthread_mutex_unlock (&mutex));
}

/* A thread may free what its creator keeps its name in, before pthread_create has returned. */
struct own
{
  pthread_t name;
};

static void *
unmap_own_name (void *data)
{
  munmap (data, 4096);
  return NULL;
}

static void
name_is_gone (void)
{
  const struct sched_param first = {.sched_priority = 1};
  cpu_set_t one;
  pthread_attr_t attributes;

  CPU_ZERO (&one);
  CPU_SET (sched_getcpu (), &one);
  CHECK (sched_setaffinity (0, sizeof one, &one) == 0);
  CHECK (pthread_attr_init (&attributes) == 0);
  CHECK (pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED) == 0);
  CHECK (pthread_attr_setinheritsched (&attributes, PTHREAD_EXPLICIT_SCHED) == 0);
  CHECK (pthread_attr_setschedpolicy (&attributes, geteuid () == 0 ? SCHED_FIFO : SCHED_OTHER) == 0);
  if (geteuid () == 0)
    CHECK (pthread_attr_setschedparam (&attributes, &first) == 0);
  for (int i = 0; i < 50; i++)
    {
      struct own *own = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      CHECK (own != MAP_FAILED);
      if (pthread_create (&own->name, &attributes, unmap_own_name, own) != 0)
        {
          /* Not everybody who is root may do so; then there is nothing to see. */
          CHECK (pthread_attr_setschedpolicy (&attributes, SCHED_OTHER) == 0);
          CHECK (pthread_attr_setschedparam (&attributes, &(struct sched_param){0}) == 0);
        }
    }
  case_nap (20);
  puts ("done");
}

/* --- Ending ------------------------------------------------------------------------------------------------ */

static void *
outlive (void *data)
{
  case_await (&go, 1);
  SHOW (pthread_join (*(pthread_t *)data, NULL));
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  return NULL;
}

static void
main_ends_first (void)
{
  static pthread_t first;

  first = pthread_self ();
  CHECK (pthread_detach (create (outlive, &first)) == 0);
  case_set (&go, 1);
  pthread_exit (NULL);
}

static pthread_key_t once, thrice;

/* What a thread does on its way out is still told. */
static void
lock_once (void *value)
{
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
}

static void
lock_thrice (void *value)
{
  lock_once (value);
  if ((uintptr_t)value > 1)
    CHECK (pthread_setspecific (thrice, (void *)((uintptr_t)value - 1)) == 0);
}

static void *
set_keys (void *data)
{
  CHECK (pthread_setspecific (once, (void *)1) == 0 && pthread_setspecific (thrice, (void *)3) == 0);
  return data;
}

static void
destructors (void)
{
  CHECK (pthread_key_create (&once, lock_once) == 0 && pthread_key_create (&thrice, lock_thrice) == 0);
  SHOW (pthread_join (create (set_keys, NULL), NULL));
  puts ("done");
}

static void *
end_all (void *data)
{
  exit (23);
}

static void
thread_ends_program (void)
{
  pthread_mutex_lock (&mutex);
  pthread_join (create (end_all, NULL), NULL);
}

/* --- Many, and small ones ---------------------------------------------------------------------------------- */

static void *
touch_all (void *data)
{
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  const struct timespec past = {1, 0};
  sem_t semaphore;

  for (int i = 0; i < 600; i++)
    {
      pthread_mutex_lock (&mutex);
      if (i % 100 == 0)
        pthread_cond_timedwait (&condition, &mutex, &past);
      pthread_cond_signal (&condition);
      pthread_mutex_unlock (&mutex);
    }
  pthread_rwlock_rdlock (&rwlock);
  pthread_rwlock_unlock (&rwlock);
  CHECK (sem_init (&semaphore, 0, 0) == 0);
  CHECK (sem_post (&semaphore) == 0 && sem_wait (&semaphore) == 0);
  return data;
}

static void
smallest_stacks (void)
{
  static char given[1 << 17] __attribute__ ((aligned (4096)));
  size_t smallest = (size_t)sysconf (_SC_THREAD_STACK_MIN);
  pthread_attr_t attributes;
  pthread_t threads[5];

  CHECK (pthread_attr_init (&attributes) == 0);
  for (int i = 0; i < 5; i++)
    {
      if (i < 4)
        CHECK (pthread_attr_setstacksize (&attributes, smallest) == 0);
      else
        CHECK (pthread_attr_setstack (&attributes, given, smallest) == 0);
      CHECK (pthread_create (&threads[i], &attributes, touch_all, NULL) == 0);
    }
  for (int i = 0; i < 5; i++)
    SHOW (pthread_join (threads[i], NULL));
}

static pthread_barrier_t all_there;

static void *
be_there (void *value)
{
  pthread_mutex_lock (&mutex);
  go++;
  pthread_mutex_unlock (&mutex);
  pthread_barrier_wait (&all_there);
  return value;
}

/* `many N`: N threads at once. */
static void
many (void)
{
  unsigned int count = case_arguments != NULL ? (unsigned int)atoi (case_arguments[0]) : 2000;
  pthread_t *threads = calloc (count, sizeof *threads);
  pthread_attr_t attributes;

  CHECK (threads != NULL && pthread_attr_init (&attributes) == 0);
  CHECK (pthread_attr_setstacksize (&attributes, 64 << 10) == 0);
  CHECK (pthread_barrier_init (&all_there, NULL, count + 1) == 0);
  for (unsigned int i = 0; i < count; i++)
    CHECK (pthread_create (&threads[i], &attributes, be_there, (void *)(uintptr_t)i) == 0);
  pthread_barrier_wait (&all_there);
  for (unsigned int i = 0; i < count; i++)
    {
      void *value = NULL;

      CHECK (pthread_join (threads[i], &value) == 0 && (uintptr_t)value == i);
    }
  printf ("%u of %u\n", go, count);
  free (threads);
}

/* The C library gives a name that was joined to the next thread. */
static void
one_after_the_other (void)
{
  for (uintptr_t i = 0; i < 300; i++)
    {
      pthread_t threads[2];
      void *value = NULL;

      for (uintptr_t k = 0; k < 2; k++)
        threads[k] = create (return_it, (void *)(2 * i + k));
      for (uintptr_t k = 0; k < 2; k++)
        CHECK (pthread_join (threads[k], &value) == 0 && (uintptr_t)value == 2 * i + k);
    }
  puts ("done");
}

static void *
take_name (void *name)
{
  SHOW (pthread_setname_np (pthread_self (), name));
  return NULL;
}

static void
names (void)
{
  SHOW (pthread_join (create (take_name, (void *)"worker-one"), NULL));
  SHOW (pthread_join (create (take_name, (void *)"a name that is too long"), NULL));
}

/* --- Full packets ------------------------------------------------------------------------------------------ */

static sem_t posts;

static void *
post (void *number)
{
  for (uintptr_t i = 0; i < (uintptr_t)number; i++)
    sem_post (&posts);
  return NULL;
}

/* One of them has filled a packet when it ends: the next packet has its end, and nothing after it. */
static void
fills_packets (void)
{
  const size_t fit = (LC_HEAD_BYTES - sizeof (struct lc_packet)) / sizeof (struct lc_event_sync);

  CHECK (sem_init (&posts, 0, 0) == 0);
  for (size_t number = fit - 5; number < fit + 5; number++)
    CHECK (pthread_join (create (post, (void *)number), NULL) == 0);
}

const struct test_case cases[] = {
    {"fills-packets", fills_packets},
    {"joins", joins},
    {"tries-to-join", tries_to_join},
    {"joins-that-fail", joins_that_fail},
    {"detached", detached},
    {"not-made", not_made},
    {"name-is-gone", name_is_gone},
    {"main-ends-first", main_ends_first},
    {"destructors", destructors},
    {"thread-ends-program", thread_ends_program},
    {"smallest-stacks", smallest_stacks},
    {"many", many},
    {"one-after-the-other", one_after_the_other},
    {"names", names},
    {NULL, NULL},
};
