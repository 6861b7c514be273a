/* SPDX-License-Identifier: Apache-2.0 */
/* The median and the quartiles of many measurements. */
#include "spread.h"

#include <math.h>

#define CONFIDENCE 0.95

static gint
spread_compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Interpolates between the two nearest values. */
static double
spread_quantile (const GArray *sorted, double share)
{
  double place = share * (sorted->len - 1);
  guint below = (guint)place, above = MIN (below + 1, sorted->len - 1);
  double low = g_array_index (sorted, double, below), high = g_array_index (sorted, double, above);

  return low + (place - below) * (high - low);
}

LcSpread
lc_spread_of (GArray *values)
{
  LcSpread spread = {.count = values->len};

  if (values->len == 0)
    return spread;
  g_array_sort (values, spread_compare);
  spread.low = spread_quantile (values, 0.25);
  spread.median = spread_quantile (values, 0.5);
  spread.high = spread_quantile (values, 0.75);
  return spread;
}

LcSpread
lc_spread_less (LcSpread spread, double ns)
{
  spread.low = MAX (0, spread.low - ns);
  spread.median = MAX (0, spread.median - ns);
  spread.high = MAX (0, spread.high - ns);
  return spread;
}

/* The median lies below the k-th of n sorted measurements with the probability that fewer than k of n tossed coins show
 * heads. */
double
lc_spread_interval (GArray *values, double *low, double *high)
{
  const guint n = values->len;
  double outside = 0, chance;
  guint left_out = 0; /* at each end */

  *low = *high = 0;
  if (n == 0)
    return 0;
  g_array_sort (values, spread_compare);
  chance = pow (0.5, n);
  outside = chance;
  for (guint k = 1; 2 * k < n; k++)
    {
      chance = chance * (n - k + 1) / k;
      if (outside + chance > (1 - CONFIDENCE) / 2)
        break;
      outside += chance;
      left_out = k;
    }
  *low = g_array_index (values, double, left_out);
  *high = g_array_index (values, double, n - 1 - left_out);
  return 1 - 2 * outside;
}
