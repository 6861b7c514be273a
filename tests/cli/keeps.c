/* SPDX-License-Identifier: Apache-2.0 */
/* A thread ends and keeps a mutex, for which main waits, for ever or with an argument for a while; an alarm ends it. */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *
keep (void *argument)
{
  pthread_mutex_lock (&mutex);
  return argument;
}

int
main (int argc, char **argv)
{
  struct timespec until;
  pthread_t thread;

  pthread_create (&thread, NULL, keep, NULL);
  pthread_join (thread, NULL);
  alarm (1);
  if (argc == 1)
    pthread_mutex_lock (&mutex);
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += 30;
  return pthread_mutex_timedlock (&mutex, &until);
}
