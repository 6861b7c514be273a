/* SPDX-License-Identifier: Apache-2.0 */
/* Dining philosophers. They deadlock, always: each waits until all have a left fork before asking for the right. */
#include <stdio.h>
#include <stdlib.h>

#include "example.h"
#include "lightcone/record.h"

static long philosophers = 5, meals = 3;
static bool polite, show_time;

static pthread_mutex_t *forks;
static struct lc_barrier all_hold_a_fork;
static long *eaten;

static void
take_forks (long seat)
{
  long left = seat, right = (seat + 1) % philosophers;

  /* Politeness is an order of the forks that all keep to: nobody can then wait in a circle. */
  if (polite && left > right)
    {
      left = right;
      right = seat;
    }
  pthread_mutex_lock (&forks[left]);
  if (!polite && lc_barrier_wait (&all_hold_a_fork))
    {
      puts ("philosophers: everyone holds the left fork");
      fflush (stdout);
    }
  pthread_mutex_lock (&forks[right]);
}

static void *
dine (void *argument)
{
  long seat = (long)(intptr_t)argument;
  char name[40];

  snprintf (name, sizeof name, "philosopher %ld", seat + 1);
  lc_name_process (name);
  for (long meal = 0; meal < meals; meal++)
    {
      take_forks (seat);
      eaten[seat]++;
      pthread_mutex_unlock (&forks[(seat + 1) % philosophers]);
      pthread_mutex_unlock (&forks[seat]);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {"philosophers", "how many sit at the table (5)", .number = &philosophers, .least = 2, .most = 2000},
      {"meals", "how often each wants to eat (3)", .number = &meals, .least = 1, .most = 1000000},
      {"polite", "take the forks in an order that cannot deadlock", .flag = &polite},
      {"time", "print how long the dinner took", .flag = &show_time},
      {NULL}};
  pthread_t *threads;
  uint64_t begin;

  example_options (argc, argv, "Dining philosophers: without --polite they deadlock.", options);
  threads = example_allocate ((size_t)philosophers, sizeof *threads);
  forks = example_allocate ((size_t)philosophers, sizeof *forks);
  eaten = example_allocate ((size_t)philosophers, sizeof *eaten);
  for (long i = 0; i < philosophers; i++)
    pthread_mutex_init (&forks[i], NULL);
  if (lc_barrier_init (&all_hold_a_fork, "all hold a fork", (uint32_t)philosophers))
    example_fail ("out of memory");
  lc_name_process ("host");

  begin = example_now ();
  for (long i = 0; i < philosophers; i++)
    example_start (&threads[i], dine, (void *)(intptr_t)i);
  for (long i = 0; i < philosophers; i++)
    pthread_join (threads[i], NULL);
  if (show_time)
    example_print_time (begin, example_now ());

  for (long i = 0; i < philosophers; i++)
    if (eaten[i] != meals)
      example_fail ("philosopher %ld ate %ld meals", i + 1, eaten[i]);
  printf ("philosophers: %ld ate %ld meals each\n", philosophers, meals);

  for (long i = 0; i < philosophers; i++)
    pthread_mutex_destroy (&forks[i]);
  lc_barrier_destroy (&all_hold_a_fork);
  free (threads);
  free (forks);
  free (eaten);
  return 0;
}
