/* SPDX-License-Identifier: Apache-2.0 */
/* A thread waits for a mutex that is never unlocked; then the program is killed. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *
work (void *argument)
{
  pthread_mutex_lock (&mutex);
  return argument;
}

int
main (void)
{
  pthread_t thread;

  pthread_mutex_lock (&mutex);
  pthread_create (&thread, NULL, work, NULL);
  usleep (200000);
  raise (SIGKILL);
}
