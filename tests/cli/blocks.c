/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that are entered a known number of times, in two threads; it prints how often. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned int odd[2], even[2];

static void
count (int thread, int i)
{
  if (i % 2)
    odd[thread]++; /* odd */
  else
    even[thread]++; /* even */
}

static void *
work (void *data)
{
  int thread = *(int *)data;

  for (int i = 0; i < 100 * (thread + 1); i++)
    count (thread, i);
  return NULL;
}

int
main (void)
{
  pthread_t threads[2];
  int numbers[2] = {0, 1};

  for (int i = 0; i < 2; i++)
    if (pthread_create (&threads[i], NULL, work, &numbers[i]) != 0)
      return EXIT_FAILURE;
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  printf ("%u %u\n", odd[0] + odd[1], even[0] + even[1]);
  return EXIT_SUCCESS;
}
