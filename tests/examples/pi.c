/* SPDX-License-Identifier: Apache-2.0 */
/* Pi by throwing darts: a master hands out batches to whichever worker is free, in messages over two channels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"
#include "lightcone/record.h"

/* A batch to throw, and the same with its hits as the answer; number -1: there are no more. */
struct batch
{
  int64_t number;
  int64_t hits;
};

static long workers = 3, batches = 64, darts = 10000;
static bool rendezvous, show_time;
static struct lc_channel work, answers;

/* Every batch has random numbers of its own: its hits are the same whoever throws it, and whenever. */
static double
random_value (uint64_t *state)
{
  uint64_t bits = *state += UINT64_C (0x9E3779B97F4A7C15);

  bits = (bits ^ bits >> 30) * UINT64_C (0xBF58476D1CE4E5B9);
  bits = (bits ^ bits >> 27) * UINT64_C (0x94D049BB133111EB);
  return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

static int64_t
throw_darts (int64_t number)
{
  uint64_t state = (uint64_t)number * UINT64_C (0xD1342543DE82EF95);
  int64_t hits = 0;

  for (long i = 0; i < darts; i++)
    {
      double x = random_value (&state), y = random_value (&state);

      hits += x * x + y * y < 1;
    }
  return hits;
}

static void *
run_worker (void *argument)
{
  struct batch batch;
  char name[40];

  snprintf (name, sizeof name, "worker %ld", (long)(intptr_t)argument + 1);
  lc_name_process (name);
  while (lc_receive (&work, &batch), batch.number >= 0)
    {
      batch.hits = throw_darts (batch.number);
      lc_send (&answers, &batch, sizeof batch);
    }
  return NULL;
}

static void
hand_out (int64_t number)
{
  struct batch batch = {.number = number};

  if (rendezvous)
    lc_send_rendezvous (&work, &batch, sizeof batch);
  else
    lc_send (&work, &batch, sizeof batch);
}

/* Every worker has one batch at a time: each answer is followed by the next batch, or by the end. */
static int64_t
run_master (void)
{
  unsigned char *answered = example_allocate ((size_t)batches, 1);
  int64_t hits = 0, next = 0;

  for (long i = 0; i < workers && next < batches; i++)
    hand_out (next++);
  for (long i = 0; i < batches; i++)
    {
      struct batch batch;

      lc_receive (&answers, &batch);
      if (answered[batch.number]++)
        example_fail ("batch %ld was answered twice", (long)batch.number);
      hits += batch.hits;
      if (next < batches)
        hand_out (next++);
    }
  for (long i = 0; i < workers; i++)
    hand_out (-1);
  free (answered);
  return hits;
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {"workers", "how many processes throw (3)", .number = &workers, .least = 1, .most = 2000},
      {"batches", "how many batches they share (64)", .number = &batches, .least = 1, .most = 10000000},
      {"darts", "how many darts are a batch (10000)", .number = &darts, .least = 1, .most = 100000000},
      {"rendezvous", "the master waits until a worker takes the batch", .flag = &rendezvous},
      {"time", "print how long it took", .flag = &show_time},
      {NULL}};
  pthread_t *threads;
  uint64_t begin, end;
  double pi, thrown;

  example_options (argc, argv, "Monte-Carlo pi with a master and workers.", options);
  threads = example_allocate ((size_t)workers, sizeof *threads);
  if (lc_channel_init (&work, "work", (uint32_t)workers, sizeof (struct batch)) ||
      lc_channel_init (&answers, "answers", (uint32_t)workers, sizeof (struct batch)))
    example_fail ("out of memory");
  lc_name_process ("master");

  begin = example_now ();
  for (long i = 0; i < workers; i++)
    example_start (&threads[i], run_worker, (void *)(intptr_t)i);
  thrown = (double)batches * (double)darts;
  pi = 4 * (double)run_master () / thrown;
  for (long i = 0; i < workers; i++)
    pthread_join (threads[i], NULL);
  end = example_now ();

  /* A hit has the variance of a coin; pi is then known to about 1.65 / sqrt (thrown). */
  if (fabs (pi - M_PI) > 6 * 1.65 / sqrt (thrown))
    example_fail ("pi is not %.6f", pi);
  if (show_time)
    example_print_time (begin, end);
  printf ("pi: %.6f from %.0f darts\n", pi, thrown);

  lc_channel_destroy (&work);
  lc_channel_destroy (&answers);
  free (threads);
  return 0;
}
