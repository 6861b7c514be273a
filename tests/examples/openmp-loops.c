/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of OpenMP whose iterations depend on one another, are handed out, or are added up. */
#include <omp.h>
#include <stdio.h>

#include "example.h"

enum kind
{
  DOACROSS,
  ORDERED,
  DYNAMIC,
  CRITICAL,
  REDUCTION,
};

static long threads = 2, iterations = 200, work = 4000, handed = 500, rounds = 4;
static int kind;
static bool pin, show_time;

/* What the iterations make together. Compilers do not know that waiting for another iteration changes it. */
static volatile uint64_t total;

static uint64_t
spin (uint64_t value, long steps)
{
  while (steps-- > 0)
    value = value * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return value;
}

static uint64_t
own_work (long i)
{
  return spin ((uint64_t)i, work);
}

/* Some iterations take five times as long as others. */
static uint64_t
uneven_work (long i)
{
  return spin ((uint64_t)i, work * (1 + i % 5) / 3);
}

static void
run_doacross (void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(threads)
  for (long i = 0; i < iterations; i++)
    {
      uint64_t value = own_work (i);

#pragma omp ordered depend(sink : i - 1)
      total = spin (total ^ value, handed);
#pragma omp ordered depend(source)
    }
}

static void
run_ordered (void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
  for (long i = 0; i < iterations; i++)
    {
      uint64_t value = own_work (i);

#pragma omp ordered
      total = spin (total ^ value, handed);
    }
}

static void
run_dynamic (void)
{
  uint64_t sum = 0;

#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(+ : sum)
  for (long i = 0; i < iterations; i++)
    sum += uneven_work (i);
  total += sum;
}

static void
run_critical (void)
{
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (long i = 0; i < iterations; i++)
    {
      uint64_t value = uneven_work (i);

#pragma omp critical
      total += spin (value, handed);
    }
}

/* Regions of a few iterations each, so that what begins and ends them counts. */
static void
run_reduction (void)
{
  for (long first = 0; first < iterations; first += threads)
    {
      uint64_t sum = 0;

#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
      for (long i = first; i < first + threads; i++)
        sum += own_work (i);
      total += sum;
    }
}

static const struct
{
  void (*run) (void);
  uint64_t (*value) (long i);
  bool chained; /* each iteration goes on with what the one before has left */
  bool adds_handed;
} kinds[] = {
    [DOACROSS] = {run_doacross, own_work, true, true},     [ORDERED] = {run_ordered, own_work, true, true},
    [DYNAMIC] = {run_dynamic, uneven_work, false, false},  [CRITICAL] = {run_critical, uneven_work, false, true},
    [REDUCTION] = {run_reduction, own_work, false, false},
};

static uint64_t
expected_total (void)
{
  const long end = kind == REDUCTION ? (iterations + threads - 1) / threads * threads : iterations;
  uint64_t result = 0;

  for (long i = 0; i < end; i++)
    {
      uint64_t value = kinds[kind].value (i);

      if (kinds[kind].chained)
        result = spin (result ^ value, handed);
      else
        result += kinds[kind].adds_handed ? spin (value, handed) : value;
    }
  return result;
}

/* Makes the team, so that no region that is timed has to. */
static void
warm_up (void)
{
#pragma omp parallel num_threads(threads)
  if (pin)
    example_pin (omp_get_thread_num ());
}

int
main (int argc, char **argv)
{
  const struct example_option options[] = {
      {"loop", "what the iterations have to do with one another", .choice = &kind,
       .words = "doacross|ordered|dynamic|critical|reduction"},
      {"threads", "threads of the team", .number = &threads, .least = 1, .most = 256},
      {"iterations", "iterations of the loop", .number = &iterations, .least = 1, .most = 10000000},
      {"work", "steps of an iteration that it does on its own; each takes about a nanosecond", .number = &work,
       .least = 1, .most = 1000000000},
      {"handed", "steps that only one iteration does at a time", .number = &handed, .least = 0, .most = 1000000000},
      {"rounds", "how often the loop is run", .number = &rounds, .least = 1, .most = 1000000},
      {"pin", "keep each thread on one processor", .flag = &pin},
      {"time", "print how long the loops took", .flag = &show_time},
      {0},
  };
  uint64_t begin, expected;

  example_options (argc, argv, "Runs loops of OpenMP, and checks their results.", options);
  warm_up ();
  expected = expected_total ();
  begin = example_now ();
  for (long round = 0; round < rounds; round++)
    {
      total = 0;
      kinds[kind].run ();
      if (total != expected)
        example_fail ("the result is wrong");
    }
  if (show_time)
    example_print_time (begin, example_now ());
  printf ("%s: %ld rounds of %ld iterations\n", "openmp-loops", rounds, iterations);
  return 0;
}
