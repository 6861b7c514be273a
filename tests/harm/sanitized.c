/* SPDX-License-Identifier: Apache-2.0 */
/* Built with a sanitizer: sanitized [FAULT]. It is to find the fault as it does in a program that is not recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

enum
{
  TIMES = 2000,
};

static int shared, guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const char *fault = "";

static void *
work (void *argument)
{
  for (int i = 0; i < TIMES; i++)
    {
      pthread_mutex_lock (&mutex);
      guarded++;
      pthread_cond_signal (&changed);
      pthread_mutex_unlock (&mutex);
      if (strcmp (fault, "race") == 0)
        shared++;
    }
  return argument;
}

static void
run (void)
{
  pthread_t threads[2];

  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  pthread_mutex_lock (&mutex);
  while (guarded < 2 * TIMES)
    pthread_cond_wait (&changed, &mutex);
  pthread_mutex_unlock (&mutex);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
}

int
main (int argc, char **argv)
{
  char *volatile bytes = malloc (10);
  volatile int index = 10, large = 0x7FFFFFFF;

  fault = argc > 1 ? argv[1] : "";
  run ();
  if (strcmp (fault, "overflow") == 0)
    ((volatile char *)bytes)[index] = 'x';
  else if (strcmp (fault, "undefined") == 0)
    printf ("%d\n", large + index);
  if (strcmp (fault, "leak") != 0)
    free (bytes);
  bytes = NULL;
  printf ("%d\n", guarded);
  return 0;
}
