/* SPDX-License-Identifier: Apache-2.0 */
/* Contours of a matrix: bands of values, and a grid that says which band is where. */
#include "contours.h"

#include <math.h>

void
lc_bands_init (LcBands *bands)
{
  *bands = (LcBands){.lowest = INFINITY, .highest = -INFINITY};
}

void
lc_bands_add (LcBands *bands, const LcSnapshot *snapshot)
{
  guint64 n = snapshot->rows * snapshot->columns;

  for (guint64 i = 0; i < n; i++)
    {
      double value = snapshot->values[i];

      if (!isfinite (value))
        bands->n_strange++;
      else
        {
          bands->lowest = MIN (bands->lowest, value);
          bands->highest = MAX (bands->highest, value);
        }
    }
}

void
lc_bands_divide (LcBands *bands, guint n_bands)
{
  bands->n_bands = bands->lowest < bands->highest ? n_bands : bands->lowest == bands->highest;
}

guint8
lc_bands_find (const LcBands *bands, double value)
{
  double share;

  if (!isfinite (value) || bands->n_bands == 0)
    return LC_BAND_NONE;
  /* Halves are subtracted, because the whole range may exceed the largest number. */
  share = (value / 2 - bands->lowest / 2) / (bands->highest / 2 - bands->lowest / 2) * bands->n_bands;
  return share > 0 ? (guint8)MIN (share, bands->n_bands - 1.0) : 0;
}

/* --- Samples ------------------------------------------------------------------------------------------------------ */

/* The values that make up a point, along one axis: all from `first` to `last` with equal weight if `average`, else
 * `first` and `last`, where `last` has the weight `share`. */
typedef struct
{
  guint64 first;
  guint64 last;
  double share;
  gboolean average;
} Reach;

static Reach *
make_reaches (guint n_points, guint64 n_values)
{
  Reach *reaches = g_new (Reach, MAX (n_points, 1));
  double step = (double)n_values / MAX (n_points, 1);

  for (guint i = 0; i < n_points; i++)
    {
      double middle = CLAMP ((i + 0.5) * step - 0.5, 0, (double)n_values - 1);

      if (step > 1)
        reaches[i] = (Reach){(guint64)(i * step), MIN ((guint64)((i + 1) * step), n_values - 1), 0, TRUE};
      else
        reaches[i] = (Reach){(guint64)middle, MIN ((guint64)middle + 1, n_values - 1), middle - floor (middle), FALSE};
    }
  return reaches;
}

static double
get_weight (const Reach *reach, guint64 at)
{
  if (reach->average || reach->first == reach->last)
    return 1;
  return at == reach->first ? 1 - reach->share : reach->share;
}

/* The average of the values that are numbers, or NAN if values that are no numbers have more weight. */
static double
contours_sample (const LcSnapshot *snapshot, const Reach *across, const Reach *down)
{
  double sum = 0, weights = 0, strange = 0;

  for (guint64 row = down->first; row <= down->last; row++)
    for (guint64 column = across->first; column <= across->last; column++)
      {
        double value = snapshot->values[row * snapshot->columns + column];
        double weight = get_weight (down, row) * get_weight (across, column);

        if (isfinite (value))
          {
            sum += weight * value;
            weights += weight;
          }
        else
          strange += weight;
      }
  return weights > strange ? sum / weights : NAN;
}

guint8 *
lc_bands_sample (const LcBands *bands, const LcSnapshot *snapshot, guint columns, guint rows)
{
  guint8 *result = g_new (guint8, MAX ((gsize)columns * rows, 1));
  g_autofree Reach *across = make_reaches (columns, snapshot->columns);
  g_autofree Reach *down = make_reaches (rows, snapshot->rows);

  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < columns; column++)
      result[(gsize)row * columns + column] =
          lc_bands_find (bands, contours_sample (snapshot, &across[column], &down[row]));
  return result;
}
