/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads wait for each other's mutex. The program ends all the same, when its standard input does. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready[2];

static void *
circle_take (void *data)
{
  const int own = data != NULL;

  pthread_mutex_lock (own ? &left : &right);
  sem_post (&ready[own]);
  sem_wait (&ready[!own]);
  pthread_mutex_lock (own ? &right : &left);
  return NULL;
}

int
main (void)
{
  pthread_t threads[2];

  for (int i = 0; i < 2; i++)
    sem_init (&ready[i], 0, 0);
  for (int i = 0; i < 2; i++)
    if (pthread_create (&threads[i], NULL, circle_take, i == 0 ? NULL : &ready) != 0)
      return 1;
  while (getchar () != EOF)
    ;
  puts ("ended");
  return 7;
}
