/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the overview: how much of all processes was running and waiting in each part of the axis, and what of it
 * is highlighted. */
#include "app/diagram/overview-shares.h"

#include <math.h>

#include "app/diagram/overview.h"

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
                     .axis = shown->selection.time == LC_SCENE_PHYSICAL ? LC_AXIS_TIME : LC_AXIS_LAYER,
                     .from = (guint64)MAX (whole->from, 0),
                     .to = (guint64)MAX (whole->to, 1),
                     .processes = shown->selection.processes,
                     .n_processes = shown->selection.n_processes};
  guint64 resolution = (guint64)MAX ((whole->to - whole->from) / LC_OVERVIEW_PARTS, 1);
  g_autoptr (LcWindowResult) result = NULL;
  const LcSummary *summary;

  result = lc_history_summarize_window (shown->opened->history, &window,
                                        (gsize)shown->selection.n_processes * LC_OVERVIEW_PARTS * 2, resolution,
                                        cancellable, error);
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
      double all = shown->selection.time == LC_SCENE_PHYSICAL ? most : sums->running[i] + sums->waiting[i];

      if (all <= 0)
        continue;
      shares->running[i] = (float)(sums->running[i] / all);
      shares->waiting[i] = (float)(sums->waiting[i] / all);
    }
  return shares;
}

/* --- What is highlighted ----------------------------------------------------------------------------------------- */

/* Finds the parts that touch a range of positions. FALSE: it is outside of the strip. */
static gboolean
overview_shares_find_parts (const LcSpan *whole, guint64 from, guint64 to, guint *first, guint *last)
{
  double scale = LC_OVERVIEW_PARTS / (whole->to - whole->from);
  double low = floor (((double)from - whole->from) * scale), high = floor (((double)to - whole->from) * scale);

  if (high < 0 || low >= LC_OVERVIEW_PARTS)
    return FALSE;
  *first = (guint)MAX (low, 0);
  *last = (guint)MIN (high, LC_OVERVIEW_PARTS - 1);
  return TRUE;
}

/* The past is the beginning of each process, and the future its end, so one range of a row has all of either. */
static void
overview_shares_add_side (const LcScene *scene, const LcSpan *whole, LcMarkFlags side, float *parts)
{
  static const LcMarkKind kinds[] = {LC_MARK_SUMMARY, LC_MARK_EVENT};
  guint32 n_rows = lc_scene_get_n_rows (scene);

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint32 row = 0; row < n_rows; row++)
      {
        gsize n_marks;
        const LcMark *marks = lc_scene_get_marks_of (scene, kinds[k], 0, row, &n_marks);
        guint64 from = G_MAXUINT64, to = 0;
        guint first, last;

        for (gsize i = 0; i < n_marks; i++)
          if ((marks[i].flags & side) != 0)
            {
              from = MIN (from, marks[i].from);
              to = MAX (to, marks[i].to);
            }
        if (from <= to && overview_shares_find_parts (whole, from, MAX (to, from + 1) - 1, &first, &last))
          for (guint part = first; part <= last; part++)
            parts[part] += (float)marks[0].n_rows / (float)n_rows;
      }
}

/* Adds the part of a line of the path that lies in each part of the strip. */
static void
overview_shares_add_line (const LcSceneArc *arc, const LcSpan *whole, guint32 n_rows, LcOverviewShares *shares)
{
  guint64 from = MIN (arc->from, arc->to), to = MAX (arc->from, arc->to);
  double begin = (arc->from_row + 0.5) / n_rows, end = (arc->to_row + 0.5) / n_rows;
  double length = (whole->to - whole->from) / LC_OVERVIEW_PARTS, steps = MAX ((double)(to - from), 1);
  guint first, last;

  if (!overview_shares_find_parts (whole, from, to, &first, &last))
    return;
  for (guint part = first; part <= last; part++)
    {
      double low = whole->from + part * length, high = low + length;
      double share_low = CLAMP ((low - (double)from) / steps, 0, 1),
             share_high = CLAMP ((high - (double)from) / steps, 0, 1);
      double row_low = begin + share_low * (end - begin), row_high = begin + share_high * (end - begin);

      shares->path_low[part] = MIN (shares->path_low[part], (float)MIN (row_low, row_high));
      shares->path_high[part] = MAX (shares->path_high[part], (float)MAX (row_low, row_high));
    }
}

static void
overview_shares_add_path (const LcScene *scene, const LcSpan *whole, LcOverviewShares *shares)
{
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (scene, &n_arcs);

  for (gsize i = 0; i < n_arcs; i++)
    if (arcs[i].kind == LC_SCENE_ARC_CRITICAL)
      overview_shares_add_line (&arcs[i], whole, lc_scene_get_n_rows (scene), shares);
}

/* A small scene of the whole run says what is highlighted, so that the strip shows what the diagram does. Without the
 * path, past or future that it needs it is made later, when they are found. */
static gboolean
overview_shares_add_highlight (const LcShown *shown, const LcSpan *whole, LcOverviewShares *shares,
                               GCancellable *cancellable, GError **error)
{
  gboolean has_path = shown->selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH && shown->path != NULL;
  gboolean needs_past =
      shown->selection.highlight.kind == LC_HIGHLIGHT_PAST || shown->selection.highlight.kind == LC_HIGHLIGHT_CONE;
  gboolean needs_future =
      shown->selection.highlight.kind == LC_HIGHLIGHT_FUTURE || shown->selection.highlight.kind == LC_HIGHLIGHT_CONE;
  g_autoptr (LcScene) scene = NULL;
  LcSceneQuery query;

  for (guint part = 0; part < LC_OVERVIEW_PARTS; part++)
    shares->path_low[part] = 1;
  if (!has_path &&
      (!(needs_past || needs_future) || (needs_past && shown->past == NULL) || (needs_future && shown->future == NULL)))
    return TRUE;
  lc_shown_fill_query (shown, &query);
  query.beside = query.selection.lowest = query.selection.highest = LC_TRACE_NONE;
  query.selection.filters = (LcFilters){0};
  query.selection.coloring = NULL;
  query.selection.hide_holding = query.selection.hide_arcs = TRUE;
  query.length = LC_OVERVIEW_PARTS;
  query.breadth = LC_OVERVIEW_THICKNESS;
  scene = lc_scene_new (shown->opened->history, &query, cancellable, error);
  if (scene == NULL)
    return FALSE;
  overview_shares_add_side (scene, whole, LC_MARK_IN_PAST, shares->past);
  overview_shares_add_side (scene, whole, LC_MARK_IN_FUTURE, shares->future);
  overview_shares_add_path (scene, whole, shares);
  return TRUE;
}

LcOverviewShares *
lc_overview_find_shares (const LcShown *shown, const LcSpan *whole, GCancellable *cancellable, GError **error)
{
  g_autofree Sums *sums = g_new0 (Sums, 1);
  g_autofree LcOverviewShares *shares = NULL;

  if (shown->selection.n_processes == 0 || lc_history_get_n_events (shown->opened->history) == 0 ||
      (shown->selection.time == LC_SCENE_PHASE && shown->phases == NULL))
    return NULL;
  sums->from = whole->from;
  sums->scale = LC_OVERVIEW_PARTS / (whole->to - whole->from);
  if (shown->selection.time == LC_SCENE_PHASE ? !overview_shares_add_phases (shown, sums, cancellable, error)
                                              : !overview_shares_add_summary (shown, whole, sums, cancellable, error))
    return NULL;
  shares = overview_shares_divide (shown, sums);
  if (!overview_shares_add_highlight (shown, whole, shares, cancellable, error))
    return NULL;
  return g_steal_pointer (&shares);
}
