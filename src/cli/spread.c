/* SPDX-License-Identifier: Apache-2.0 */
/* The median and the quartiles of many measurements. */
#include "spread.h"

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
