/* SPDX-License-Identifier: Apache-2.0 */
/* Ping-pongs of many sizes between rank 0 and each of the others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi-workload.h"

enum
{
  SMALLEST = 16, /* bytes, except for empty messages */
  LARGEST = 4 << 20,
  AT_ONCE = 64 << 10, /* bytes to send in a measurement, */
  MOST_ROUNDS = 32,   /* or at most this number of round trips */
  NAP = 200,          /* us */
  TAG_TURN = 1,
  TAG_BALL = 2,
};

/* Sizes go 0, 16, 24, 32, 48, ... */
static int
next_size (int size)
{
  if (size == 0)
    return SMALLEST;
  return (size & (size - 1)) == 0 ? size + size / 2 : size / 3 * 4;
}

static int
count_rounds (int size)
{
  int rounds = size > 0 ? AT_ONCE / size : MOST_ROUNDS;

  return rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds < 1 ? 1 : rounds;
}

static void
mpi_messages_serve (char *buffer, int size, int rounds, int to)
{
  for (int i = 0; i < rounds; i++)
    {
      MPI_Send (buffer, size, MPI_BYTE, to, TAG_BALL, MPI_COMM_WORLD);
      MPI_Recv (buffer, size, MPI_BYTE, to, TAG_BALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void
mpi_messages_answer (char *buffer, int size, int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      MPI_Recv (buffer, size, MPI_BYTE, 0, TAG_BALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send (buffer, size, MPI_BYTE, 0, TAG_BALL, MPI_COMM_WORLD);
    }
}

/* The first pass, and the first rounds of each pass and size, warm up and do not count. */
static void
measure_size (struct lc_log *log, char *buffer, int size, int to, bool counts)
{
  struct lc_series *series = lc_log_message (log, (uint32_t)size, (uint32_t)to);
  int rounds = count_rounds (size);
  uint64_t before;

  series->head.repeat = 2 * (uint32_t)rounds;
  mpi_messages_serve (buffer, size, 1, to);
  before = lc_now ();
  mpi_messages_serve (buffer, size, rounds, to);
  if (counts)
    lc_log_add (series, before, lc_now ());
}

static void
give_turn (int goes_on, int to)
{
  MPI_Send (&goes_on, 1, MPI_INT, to, TAG_TURN, MPI_COMM_WORLD);
}

static bool
mpi_messages_take_turn (void)
{
  int goes_on, is_there = 0;

  while (!is_there)
    {
      MPI_Iprobe (0, TAG_TURN, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
      if (!is_there)
        usleep (NAP);
    }
  MPI_Recv (&goes_on, 1, MPI_INT, 0, TAG_TURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return goes_on != 0;
}

static void
mpi_messages_lead (struct lc_log *log, char *buffer, int ranks)
{
  uint64_t begin = lc_clock_monotonic ();

  for (uint32_t pass = 0; !log->recorded && pass <= log->passes && !lc_enough (log, begin, pass); pass++)
    for (int to = 1; to < ranks; to++)
      {
        give_turn (1, to);
        mpi_messages_serve (buffer, 0, count_rounds (0), to);
        for (int size = 0; size <= LARGEST; size = next_size (size))
          measure_size (log, buffer, size, to, pass > 0);
      }
  for (int to = 1; to < ranks; to++)
    give_turn (0, to);
}

static void
mpi_messages_follow (char *buffer)
{
  while (mpi_messages_take_turn ())
    {
      mpi_messages_answer (buffer, 0, count_rounds (0));
      for (int size = 0; size <= LARGEST; size = next_size (size))
        {
          mpi_messages_answer (buffer, size, 1);
          mpi_messages_answer (buffer, size, count_rounds (size));
        }
    }
}

void
lc_measure_messages (struct lc_log *log, int rank, int ranks)
{
  char *buffer = malloc (LARGEST);

  if (buffer == NULL)
    lc_fail ("malloc", errno);
  memset (buffer, 1, LARGEST);
  if (rank == 0)
    mpi_messages_lead (log, buffer, ranks);
  else
    mpi_messages_follow (buffer);
  free (buffer);
}
