/* SPDX-License-Identifier: Apache-2.0 */
/* Does what it is told, line by line: "N" locks and unlocks a mutex so often, "stop" and "start" what the library has
   for that, "thread" lets another thread do what comes next. It answers each line. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/record.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void
steps_lock (long count)
{
  for (long i = 0; i < count; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
}

static void *
steps_read (void *data)
{
  char line[64];

  while (fgets (line, sizeof line, stdin) != NULL)
    {
      pthread_t thread;

      if (strcmp (line, "stop\n") == 0)
        lc_record_stop ();
      else if (strcmp (line, "start\n") == 0)
        lc_record_start ();
      else if (strcmp (line, "thread\n") != 0)
        steps_lock (atol (line));
      else if (pthread_create (&thread, NULL, steps_read, NULL) == 0)
        pthread_join (thread, NULL);
      puts ("done");
      fflush (stdout);
    }
  return data;
}

int
main (void)
{
  steps_read (NULL);
  return 0;
}
