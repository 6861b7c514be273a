/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats` about times and durations. Its keys and columns must never change. */
#include "lightcone/statistics.h"

#include <glib/gi18n.h>
#include <math.h>

#include "lost.h"
#include "statistics.h"

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
  const LcStatisticsShow *show;
  LcRows *rows;
  gsize n;
} Waiting;

static gboolean
statistics_time_add_waiting (const LcWaitingInterval *interval, gpointer data)
{
  Waiting *waiting = data;
  LcRows *rows = waiting->rows;

  if (waiting->n++ >= waiting->show->limit)
    return waiting->show->format == LC_FORMAT_TEXT; /* text tells how many more there are, so they must be counted */
  lc_rows_add_count (rows, interval->process);
  lc_rows_add_text (rows, lc_names_process (waiting->show->names, interval->process));
  lc_rows_add_count (rows, interval->begin);
  lc_rows_add_count (rows, interval->end);
  lc_rows_add_count (rows, interval->waiting);
  lc_rows_add_count (rows, interval->waits);
  lc_rows_add_count (rows, interval->ordinal);
  lc_statistics_add_object (waiting->show, rows, interval->object);
  return TRUE;
}

gboolean
lc_statistics_show_waiting_history (const LcStatisticsShow *show, GError **error)
{
  guint64 begin, end, resolution = 0;
  Waiting waiting = {show, NULL, 0};
  LcJson json;
  gboolean good;

  if (!lc_statistics_span (show->history, show->timeline, &begin, &end, error))
    return FALSE;
  if (show->intervals > 0)
    resolution = (end - begin) / show->intervals + ((end - begin) % show->intervals > 0);
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("When processes waited"));
  if (show->format == LC_FORMAT_JSON)
    {
      lc_json_add_count (&json, "begin", begin);
      lc_json_add_count (&json, "end", end);
      lc_json_add_count (&json, "resolution", resolution);
    }
  waiting.rows = lc_rows_begin (show->format, waiting_columns, G_N_ELEMENTS (waiting_columns), &json, "interval");
  good = lc_statistics_visit_waiting (show->history, show->timeline, resolution, statistics_time_add_waiting, &waiting,
                                      NULL, error);
  lc_rows_end (waiting.rows, waiting.n - MIN (waiting.n, show->limit));
  lc_statistics_end_json (&json);
  return good;
}

/* --- Parallelism --------------------------------------------------------------------------------------------- */

static const LcRowsColumn parallelism_columns[] = {
    {"begin", N_ ("Begin"), LC_CELL_TIME},     {"end", N_ ("End"), LC_CELL_TIME},
    {"running", N_ ("Running"), LC_CELL_TIME}, {"average", N_ ("Processes"), LC_CELL_REAL},
    {"lowest", N_ ("Least"), LC_CELL_COUNT},   {"highest", N_ ("Most"), LC_CELL_COUNT},
};

gboolean
lc_statistics_show_parallelism_history (const LcStatisticsShow *show, GError **error)
{
  guint32 n = show->intervals > 0 ? show->intervals : INTERVALS;
  g_autoptr (GArray) all = lc_statistics_parallelism_history (show->history, show->timeline, n, NULL, error);
  guint shown;
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("Processes running at the same time, over time"));
  rows = lc_rows_begin (show->format, parallelism_columns, G_N_ELEMENTS (parallelism_columns), &json, "interval");
  for (guint i = 0; i < shown; i++)
    {
      const LcParallelismInterval *interval = &g_array_index (all, LcParallelismInterval, i);

      lc_rows_add_count (rows, interval->begin);
      lc_rows_add_count (rows, interval->end);
      lc_rows_add_count (rows, interval->running);
      lc_rows_add_real (rows, (double)interval->running / (double)(interval->end - interval->begin));
      lc_rows_add_count (rows, interval->lowest);
      lc_rows_add_count (rows, interval->highest);
    }
  lc_rows_end (rows, all->len - shown);
  lc_statistics_end_json (&json);
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
add_ratio (const LcStatisticsShow *show, LcRows *rows, const LcHistoryTimeline *timeline, guint64 measured,
           GError **error)
{
  guint64 total;

  if (!lc_statistics_total (show->history, timeline->id, &total, error))
    return FALSE;
  lc_rows_add_text (rows, timeline->name);
  lc_rows_add_text (rows, timeline->model);
  lc_rows_add_count (rows, total);
  lc_rows_add_real (rows, statistics_time_divide (measured, total));
  lc_rows_add_real (rows, statistics_time_divide (total, show->actual));
  return TRUE;
}

gboolean
lc_statistics_show_ratio (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (show->history, error);
  guint64 measured;
  gboolean good = TRUE;
  guint shown;
  LcJson json;
  LcRows *rows;

  if (timelines == NULL || !lc_statistics_total (show->history, LC_TIMELINE_MEASURED, &measured, error))
    return FALSE;
  shown = (guint)MIN (timelines->len, show->limit);
  json = lc_statistics_begin_json (show);
  if (show->format == LC_FORMAT_TEXT)
    {
      g_print (_ ("How long the run took, on each timeline\n"));
      lc_lost_print (show->history);
    }
  if (show->format == LC_FORMAT_JSON)
    {
      lc_json_add_count (&json, "measured_total", measured);
      if (show->actual > 0)
        lc_json_add_count (&json, "actual", show->actual);
      else
        lc_json_add_null (&json, "actual");
    }
  rows = lc_rows_begin (show->format, ratio_columns, G_N_ELEMENTS (ratio_columns), &json, "ratio");
  for (guint i = 0; i < shown && good; i++)
    good = add_ratio (show, rows, timelines->pdata[i], measured, error);
  lc_rows_end (rows, timelines->len - shown);
  lc_statistics_end_json (&json);
  return good;
}
