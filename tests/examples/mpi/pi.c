/* SPDX-License-Identifier: Apache-2.0 */
/* Pi as the area under 4 / (1 + x * x): a master hands out packets of random points to the workers that ask for them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "job.h"

enum
{
  TAG_REQUEST, /* from a worker: how many points of its last packet were below the curve; NOTHING: the first one */
  TAG_POINTS,  /* to a worker: x and y in turns; no points: there is no more to do */
  NOTHING = -1,
};

static long packets = 200, points = 2000, rounds;
static bool show_time;

/* Where functions are instrumented, this one is not: in a profile of this program what costs most is at the workers. */
__attribute__ ((no_instrument_function)) static double
random_value (uint64_t *state)
{
  uint64_t bits = *state += UINT64_C (0x9E3779B97F4A7C15);

  bits = (bits ^ bits >> 30) * UINT64_C (0xBF58476D1CE4E5B9);
  bits = (bits ^ bits >> 27) * UINT64_C (0x94D049BB133111EB);
  return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

static void
fill_packet (double *packet, long number)
{
  uint64_t state = (uint64_t)number * UINT64_C (0xD1342543DE82EF95);

  for (long i = 0; i < points; i++)
    {
      packet[2 * i] = random_value (&state);
      packet[2 * i + 1] = 4 * random_value (&state);
    }
}

/* 1 / d for d from 1 to 2, as processors do that cannot divide: from a straight line on, by Newton's method. */
__attribute__ ((no_instrument_function)) static double
invert (double d)
{
  double inverse = 1.457 - 0.5 * d;

  for (long i = 0; i < rounds; i++)
    inverse *= 2 - d * inverse;
  return inverse;
}

/* Called for each point: with instrumented functions, this is where the measurement takes its time. */
__attribute__ ((noinline)) static bool
is_below (double x, double y)
{
  double d = 1 + x * x;

  return y < 4 * (rounds > 0 ? invert (d) : 1 / d);
}

static long
count_below (const double *packet, long length)
{
  long below = 0;

  for (long i = 0; i < length; i++)
    below += is_below (packet[2 * i], packet[2 * i + 1]);
  return below;
}

static void
run_worker (void)
{
  double *packet = example_allocate ((size_t)points * 2, sizeof *packet);
  long below = NOTHING;
  MPI_Status status;
  int length;

  for (;;)
    {
      MPI_Send (&below, 1, MPI_LONG, 0, TAG_REQUEST, MPI_COMM_WORLD);
      MPI_Recv (packet, (int)points * 2, MPI_DOUBLE, 0, TAG_POINTS, MPI_COMM_WORLD, &status);
      MPI_Get_count (&status, MPI_DOUBLE, &length);
      if (length == 0)
        break;
      below = count_below (packet, length / 2);
    }
  free (packet);
}

/* Whoever asks gets the next packet; a worker is done when it asks and there is none. */
static void
run_master (void)
{
  double *packet = example_allocate ((size_t)points * 2, sizeof *packet), pi;
  long next = 0, below, sum = 0;
  MPI_Status status;

  for (int left = job_ranks - 1; left > 0;)
    {
      MPI_Recv (&below, 1, MPI_LONG, MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, &status);
      sum += below != NOTHING ? below : 0;
      if (next < packets)
        {
          fill_packet (packet, next++);
          MPI_Send (packet, (int)points * 2, MPI_DOUBLE, status.MPI_SOURCE, TAG_POINTS, MPI_COMM_WORLD);
        }
      else
        {
          MPI_Send (NULL, 0, MPI_DOUBLE, status.MPI_SOURCE, TAG_POINTS, MPI_COMM_WORLD);
          left--;
        }
    }
  free (packet);
  pi = 4.0 * (double)sum / ((double)packets * (double)points);
  printf ("pi: %.6f\n", pi);
  /* Five standard deviations of the mean. */
  if (fabs (pi - M_PI) > 5 * 2.3 / sqrt ((double)packets * (double)points))
    job_fail ("that is not pi");
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {.name = "packets", .help = "packets to hand out", .number = &packets, .least = 1, .most = 10000000},
      {.name = "points", .help = "points in a packet", .number = &points, .least = 1, .most = 1000000},
      {.name = "rounds",
       .help = "divide by Newton's method in so many rounds, 4 of which are enough, for points to take longer",
       .number = &rounds,
       .least = 0,
       .most = 10000},
      {.name = "time", .help = "print how long each rank took", .flag = &show_time},
      {NULL},
  };

  job_begin (argc, argv, 2, "Pi by random points: rank 0 is the master, all others are workers.", options);
  if (job_rank == 0)
    run_master ();
  else
    run_worker ();
  job_end (show_time);
  return 0;
}
