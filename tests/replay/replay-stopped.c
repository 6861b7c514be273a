/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads that stop each other for ever once each has its own lock; a variable of the environment says that one of
 * them waits for itself instead. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *
work (void *data)
{
  pthread_mutex_lock (&second);
  pthread_barrier_wait (&barrier);
  pthread_mutex_lock (&first);
  return NULL;
}

int
main (void)
{
  pthread_t thread;

  pthread_barrier_init (&barrier, NULL, 2);
  pthread_mutex_lock (&first);
  pthread_create (&thread, NULL, work, NULL);
  pthread_barrier_wait (&barrier);
  alarm (1);
  pthread_mutex_lock (getenv ("ELSEWHERE") != NULL ? &first : &second);
  return 0;
}
