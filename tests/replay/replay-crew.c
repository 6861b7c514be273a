/* SPDX-License-Identifier: Apache-2.0 */
/* A program to replay, whose output depends on the order in which threads read and write under a crew. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "lightcone/record.h"

enum
{
  THREADS = 4,
  ROUNDS = 300,
};

static struct lc_crew crew;
static uint64_t result = 1;

static void *
work (void *data)
{
  uint64_t number = (uint64_t)(uintptr_t)data;

  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      uint64_t seen;

      lc_read_start (&crew);
      seen = result;
      lc_read_end (&crew);
      lc_write_start (&crew);
      result = result * 1000003 + (seen ^ number);
      lc_write_end (&crew);
    }
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];

  if (lc_crew_init (&crew, "crew") != 0)
    return 1;
  for (unsigned int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, (void *)(uintptr_t)(i + 1));
  for (unsigned int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  lc_crew_destroy (&crew);
  printf ("%016llx\n", (unsigned long long)result);
  return 0;
}
