/* SPDX-License-Identifier: Apache-2.0 */
/* Producers and consumers around a buffer with few places: a mutex and two conditions, or semaphores. */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"
#include "lightcone/record.h"

#define END 0 /* the item after which a consumer stops */

static long producers = 2, consumers = 2, items = 1000, places = 4;
static bool with_semaphores, show_time;

static long *buffer, filled, first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static sem_t free_places, filled_places;
static unsigned char *seen; /* how often each item was consumed */

static void
wait_for_place (void)
{
  if (with_semaphores)
    sem_wait (&free_places);
  pthread_mutex_lock (&lock);
  while (!with_semaphores && filled == places)
    pthread_cond_wait (&not_full, &lock);
}

static void
wait_for_item (void)
{
  if (with_semaphores)
    sem_wait (&filled_places);
  pthread_mutex_lock (&lock);
  while (!with_semaphores && filled == 0)
    pthread_cond_wait (&not_empty, &lock);
}

/* Lets go of the buffer, and tells one of those who wait for what has changed. */
static void
leave_buffer (pthread_cond_t *condition, sem_t *semaphore)
{
  if (!with_semaphores)
    pthread_cond_signal (condition);
  pthread_mutex_unlock (&lock);
  if (with_semaphores)
    sem_post (semaphore);
}

static void
put (long item)
{
  wait_for_place ();
  buffer[(first + filled++) % places] = item;
  leave_buffer (&not_empty, &filled_places);
}

static long
take (void)
{
  long item;

  wait_for_item ();
  item = buffer[first];
  first = (first + 1) % places;
  filled--;
  leave_buffer (&not_full, &free_places);
  return item;
}

static void *
produce (void *argument)
{
  long producer = (long)(intptr_t)argument;
  char name[40];

  snprintf (name, sizeof name, "producer %ld", producer + 1);
  lc_name_process (name);
  for (long i = 0; i < items; i++)
    put (1 + producer * items + i);
  return NULL;
}

static void *
consume (void *argument)
{
  long item;
  char name[40];

  snprintf (name, sizeof name, "consumer %ld", (long)(intptr_t)argument + 1);
  lc_name_process (name);
  while ((item = take ()) != END)
    seen[item]++; /* each item is some one consumer's own */
  return NULL;
}

static void
run_processes (void)
{
  pthread_t *threads = example_allocate ((size_t)(producers + consumers), sizeof *threads);
  uint64_t begin = example_now ();

  for (long i = 0; i < consumers; i++)
    example_start (&threads[producers + i], consume, (void *)(intptr_t)i);
  for (long i = 0; i < producers; i++)
    example_start (&threads[i], produce, (void *)(intptr_t)i);
  for (long i = 0; i < producers; i++)
    pthread_join (threads[i], NULL);
  for (long i = 0; i < consumers; i++)
    put (END);
  for (long i = 0; i < consumers; i++)
    pthread_join (threads[producers + i], NULL);
  if (show_time)
    example_print_time (begin, example_now ());
  free (threads);
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {"producers", "how many processes put items in (2)", .number = &producers, .least = 1, .most = 2000},
      {"consumers", "how many processes take items out (2)", .number = &consumers, .least = 1, .most = 2000},
      {"items", "how many each producer makes (1000)", .number = &items, .least = 1, .most = 1000000},
      {"places", "how many items the buffer holds (4)", .number = &places, .least = 1, .most = 1000000},
      {"semaphores", "wait at semaphores instead of conditions", .flag = &with_semaphores},
      {"time", "print how long it took", .flag = &show_time},
      {NULL}};
  long total;

  example_options (argc, argv, "Producers and consumers around a bounded buffer.", options);
  total = producers * items;
  buffer = example_allocate ((size_t)places, sizeof *buffer);
  seen = example_allocate ((size_t)total + 1, 1);
  sem_init (&free_places, 0, (unsigned)places);
  sem_init (&filled_places, 0, 0);

  run_processes ();
  for (long item = 1; item <= total; item++)
    if (seen[item] != 1)
      example_fail ("item %ld was consumed %d times", item, seen[item]);
  printf ("bounded-buffer: %ld items, each consumed once\n", total);

  sem_destroy (&free_places);
  sem_destroy (&filled_places);
  free (buffer);
  free (seen);
  return 0;
}
