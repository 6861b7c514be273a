/* SPDX-License-Identifier: Apache-2.0 */
/* Livermore kernels as DOACROSS loops: iterations run in parallel, but for a part that goes in their order. */
#include "livermore.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"

enum instrument
{
  NONE,
  SYNC,
  FULL
};

enum schedule
{
  CYCLIC,
  SELF
};

static long repeats = 10, processes = 2, strip = 16;
static int instrument = SYNC, schedule;
static bool pin, show_time;

static const struct livermore_kernel *kernel;
static struct lc_barrier begin_of_loop, end_of_loop;
static pthread_mutex_t next_lock = PTHREAD_MUTEX_INITIALIZER;
static long next_iteration;
static double *results;
static uint64_t begin, end;

static long
iterations (void)
{
  return (kernel->elements () + strip - 1) / strip;
}

/* The iteration of a process after `i`; -1 stands before its first. */
static long
iteration_after (long i, long process)
{
  if (schedule == CYCLIC)
    return i < 0 ? process : i + processes;

  pthread_mutex_lock (&next_lock);
  i = next_iteration++;
  pthread_mutex_unlock (&next_lock);
  return i;
}

static void
run_loop (long process)
{
  long count = iterations (), elements = kernel->elements ();

  if (instrument != NONE)
    lc_enter (kernel->name);
  for (long i = iteration_after (-1, process); i < count; i = iteration_after (i, process))
    kernel->iterate (i, i * strip, (i + 1) * strip < elements ? (i + 1) * strip : elements);
  if (instrument != NONE)
    lc_leave (kernel->name);
}

static void
prepare_loop (long loop)
{
  kernel->prepare (loop);
  next_iteration = 0;
  lc_advance (&livermore_order, 0);
}

/* What one process does while the others wait for the next loop to begin. */
static void
between_loops (long repeat, long loop)
{
  results[repeat] = kernel->finish (loop);
  lc_sync_reset (&livermore_order);
  prepare_loop ((loop + 1) % kernel->loops);
}

static void *
run_process (void *argument)
{
  long process = (long)(intptr_t)argument;
  char name[40];

  snprintf (name, sizeof name, "process %ld", process);
  lc_name_process (name);
  if (pin)
    example_pin (process);
  lc_barrier_wait (&begin_of_loop);
  if (process == 0)
    begin = example_now ();
  for (long repeat = 0; repeat < repeats; repeat++)
    for (long loop = 0; loop < kernel->loops; loop++)
      {
        run_loop (process);
        if (lc_barrier_wait (&end_of_loop))
          between_loops (repeat, loop);
        lc_barrier_wait (&begin_of_loop);
      }
  if (process == 0)
    end = example_now ();
  return NULL;
}

static void
run_processes (void)
{
  pthread_t *threads = example_allocate ((size_t)processes, sizeof *threads);

  prepare_loop (0);
  for (long process = 1; process < processes; process++)
    example_start (&threads[process], run_process, (void *)(intptr_t)process);
  run_process (NULL);
  for (long process = 1; process < processes; process++)
    pthread_join (threads[process], NULL);
  free (threads);
}

/* The order of the critical sections is that of the iterations: every repeat gives the same bits. */
static void
check_results (void)
{
  double expected = kernel->compute_in_sequence ();

  for (long repeat = 0; repeat < repeats; repeat++)
    if (results[repeat] != results[0])
      example_fail ("repeat %ld gave %.17g, the first %.17g", repeat, results[repeat], results[0]);
  if (!(fabs (results[0] - expected) <= 1e-9 * fabs (expected)))
    example_fail ("the result is %.17g, not %.17g", results[0], expected);
}

int
main (int argc, char **argv)
{
  static int which;
  static const struct example_option options[] = {
      {"loop", "which kernel (3)", .choice = &which, .words = "3|4|17"},
      {"processes", "how many share the iterations (2)", .number = &processes, .least = 1, .most = 4000},
      {"length", "elements of the arrays (1001)", .number = &livermore_length, .least = 16, .most = 10000000},
      {"repeat", "how often the kernel is run (10)", .number = &repeats, .least = 1, .most = 1000000},
      {"strip", "elements of an iteration (16)", .number = &strip, .least = 1, .most = 1000000},
      {"grain", "the independent part takes about so many times as long (1)", .number = &livermore_grain, .least = 1,
       .most = 1000000},
      {"instrument", "none: no marks; sync: a region for each loop; full: also a tag after each statement (sync)",
       .choice = &instrument, .words = "none|sync|full"},
      {"schedule", "iteration i is run by process i mod p, or by the next one that asks (cyclic)", .choice = &schedule,
       .words = "cyclic|self"},
      {"pin", "process i stays on processor i mod those that there are", .flag = &pin},
      {"time", "print how long the loops took", .flag = &show_time},
      {NULL}};

  example_options (argc, argv, "Livermore kernels 3, 4 and 17 as DOACROSS loops with advance and await.", options);
  kernel = &livermore_kernels[which];
  if (kernel->number == 17 && strip > LIVERMORE_MAX_STRIP)
    example_fail ("--strip takes at most %d with kernel 17", LIVERMORE_MAX_STRIP);
  livermore_every_statement = instrument == FULL;
  livermore_allocate ();
  results = example_allocate ((size_t)repeats, sizeof *results);
  if (lc_sync_init (&livermore_order, "order", 0, (uint64_t)iterations () + 1) ||
      lc_barrier_init (&begin_of_loop, "begin of loop", (uint32_t)processes) ||
      lc_barrier_init (&end_of_loop, "end of loop", (uint32_t)processes))
    example_fail ("out of memory");

  run_processes ();
  check_results ();
  if (show_time)
    example_print_time (begin, end);
  printf ("livermore %ld, %s: %.15g\n", kernel->number, kernel->name, results[0]);

  lc_sync_destroy (&livermore_order);
  lc_barrier_destroy (&begin_of_loop);
  lc_barrier_destroy (&end_of_loop);
  livermore_free ();
  free (results);
  return 0;
}
