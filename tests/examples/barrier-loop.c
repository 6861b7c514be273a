/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that work and meet at a barrier, round after round; the work may be more for some than for others. */
#include <stdio.h>
#include <stdlib.h>

#include "example.h"
#include "lightcone/record.h"

static long processes = 4, rounds = 100, alpha = 20, skew;
static bool with_pthread, pin, show_time;

static struct lc_barrier barrier;
static pthread_barrier_t pthread_barrier;
static uint64_t steps_per_unit;
static uint64_t first_left, last_left; /* when process 0 left the first barrier, and the last one */

/* In each round a process makes its value from what it and its neighbours had before: that is why they must meet. */
static uint64_t *values[2];

static void
meet (void)
{
  if (with_pthread)
    pthread_barrier_wait (&pthread_barrier);
  else
    lc_barrier_wait (&barrier);
}

static void
spin (uint64_t steps)
{
  uint64_t value = steps;
  volatile uint64_t result; /* somebody must want it, or the compiler leaves out the work */

  while (steps--)
    value = value * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  result = value;
  (void)result;
}

/* A unit of work is as many steps as take a microsecond on an idle machine. */
static void
calibrate (void)
{
  const uint64_t steps = UINT64_C (1) << 20;
  uint64_t best = UINT64_MAX;

  for (int attempt = 0; attempt < 5; attempt++)
    {
      uint64_t begin = example_now (), took;

      spin (steps);
      took = example_now () - begin;
      if (took < best)
        best = took;
    }
  steps_per_unit = steps * 1000 / (best ? best : 1);
}

static uint64_t
next_value (const uint64_t *before, long process)
{
  uint64_t left = before[(process + processes - 1) % processes], right = before[(process + 1) % processes];

  return (left ^ before[process] * 3) + right * 5 + 1;
}

static void *
run_process (void *argument)
{
  long process = (long)(intptr_t)argument;
  uint64_t steps = (uint64_t)(alpha + process * skew) * steps_per_unit;
  char name[40];

  snprintf (name, sizeof name, "process %ld", process);
  lc_name_process (name);
  if (pin)
    example_pin (process);
  for (long round = 0; round < rounds; round++)
    {
      lc_tag ((uint32_t)round);
      values[(round + 1) % 2][process] = next_value (values[round % 2], process);
      spin (steps);
      meet ();
      if (process == 0 && round == 0)
        first_left = example_now ();
    }
  if (process == 0)
    last_left = example_now ();
  return NULL;
}

static void
run_processes (void)
{
  pthread_t *threads = example_allocate ((size_t)processes, sizeof *threads);

  for (long process = 1; process < processes; process++)
    example_start (&threads[process], run_process, (void *)(intptr_t)process);
  run_process (NULL);
  for (long process = 1; process < processes; process++)
    pthread_join (threads[process], NULL);
  free (threads);
}

static void
check_result (void)
{
  uint64_t *expected[2] = {example_allocate ((size_t)processes, sizeof (uint64_t)),
                           example_allocate ((size_t)processes, sizeof (uint64_t))};

  for (long round = 0; round < rounds; round++)
    for (long process = 0; process < processes; process++)
      expected[(round + 1) % 2][process] = next_value (expected[round % 2], process);
  for (long process = 0; process < processes; process++)
    if (values[rounds % 2][process] != expected[rounds % 2][process])
      example_fail ("process %ld has a wrong value: somebody did not wait", process);
  free (expected[0]);
  free (expected[1]);
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {"processes", "how many meet (4)", .number = &processes, .least = 1, .most = 4000},
      {"rounds", "how often they meet (100)", .number = &rounds, .least = 1, .most = 10000000},
      {"alpha", "microseconds of work in a round (20)", .number = &alpha, .least = 0, .most = 1000000},
      {"skew", "process i works this many microseconds times i longer (0)", .number = &skew, .least = 0,
       .most = 1000000},
      {"pthread", "meet at a pthread_barrier_t", .flag = &with_pthread},
      {"pin", "process i stays on processor i mod those that there are", .flag = &pin},
      {"time", "print how long the rounds after the first took", .flag = &show_time},
      {NULL}};

  example_options (argc, argv, "Processes work and meet at a barrier, round after round.", options);
  values[0] = example_allocate ((size_t)processes, sizeof (uint64_t));
  values[1] = example_allocate ((size_t)processes, sizeof (uint64_t));
  if (lc_barrier_init (&barrier, "round", (uint32_t)processes) ||
      pthread_barrier_init (&pthread_barrier, NULL, (unsigned)processes))
    example_fail ("out of memory");
  calibrate ();

  run_processes ();
  check_result ();
  if (show_time)
    example_print_time (first_left, last_left);
  printf ("barrier-loop: %ld processes, %ld rounds: %016llx\n", processes, rounds,
          (unsigned long long)values[rounds % 2][0]);

  lc_barrier_destroy (&barrier);
  pthread_barrier_destroy (&pthread_barrier);
  free (values[0]);
  free (values[1]);
  return 0;
}
