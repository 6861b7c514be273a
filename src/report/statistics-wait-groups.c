/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats DIR waits`. Its keys and columns must never change. */
#include <glib/gi18n.h>

#include "report/sites.h"
#include "report/statistics.h"

const char *const lc_waits_by_names[] = {"object", "site", "stack", "process", "for", "pair", "holder", "event", NULL};

static const LcRowsColumn wait_columns[] = {
    {"group", N_ ("Waits"), LC_CELL_TEXT},
    {"number", NULL, LC_CELL_COUNT},
    {"waits", N_ ("Number"), LC_CELL_COUNT},
    {"waited", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
    {"longest_process", NULL, LC_CELL_COUNT},
    {"longest_process_name", N_ ("of process"), LC_CELL_TEXT},
    {"longest_ordinal", N_ ("its event"), LC_CELL_COUNT},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
};

static void
statistics_wait_groups_add (LcReport *report, guint by, LcRows *rows, const GArray *all)
{
  guint64 total = 0;

  for (guint i = 0; i < all->len; i++)
    total += g_array_index (all, LcWaitGroup, i).waited;
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    {
      const LcWaitGroup *group = &g_array_index (all, LcWaitGroup, i);

      lc_rows_add_text (rows, group->name);
      lc_rows_add_id (rows, by == LC_WAITS_BY_SITE || by == LC_WAITS_BY_PAIR ? LC_TRACE_NONE : group->number);
      lc_rows_add_count (rows, group->waits);
      lc_rows_add_count (rows, group->waited);
      lc_rows_add_percent (rows, group->waited, total);
      lc_rows_add_count (rows, group->longest);
      lc_report_add_process_cells (report, rows, group->longest_process);
      lc_rows_add_count (rows, group->longest_ordinal);
      lc_rows_add_count (rows, group->preempted);
    }
}

static gboolean
statistics_show_wait_groups (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  const LcWaitsAsked waits = {.axis = LC_AXIS_TIME, .filters = asked->filters};
  gboolean needs_sites = asked->by == LC_WAITS_BY_SITE || asked->by == LC_WAITS_BY_STACK;
  g_autoptr (GArray) all = lc_statistics_wait_groups (report->history, report->timeline, (LcWaitsBy)asked->by, &waits,
                                                      report->cancellable, error);
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  lc_report_add_string (report, "by", lc_waits_by_names[asked->by]);
  lc_statistics_say_filters (report, asked);
  if (needs_sites && lc_history_get_n_stacks (report->history) == 0)
    lc_report_say_no_sites (report);
  if (all->len == 0)
    lc_report_say_nothing (report, _ ("No event waited."));
  if (all->len > 0 || report->format != LC_FORMAT_TEXT)
    {
      rows = lc_report_begin_rows (report, wait_columns, G_N_ELEMENTS (wait_columns), "wait");
      statistics_wait_groups_add (report, asked->by, rows, all);
      lc_rows_end (rows, 0);
    }
  lc_report_end (report);
  return TRUE;
}

gboolean
lc_statistics_show_waits (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  return asked->by > LC_WAITS_BY_HOLDER ? lc_statistics_show_single_waits (report, asked, error)
                                        : statistics_show_wait_groups (report, asked, error);
}
