/* SPDX-License-Identifier: Apache-2.0 */
/* A region that lasts 80 ms; with `locks`, a thread that uses a lock a hundred times; with `threads`, two that sleep.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "lightcone/record.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
rest (long milliseconds)
{
  const struct timespec pause = {0, milliseconds * 1000000};

  nanosleep (&pause, NULL);
}

static void *
sleep_only (void *milliseconds)
{
  rest ((long)(intptr_t)milliseconds);
  return NULL;
}

static void *
use_lock (void *data)
{
  (void)data;
  for (int i = 0; i < 100; i++)
    {
      pthread_mutex_lock (&lock);
      pthread_mutex_unlock (&lock);
      rest (1);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[2];

  if (argc == 1)
    {
      rest (40);
      lc_enter ("work");
      rest (80);
      lc_leave ("work");
      return 0;
    }
  rest (100);
  if (strcmp (argv[1], "locks") == 0)
    {
      pthread_create (&threads[0], NULL, use_lock, NULL);
      return pthread_join (threads[0], NULL);
    }
  pthread_create (&threads[0], NULL, sleep_only, (void *)(intptr_t)50);
  pthread_create (&threads[1], NULL, sleep_only, (void *)(intptr_t)150);
  return pthread_join (threads[0], NULL) + pthread_join (threads[1], NULL);
}
