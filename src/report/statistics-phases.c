/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats DIR phases`. Its keys and columns must never change. */
#include <glib/gi18n.h>

#include "lightcone/phases.h"
#include "report/statistics.h"
#include "trace/quantities.h"

static const LcRowsColumn phase_columns[] = {
    {"phase", NULL, LC_CELL_COUNT},
    {"name", N_ ("Phase"), LC_CELL_TEXT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"end", N_ ("End"), LC_CELL_TIME},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"computing", N_ ("Computing"), LC_CELL_TIME},
    {"communication", NULL, LC_CELL_TIME},
    {"waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"transfer", N_ ("Transfer"), LC_CELL_TIME},
    {"slowest", NULL, LC_CELL_COUNT},
    {"slowest_name", N_ ("Slowest"), LC_CELL_TEXT},
    {"slowest_time", N_ ("Its time"), LC_CELL_TIME},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
    {"outside", N_ ("Outside"), LC_CELL_TIME},
};

static const LcRowsColumn process_columns[] = {
    {"phase", NULL, LC_CELL_COUNT},
    {"name", N_ ("Phase"), LC_CELL_TEXT},
    {"process", NULL, LC_CELL_COUNT},
    {"process_name", N_ ("Process"), LC_CELL_TEXT},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"computing", N_ ("Computing"), LC_CELL_TIME},
    {"communication", N_ ("Communication"), LC_CELL_TIME},
    {"waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"transfer", N_ ("Transfer"), LC_CELL_TIME},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
    {"outside", N_ ("Outside"), LC_CELL_TIME},
};

static void
statistics_phases_add_off_times (LcRows *rows, const LcPhaseStatistics *row)
{
  lc_rows_add_count (rows, row->preempted);
  lc_rows_add_count (rows, row->outside);
}

static void
statistics_phases_add_times (LcRows *rows, const LcPhaseStatistics *row)
{
  lc_rows_add_count (rows, row->events);
  lc_rows_add_count (rows, row->time);
  lc_rows_add_count (rows, row->computing);
  lc_rows_add_count (rows, row->communication);
  lc_rows_add_count (rows, row->waiting);
  lc_rows_add_count (rows, row->transfer);
}

/* Sums up the processes of a phase. `slowest` is set to the process that took longest, the first one of several. */
static LcPhaseStatistics
statistics_phases_sum_up (const LcPhaseStatistics *rows, guint32 n, const LcPhaseStatistics **slowest)
{
  LcPhaseStatistics sum = {.phase = rows->phase};

  *slowest = NULL;
  for (guint32 i = 0; i < n; i++)
    {
      sum.events += rows[i].events;
      sum.time += rows[i].time;
      sum.computing += rows[i].computing;
      sum.communication += rows[i].communication;
      sum.waiting += rows[i].waiting;
      sum.transfer += rows[i].transfer;
      sum.preempted += rows[i].preempted;
      sum.outside += rows[i].outside;
      if (rows[i].events > 0 && (*slowest == NULL || rows[i].time > (*slowest)->time))
        *slowest = &rows[i];
    }
  return sum;
}

static void
statistics_phases_add_phase (LcReport *report, LcRows *rows, const LcPhase *phase, const LcPhaseStatistics *of_phase)
{
  const LcPhaseStatistics *slowest;
  LcPhaseStatistics sum = statistics_phases_sum_up (of_phase, lc_history_get_n_processes (report->history), &slowest);

  lc_rows_add_count (rows, sum.phase);
  lc_rows_add_text (rows, phase->name);
  lc_rows_add_count (rows, phase->begin);
  lc_rows_add_count (rows, phase->end);
  statistics_phases_add_times (rows, &sum);
  lc_report_add_process_cells (report, rows, slowest->process);
  lc_rows_add_count (rows, slowest->time);
  statistics_phases_add_off_times (rows, &sum);
}

/* Phases without events are left out; only the first phase can be one. */
static void
statistics_phases_add_phases (LcReport *report, LcRows *rows, const LcPhases *phases, const GArray *all)
{
  guint32 n = lc_history_get_n_processes (report->history);

  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    if (lc_phases_get (phases, i)->events > 0 && lc_rows_next (rows))
      statistics_phases_add_phase (report, rows, lc_phases_get (phases, i),
                                   &g_array_index (all, LcPhaseStatistics, (gsize)i * n));
}

static void
statistics_phases_add_processes (LcReport *report, LcRows *rows, const LcPhases *phases, const GArray *all)
{
  for (guint i = 0; i < all->len; i++)
    {
      const LcPhaseStatistics *row = &g_array_index (all, LcPhaseStatistics, i);

      if (row->events == 0 || !lc_rows_next (rows))
        continue;
      lc_rows_add_count (rows, row->phase);
      lc_rows_add_text (rows, lc_phases_get (phases, row->phase)->name);
      lc_report_add_process_cells (report, rows, row->process);
      statistics_phases_add_times (rows, row);
      statistics_phases_add_off_times (rows, row);
    }
}

static void
statistics_phases_say_head (LcReport *report, const LcPhases *phases)
{
  g_autofree char *definition = lc_format_text (lc_phases_get_definition (phases));
  guint64 behind = lc_phases_get_n_behind (phases);
  g_autofree char *count = lc_format_count (behind);

  lc_report_add_string (report, "phases", lc_phases_get_definition (phases));
  lc_report_add_count (report, "behind", behind);
  lc_report_say (report, _ ("  phases by %s\n"), definition);
  if (behind > 0)
    lc_report_say (
        report,
        ngettext ("  %s event would have begun a phase before the one that its process was in, and stays there\n",
                  "  %s events would have begun a phase before the one that their process was in, and stay "
                  "there\n",
                  (gulong)behind),
        count);
}

gboolean
lc_statistics_show_phases (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (LcPhases) phases =
      lc_phases_find (report->history, report->timeline, asked->phases, report->cancellable, error);
  g_autoptr (GArray) all = NULL;
  LcRows *rows;

  if (phases != NULL)
    all = lc_statistics_phases (report->history, report->timeline, phases, report->cancellable, error);
  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  statistics_phases_say_head (report, phases);
  if (asked->per_process)
    {
      rows = lc_report_begin_rows (report, process_columns, G_N_ELEMENTS (process_columns), "phase");
      statistics_phases_add_processes (report, rows, phases, all);
    }
  else
    {
      rows = lc_report_begin_rows (report, phase_columns, G_N_ELEMENTS (phase_columns), "phase");
      statistics_phases_add_phases (report, rows, phases, all);
    }
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}
