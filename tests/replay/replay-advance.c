/* SPDX-License-Identifier: Apache-2.0 */
/* A thread adds what another one has set, index by index. */
#include <pthread.h>
#include <stdio.h>

#include "lightcone/record.h"

enum
{
  COUNT = 10,
};

static struct lc_sync progress;
static int values[COUNT];

static void *
add (void *data)
{
  int *sum = data;

  for (int i = 0; i < COUNT; i++)
    {
      lc_await (&progress, (uint64_t)i);
      *sum += values[i];
    }
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  int sum = 0;

  if (lc_sync_init (&progress, "index", 0, COUNT) != 0)
    return 2;
  pthread_create (&thread, NULL, add, &sum);
  for (int i = 0; i < COUNT; i++)
    {
      values[i] = i;
      lc_advance (&progress, (uint64_t)i);
    }
  pthread_join (thread, NULL);
  lc_sync_destroy (&progress);
  printf ("%d\n", sum);
  return 0;
}
