/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that allocate, free what others have allocated, and lock; prints a sum that must always be the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

enum
{
  PLACES = 64,
  ROUNDS = 20000,
};

static pthread_mutex_t place_mutexes[PLACES];
static uint64_t *places[PLACES];
static uint64_t sums[LOCKERS];

static void *
allocate (void *argument)
{
  uint64_t *sum = argument, state = (uint64_t)(sum - sums) + 1;

  for (int i = 0; i < ROUNDS; i++)
    {
      size_t place, size;
      uint64_t *block;

      state = state * 6364136223846793005U + 1442695040888963407U;
      place = state >> 40 & (PLACES - 1);
      size = 1 + (state >> 50 & 1023);
      block = malloc (size * sizeof *block);
      block[0] = block[size - 1] = state;
      *sum += state & 0xFF;
      pthread_mutex_lock (&place_mutexes[place]);
      free (places[place]);
      places[place] = block;
      pthread_mutex_unlock (&place_mutexes[place]);
    }
  return NULL;
}

int
main (void)
{
  uint64_t sum = 0;

  for (int i = 0; i < PLACES; i++)
    pthread_mutex_init (&place_mutexes[i], NULL);
  for (int i = 0; i < LOCKERS; i++)
    pthread_create (&lockers[i], NULL, allocate, &sums[i]);
  for (int i = 0; i < LOCKERS; i++)
    pthread_join (lockers[i], NULL);
  for (int i = 0; i < LOCKERS; i++)
    sum += sums[i];
  for (int i = 0; i < PLACES; i++)
    free (places[i]);
  printf ("%llu\n", (unsigned long long)sum);
  return 0;
}
