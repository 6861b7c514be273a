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

static long packets = 200, points = 2000, copies = 1;
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

/* How many of a point and its copies are below the curve: they are as far above each other as fits between 0 and 4, and
   go on from 0 above that. Called for each point: with instrumented functions, this is where the measurement takes its
   time. */
__attribute__ ((noinline)) static long
copies_below (double x, double y)
{
  double curve = 4 / (1 + x * x), step = 4.0 / (double)copies;
  long below = 0;

  for (long i = 0; i < copies; i++)
    {
      double higher = y + (double)i * step;

      below += (higher >= 4 ? higher - 4 : higher) < curve;
    }
  return below;
}

static long
count_below (const double *packet, long length)
{
  long below = 0;

  for (long i = 0; i < length; i++)
    below += copies_below (packet[2 * i], packet[2 * i + 1]);
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
  double all = (double)packets * (double)points;
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
  pi = 4.0 * (double)sum / (all * (double)copies);
  printf ("pi: %.6f\n", pi);
  /* Five standard deviations of the mean. */
  if (fabs (pi - M_PI) > 5 * 2.3 / sqrt (all))
    job_fail ("that is not pi");
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {.name = "packets", .help = "packets to hand out", .number = &packets, .least = 1, .most = 10000000},
      {.name = "points", .help = "points in a packet", .number = &points, .least = 1, .most = 1000000},
      {.name = "copies",
       .help = "a worker makes so many of each point, one above the other, which takes time and comes closer to pi",
       .number = &copies,
       .least = 1,
       .most = 100000},
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
