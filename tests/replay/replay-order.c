/* SPDX-License-Identifier: Apache-2.0 */
/* Programs to replay, whose output depends on the order in which threads use one kind of object. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

enum
{
  THREADS = 4,
  ROUNDS = 300,
};

static uint64_t result = 1;

/* Races unless the caller orders it. */
static void
mix (uint64_t value)
{
  result = result * 1000003 + value;
}

static void
dawdle (unsigned int rounds)
{
  for (volatile unsigned int i = 0; i < rounds * 40; i++)
    ;
}

static uint64_t
number_of (void *data)
{
  return (uint64_t)(uintptr_t)data;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_mutex_t recursive;
static sem_t semaphore;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static unsigned int ready;

static void *
use_mutex (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&mutex);
      mix (number_of (data));
      pthread_mutex_unlock (&mutex);
      dawdle (i % 7);
    }
  return NULL;
}

static void *
use_recursive (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&recursive);
      pthread_mutex_lock (&recursive);
      mix (number_of (data));
      pthread_mutex_unlock (&recursive);
      if (pthread_mutex_trylock (&recursive) == 0)
        pthread_mutex_unlock (&recursive);
      pthread_mutex_unlock (&recursive);
      dawdle (i % 5);
    }
  return NULL;
}

/* What failed attempts do is part of the result, too. */
static void *
use_attempts (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      unsigned int failed = 0;

      while (pthread_mutex_trylock (&mutex) != 0)
        failed++;
      mix (number_of (data) + 10 * failed);
      dawdle (3);
      pthread_mutex_unlock (&mutex);
      dawdle (i % 7);
    }
  return NULL;
}

static void *
use_timed (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      struct timespec until;
      int failed;

      clock_gettime (CLOCK_REALTIME, &until);
      until.tv_nsec += until.tv_nsec < 999000000 ? 20000 : 0;
      failed = pthread_mutex_timedlock (&mutex, &until);
      if (failed != 0)
        pthread_mutex_lock (&mutex);
      mix (number_of (data) + (failed != 0 ? 10 : 0));
      dawdle (10);
      pthread_mutex_unlock (&mutex);
    }
  return NULL;
}

static void *
use_rwlock (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      uint64_t seen;

      pthread_rwlock_rdlock (&rwlock);
      seen = result;
      pthread_rwlock_unlock (&rwlock);
      if (i % 3 != 0)
        continue;
      pthread_rwlock_wrlock (&rwlock);
      mix (seen ^ number_of (data));
      pthread_rwlock_unlock (&rwlock);
    }
  return NULL;
}

static void *
use_condition (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&mutex);
      if (number_of (data) == 1)
        {
          ready += THREADS - 1;
          if (i % 2 == 0)
            pthread_cond_broadcast (&condition);
        }
      else
        {
          while (ready == 0)
            {
              mix (100 + number_of (data));
              pthread_cond_wait (&condition, &mutex);
            }
          ready--;
          mix (number_of (data));
        }
      pthread_mutex_unlock (&mutex);
      if (number_of (data) == 1)
        for (unsigned int j = 0; j < THREADS; j++)
          pthread_cond_signal (&condition);
    }
  return NULL;
}

static void *
use_timed_condition (void *data)
{
  pthread_mutex_lock (&mutex);
  for (unsigned int i = 0; i < ROUNDS / 6; i++)
    {
      struct timespec until;

      clock_gettime (CLOCK_REALTIME, &until);
      until.tv_nsec += until.tv_nsec < 999000000 ? 50000 * (long)(i % 3) : 0;
      mix (number_of (data) + (pthread_cond_timedwait (&condition, &mutex, &until) == ETIMEDOUT ? 10 : 0));
      pthread_cond_signal (&condition);
    }
  pthread_mutex_unlock (&mutex);
  return NULL;
}

static void *
use_semaphore (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      bool failed = i % 2 == 0 && sem_trywait (&semaphore) != 0;

      if (failed || i % 2 != 0)
        sem_wait (&semaphore);
      mix (number_of (data) + (failed ? 10 : 0));
      dawdle (i % 3);
      sem_post (&semaphore);
    }
  return NULL;
}

static void *
use_spin (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      bool failed = i % 2 == 0 && pthread_spin_trylock (&spin) != 0;

      if (failed || i % 2 != 0)
        pthread_spin_lock (&spin);
      mix (number_of (data) + (failed ? 10 : 0));
      pthread_spin_unlock (&spin);
      dawdle (i % 7);
    }
  return NULL;
}

static void *
use_barrier (void *data)
{
  for (unsigned int i = 0; i < ROUNDS / 6; i++)
    {
      dawdle (i * number_of (data) % 5);
      pthread_barrier_wait (&barrier);
      use_mutex (data);
      pthread_barrier_wait (&barrier);
    }
  return NULL;
}

static int
use_c11 (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      bool failed = i % 4 == 0 && mtx_trylock (&c11_mutex) == thrd_busy;

      if (failed || i % 4 != 0)
        mtx_lock (&c11_mutex);
      mix (number_of (data) + (failed ? 10 : 0));
      if (number_of (data) == 1)
        ready++;
      while (number_of (data) == 2 && ready == 0)
        cnd_wait (&c11_condition, &c11_mutex);
      if (number_of (data) == 2)
        ready--;
      mtx_unlock (&c11_mutex);
      if (number_of (data) == 1)
        cnd_signal (&c11_condition);
      dawdle (i % 5);
    }
  return 0;
}

/* Threads are made by threads, in whichever order. */
static void *
use_makers (void *data)
{
  pthread_t threads[2];

  dawdle (17 * (unsigned int)number_of (data) % 5);
  if (number_of (data) < 10)
    for (unsigned int i = 0; i < 2; i++)
      pthread_create (&threads[i], NULL, use_makers, (void *)(uintptr_t)(number_of (data) * 10 + i));
  use_mutex (data);
  if (number_of (data) < 10)
    for (unsigned int i = 0; i < 2; i++)
      pthread_join (threads[i], NULL);
  return NULL;
}

static void
give_back (void *data)
{
  mix (1000 + number_of (data));
  pthread_mutex_unlock (&mutex);
}

static void *
use_cancel (void *data)
{
  pthread_mutex_lock (&mutex);
  mix (number_of (data));
  pthread_cleanup_push (give_back, data);
  for (;;)
    pthread_cond_wait (&condition, &mutex);
  pthread_cleanup_pop (0);
  return NULL;
}

/* One thread ends the program; the others may come further in one run than in another. */
static void *
use_crash (void *data)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&mutex);
      mix (number_of (data));
      pthread_mutex_unlock (&mutex);
      if (number_of (data) == 3 && i == ROUNDS / 2)
        raise (SIGSEGV);
    }
  return NULL;
}

static const struct
{
  const char *name;
  void *(*routine) (void *);
} kinds[] = {
    {"mutex", use_mutex},
    {"recursive", use_recursive},
    {"attempts", use_attempts},
    {"timed", use_timed},
    {"rwlock", use_rwlock},
    {"condition", use_condition},
    {"timed-condition", use_timed_condition},
    {"semaphore", use_semaphore},
    {"spin", use_spin},
    {"barrier", use_barrier},
    {"makers", use_makers},
    {"cancel", use_cancel},
    {"crash", use_crash},
};

static void
make_objects (void)
{
  pthread_mutexattr_t attributes;

  pthread_mutexattr_init (&attributes);
  pthread_mutexattr_settype (&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&recursive, &attributes);
  pthread_spin_init (&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init (&barrier, NULL, THREADS);
  sem_init (&semaphore, 0, 1);
  mtx_init (&c11_mutex, mtx_plain);
  cnd_init (&c11_condition);
}

static void
run_c11 (void)
{
  thrd_t threads[THREADS];

  for (unsigned int i = 0; i < THREADS; i++)
    thrd_create (&threads[i], use_c11, (void *)(uintptr_t)(i + 1));
  for (unsigned int i = 0; i < THREADS; i++)
    thrd_join (threads[i], NULL);
}

static void
run (void *(*routine) (void *))
{
  pthread_t threads[THREADS];

  for (unsigned int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, routine, (void *)(uintptr_t)(i + 1));
  if (routine == use_cancel)
    {
      usleep (20000);
      for (unsigned int i = 0; i < THREADS; i++)
        pthread_cancel (threads[i]);
    }
  for (unsigned int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

int
main (int argc, char **argv)
{
  const char *kind = argc > 1 ? argv[1] : "mutex";

  make_objects ();
  if (strcmp (kind, "c11") == 0)
    run_c11 ();
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp (kinds[i].name, kind) == 0)
      run (kinds[i].routine);
  printf ("%016llx\n", (unsigned long long)result);
  return 0;
}
