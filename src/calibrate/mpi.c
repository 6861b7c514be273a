/* SPDX-License-Identifier: Apache-2.0 */
/* Sends messages of many sizes, carries out MPI's operations many times, and writes the stamps to a file. */
#include <stdio.h>
#include <string.h>

#include "mpi-workload.h"

enum
{
  PASSES = 60,
  QUICK_PASSES = 20,
  BUDGET = 1500000000, /* ns, for messages and for operations */
  QUICK_BUDGET = 500000000,
  ENOUGH = 12, /* passes */
};

bool
lc_enough (const struct lc_log *log, uint64_t begin, uint32_t done)
{
  return done >= ENOUGH && lc_clock_monotonic () - begin > log->budget;
}

static void
mpi_measure_clock (struct lc_log *log)
{
  struct lc_series *series = lc_log_series (log, "clock", "", LC_STAMPS_CLOCK);

  series->head.batch = LC_BATCH;
  for (unsigned int i = 0; i < LC_BATCH * ENOUGH; i++)
    {
      uint64_t before = lc_now (), after = lc_now ();

      lc_log_add (series, before, after);
    }
}

/* Operations are measured before messages, because messages in flight would disturb them. */
static void
mpi_measure (struct lc_log *log, int rank, int ranks)
{
  uint64_t begin = lc_clock_monotonic ();

  if (rank == 0)
    {
      mpi_measure_clock (log);
      for (uint32_t i = 0; i < log->passes && !lc_enough (log, begin, i); i++)
        lc_measure_operations (log);
    }
  lc_measure_messages (log, rank, ranks);
}

int
main (int argc, char **argv)
{
  static struct lc_log log;
  int rank, ranks;
  bool quick;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  if (argc != 5 || ranks < 2)
    {
      if (rank == 0)
        fprintf (stderr, argc != 5 ? "Usage: FILE tsc|monotonic bare|recorded quick|full\n"
                                   : "lightcone-calibrate-mpi: it takes two ranks of the same MPI at least\n");
      MPI_Abort (MPI_COMM_WORLD, 2);
    }
  lc_clock_is_tsc = strcmp (argv[2], "tsc") == 0;
  log.recorded = strcmp (argv[3], "recorded") == 0;
  quick = strcmp (argv[4], "quick") == 0;
  log.passes = quick ? QUICK_PASSES : PASSES;
  log.budget = quick ? QUICK_BUDGET : BUDGET;
  mpi_measure (&log, rank, ranks);
  if (rank == 0)
    lc_log_write (&log, argv[1]);
  MPI_Finalize ();
  return 0;
}
