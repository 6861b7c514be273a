/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats` about times and durations. Its keys and columns must never change. */
#include "lightcone/statistics.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/statistics.h"

/* Parts of the time, without --intervals. */
enum
{
  INTERVALS = 100,
};

/* --- Waiting ------------------------------------------------------------------------------------------------- */

static const LcRowsColumn waiting_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"end", N_ ("End"), LC_CELL_TIME},
    {"waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},
    {"ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Object"), LC_CELL_TEXT},
};

typedef struct
{
  LcReport *report;
  LcRows *rows;
} Waiting;

static gboolean
statistics_time_add_waiting (const LcWaitingInterval *interval, gpointer data)
{
  Waiting *waiting = data;
  LcRows *rows = waiting->rows;

  if (!lc_rows_next (rows))
    return waiting->report->format == LC_FORMAT_TEXT; /* text tells how many more there are, so they must be counted */
  lc_report_add_process_cells (waiting->report, rows, interval->process);
  lc_rows_add_count (rows, interval->begin);
  lc_rows_add_count (rows, interval->end);
  lc_rows_add_count (rows, interval->waiting);
  lc_rows_add_count (rows, interval->waits);
  lc_rows_add_count (rows, interval->ordinal);
  lc_report_add_object_cells (waiting->report, rows, interval->object);
  return TRUE;
}

gboolean
lc_statistics_show_waiting_history (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  guint64 begin, end, resolution = 0;
  Waiting waiting = {report, NULL};
  gboolean good;

  if (!lc_statistics_span (report->history, report->timeline, &begin, &end, error))
    return FALSE;
  if (asked->intervals > 0)
    resolution = (end - begin) / asked->intervals + ((end - begin) % asked->intervals > 0);
  lc_report_begin (report);
  lc_report_add_count (report, "begin", begin);
  lc_report_add_count (report, "end", end);
  lc_report_add_count (report, "resolution", resolution);
  waiting.rows = lc_report_begin_rows (report, waiting_columns, G_N_ELEMENTS (waiting_columns), "interval");
  good = lc_statistics_visit_waiting (report->history, report->timeline, resolution, statistics_time_add_waiting,
                                      &waiting, report->cancellable, error);
  lc_rows_end (waiting.rows, 0);
  lc_report_end (report);
  return good;
}

/* --- Parallelism --------------------------------------------------------------------------------------------- */

static const LcRowsColumn parallelism_columns[] = {
    {"begin", N_ ("Begin"), LC_CELL_TIME},     {"end", N_ ("End"), LC_CELL_TIME},
    {"running", N_ ("Running"), LC_CELL_TIME}, {"average", N_ ("Processes"), LC_CELL_REAL},
    {"lowest", N_ ("Least"), LC_CELL_COUNT},   {"highest", N_ ("Most"), LC_CELL_COUNT},
};

gboolean
lc_statistics_show_parallelism_history (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  const guint32 parts = asked->intervals > 0 ? asked->intervals : INTERVALS;
  g_autoptr (GArray) all =
      lc_statistics_parallelism_history (report->history, report->timeline, parts, report->cancellable, error);
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  rows = lc_report_begin_rows (report, parallelism_columns, G_N_ELEMENTS (parallelism_columns), "interval");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    {
      const LcParallelismInterval *interval = &g_array_index (all, LcParallelismInterval, i);

      lc_rows_add_count (rows, interval->begin);
      lc_rows_add_count (rows, interval->end);
      lc_rows_add_count (rows, interval->running);
      lc_rows_add_real (rows, (double)interval->running / (double)(interval->end - interval->begin));
      lc_rows_add_count (rows, interval->lowest);
      lc_rows_add_count (rows, interval->highest);
    }
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* --- Ratios ------------------------------------------------------------------------------------------------------- */

static const LcRowsColumn ratio_columns[] = {
    {"timeline", N_ ("Timeline"), LC_CELL_TEXT},
    {"model", N_ ("Model"), LC_CELL_TEXT},
    {"total", N_ ("Total"), LC_CELL_TIME},
    {"ratio", N_ ("Measured / total"), LC_CELL_REAL},
    {"actual_ratio", N_ ("Total / actual"), LC_CELL_REAL},
};

static double
statistics_time_divide (guint64 dividend, guint64 divisor)
{
  return divisor > 0 ? (double)dividend / (double)divisor : NAN;
}

static gboolean
statistics_time_add_ratio (LcReport *report, guint64 actual, LcRows *rows, const LcHistoryTimeline *timeline,
                           guint64 measured, GError **error)
{
  guint64 total;

  if (!lc_statistics_total (report->history, timeline->id, &total, error))
    return FALSE;
  lc_rows_add_text (rows, timeline->name);
  lc_rows_add_text (rows, timeline->model);
  lc_rows_add_count (rows, total);
  lc_rows_add_real (rows, statistics_time_divide (measured, total));
  lc_rows_add_real (rows, statistics_time_divide (total, actual));
  return TRUE;
}

gboolean
lc_statistics_show_ratio (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (report->history, error);
  guint64 measured;
  gboolean good = TRUE;
  LcRows *rows;

  if (timelines == NULL || !lc_statistics_total (report->history, LC_TIMELINE_MEASURED, &measured, error))
    return FALSE;
  lc_report_begin (report);
  lc_report_add_count (report, "measured_total", measured);
  if (asked->actual > 0)
    lc_report_add_count (report, "actual", asked->actual);
  else
    lc_report_add_number (report, "actual", NULL);
  rows = lc_report_begin_rows (report, ratio_columns, G_N_ELEMENTS (ratio_columns), "ratio");
  for (guint i = 0, n = lc_rows_limit (rows, timelines->len); i < n && good; i++)
    good = statistics_time_add_ratio (report, asked->actual, rows, timelines->pdata[i], measured, error);
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return good;
}
