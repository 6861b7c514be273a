/* SPDX-License-Identifier: Apache-2.0 */
/* A thread adds what another one has set, index by index. With $DIFFER=index it awaits one that nobody advances. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/record.h"

enum
{
  COUNT = 10,
  ODD_ONE = 4,
};

static struct lc_sync progress;
static int values[COUNT];

static void *
add (void *data)
{
  int *sum = data;
  bool differs = getenv ("DIFFER") != NULL && strcmp (getenv ("DIFFER"), "index") == 0;

  for (int i = 0; i < COUNT; i++)
    {
      lc_await (&progress, (uint64_t)(differs && i == ODD_ONE ? COUNT : i));
      *sum += values[i];
    }
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  int sum = 0;

  if (lc_sync_init (&progress, "index", 0, COUNT + 1) != 0)
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
