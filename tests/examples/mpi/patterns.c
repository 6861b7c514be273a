/* SPDX-License-Identifier: Apache-2.0 */
/* Small shapes of communication: a loop with barriers, a ring, a pipeline, and one who receives from two. */
#include <stdio.h>

#include "job.h"

enum
{
  BARRIER_LOOP,
  RING,
  PIPELINE,
  TWO_RECEIVE,
};

static int shape;
static long rounds = 100, work = 10, skew;
static bool show_time;

/* Rank r works `skew` percent longer for each rank before it. */
static void
work_a_while (void)
{
  job_work (work + work * skew * job_rank / 100);
}

static void
send_number (long number, int to)
{
  MPI_Send (&number, 1, MPI_LONG, to, 0, MPI_COMM_WORLD);
}

static long
receive_number (int from)
{
  long number;

  MPI_Recv (&number, 1, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return number;
}

static void
run_barriers (long round)
{
  work_a_while ();
  MPI_Barrier (MPI_COMM_WORLD);
}

/* A token goes round; who has it works. */
static void
run_ring (long round)
{
  const int next = (job_rank + 1) % job_ranks, before = (job_rank + job_ranks - 1) % job_ranks;

  if (job_rank == 0)
    {
      work_a_while ();
      send_number (round, next);
      if (receive_number (before) != round + job_ranks - 1)
        job_fail ("the token has a wrong number");
      return;
    }
  long token = receive_number (before);

  work_a_while ();
  send_number (token + 1, next);
}

/* The first rank makes pieces, each of the others works on them and hands them on. */
static void
run_pipeline (long round)
{
  long piece = round;

  if (job_rank > 0)
    piece = receive_number (job_rank - 1);
  work_a_while ();
  if (job_rank < job_ranks - 1)
    send_number (piece + 1, job_rank + 1);
  else if (piece != round + job_ranks - 1)
    job_fail ("a piece has a wrong number");
}

/* Rank 1 receives from rank 0, then from rank 2; the others have nothing to do. */
static void
run_two_receive (long round)
{
  if (job_rank > 2)
    return;
  work_a_while ();
  if (job_rank != 1)
    send_number (round, 1);
  else if (receive_number (0) != round || receive_number (2) != round)
    job_fail ("a message has a wrong number");
}

int
main (int argc, char **argv)
{
  static void (*const runs[]) (long) = {run_barriers, run_ring, run_pipeline, run_two_receive};
  static const struct example_option options[] = {
      {.name = "shape", .help = "what to do", .choice = &shape, .words = "barrier-loop|ring|pipeline|two-receive"},
      {.name = "rounds", .help = "how often", .number = &rounds, .least = 1, .most = 100000000},
      {.name = "work", .help = "work in each round", .number = &work, .least = 0, .most = 1000000},
      {.name = "skew",
       .help = "percent that each rank works longer than the one before",
       .number = &skew,
       .most = 1000},
      {.name = "time", .help = "print how long each rank took", .flag = &show_time},
      {NULL},
  };

  job_begin (argc, argv, 2, "Small shapes of communication.", options);
  if (shape == TWO_RECEIVE && job_ranks < 3)
    job_fail ("--shape two-receive needs three ranks");
  for (long round = 0; round < rounds; round++)
    runs[shape](round);
  if (job_rank == 0)
    printf ("%ld rounds\n", rounds);
  job_end (show_time);
  return 0;
}
