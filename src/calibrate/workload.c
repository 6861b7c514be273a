/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out every operation that can be recorded many times, with a stamp before and after each. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

enum
{
  PASSES = 80, /* batches of each operation */
  ROUNDS = 300,
  QUICK_PASSES = 20,
  QUICK_ROUNDS = 60,
  ENOUGH = 15,        /* passes or rounds */
  BUDGET = 500000000, /* ns */
  QUICK_BUDGET = 150000000,
};

static cpu_set_t allowed;

void
lc_pin (const struct lc_log *log, unsigned int n)
{
  cpu_set_t one;

  if (log->cpus < 2)
    return;
  CPU_ZERO (&one);
  for (unsigned int cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &allowed) && seen++ == n % log->cpus)
      CPU_SET (cpu, &one);
  pthread_setaffinity_np (pthread_self (), sizeof one, &one);
}

void
lc_relax (const struct lc_log *log)
{
  if (log->cpus < 2)
    sched_yield ();
#if defined(__x86_64__)
  else
    __builtin_ia32_pause ();
#endif
}

void
lc_pause (const struct lc_log *log, uint64_t ns)
{
  uint64_t until = lc_clock_monotonic () + ns;

  while (lc_clock_monotonic () < until)
    lc_relax (log);
}

bool
lc_enough (const struct lc_log *log, uint64_t begin, uint32_t done)
{
  return done >= ENOUGH && lc_clock_monotonic () - begin > log->budget;
}

uint64_t
lc_now_in_function (void)
{
  return lc_now ();
}

static void
workload_measure_clock (struct lc_log *log)
{
  struct lc_series *series = lc_log_series (log, "clock", "", LC_STAMPS_CLOCK);

  series->head.batch = LC_BATCH;
  for (unsigned int i = 0; i < LC_WARM_UP + LC_BATCH; i++)
    {
      uint64_t before = lc_now (), after = lc_now ();

      if (i >= LC_WARM_UP)
        lc_log_add (series, before, after);
    }
}

/* A second thread that only waits: in single-threaded programs the C library omits atomic operations, but programs to
 * record have several threads. */
static void *
stand_by (void *data)
{
  pthread_barrier_wait (data);
  return NULL;
}

static void
workload_measure (struct lc_log *log)
{
  uint64_t begin = lc_clock_monotonic ();
  pthread_barrier_t end;
  pthread_t thread;
  int error = pthread_barrier_init (&end, NULL, 2);

  if (error == 0)
    error = pthread_create (&thread, NULL, stand_by, &end);
  if (error != 0)
    lc_fail ("pthread_create", error);
  log->threads++;
  lc_load_openmp ();
  lc_pin (log, 0);
  /* Operations are measured in turns, so that a disturbance affects all of them a little and none of them much. */
  for (uint32_t i = 0; i < log->passes && !lc_enough (log, begin, i); i++)
    {
      workload_measure_clock (log);
      if (log->trapped)
        {
          lc_measure_trapped (log);
          continue;
        }
      lc_measure_pthread (log);
      lc_measure_library (log);
      lc_measure_files (log);
      lc_measure_futexes (log);
      if (!log->recorded)
        lc_measure_trapped (log);
      lc_measure_openmp (log);
    }
  if (!log->recorded)
    {
      lc_measure_waiting (log);
      lc_measure_barriers (log);
      lc_measure_openmp_waiting (log);
    }
  if (log->cpus > 1)
    pthread_setaffinity_np (pthread_self (), sizeof allowed, &allowed);
  if (!log->trapped)
    lc_measure_threads (log);
  pthread_barrier_wait (&end);
  pthread_join (thread, NULL);
}

int
main (int argc, char **argv)
{
  static struct lc_log log;
  bool quick;

  if (argc != 5)
    {
      fprintf (stderr, "Usage: lightcone-calibrate-workload FILE tsc|monotonic bare|recorded|trapped quick|full\n");
      return 2;
    }
  lc_clock_is_tsc = strcmp (argv[2], "tsc") == 0;
  log.trapped = strcmp (argv[3], "trapped") == 0;
  log.recorded = log.trapped || strcmp (argv[3], "recorded") == 0;
  quick = strcmp (argv[4], "quick") == 0;
  log.passes = quick ? QUICK_PASSES : PASSES;
  log.rounds = quick ? QUICK_ROUNDS : ROUNDS;
  log.budget = quick ? QUICK_BUDGET : BUDGET;
  /* The call fails on machines with more processors than a cpu_set_t can hold. */
  log.cpus = sched_getaffinity (0, sizeof allowed, &allowed) == 0 ? (uint32_t)CPU_COUNT (&allowed) : 1;
  workload_measure (&log);
  lc_log_write (&log, argv[1]);
  return 0;
}
