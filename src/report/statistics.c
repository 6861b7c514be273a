/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats`. Its keys and columns must never change. */
#include "lightcone/statistics.h"

#include <glib/gi18n.h>

#include "report/statistics.h"
#include "trace/quantities.h"

void
lc_statistics_say_filters (LcReport *report, const LcStatisticsAsked *asked)
{
  if (asked->filtered == NULL)
    return;
  lc_report_add_string (report, "filters", asked->filtered);
  lc_report_say (report, _ ("filtered: %s"), asked->filtered);
  lc_report_say (report, "\n");
}

/* --- Waiting ------------------------------------------------------------------------------------------------- */

/* A table for people has one share, and of what the kernel counts only what no event explains: with all of it a line is
 * twice as long as a terminal is wide. */
static const LcRowsColumn waiting_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"span", N_ ("Span"), LC_CELL_TIME},
    {"running", N_ ("Running"), LC_CELL_TIME},
    {"waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
    {"longest_ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"longest_object", NULL, LC_CELL_COUNT},
    {"longest_object_name", N_ ("Object"), LC_CELL_TEXT},
    {"total_percent", NULL, LC_CELL_PERCENT},
    {"runnable", NULL, LC_CELL_TIME},
    {"preemptions", NULL, LC_CELL_COUNT},
    {"blocked", NULL, LC_CELL_TIME},
    {"unseen", N_ ("Unseen"), LC_CELL_TIME},
    {"unseen_waits", NULL, LC_CELL_COUNT},
    {"woken", N_ ("Woken"), LC_CELL_TIME},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
    {"outside", N_ ("Outside"), LC_CELL_TIME},
};

static void
statistics_add_known (LcRows *rows, guint64 value)
{
  if (value != LC_TRACE_UNKNOWN)
    lc_rows_add_count (rows, value);
  else
    lc_rows_add_nothing (rows);
}

/* What the kernel has counted is true of the measured timeline only. Where it was recorded when the process was off its
 * processors, that says what is unseen: it is exact. */
static void
statistics_add_account (LcReport *report, LcRows *rows, guint32 process, guint64 unseen)
{
  const LcHistoryProcess *row = lc_history_get_process (report->history, process);

  if (report->timeline != LC_TIMELINE_MEASURED)
    {
      lc_rows_add_nothings (rows, 5);
      return;
    }
  statistics_add_known (rows, row->account.runnable);
  statistics_add_known (rows, row->account.involuntary);
  statistics_add_known (rows, row->account.blocked);
  statistics_add_known (rows, row->is_scheduled ? unseen : row->unseen);
  statistics_add_known (rows, row->unseen_waits);
}

static void
statistics_add_waiting (LcReport *report, LcRows *rows, const LcWaitingStatistics *row, guint64 total)
{
  lc_rows_add_count (rows, row->span);
  lc_rows_add_count (rows, row->running);
  lc_rows_add_count (rows, row->waiting);
  lc_rows_add_percent (rows, row->waiting, row->span);
  lc_rows_add_count (rows, row->waits);
  if (row->waits > 0)
    {
      lc_rows_add_count (rows, row->longest);
      lc_rows_add_count (rows, row->longest_ordinal);
      lc_report_add_object_cells (report, rows, row->longest_object);
    }
  else
    lc_rows_add_nothings (rows, 4);
  lc_rows_add_percent (rows, row->waiting, total);
  statistics_add_account (report, rows, row->process, row->unseen);
  lc_rows_add_count (rows, row->woken);
  if (lc_history_get_process (report->history, row->process)->is_scheduled)
    lc_rows_add_count (rows, row->preempted);
  else
    lc_rows_add_nothing (rows);
  lc_rows_add_count (rows, row->outside);
}

static LcWaitingStatistics
sum_waiting (const GArray *all)
{
  LcWaitingStatistics sum = {.longest_object = LC_TRACE_NONE};

  for (guint i = 0; i < all->len; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (all, LcWaitingStatistics, i);

      sum.span += row->span;
      sum.running += row->running;
      sum.waiting += row->waiting;
      sum.woken += row->woken;
      sum.preempted += row->preempted;
      sum.outside += row->outside;
      sum.unseen += row->unseen;
    }
  return sum;
}

gboolean
lc_statistics_show_waiting (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_waiting (report->history, report->timeline, report->cancellable, error);
  LcWaitingStatistics sum;
  guint64 total;
  LcRows *rows;

  if (all == NULL || !lc_statistics_total (report->history, report->timeline, &total, error))
    return FALSE;
  sum = sum_waiting (all);
  lc_report_begin (report);
  lc_report_add_count (report, "span_total", sum.span);
  lc_report_add_count (report, "running_total", sum.running);
  lc_report_add_count (report, "waiting_total", sum.waiting);
  lc_report_add_count (report, "woken_total", sum.woken);
  lc_report_add_count (report, "preempted_total", sum.preempted);
  lc_report_add_count (report, "outside_total", sum.outside);
  lc_report_add_count (report, "total", total);
  rows = lc_report_begin_rows (report, waiting_columns, G_N_ELEMENTS (waiting_columns), "process");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (all, LcWaitingStatistics, i);

      lc_report_add_process_cells (report, rows, row->process);
      statistics_add_waiting (report, rows, row, total);
    }
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* --- Objects ------------------------------------------------------------------------------------------------- */

static const LcRowsColumn object_columns[] = {
    {"object", NULL, LC_CELL_COUNT},
    {"name", N_ ("Object"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
    {"longest_process", NULL, LC_CELL_COUNT},
    {"longest_process_name", N_ ("Process"), LC_CELL_TEXT},
    {"longest_ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"held", N_ ("Held"), LC_CELL_TIME},
};

static void
statistics_add_object_row (LcReport *report, LcRows *rows, const LcObjectStatistics *row)
{
  lc_report_add_object_cells (report, rows, row->object);
  lc_rows_add_text (rows, lc_names_object_class (report->names, row->object));
  lc_rows_add_count (rows, row->events);
  lc_rows_add_count (rows, row->waits);
  lc_rows_add_count (rows, row->waited);
  if (row->waits > 0)
    {
      lc_rows_add_count (rows, row->longest);
      lc_report_add_process_cells (report, rows, row->longest_process);
      lc_rows_add_count (rows, row->longest_ordinal);
    }
  else
    lc_rows_add_nothings (rows, 4);
  lc_rows_add_count (rows, row->held);
}

gboolean
lc_statistics_show_objects (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_objects (report->history, report->timeline, report->cancellable, error);
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  if (all->len == 0)
    lc_report_say_nothing (report, _ ("No event is on an object."));
  rows = lc_report_begin_rows (report, object_columns, G_N_ELEMENTS (object_columns), "object");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    statistics_add_object_row (report, rows, &g_array_index (all, LcObjectStatistics, i));
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* --- Operations ---------------------------------------------------------------------------------------------- */

static const LcRowsColumn operation_columns[] = {
    {"operation", N_ ("Operation"), LC_CELL_TEXT}, {"class", N_ ("Class"), LC_CELL_TEXT},
    {"events", N_ ("Events"), LC_CELL_COUNT},      {"time", N_ ("Time"), LC_CELL_TIME},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},        {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
};

gboolean
lc_statistics_show_operations (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_operations (report->history, report->timeline, report->cancellable, error);
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  rows = lc_report_begin_rows (report, operation_columns, G_N_ELEMENTS (operation_columns), "operation");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    {
      const LcOperationStatistics *row = &g_array_index (all, LcOperationStatistics, i);

      lc_rows_add_text (rows, lc_names_operation (report->names, row->operation));
      lc_rows_add_text (rows, lc_names_operation_class (report->names, row->operation));
      lc_rows_add_count (rows, row->events);
      lc_rows_add_count (rows, row->time);
      lc_rows_add_count (rows, row->waits);
      lc_rows_add_count (rows, row->waited);
      lc_rows_add_count (rows, row->longest);
    }
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* --- Parallelism --------------------------------------------------------------------------------------------- */

static const LcRowsColumn level_columns[] = {
    {"running", N_ ("Running"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
};

static void
statistics_add_average (LcReport *report, const char *key, double average)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  lc_report_add_number (report, key, g_ascii_formatd (number, sizeof number, "%.6f", average));
}

/* Adds the parallel part, without the sequential begin and end of the run. */
static void
statistics_add_parallel_part (LcReport *report, const LcParallelism *parallelism)
{
  static const char *const keys[] = {"parallel_begin", "parallel_end", "parallel_running", "parallel_average"};

  if (parallelism->parallel_begin == parallelism->parallel_end)
    {
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        lc_report_add_number (report, keys[i], NULL);
      return;
    }
  lc_report_add_count (report, keys[0], parallelism->parallel_begin);
  lc_report_add_count (report, keys[1], parallelism->parallel_end);
  lc_report_add_count (report, keys[2], parallelism->parallel_running);
  statistics_add_average (report, keys[3], parallelism->parallel_average);
}

static void
statistics_say_average (LcReport *report, const LcParallelism *parallelism)
{
  g_autofree char *span = lc_format_duration (parallelism->end - parallelism->begin);
  g_autofree char *running = lc_format_duration (parallelism->running);

  lc_report_say (report, _ ("\n  %.2f on average, at least %u, at most %u: %s of running in a span of %s\n"),
                 parallelism->average, parallelism->lowest, parallelism->highest, running, span);
  if (parallelism->parallel_begin < parallelism->parallel_end)
    {
      g_autofree char *begin = lc_format_moment (parallelism->parallel_begin, parallelism->end - parallelism->begin);
      g_autofree char *end = lc_format_moment (parallelism->parallel_end, parallelism->end - parallelism->begin);

      lc_report_say (report, _ ("  %.2f on average from %s to %s, without the sequential parts\n"),
                     parallelism->parallel_average, begin, end);
    }
}

gboolean
lc_statistics_show_parallelism (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (LcParallelism) all =
      lc_statistics_parallelism (report->history, report->timeline, report->cancellable, error);
  const gboolean is_for_people = report->format == LC_FORMAT_TEXT || report->format == LC_FORMAT_KEPT;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  statistics_say_average (report, all);
  lc_report_add_count (report, "begin", all->begin);
  lc_report_add_count (report, "end", all->end);
  lc_report_add_count (report, "running_total", all->running);
  statistics_add_average (report, "average", all->average);
  lc_report_add_count (report, "lowest", all->lowest);
  lc_report_add_count (report, "highest", all->highest);
  statistics_add_parallel_part (report, all);
  rows = lc_report_begin_rows (report, level_columns, G_N_ELEMENTS (level_columns), "level");
  for (guint32 i = 0; i < all->n_levels; i++)
    {
      if ((is_for_people && all->levels[i] == 0) || !lc_rows_next (rows))
        continue;
      lc_rows_add_count (rows, i);
      lc_rows_add_count (rows, all->levels[i]);
      lc_rows_add_percent (rows, all->levels[i], all->end - all->begin);
    }
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}
