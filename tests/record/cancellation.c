/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that is cancelled while it waits ends under recording as it does without. */
#include "case.h"

#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static uint32_t go;
static int in_handler = -1;

static void
unlock (void *data)
{
  /* A wait that is cancelled has taken the mutex again. */
  in_handler = pthread_mutex_trylock (&mutex);
  pthread_mutex_unlock (&mutex);
}

static void *
wait_for_condition (void *data)
{
  const struct timespec later = {INT32_MAX, 0};

  pthread_mutex_lock (&mutex);
  pthread_cleanup_push (unlock, NULL);
  for (;;)
    if (data == NULL)
      pthread_cond_wait (&condition, &mutex);
    else
      pthread_cond_timedwait (&condition, &mutex, &later);
  pthread_cleanup_pop (0);
  return NULL;
}

static void
cancel_and_join (pthread_t thread)
{
  void *value = NULL;

  SHOW (pthread_cancel (thread));
  SHOW (pthread_join (thread, &value));
  printf ("cancelled: %d\n", value == PTHREAD_CANCELED);
}

static void
in_condition (void)
{
  for (uintptr_t i = 0; i < 2; i++)
    {
      cancel_and_join (case_start (wait_for_condition, (void *)i));
      SHOW (in_handler);
      SHOW (pthread_mutex_lock (&mutex));
      SHOW (pthread_mutex_unlock (&mutex));
    }
}

static void
note (void *data)
{
  in_handler = 7;
}

static void *
wait_for_semaphore (void *data)
{
  const struct timespec later = {INT32_MAX, 0};

  pthread_cleanup_push (note, NULL);
  if (data == NULL)
    sem_wait (&semaphore);
  else
    sem_timedwait (&semaphore, &later);
  pthread_cleanup_pop (0);
  return NULL;
}

static void
in_semaphore (void)
{
  CHECK (sem_init (&semaphore, 0, 0) == 0);
  for (uintptr_t i = 0; i < 2; i++)
    {
      in_handler = -1;
      cancel_and_join (case_start (wait_for_semaphore, (void *)i));
      printf ("its handler has run: %d\n", in_handler == 7);
    }
  /* No token is lost to those who left. */
  SHOW_ERRNO (sem_post (&semaphore));
  SHOW_ERRNO (sem_trywait (&semaphore));
}

static void *
wait_for_go (void *data)
{
  case_await (&go, 1);
  return NULL;
}

static void *
wait_for_thread (void *data)
{
  pthread_cleanup_push (note, NULL);
  pthread_join (*(pthread_t *)data, NULL);
  pthread_cleanup_pop (0);
  return NULL;
}

static void
in_join (void)
{
  pthread_t other;

  CHECK (pthread_create (&other, NULL, wait_for_go, NULL) == 0);
  cancel_and_join (case_start (wait_for_thread, &other));
  printf ("its handler has run: %d\n", in_handler == 7);
  case_set (&go, 1);
  SHOW (pthread_join (other, NULL));
}

static int calls;

/* With the cancellation already there: who is a point of cancellation, and who is not. */
static void *
cancelled_before (void *data)
{
  int old;

  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &old);
  case_set (&go, 1);
  case_await (&go, 2);
  pthread_setcancelstate (PTHREAD_CANCEL_ENABLE, &old);
  CHECK (pthread_mutex_lock (&mutex) == 0);
  CHECK (pthread_mutex_unlock (&mutex) == 0);
  CHECK (sem_post (&semaphore) == 0);
  calls = 3;
  CHECK (sem_wait (&semaphore) == 0);
  calls = 4;
  return NULL;
}

static void
before (void)
{
  void *value = NULL;
  pthread_t thread;

  CHECK (sem_init (&semaphore, 0, 0) == 0);
  CHECK (pthread_create (&thread, NULL, cancelled_before, NULL) == 0);
  case_await (&go, 1);
  SHOW (pthread_cancel (thread));
  case_set (&go, 2);
  SHOW (pthread_join (thread, &value));
  printf ("cancelled: %d, after %d calls\n", value == PTHREAD_CANCELED, calls);
  SHOW_ERRNO (sem_trywait (&semaphore));
}

static int waited;

static void *
wait_for_lock (void *data)
{
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  pthread_barrier_wait (&barrier);
  waited = 1;
  pthread_testcancel ();
  waited = 2;
  return NULL;
}

/* Mutexes and barriers are no points of cancellation. */
static void
not_in_mutex_or_barrier (void)
{
  pthread_t thread;
  void *value = NULL;

  CHECK (pthread_barrier_init (&barrier, NULL, 2) == 0);
  CHECK (pthread_mutex_lock (&mutex) == 0);
  thread = case_start (wait_for_lock, NULL);
  SHOW (pthread_cancel (thread));
  case_nap (10);
  CHECK (pthread_mutex_unlock (&mutex) == 0);
  pthread_barrier_wait (&barrier);
  SHOW (pthread_join (thread, &value));
  printf ("cancelled: %d, at %d\n", value == PTHREAD_CANCELED, waited);
}

const struct test_case cases[] = {
    {"in-condition", in_condition},
    {"in-semaphore", in_semaphore},
    {"in-join", in_join},
    {"before", before},
    {"not-in-mutex-or-barrier", not_in_mutex_or_barrier},
    {NULL, NULL},
};
