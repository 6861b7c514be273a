/* SPDX-License-Identifier: Apache-2.0 */
/* Fits the time of a message by its bytes and hops to messages of many sizes. */
#include "message-fit.h"

#include <math.h>

#include "analysis/fit.h"
#include "spread.h"

enum
{
  ROUNDS = 12,
  FEWEST_SIZES = 4, /* on each side of the break */
};

/* Samples further from the line than this share of themselves count less. */
#define NEAR 0.1

/* A break is worth it if the loss with it is less than this share of the loss without it. */
#define WORTH_IT 0.8

typedef struct
{
  const LcMessageSample *samples;
  guint n;
} Range;

double
lc_message_line_at (const LcMessageLine *line, guint32 bytes, guint32 hops)
{
  return line->startup + bytes * line->per_byte + hops * line->per_hop;
}

static double
error_at (const LcMessageLine *line, const LcMessageSample *sample)
{
  return fabs (lc_message_line_at (line, sample->bytes, sample->hops) / sample->ns - 1);
}

/* Huber's loss: squares near the line, but only distances far from it. */
static double
loss_of (const LcMessageLine *line, Range range)
{
  double loss = 0;

  for (guint i = 0; i < range.n; i++)
    {
      double error = error_at (line, &range.samples[i]);

      loss += error <= NEAR ? error * error : NEAR * (2 * error - NEAR);
    }
  return loss;
}

/* Each round takes its weights from the line of the round before. */
static LcMessageLine
fit_line (Range range)
{
  LcMessageLine line = {0};

  for (guint round = 0; round < ROUNDS; round++)
    {
      double coefficients[LC_FIT_COLUMNS];
      LcFit fit = {0};

      for (guint i = 0; i < range.n; i++)
        {
          const LcMessageSample *sample = &range.samples[i];
          double error = round > 0 ? error_at (&line, sample) : 0;
          double weight = error > NEAR ? NEAR / error : 1;

          lc_fit_add_weighted (&fit, weight / (sample->ns * sample->ns), sample->bytes, sample->hops, sample->ns);
        }
      if (!lc_fit_solve (&fit, coefficients))
        break;
      line = (LcMessageLine){coefficients[0], coefficients[1], coefficients[2]};
    }
  return line;
}

static gint
compare_bytes (gconstpointer a, gconstpointer b)
{
  const LcMessageSample *x = a, *y = b;

  return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static guint
count_sizes (Range range)
{
  guint n = range.n > 0;

  for (guint i = 1; i < range.n; i++)
    n += range.samples[i].bytes != range.samples[i - 1].bytes;
  return n;
}

static double
middle_error (const LcMessageFit *fit, Range all)
{
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < all.n; i++)
    {
      const LcMessageSample *sample = &all.samples[i];
      double error = error_at (sample->bytes < fit->short_below ? &fit->of_short : &fit->of_long, sample);

      g_array_append_val (errors, error);
    }
  return lc_spread_of (errors).median;
}

LcMessageFit
lc_message_fit (GArray *samples)
{
  LcMessageFit best = {0};
  Range all;
  double least;

  g_array_sort (samples, compare_bytes);
  all = (Range){(const LcMessageSample *)(const void *)samples->data, samples->len};
  best.of_short = best.of_long = fit_line (all);
  least = WORTH_IT * loss_of (&best.of_long, all);
  for (guint i = 1; i < all.n; i++)
    {
      const Range below = {all.samples, i}, above = {all.samples + i, all.n - i};
      LcMessageLine of_short, of_long;
      double loss;

      if (all.samples[i].bytes == all.samples[i - 1].bytes || count_sizes (below) < FEWEST_SIZES ||
          count_sizes (above) < FEWEST_SIZES)
        continue;
      of_short = fit_line (below);
      of_long = fit_line (above);
      loss = loss_of (&of_short, below) + loss_of (&of_long, above);
      if (loss >= least)
        continue;
      least = loss;
      best = (LcMessageFit){.short_below = all.samples[i].bytes, .of_short = of_short, .of_long = of_long};
    }
  best.error = middle_error (&best, all);
  return best;
}
