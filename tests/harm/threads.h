/* SPDX-License-Identifier: Apache-2.0 */
/* What many programs of these tests do: threads that lock mutexes until they are told to stop. */
#ifndef LC_TESTS_HARM_THREADS_H
#define LC_TESTS_HARM_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum
{
  LOCKERS = 4,
};

static struct
{
  pthread_mutex_t mutex;
  char room[128 - sizeof (pthread_mutex_t)];
} locker_mutexes[LOCKERS];
static pthread_t lockers[LOCKERS];
static bool lockers_stop;
static unsigned long lockers_done;

static inline void
lock_often (pthread_mutex_t *mutex, unsigned long times)
{
  for (unsigned long i = 0; i < times; i++)
    {
      pthread_mutex_lock (mutex);
      pthread_mutex_unlock (mutex);
    }
}

static inline void *
locker_run (void *mutex)
{
  while (!__atomic_load_n (&lockers_stop, __ATOMIC_RELAXED))
    {
      lock_often (mutex, 100);
      __atomic_add_fetch (&lockers_done, 100, __ATOMIC_RELAXED);
    }
  return NULL;
}

static inline void
start_lockers (void)
{
  for (int i = 0; i < LOCKERS; i++)
    {
      pthread_mutex_init (&locker_mutexes[i].mutex, NULL);
      if (pthread_create (&lockers[i], NULL, locker_run, &locker_mutexes[i].mutex) != 0)
        abort ();
    }
}

static inline void
stop_lockers (void)
{
  __atomic_store_n (&lockers_stop, true, __ATOMIC_RELAXED);
  for (int i = 0; i < LOCKERS; i++)
    pthread_join (lockers[i], NULL);
}

#endif
