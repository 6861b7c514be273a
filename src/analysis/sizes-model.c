/* SPDX-License-Identifier: Apache-2.0 */
/* A run with a larger input: the laws of its parts, and what they sum up to. */
#include "lightcone/sizes.h"

#include <math.h>

/* Sums are taken that are further off than the law of the whole by no more than this. */
#define NEARLY 1.25
#define ROUNDING 1e-3

/* --- Making the laws -------------------------------------------------------------------------------------------- */

static void
sizes_add_point (GArray *points, double size, double value)
{
  const LcGrowthPoint point = {size, value};

  g_array_append_val (points, point);
}

static void
sizes_fit (LcGrowth *growth, const GArray *points)
{
  lc_growth_fit (growth, points->len > 0 ? &g_array_index (points, LcGrowthPoint, 0) : NULL, points->len);
}

static LcSized
sizes_get (const LcGrowth *growth, double size)
{
  LcSized sized;

  sized.value = lc_growth_at (growth, size, &sized.low, &sized.high);
  return sized;
}

static void
sizes_add_product (LcSized *sum, const LcGrowth *number, const LcGrowth *each, double size)
{
  const LcSized of_number = sizes_get (number, size), of_each = sizes_get (each, size);

  sum->value += of_number.value * of_each.value;
  sum->low += of_number.low * of_each.low;
  sum->high += of_number.high * of_each.high;
}

static LcSized
sizes_sum_work (const LcSizesModel *model, double size)
{
  LcSized sum = {0, 0, 0};

  for (guint i = 0; i < model->sizes->parts->len; i++)
    sizes_add_product (&sum, &model->laws[i].events, &model->laws[i].computing, size);
  return sum;
}

static LcSized
sizes_sum_span (const LcSizesModel *model, double size)
{
  LcSized sum = {0, 0, 0};

  for (guint i = 0; i < model->sizes->parts->len; i++)
    sizes_add_product (&sum, &model->laws[i].visits, &model->laws[i].path, size);
  return sum;
}

/* Where another process is the slowest in each run, no part has a law that says when it is. Such a sum is further off
 * at the sizes that it was made from than the law of the whole at sizes that it was not made from. */
static gboolean
sizes_is_sum_near (const LcSizesModel *model, const LcGrowth *whole,
                   LcSized (*get_sum) (const LcSizesModel *model, double size))
{
  double squares = 0, value = 0;

  for (guint i = 0; i < whole->points->len; i++)
    {
      const LcGrowthPoint *point = &g_array_index (whole->points, LcGrowthPoint, i);

      if (i == 0 || point->size > g_array_index (whole->points, LcGrowthPoint, i - 1).size)
        value = get_sum (model, point->size).value;
      squares += pow (log (MAX (value, 1) / MAX (point->value, 1)), 2);
    }
  return whole->points->len > 0 && expm1 (sqrt (squares / whole->points->len)) <= NEARLY * whole->error + ROUNDING;
}

/* The time of an event, or a visit, is known of the runs that have some. */
static void
sizes_fit_each (const LcSizesModel *model, const LcSizesPart *part, double below, gsize number, gsize amount,
                LcGrowth *of_number, LcGrowth *of_each)
{
  const LcSizes *sizes = model->sizes;
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (LcGrowthPoint));
  g_autoptr (GArray) each = g_array_new (FALSE, FALSE, sizeof (LcGrowthPoint));

  for (guint i = 0; i < sizes->runs->len; i++)
    {
      const LcSizesAmount *amounts = &g_array_index (part->amounts, LcSizesAmount, i);
      const double size = g_array_index (sizes->runs, LcSizesRun, i).size;
      const double n = (double)G_STRUCT_MEMBER (guint64, amounts, number);

      if (size >= below)
        continue;
      sizes_add_point (numbers, size, n);
      if (n > 0)
        sizes_add_point (each, size, (double)G_STRUCT_MEMBER (guint64, amounts, amount) / n);
    }
  if (of_number != NULL)
    sizes_fit (of_number, numbers);
  sizes_fit (of_each, each);
}

static void
sizes_fit_part (LcSizesModel *model, guint number, double below)
{
  const LcSizesPart *part = g_ptr_array_index (model->sizes->parts, number);
  LcSizesLaws *laws = &model->laws[number];
  double low, high;

  sizes_fit_each (model, part, below, G_STRUCT_OFFSET (LcSizesAmount, events),
                  G_STRUCT_OFFSET (LcSizesAmount, computing), &laws->events, &laws->computing);
  sizes_fit_each (model, part, below, G_STRUCT_OFFSET (LcSizesAmount, events), G_STRUCT_OFFSET (LcSizesAmount, waiting),
                  NULL, &laws->waiting);
  sizes_fit_each (model, part, below, G_STRUCT_OFFSET (LcSizesAmount, path_visits),
                  G_STRUCT_OFFSET (LcSizesAmount, path), &laws->visits, &laws->path);
  laws->work = lc_growth_at (&laws->events, model->largest, &low, &high) *
               lc_growth_at (&laws->computing, model->largest, &low, &high);
}

static void
sizes_fit_whole (LcSizesModel *model, double below)
{
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (LcGrowthPoint));
  g_autoptr (GArray) span = g_array_new (FALSE, FALSE, sizeof (LcGrowthPoint));
  g_autoptr (GHashTable) different = g_hash_table_new_full (g_double_hash, g_double_equal, NULL, NULL);

  for (guint i = 0; i < model->sizes->runs->len; i++)
    {
      LcSizesRun *run = &g_array_index (model->sizes->runs, LcSizesRun, i);

      if (run->size >= below)
        continue;
      sizes_add_point (work, run->size, (double)run->work);
      sizes_add_point (span, run->size, (double)run->span);
      model->smallest = model->smallest > 0 ? MIN (model->smallest, run->size) : run->size;
      model->largest = MAX (model->largest, run->size);
      g_hash_table_add (different, &run->size);
    }
  model->n_sizes = g_hash_table_size (different);
  sizes_fit (&model->work, work);
  sizes_fit (&model->span, span);
}

LcSizesModel *
lc_sizes_model_new (const LcSizes *sizes, double below)
{
  LcSizesModel *model = g_new0 (LcSizesModel, 1);
  double all = 0;

  model->sizes = sizes;
  model->laws = g_new0 (LcSizesLaws, sizes->parts->len + 1);
  sizes_fit_whole (model, below);
  for (guint i = 0; i < sizes->parts->len; i++)
    {
      sizes_fit_part (model, i, below);
      all += model->laws[i].work;
      model->unknown += model->laws[i].computing.is_known ? 0 : model->laws[i].work;
    }
  model->unknown = all > 0 ? model->unknown / all : 0;
  model->sums_work = sizes_is_sum_near (model, &model->work, sizes_sum_work);
  model->sums_span = sizes_is_sum_near (model, &model->span, sizes_sum_span);
  return model;
}

void
lc_sizes_model_free (LcSizesModel *model)
{
  if (model == NULL)
    return;
  for (guint i = 0; i < model->sizes->parts->len; i++)
    {
      lc_growth_clear (&model->laws[i].events);
      lc_growth_clear (&model->laws[i].computing);
      lc_growth_clear (&model->laws[i].waiting);
      lc_growth_clear (&model->laws[i].visits);
      lc_growth_clear (&model->laws[i].path);
    }
  lc_growth_clear (&model->work);
  lc_growth_clear (&model->span);
  g_free (model->laws);
  g_free (model);
}

/* --- Their values ----------------------------------------------------------------------------------------------- */

static LcSized
sizes_widen (LcSized sum, LcSized whole)
{
  return (LcSized){sum.value, MIN (sum.low, whole.low), MAX (sum.high, whole.high)};
}

LcSized
lc_sizes_model_work (const LcSizesModel *model, double size)
{
  const LcSized whole = sizes_get (&model->work, size);

  return model->sums_work ? sizes_widen (sizes_sum_work (model, size), whole) : whole;
}

LcSized
lc_sizes_model_span (const LcSizesModel *model, double size)
{
  const LcSized whole = sizes_get (&model->span, size);

  return model->sums_span ? sizes_widen (sizes_sum_span (model, size), whole) : whole;
}

/* --- On some processors ----------------------------------------------------------------------------------------- */

/* The place of a run's time between its bounds, from 0 to 1. */
static double
sizes_get_share (const LcPredicted *predicted)
{
  return predicted->high > predicted->low && predicted->time > predicted->low
             ? MIN (1, (double)(predicted->time - predicted->low) / (double)(predicted->high - predicted->low))
             : 0;
}

/* The runs of the largest size say best where a larger one will be; the interval has all of them. */
static LcSized
sizes_get_shares (const LcSizesModel *model, guint index, gboolean *rests)
{
  LcSized shares = {0, 1, 0};
  guint n = 0;

  *rests = FALSE;
  for (guint i = 0; i < model->sizes->runs->len; i++)
    {
      const LcSizesRun *run = &g_array_index (model->sizes->runs, LcSizesRun, i);
      const double share = sizes_get_share (&g_array_index (run->predicted, LcPredicted, index));

      if (run->size > model->largest)
        continue;
      *rests = *rests || run->rests;
      shares.low = MIN (shares.low, share);
      shares.high = MAX (shares.high, share);
      if (run->size < model->largest)
        continue;
      shares.value += share;
      n++;
    }
  shares.value /= MAX (n, 1);
  return shares;
}

static double
sizes_place (double work, double span, double share, guint32 processors, gboolean rests)
{
  const double low = MAX (span, work / processors), high = work / processors + span - (rests ? 0 : span / processors);

  return low + share * MAX (0, high - low);
}

LcSized
lc_sizes_model_time (const LcSizesModel *model, const LcSized *work, const LcSized *span, guint index)
{
  const guint32 processors = g_array_index (model->sizes->processors, guint32, index);
  gboolean rests;
  const LcSized shares = sizes_get_shares (model, index, &rests);

  return (LcSized){sizes_place (work->value, span->value, shares.value, processors, rests),
                   sizes_place (work->low, span->low, shares.low, processors, rests),
                   sizes_place (work->high, span->high, shares.high, processors, rests)};
}
