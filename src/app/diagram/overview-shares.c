/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the overview: how much of all processes was running and waiting in each part of the axis. */
#include "app/diagram/overview-shares.h"

#include <math.h>

/* ns that were spent running and waiting in each part of the axis. */
typedef struct
{
  double from;
  double scale; /* parts per position */
  double running[LC_OVERVIEW_PARTS];
  double waiting[LC_OVERVIEW_PARTS];
} Sums;

/* Spreads the amounts evenly over the parts between two positions. */
static void
overview_shares_add (Sums *sums, double from, double to, double running, double waiting)
{
  double first = MAX ((from - sums->from) * sums->scale, 0);
  double last = MIN ((to - sums->from) * sums->scale, LC_OVERVIEW_PARTS), length = (to - from) * sums->scale;

  for (double at = first; at < last; at = floor (at) + 1)
    {
      double share = (MIN (floor (at) + 1, last) - at) / length;

      sums->running[(int)at] += running * share;
      sums->waiting[(int)at] += waiting * share;
    }
}

static gboolean
overview_shares_add_summary (const LcShown *shown, const LcSpan *whole, Sums *sums, GCancellable *cancellable,
                             GError **error)
{
  LcWindow window = {.timeline = shown->timeline,
                     .axis = shown->time == LC_SCENE_PHYSICAL ? LC_AXIS_TIME : LC_AXIS_LAYER,
                     .from = (guint64)MAX (whole->from, 0),
                     .to = (guint64)MAX (whole->to, 1),
                     .processes = shown->processes,
                     .n_processes = shown->n_processes};
  guint64 resolution = (guint64)MAX ((whole->to - whole->from) / LC_OVERVIEW_PARTS, 1);
  g_autoptr (LcWindowResult) result = NULL;
  const LcSummary *summary;

  result =
      lc_history_summarize_window (shown->opened->history, &window, (gsize)shown->n_processes * LC_OVERVIEW_PARTS * 2,
                                   resolution, cancellable, error);
  if (result == NULL)
    return FALSE;
  summary = lc_window_result_get_summary (result);
  for (gsize i = 0; summary != NULL && i < summary->n_rows; i++)
    for (gsize k = 0; k < summary->rows[i].n_buckets; k++)
      {
        const LcSummaryBucket *bucket = &summary->rows[i].buckets[k];

        overview_shares_add (sums, ldexp ((double)(summary->first + k), (int)summary->level),
                             ldexp ((double)(summary->first + k + 1), (int)summary->level), (double)bucket->running,
                             (double)(bucket->waiting + bucket->woken));
      }
  return TRUE;
}

/* Phase time has no summaries, so the statistics of each phase are used. */
static gboolean
overview_shares_add_phases (const LcShown *shown, Sums *sums, GCancellable *cancellable, GError **error)
{
  const LcPhases *phases = lc_kept_get (shown->phases);
  g_autoptr (GArray) all = NULL;
  guint32 n_phases = lc_phases_get_n (phases);

  all = lc_statistics_phases (shown->opened->history, shown->timeline, phases, cancellable, error);
  if (all == NULL)
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    {
      const LcPhaseStatistics *one = &g_array_index (all, LcPhaseStatistics, i);
      guint64 next = one->phase + 1 < n_phases ? lc_phases_get (phases, one->phase + 1)->position
                                               : lc_phases_get_n_positions (phases);
      double from = (double)lc_phases_get (phases, one->phase)->position;

      if (next > from && lc_shown_find_row (shown, one->process) != LC_TRACE_NONE)
        overview_shares_add (sums, from, (double)next, (double)(one->computing + one->transfer), (double)one->waiting);
    }
  return TRUE;
}

/* In physical time the busiest part of the run is 1, so that processes that came and went one after the other remain
 * visible. Layers and phases have no length, so there each part is divided by its own total. */
static LcOverviewShares *
overview_shares_divide (const LcShown *shown, const Sums *sums)
{
  LcOverviewShares *shares = g_new0 (LcOverviewShares, 1);
  double most = 0;

  for (guint i = 0; i < LC_OVERVIEW_PARTS; i++)
    most = MAX (most, sums->running[i] + sums->waiting[i]);
  for (guint i = 0; i < LC_OVERVIEW_PARTS; i++)
    {
      double all = shown->time == LC_SCENE_PHYSICAL ? most : sums->running[i] + sums->waiting[i];

      if (all <= 0)
        continue;
      shares->running[i] = (float)(sums->running[i] / all);
      shares->waiting[i] = (float)(sums->waiting[i] / all);
    }
  return shares;
}

LcOverviewShares *
lc_overview_find_shares (const LcShown *shown, const LcSpan *whole, GCancellable *cancellable, GError **error)
{
  g_autofree Sums *sums = g_new0 (Sums, 1);

  if (shown->n_processes == 0 || lc_history_get_n_events (shown->opened->history) == 0 ||
      (shown->time == LC_SCENE_PHASE && shown->phases == NULL))
    return NULL;
  sums->from = whole->from;
  sums->scale = LC_OVERVIEW_PARTS / (whole->to - whole->from);
  if (shown->time == LC_SCENE_PHASE ? !overview_shares_add_phases (shown, sums, cancellable, error)
                                    : !overview_shares_add_summary (shown, whole, sums, cancellable, error))
    return NULL;
  return overview_shares_divide (shown, sums);
}
