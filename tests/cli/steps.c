/* SPDX-License-Identifier: Apache-2.0 */
/* Does what it is told, line by line: "N" locks and unlocks a mutex so often, "stop" and "start" what the library has
   for that, "wait N" waits for a mutex that another thread holds for N ms, "region N" does so in a region, "leave N"
   enters a region in a thread (0) or a process (1) that ends in it, "thread" lets another thread do what comes next. It
   answers each line. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lightcone/record.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, slow = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_held;

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
steps_hold (void *data)
{
  const long milliseconds = *(long *)data;
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};

  pthread_mutex_lock (&slow);
  sem_post (&is_held);
  nanosleep (&time, NULL);
  pthread_mutex_unlock (&slow);
  return NULL;
}

static void
steps_wait (long milliseconds)
{
  pthread_t holder;

  if (pthread_create (&holder, NULL, steps_hold, &milliseconds) != 0)
    exit (1);
  sem_wait (&is_held);
  pthread_mutex_lock (&slow);
  pthread_mutex_unlock (&slow);
  pthread_join (holder, NULL);
}

static const char region[] = "request";

static void
steps_enter (long milliseconds)
{
  lc_enter (region);
  steps_wait (milliseconds);
  lc_leave (region);
}

static void *
steps_end_inside (void *data)
{
  lc_enter (region);
  return data;
}

static void
steps_end (long is_process)
{
  pthread_t thread;
  pid_t child;

  if (!is_process && pthread_create (&thread, NULL, steps_end_inside, NULL) == 0)
    pthread_join (thread, NULL);
  if (!is_process)
    return;
  child = fork ();
  if (child == 0)
    {
      steps_end_inside (NULL);
      _exit (0);
    }
  waitpid (child, NULL, 0);
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
      else if (strncmp (line, "wait ", 5) == 0)
        steps_wait (atol (line + 5));
      else if (strncmp (line, "region ", 7) == 0)
        steps_enter (atol (line + 7));
      else if (strncmp (line, "leave ", 6) == 0)
        steps_end (atol (line + 6));
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
  sem_init (&is_held, 0, 0);
  steps_read (NULL);
  return 0;
}
