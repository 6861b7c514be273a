/* SPDX-License-Identifier: Apache-2.0 */
/* Instrumented functions that are called very often, in all the ways in which a call can be told wrong. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"

#define PLAIN __attribute__ ((no_instrument_function))
#define FUNCTION __attribute__ ((noinline))

enum
{
  ROUNDS = 200,
  CALLS = 2000, /* in each */
  LEVELS = 3000,
};

static volatile uint64_t state = 1;
static jmp_buf back;

/* --- Two bodies that differ much, with and without instrumentation ------------------------------------------ */

__attribute__ ((always_inline)) PLAIN static inline void
little (void)
{
  state = state + 1;
}

__attribute__ ((always_inline)) PLAIN static inline void
much (void)
{
  uint64_t value = state;

  for (int i = 0; i < 100; i++)
    value = value * UINT64_C (0x9E3779B97F4A7C15) + (value >> 60 > 7 ? 1 : 3);
  state = value;
}

FUNCTION static void
light (void)
{
  little ();
}

FUNCTION static void
heavy (void)
{
  much ();
}

FUNCTION PLAIN static void
plain_light (void)
{
  little ();
}

FUNCTION PLAIN static void
plain_heavy (void)
{
  much ();
}

FUNCTION PLAIN static void
call_light (void)
{
  for (int i = 0; i < CALLS; i++)
    light ();
}

FUNCTION PLAIN static void
call_plain_light (void)
{
  for (int i = 0; i < CALLS; i++)
    plain_light ();
}

FUNCTION PLAIN static void
call_heavy (void)
{
  for (int i = 0; i < CALLS; i++)
    heavy ();
}

FUNCTION PLAIN static void
call_plain_heavy (void)
{
  for (int i = 0; i < CALLS; i++)
    plain_heavy ();
}

PLAIN static double
time_of (void (*function) (void))
{
  double begin = MPI_Wtime ();

  function ();
  return MPI_Wtime () - begin;
}

PLAIN static int
compare (const void *first, const void *second)
{
  double a = *(const double *)first, b = *(const double *)second;

  return (a > b) - (a < b);
}

/* What measuring a call takes, ns: medians, for the machine may do something else now and then. */
PLAIN static double
cost_of (void (*measured) (void), void (*bare) (void))
{
  static double with[ROUNDS], without[ROUNDS];

  for (int i = 0; i < ROUNDS; i++)
    {
      with[i] = time_of (measured);
      without[i] = time_of (bare);
    }
  qsort (with, ROUNDS, sizeof *with, compare);
  qsort (without, ROUNDS, sizeof *without, compare);
  return (with[ROUNDS / 2] - without[ROUNDS / 2]) / CALLS * 1e9;
}

PLAIN static void
write_costs (const char *folder)
{
  char path[4096];
  FILE *file;

  snprintf (path, sizeof path, "%s/costs.json", folder);
  file = fopen (path, "w");
  CHECK (file != NULL);
  fprintf (file, "{\"light\": %.1f, ", cost_of (call_light, call_plain_light));
  fprintf (file, "\"heavy\": %.1f}\n", cost_of (call_heavy, call_plain_heavy));
  fclose (file);
}

/* --- Calls that are not alike ------------------------------------------------------------------------------- */

FUNCTION static void
inner (void)
{
  little ();
}

/* Calls nothing, until it does. */
FUNCTION static void
changes (int number)
{
  if (number > 150000 && number % 3 == 0)
    inner ();
  little ();
}

/* Calls nothing, until it calls itself. */
FUNCTION static void
nests (int levels)
{
  little ();
  if (levels > 0)
    nests (levels - 1);
}

/* Returns, until it does not. */
FUNCTION static void
jumps (int number)
{
  little ();
  if (number > 150000 && number % 1000 == 0)
    longjmp (back, 1);
}

FUNCTION static void
call_unlike (void)
{
  for (int i = 1; i <= 200000; i++)
    changes (i);
  for (int i = 0; i < 150000; i++)
    nests (0);
  for (int i = 0; i < 1000; i++)
    nests (10);
}

FUNCTION static void
call_jumping (void)
{
  static int number;

  setjmp (back);
  while (number < 200000)
    jumps (++number);
}

/* Level 2 lands where level 0 leaps to; level 3 goes on as ever. */
FUNCTION static void
lands (void)
{
  little ();
}

FUNCTION static void
goes_on (void)
{
  little ();
}

FUNCTION static void
leaps (int level)
{
  if (level == 0)
    longjmp (back, 1);
  if (level == 2 && setjmp (back) != 0)
    {
      lands ();
      return;
    }
  leaps (level - 1);
  goes_on ();
}

/* --- Messages from deep below, and of all kinds that fit together ------------------------------------------- */

FUNCTION static int
deep (int levels)
{
  int number = rank, came = -1, sum;

  if (levels > 0)
    return deep (levels - 1) + (state == 0);
  DO (MPI_Sendrecv (&number, 1, MPI_INT, (rank + 1) % ranks, 1, &came, 1, MPI_INT, (rank + ranks - 1) % ranks, 1,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DO (MPI_Allreduce (&came, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK (sum == ranks * (ranks - 1) / 2);
  return came;
}

#if MPI_VERSION >= 4
FUNCTION static void
exchange (void)
{
  int numbers[2] = {rank, -rank}, came[2] = {-1, -1}, other = rank ^ 1, count;
  MPI_Request request;
  MPI_Status status;

  if (rank % 2 == 0)
    {
      DO (MPI_Isendrecv (numbers, 2, MPI_INT, other, 2, came, 2, MPI_INT, other, 3, MPI_COMM_WORLD, &request));
      DO (MPI_Wait (&request, &status));
      DO (MPI_Send_c (numbers, 2, MPI_INT, other, 4, MPI_COMM_WORLD));
    }
  else
    {
      DO (MPI_Recv (came, 2, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      DO (MPI_Send (numbers, 2, MPI_INT, other, 3, MPI_COMM_WORLD));
      DO (MPI_Recv (came, 2, MPI_INT, other, 4, MPI_COMM_WORLD, &status));
    }
  DO (MPI_Get_count (&status, MPI_INT, &count));
  result ("%d %d, %d", came[0], came[1], count);
  if (rank % 2 == 0)
    DO (MPI_Isendrecv_replace (numbers, 2, MPI_INT, other, 5, other, 6, MPI_COMM_WORLD, &request));
  else
    DO (MPI_Isend (numbers, 2, MPI_INT, other, 6, MPI_COMM_WORLD, &request));
  if (rank % 2 == 1)
    DO (MPI_Recv_c (came, 2, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  result ("%d %d", rank % 2 == 0 ? numbers[0] : came[0], rank % 2 == 0 ? numbers[1] : came[1]);
  if (rank == 0)
    DO (MPI_Bcast_c (numbers, 2, MPI_INT, 0, MPI_COMM_WORLD));
  else
    DO (MPI_Bcast (numbers, 2, MPI_INT, 0, MPI_COMM_WORLD));
  result ("%d %d", numbers[0], numbers[1]);
}
#endif

PLAIN int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  result ("%d", deep (LEVELS));
#if MPI_VERSION >= 4
  exchange ();
#endif
  if (rank == 0)
    {
      call_unlike ();
      call_jumping ();
      for (int i = 0; i < 10; i++)
        leaps (3);
      write_costs (argv[1]);
    }
  return test_end ();
}
