/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats` about relations between processes, objects and processors. Keys and columns never
 * change. */
#include "lightcone/statistics.h"

#include <glib/gi18n.h>

#include "report/statistics.h"

/* --- The matrix ---------------------------------------------------------------------------------------------- */

static const LcRowsColumn matrix_columns[] = {
    {"from_process", NULL, LC_CELL_COUNT},   {"from_name", N_ ("From"), LC_CELL_TEXT},
    {"to_process", NULL, LC_CELL_COUNT},     {"to_name", N_ ("To"), LC_CELL_TEXT},
    {"arcs", N_ ("Arcs"), LC_CELL_COUNT},    {"bytes", N_ ("Bytes"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME}, {"messages", N_ ("Messages"), LC_CELL_COUNT},
};

gboolean
lc_statistics_show_matrix (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_matrix (report->history, report->timeline, 0, 0, report->cancellable, error);
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  rows = lc_report_begin_rows (report, matrix_columns, G_N_ELEMENTS (matrix_columns), "cell");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    {
      const LcMatrixCell *cell = &g_array_index (all, LcMatrixCell, i);

      lc_report_add_process_cells (report, rows, cell->from_process);
      lc_report_add_process_cells (report, rows, cell->to_process);
      lc_rows_add_count (rows, cell->arcs);
      lc_rows_add_count (rows, cell->bytes);
      lc_rows_add_count (rows, cell->waited);
      lc_rows_add_count (rows, cell->messages);
    }
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* --- Communication ------------------------------------------------------------------------------------------- */

static const LcRowsColumn communication_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"span", N_ ("Span"), LC_CELL_TIME},
    {"computing", N_ ("Computing"), LC_CELL_TIME},
    {"communication", N_ ("Communication"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"ratio", N_ ("Ratio"), LC_CELL_REAL},
    {"waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"transfer", N_ ("Transfer"), LC_CELL_TIME},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
    {"outside", N_ ("Outside"), LC_CELL_TIME},
};

static void
statistics_relations_add_communication (LcReport *report, LcRows *rows, const LcCommunicationStatistics *row)
{
  lc_report_add_process_cells (report, rows, row->process);
  lc_rows_add_count (rows, row->span);
  lc_rows_add_count (rows, row->computing);
  lc_rows_add_count (rows, row->communication);
  lc_rows_add_percent (rows, row->communication, row->span);
  if (row->computing > 0)
    lc_rows_add_real (rows, (double)row->communication / (double)row->computing);
  else
    lc_rows_add_nothing (rows);
  lc_rows_add_count (rows, row->waiting);
  lc_rows_add_count (rows, row->transfer);
  lc_rows_add_count (rows, row->preempted);
  lc_rows_add_count (rows, row->outside);
}

gboolean
lc_statistics_show_communication (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_communication (report->history, report->timeline, report->cancellable, error);
  guint64 computing = 0, waiting = 0, transfer = 0, preempted = 0, outside = 0;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    {
      const LcCommunicationStatistics *row = &g_array_index (all, LcCommunicationStatistics, i);

      computing += row->computing;
      waiting += row->waiting;
      transfer += row->transfer;
      preempted += row->preempted;
      outside += row->outside;
    }
  lc_report_begin (report);
  lc_report_add_count (report, "computing_total", computing);
  lc_report_add_count (report, "waiting_total", waiting);
  lc_report_add_count (report, "transfer_total", transfer);
  lc_report_add_count (report, "preempted_total", preempted);
  lc_report_add_count (report, "outside_total", outside);
  rows = lc_report_begin_rows (report, communication_columns, G_N_ELEMENTS (communication_columns), "process");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    statistics_relations_add_communication (report, rows, &g_array_index (all, LcCommunicationStatistics, i));
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* --- Objects ------------------------------------------------------------------------------------------------- */

static const LcRowsColumn use_columns[] = {
    {"object", NULL, LC_CELL_COUNT},         {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},   {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},  {"events", N_ ("Events"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME}, {"held", N_ ("Held"), LC_CELL_TIME},
};

gboolean
lc_statistics_show_object_uses (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GArray) all =
      lc_statistics_object_uses (report->history, report->timeline, 0, 0, report->cancellable, error);
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  rows = lc_report_begin_rows (report, use_columns, G_N_ELEMENTS (use_columns), "use");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    {
      const LcObjectUse *use = &g_array_index (all, LcObjectUse, i);

      lc_report_add_object_cells (report, rows, use->object);
      lc_rows_add_text (rows, lc_names_object_class (report->names, use->object));
      lc_report_add_process_cells (report, rows, use->process);
      lc_rows_add_count (rows, use->events);
      lc_rows_add_count (rows, use->waited);
      lc_rows_add_count (rows, use->held);
    }
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* --- Processors ---------------------------------------------------------------------------------------------- */

static const LcRowsColumn stay_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"cpu", N_ ("CPU"), LC_CELL_COUNT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"end", N_ ("End"), LC_CELL_TIME},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"stays", N_ ("Stays"), LC_CELL_COUNT},
    {"running", N_ ("Running"), LC_CELL_TIME},
    {"woken", N_ ("Woken"), LC_CELL_TIME},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
    {"outside", N_ ("Outside"), LC_CELL_TIME},
};

static void
statistics_relations_add_stay (LcReport *report, LcRows *rows, const LcCpuStay *stay)
{
  lc_report_add_process_cells (report, rows, stay->process);
  lc_rows_add_id (rows, stay->cpu != LC_CPU_UNKNOWN ? stay->cpu : LC_TRACE_NONE);
  lc_rows_add_count (rows, stay->begin);
  lc_rows_add_count (rows, stay->end);
  lc_rows_add_count (rows, stay->events);
  lc_rows_add_count (rows, stay->waited);
  lc_rows_add_count (rows, stay->stays);
  lc_rows_add_count (rows, stay->running);
  lc_rows_add_count (rows, stay->woken);
  lc_rows_add_count (rows, stay->preempted);
  lc_rows_add_count (rows, stay->outside);
}

gboolean
lc_statistics_show_processors (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (GArray) all = NULL;
  guint64 begin, end, resolution = 0;
  LcRows *rows;

  if (!lc_statistics_span (report->history, report->timeline, &begin, &end, error))
    return FALSE;
  if (asked->intervals > 0)
    resolution = (end - begin) / asked->intervals + ((end - begin) % asked->intervals > 0);
  all = lc_statistics_cpu_stays (report->history, report->timeline, 0, 0, resolution, report->cancellable, error);
  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  lc_report_add_count (report, "resolution", resolution);
  rows = lc_report_begin_rows (report, stay_columns, G_N_ELEMENTS (stay_columns), "stay");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    statistics_relations_add_stay (report, rows, &g_array_index (all, LcCpuStay, i));
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}
