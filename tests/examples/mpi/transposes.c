/* SPDX-License-Identifier: Apache-2.0 */
/* Transposes of a matrix whose rows are spread over all ranks, as in codes that do Fourier transforms both ways. */
#include <stdio.h>
#include <stdlib.h>

#include "job.h"

static long size = 128, transposes = 4, work = 20;
static bool blind, show_time;

/* Column by column of what goes to `other`, so that there it can be taken as it comes. */
static void
pack (const double *rows, double *block, long mine, int other)
{
  for (long column = 0; column < mine; column++)
    for (long row = 0; row < mine; row++)
      block[column * mine + row] = rows[row * size + other * mine + column];
}

static void
unpack (double *rows, const double *block, long mine, int other)
{
  for (long row = 0; row < mine; row++)
    for (long column = 0; column < mine; column++)
      rows[row * size + other * mine + column] = block[row * mine + column];
}

/* Everything is sent first, then received: from each partner in turn, or from whoever comes first. */
static void
transpose (double *rows, double *blocks, double *incoming, MPI_Request *requests, int tag)
{
  const long mine = size / job_ranks, length = mine * mine;

  for (int step = 1; step < job_ranks; step++)
    {
      int other = (job_rank + step) % job_ranks;

      pack (rows, blocks + step * length, mine, other);
      MPI_Isend (blocks + step * length, (int)length, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, &requests[step - 1]);
    }
  pack (rows, blocks, mine, job_rank);
  unpack (rows, blocks, mine, job_rank);
  for (int step = 1; step < job_ranks; step++)
    {
      int other = blind ? MPI_ANY_SOURCE : (job_rank + job_ranks - step) % job_ranks;
      MPI_Status status;

      MPI_Recv (incoming, (int)length, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, &status);
      unpack (rows, incoming, mine, status.MPI_SOURCE);
    }
  MPI_Waitall (job_ranks - 1, requests, MPI_STATUSES_IGNORE);
}

static double
value_at (long row, long column)
{
  return (double)(row * size + column);
}

static void
check (const double *rows, bool is_transposed)
{
  const long mine = size / job_ranks;

  for (long row = 0; row < mine; row++)
    for (long column = 0; column < size; column++)
      {
        long whole = job_rank * mine + row;

        if (rows[row * size + column] != (is_transposed ? value_at (column, whole) : value_at (whole, column)))
          job_fail ("the matrix is not what it should be");
      }
}

static void
run (void)
{
  const long mine = size / job_ranks;
  double *rows = example_allocate ((size_t)(mine * size), sizeof *rows);
  double *blocks = example_allocate ((size_t)(mine * size), sizeof *blocks);
  double *incoming = example_allocate ((size_t)(mine * mine), sizeof *incoming);
  MPI_Request *requests = example_allocate ((size_t)job_ranks, sizeof *requests);

  for (long i = 0; i < mine * size; i++)
    rows[i] = value_at (job_rank * mine + i / size, i % size);
  for (long i = 0; i < transposes; i++)
    {
      job_work (work);
      transpose (rows, blocks, incoming, requests, (int)i);
    }
  check (rows, transposes % 2 == 1);
  free (rows);
  free (blocks);
  free (incoming);
  free (requests);
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {.name = "size", .help = "rows and columns, a multiple of the ranks", .number = &size, .least = 1, .most = 8192},
      {.name = "transposes", .help = "how many", .number = &transposes, .least = 1, .most = 100000},
      {.name = "work", .help = "work between them", .number = &work, .least = 0, .most = 1000000},
      {.name = "blind", .help = "receive from whoever comes first", .flag = &blind},
      {.name = "time", .help = "print how long each rank took", .flag = &show_time},
      {NULL},
  };

  job_begin (argc, argv, 1, "Transposes of a matrix whose rows are spread over all ranks.", options);
  if (size % job_ranks != 0)
    job_fail ("--size is no multiple of the ranks");
  run ();
  if (job_rank == 0)
    printf ("%ld transposes of %ld x %ld\n", transposes, size, size);
  job_end (show_time);
  return 0;
}
