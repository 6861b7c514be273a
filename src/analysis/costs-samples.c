/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps samples of one cost in bounded memory. */
#include "costs-samples.h"

#include <stdlib.h>
#include <string.h>

void
lc_samples_clear (LcSamples *samples)
{
  g_clear_pointer (&samples->kept, g_free);
}

/* Keeps all samples up to a number, then every second, every fourth and so on. No randomness: the same samples always
 * give the same median. */
static void
costs_samples_keep (LcSamples *samples, double value)
{
  if (samples->kept == NULL)
    {
      samples->kept = g_new (double, LC_SAMPLES_KEPT);
      samples->stride = 1;
    }
  if (samples->n % samples->stride != 0)
    return;
  if (samples->n_kept == LC_SAMPLES_KEPT)
    {
      for (guint i = 0; i < LC_SAMPLES_KEPT / 2; i++)
        samples->kept[i] = samples->kept[2 * i];
      samples->n_kept /= 2;
      samples->stride *= 2;
    }
  samples->kept[samples->n_kept++] = value;
}

void
lc_samples_add (LcSamples *samples, double value)
{
  costs_samples_keep (samples, value);
  samples->least = samples->n > 0 ? MIN (samples->least, value) : value;
  samples->most = samples->n > 0 ? MAX (samples->most, value) : value;
  samples->n++;
}

static int
costs_samples_compare (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

double
lc_samples_get_quantile (const LcSamples *samples, double share)
{
  g_autofree double *sorted = g_memdup2 (samples->kept, samples->n_kept * sizeof (double));
  const double place = share * (samples->n_kept - 1);
  const guint below = (guint)place;

  if (samples->n_kept == 0)
    return 0;
  qsort (sorted, samples->n_kept, sizeof *sorted, costs_samples_compare);
  if (below + 1 >= samples->n_kept)
    return sorted[samples->n_kept - 1];
  return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

double
lc_samples_get_median (const LcSamples *samples)
{
  return lc_samples_get_quantile (samples, 0.5);
}

void
lc_samples_describe (const LcSamples *samples, double value, const char *how, LcCost *cost)
{
  *cost = (LcCost){.value = value,
                   .source = LC_COST_ESTIMATED,
                   .how = how,
                   .samples = samples->n,
                   .least = samples->least,
                   .low = lc_samples_get_quantile (samples, 0.25),
                   .high = lc_samples_get_quantile (samples, 0.75),
                   .median = lc_samples_get_median (samples),
                   .most = samples->most};
}
