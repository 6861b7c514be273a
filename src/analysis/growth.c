/* SPDX-License-Identifier: Apache-2.0 */
/* Laws by which a quantity grows with the size of a program's input, found from a few sizes. */
#include "lightcone/growth.h"

#include <math.h>

/* The simplest of the laws that are worse than the best by no more than this is chosen. */
#define NEARLY 1.25
#define TWICE 2.0
#define ROUNDING 1e-6

/* Times that grow faster than this with an input are none that a program could wait for. */
#define MOST_EXPONENT 4.0

/* A law with its numbers. */
typedef struct
{
  LcGrowthLaw law;
  double constant;
  double factor;
  double exponent;
} Curve;

static double
growth_shape (LcGrowthLaw law, double size)
{
  switch (law)
    {
    case LC_GROWTH_LOG:
      return log (size);
    case LC_GROWTH_LINEAR:
      return size;
    case LC_GROWTH_LINEAR_LOG:
      return size * log (size);
    case LC_GROWTH_SQUARE:
      return size * size;
    case LC_GROWTH_CUBE:
      return size * size * size;
    case LC_GROWTH_CONSTANT:
    case LC_GROWTH_POWER:
    case LC_GROWTH_LAWS:
      break;
    }
  return 0;
}

static double
growth_evaluate (const Curve *curve, double size)
{
  if (curve->law == LC_GROWTH_POWER)
    return curve->factor * pow (size, curve->exponent);
  return MAX (0, curve->constant + curve->factor * growth_shape (curve->law, size));
}

static gboolean
growth_is_same (double one, double other)
{
  return !(one < other) && !(one > other);
}

/* --- One law ---------------------------------------------------------------------------------------------------- */

/* Sums for a straight line through points with weights. */
typedef struct
{
  double weight, x, y, xx, xy;
  double least_x, most_x;
} Line;

static void
growth_add_point (Line *line, double weight, double x, double y)
{
  line->least_x = line->weight > 0 ? MIN (line->least_x, x) : x;
  line->most_x = line->weight > 0 ? MAX (line->most_x, x) : x;
  line->weight += weight;
  line->x += weight * x;
  line->y += weight * y;
  line->xx += weight * x * x;
  line->xy += weight * x * y;
}

/* FALSE: the points do not say how steep it is. */
static gboolean
growth_solve (const Line *line, double *constant, double *factor)
{
  const double middle = line->x / line->weight, spread = line->xx - middle * line->x;

  if (line->most_x <= line->least_x || spread <= 0)
    return FALSE;
  *factor = (line->xy - middle * line->y) / spread;
  *constant = (line->y - *factor * line->x) / line->weight;
  return TRUE;
}

/* How often the weights are found again from the curve that they gave. */
enum
{
  PASSES = 6,
};

/* An error counts by what part it is of the value, so that the small sizes count, too. The value is taken half from the
 * point and half from the curve: the point's alone would favour those that are too small. */
static double
growth_weight (const LcGrowthPoint *point, const Curve *curve, double floor)
{
  const double scale = MAX ((point->value + growth_evaluate (curve, point->size)) / 2, floor);

  return scale > 0 ? 1 / (scale * scale) : 1;
}

static double
growth_get_floor (const GArray *points)
{
  double most = 0;

  for (guint i = 0; i < points->len; i++)
    most = MAX (most, g_array_index (points, LcGrowthPoint, i).value);
  return most / 1000;
}

/* The power law is a straight line of logarithms. FALSE: it cannot be of values that are zero. */
static gboolean
growth_make_power (const GArray *points, double without, Curve *curve)
{
  Line line = {0};

  for (guint i = 0; i < points->len; i++)
    {
      const LcGrowthPoint *point = &g_array_index (points, LcGrowthPoint, i);

      if (point->value <= 0)
        return FALSE;
      if (!growth_is_same (point->size, without))
        growth_add_point (&line, 1, log (point->size), log (point->value));
    }
  if (!growth_solve (&line, &curve->constant, &curve->exponent) || fabs (curve->exponent) > MOST_EXPONENT)
    return FALSE;
  curve->factor = exp (curve->constant);
  curve->constant = 0;
  return TRUE;
}

/* Makes a law from the points but those of one size (0: from all). FALSE: it cannot be of these. */
static gboolean
growth_make (const GArray *points, LcGrowthLaw law, double without, Curve *curve)
{
  const double floor = growth_get_floor (points);

  *curve = (Curve){.law = law};
  if (law == LC_GROWTH_POWER)
    return growth_make_power (points, without, curve);
  for (int pass = 0; pass < PASSES; pass++)
    {
      Line line = {0};

      for (guint i = 0; i < points->len; i++)
        {
          const LcGrowthPoint *point = &g_array_index (points, LcGrowthPoint, i);

          if (!growth_is_same (point->size, without))
            growth_add_point (&line, growth_weight (point, curve, floor), growth_shape (law, point->size),
                              point->value);
        }
      if (law == LC_GROWTH_CONSTANT)
        curve->constant = line.y / line.weight;
      else if (!growth_solve (&line, &curve->constant, &curve->factor) || curve->factor < 0)
        return FALSE;
    }
  return TRUE;
}

/* --- Which law -------------------------------------------------------------------------------------------------- */

/* Points are in the order of their sizes. */
static gboolean
growth_is_new_size (const GArray *points, guint place)
{
  return place == 0 ||
         g_array_index (points, LcGrowthPoint, place).size > g_array_index (points, LcGrowthPoint, place - 1).size;
}

/* The mean of how many times a law is off at sizes that it was not made from, less 1. */
static double
growth_judge (const GArray *points, LcGrowthLaw law)
{
  const double floor = growth_get_floor (points);
  Curve curve = {.law = law};
  double sum = 0;

  for (guint i = 0; i < points->len; i++)
    {
      const LcGrowthPoint *point = &g_array_index (points, LcGrowthPoint, i);
      double value, times;

      if (growth_is_new_size (points, i) && !growth_make (points, law, point->size, &curve))
        return G_MAXDOUBLE;
      value = growth_evaluate (&curve, point->size);
      times = floor > 0 ? log ((value + floor) / (point->value + floor)) : 0;
      sum += times * times;
    }
  return expm1 (sqrt (sum / points->len));
}

static int
growth_compare_points (gconstpointer a, gconstpointer b)
{
  const LcGrowthPoint *one = a, *other = b;

  return (one->size > other->size) - (one->size < other->size);
}

static guint
growth_count_sizes (const GArray *points)
{
  guint n = 0;

  for (guint i = 0; i < points->len; i++)
    n += growth_is_new_size (points, i);
  return n;
}

/* The mean of the runs of the largest size. */
static double
growth_last_value (const GArray *points)
{
  double sum = 0;
  guint n = 0;

  for (; n < points->len && growth_is_same (g_array_index (points, LcGrowthPoint, points->len - 1 - n).size,
                                            g_array_index (points, LcGrowthPoint, points->len - 1).size);
       n++)
    sum += g_array_index (points, LcGrowthPoint, points->len - 1 - n).value;
  return n > 0 ? sum / n : 0;
}

static void
growth_choose (LcGrowth *growth)
{
  double errors[LC_GROWTH_LAWS], best = G_MAXDOUBLE;
  gboolean has_chosen = FALSE;
  Curve curve;

  for (guint law = 0; law < LC_GROWTH_LAWS; law++)
    {
      errors[law] = growth_judge (growth->points, (LcGrowthLaw)law);
      best = MIN (best, errors[law]);
    }
  for (guint law = 0; law < LC_GROWTH_LAWS; law++)
    {
      if (errors[law] > TWICE * best + ROUNDING || !growth_make (growth->points, (LcGrowthLaw)law, 0, &curve))
        continue;
      growth->plausible |= 1u << law;
      if (has_chosen || errors[law] > NEARLY * best + ROUNDING)
        continue;
      has_chosen = TRUE;
      growth->law = curve.law;
      growth->constant = curve.constant;
      growth->factor = curve.factor;
      growth->exponent = curve.exponent;
      growth->error = errors[law];
    }
}

void
lc_growth_fit (LcGrowth *growth, const LcGrowthPoint *points, guint n_points)
{
  *growth = (LcGrowth){.points = g_array_new (FALSE, FALSE, sizeof *points)};
  if (n_points > 0)
    g_array_append_vals (growth->points, points, n_points);
  g_array_sort (growth->points, growth_compare_points);
  growth->is_known = growth_count_sizes (growth->points) >= LC_GROWTH_LEAST_SIZES;
  if (growth->is_known)
    growth_choose (growth);
  else
    growth->constant = growth_last_value (growth->points);
}

void
lc_growth_clear (LcGrowth *growth)
{
  g_clear_pointer (&growth->points, g_array_unref);
}

/* --- Its values ------------------------------------------------------------------------------------------------- */

static void
growth_widen (const GArray *points, LcGrowthLaw law, double without, double size, double *low, double *high)
{
  Curve curve;
  double value;

  if (!growth_make (points, law, without, &curve))
    return;
  value = growth_evaluate (&curve, size);
  *low = MIN (*low, value);
  *high = MAX (*high, value);
}

double
lc_growth_at (const LcGrowth *growth, double size, double *low, double *high)
{
  const Curve curve = {growth->law, growth->constant, growth->factor, growth->exponent};
  const double value = growth_evaluate (&curve, size);

  *low = *high = value;
  if (!growth->is_known)
    return value;
  *low = value / (1 + growth->error);
  *high = value * (1 + growth->error);
  for (guint law = 0; law < LC_GROWTH_LAWS; law++)
    {
      if (!(growth->plausible & (1u << law)))
        continue;
      growth_widen (growth->points, (LcGrowthLaw)law, 0, size, low, high);
      for (guint i = 0; i < growth->points->len; i++)
        if (growth_is_new_size (growth->points, i))
          growth_widen (growth->points, (LcGrowthLaw)law, g_array_index (growth->points, LcGrowthPoint, i).size, size,
                        low, high);
    }
  return value;
}
