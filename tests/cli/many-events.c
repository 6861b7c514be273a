/* SPDX-License-Identifier: Apache-2.0 */
/* Says that it has begun, and once it is told to go on locks and unlocks a mutex a million times, in each of two
   threads. */
#include <pthread.h>
#include <unistd.h>

static void *
lock_often (void *data)
{
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

  for (int i = 0; i < 1000000; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
  return data;
}

int
main (void)
{
  pthread_t thread;
  char byte;

  if (write (STDOUT_FILENO, "ready\n", 6) != 6 || read (STDIN_FILENO, &byte, 1) != 1)
    return 1;
  if (pthread_create (&thread, NULL, lock_often, NULL) != 0)
    return 1;
  lock_often (NULL);
  return pthread_join (thread, NULL);
}
