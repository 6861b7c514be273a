/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats DIR waits --by event`. Its keys and columns must never change. */
#include <glib/gi18n.h>

#include "analysis/basis.h"
#include "analysis/hold-times.h"
#include "report/sites.h"
#include "report/statistics.h"

enum
{
  MOST_WAITS = 10000, /* if no limit is given */
};

static const LcRowsColumn single_columns[] = {
    {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"process", NULL, LC_CELL_COUNT},
    {"process_name", N_ ("Process"), LC_CELL_TEXT},
    {"ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"operation", N_ ("Operation"), LC_CELL_TEXT},
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"for", NULL, LC_CELL_COUNT},
    {"for_name", N_ ("For"), LC_CELL_TEXT},
    {"holder", NULL, LC_CELL_COUNT},
    {"holder_name", N_ ("Held by"), LC_CELL_TEXT},
    {"held", N_ ("so long"), LC_CELL_TIME},
    {"held_percent", N_ ("Share"), LC_CELL_PERCENT},
    {"site", N_ ("Where"), LC_CELL_TEXT},
};

typedef struct
{
  LcReport *report;
  LcHistoryWalk *walk;
  LcBasisFinder *finder;
  LcHoldTimes *times;
  LcPreempted *preempted;
} SingleWaits;

static gboolean
statistics_single_waits_find_ender (const SingleWaits *singles, const LcHistoryEvent *wait, guint32 *ender,
                                    GError **error)
{
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;
  LcBasis basis;

  if (!lc_history_walk_get (singles->walk, wait->process, wait->ordinal, &event, &arcs, error) ||
      !lc_basis_find (singles->finder, &event, arcs, &basis, error))
    return FALSE;
  *ender = basis.process;
  return TRUE;
}

static gboolean
statistics_single_waits_add (const SingleWaits *singles, LcRows *rows, const LcHistoryEvent *wait, GError **error)
{
  LcReport *report = singles->report;
  const LcHistorySite *site = lc_history_get_own_site (report->history, wait->stack);
  const LcTracePending *pending = lc_history_get_never_ended (report->history, wait);
  g_autofree char *place = site != NULL ? lc_history_dup_site_text (site) : NULL;
  LcHolderShare holder;
  guint32 ender;

  if (!statistics_single_waits_find_ender (singles, wait, &ender, error) ||
      !lc_hold_times_find_holder (singles->times, singles->preempted, wait, &holder, error))
    return FALSE;
  lc_rows_add_count (rows, wait->waited);
  lc_report_add_process_cells (report, rows, wait->process);
  lc_rows_add_count (rows, wait->ordinal);
  lc_rows_add_text (rows, lc_names_operation (report->names, pending != NULL ? pending->operation : wait->operation));
  lc_report_add_object_cells (report, rows, wait->object);
  lc_rows_add_count (rows, wait->begin);
  lc_report_add_process_cells (report, rows, ender);
  lc_report_add_process_cells (report, rows, holder.process);
  if (holder.process != LC_TRACE_NONE)
    {
      lc_rows_add_count (rows, holder.waited);
      lc_rows_add_percent (rows, holder.waited, wait->waited);
    }
  else
    lc_rows_add_nothings (rows, 2);
  lc_sites_add_name (rows, place, site != NULL ? site->function : NULL);
  return TRUE;
}

static gboolean
statistics_single_waits_add_all (LcReport *report, LcRows *rows, const GArray *waits, GError **error)
{
  g_autoptr (LcHistoryWalk) walk =
      lc_history_walk_new (report->history, report->timeline, LC_WALK_ARCS, report->cancellable, error);
  g_autoptr (LcBasisFinder) finder = NULL;
  g_autoptr (LcPreempted) preempted = lc_preempted_new (report->history, report->timeline, report->cancellable);
  g_autoptr (LcHoldTimes) times = NULL;

  if (walk == NULL)
    return FALSE;
  finder = lc_basis_finder_new (report->history, report->timeline, walk, report->cancellable);
  times = lc_hold_times_new_for (report->history, report->timeline, waits, report->cancellable, error);
  if (times == NULL)
    return FALSE;
  for (guint i = 0; i < waits->len; i++)
    {
      const SingleWaits singles = {report, walk, finder, times, preempted};

      if (!statistics_single_waits_add (&singles, rows, &g_array_index (waits, LcHistoryEvent, i), error))
        return FALSE;
    }
  return TRUE;
}

gboolean
lc_statistics_show_single_waits (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  const LcWaitsAsked which = {.axis = LC_AXIS_TIME, .filters = asked->filters};
  const gsize limit = report->limit < G_MAXSIZE ? report->limit : MOST_WAITS;
  g_autoptr (GArray) waits = lc_statistics_longest_waits (report->history, report->timeline, &which, limit, NULL, NULL,
                                                          report->cancellable, error);
  LcRows *rows;
  gboolean good = TRUE;

  if (waits == NULL || !lc_history_read_places (report->history, error))
    return FALSE;
  report->title = _ ("The longest waits");
  lc_report_begin (report);
  lc_report_add_string (report, "by", "event");
  lc_statistics_say_filters (report, asked);
  if (waits->len == 0)
    lc_report_say_nothing (report, _ ("No event waited."));
  if (waits->len > 0 || report->format != LC_FORMAT_TEXT)
    {
      rows = lc_report_begin_rows (report, single_columns, G_N_ELEMENTS (single_columns), "wait");
      good = statistics_single_waits_add_all (report, rows, waits, error);
      lc_rows_end (rows, 0);
    }
  lc_report_end (report);
  return good;
}
