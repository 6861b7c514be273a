/* SPDX-License-Identifier: Apache-2.0 */
/* Contours of a matrix: bands of values, and a grid that says which band is where. */
#include "contours.h"

#include <math.h>
#include <stdlib.h>

enum
{
  RANKED = 1 << 20, /* values that are sorted, at most: of more every so many-th */
  FINEST = 256,     /* parts of equally many values, from which the bands are chosen */
};

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
  bands->is_even = TRUE;
}

static int
contours_compare (gconstpointer a, gconstpointer b)
{
  double first = *(const double *)a, second = *(const double *)b;

  return first < second ? -1 : first > second;
}

/* Gives the finite values, or some of them, in order. */
static GArray *
contours_sort_values (const LcSnapshot *const *matrices, guint n)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  guint64 all = 0, step;

  for (guint i = 0; i < n; i++)
    all += matrices[i]->rows * matrices[i]->columns;
  step = all / RANKED + 1;
  for (guint i = 0; i < n; i++)
    for (guint64 at = 0; at < matrices[i]->rows * matrices[i]->columns; at += step)
      if (isfinite (matrices[i]->values[at]))
        g_array_append_val (values, matrices[i]->values[at]);
  g_array_sort (values, contours_compare);
  return values;
}

/* Gives the values at which so many parts of equally many values begin, each once. Returns how many there are. */
static guint
contours_find_begins (const LcBands *bands, const GArray *values, guint parts, double begins[FINEST])
{
  guint n = 0;

  for (guint i = 1; i < parts; i++)
    {
      double value = g_array_index (values, double, (guint)((guint64)values->len * i / parts));

      if (value > (n > 0 ? begins[n - 1] : bands->lowest))
        begins[n++] = value;
    }
  return n;
}

void
lc_bands_share_out (LcBands *bands, const LcSnapshot *const *matrices, guint n, guint n_bands)
{
  g_autoptr (GArray) values = contours_sort_values (matrices, n);
  double begins[FINEST];

  n_bands = MIN (n_bands, LC_BANDS_MOST);
  lc_bands_divide (bands, 1);
  bands->is_even = bands->n_bands == 0;
  /* Values that many have take several parts; the finer the parts are, the more are left for the others. */
  for (guint parts = n_bands; parts <= FINEST && values->len > 0 && bands->n_bands < n_bands; parts++)
    {
      guint found = contours_find_begins (bands, values, parts, begins);

      if (found >= n_bands || found < bands->n_bands)
        continue;
      for (guint i = 0; i < found; i++)
        bands->begins[i] = begins[i];
      bands->n_bands = found + 1;
    }
}

guint8
lc_bands_find (const LcBands *bands, double value)
{
  double share;

  if (!isfinite (value) || bands->n_bands == 0)
    return LC_BAND_NONE;
  if (!bands->is_even)
    {
      guint band = 0;

      while (band + 1 < bands->n_bands && value >= bands->begins[band])
        band++;
      return (guint8)band;
    }
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
