/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a thread of its own, which begins as soon as the library is there. */
#include "library.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static int asked, answered, ends;

static void *
answer (void *data)
{
  pthread_mutex_lock (&mutex);
  while (!ends)
    {
      if (answered < asked)
        {
          answered++;
          pthread_cond_broadcast (&condition);
        }
      else
        pthread_cond_wait (&condition, &mutex);
    }
  pthread_mutex_unlock (&mutex);
  return NULL;
}

int
library_ask (void)
{
  int number;

  pthread_mutex_lock (&mutex);
  number = ++asked;
  pthread_cond_broadcast (&condition);
  while (answered < number)
    pthread_cond_wait (&condition, &mutex);
  pthread_mutex_unlock (&mutex);
  return number;
}

__attribute__ ((constructor)) static void
library_begins (void)
{
  pthread_create (&thread, NULL, answer, NULL);
  library_ask ();
}

__attribute__ ((destructor)) static void
library_ends (void)
{
  pthread_mutex_lock (&mutex);
  ends = 1;
  pthread_cond_broadcast (&condition);
  pthread_mutex_unlock (&mutex);
  pthread_join (thread, NULL);
  printf ("the library has answered %d times\n", answered);
}
