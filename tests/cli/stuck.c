/* SPDX-License-Identifier: Apache-2.0 */
/* A thread waits for a mutex that is never unlocked, with an argument three functions deep; then the program is
 * killed. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The call is not the last thing that a function does, so that it has a frame. */
static __attribute__ ((noinline)) int
grab (void)
{
  return pthread_mutex_trylock (&mutex) != 0 && pthread_mutex_lock (&mutex /* deep */) == 0;
}

static __attribute__ ((noinline)) int
dig (void)
{
  return grab () + 1;
}

static void *
work (void *argument)
{
  if (argument != NULL && dig () == 0)
    return NULL;
  pthread_mutex_lock (&mutex);
  return argument;
}

int
main (int argc, char **argv)
{
  pthread_t thread;

  pthread_mutex_lock (&mutex);
  pthread_create (&thread, NULL, work, argc > 1 ? argv[1] : NULL);
  usleep (200000);
  raise (SIGKILL);
}
