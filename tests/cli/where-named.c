/* SPDX-License-Identifier: Apache-2.0 */
/* Names objects itself, and uses those of lightcone/record.h; prints where: "FUNCTION LINE TIMES". */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "lightcone/record.h"

static pthread_mutex_t before = PTHREAD_MUTEX_INITIALIZER, after = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__ ((noinline)) told (const char *function, int line, int times)
{
  printf ("%s %d %d\n", function, line, times);
}

int
main (void)
{
  pthread_mutex_t *again = malloc (sizeof *again);
  struct lc_crew crew;

  lc_name_object (&before, "input queue");
  pthread_mutex_lock (&before), told (__func__, __LINE__, 1);
  pthread_mutex_unlock (&before);
  pthread_mutex_lock (&after), told (__func__, __LINE__, 1);
  pthread_mutex_unlock (&after);
  lc_name_object (&after, "output queue");

  /* The name is that of the first of two objects at one place. */
  pthread_mutex_init (again, NULL);
  lc_name_object (again, "for now");
  pthread_mutex_destroy (again);
  pthread_mutex_init (again, NULL);
  pthread_mutex_lock (again), told (__func__, __LINE__, 1);
  pthread_mutex_unlock (again);

  lc_crew_init (&crew, "crew");
  lc_read_start (&crew), told (__func__, __LINE__, 1);
  lc_read_end (&crew);
  lc_crew_destroy (&crew);
  free (again);
  return 0;
}
