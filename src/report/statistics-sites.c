/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats` about places in the source. Its keys and columns must never change. */
#include <glib/gi18n.h>

#include "report/sites.h"
#include "report/statistics.h"

static void
statistics_sites_begin (LcReport *report, const LcStatisticsAsked *asked)
{
  lc_report_begin (report);
  lc_report_add_string (report, "by", lc_sites_by_names[asked->by]);
  lc_statistics_say_filters (report, asked);
  lc_report_add_count (report, "sites", lc_history_get_n_sites (report->history));
}

/* --- Sites --------------------------------------------------------------------------------------------------- */

static const LcRowsColumn site_columns[] = {
    {"site", N_ ("Where"), LC_CELL_TEXT},
    {"function", NULL, LC_CELL_TEXT},
    {"file", NULL, LC_CELL_TEXT},
    {"line", NULL, LC_CELL_COUNT},
    {"module", NULL, LC_CELL_TEXT},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"waits", NULL, LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
    {"longest_process", NULL, LC_CELL_COUNT},
    {"longest_process_name", NULL, LC_CELL_TEXT},
    {"longest_ordinal", NULL, LC_CELL_COUNT},
    {"made_waits", NULL, LC_CELL_COUNT},
    {"made_wait", N_ ("Made wait"), LC_CELL_TIME},
    {"whom", N_ ("Most of all"), LC_CELL_TEXT},
    {"whom_waited", NULL, LC_CELL_TIME},
    {"held", N_ ("Held"), LC_CELL_TIME},
};

static void
statistics_sites_add_row (LcReport *report, LcRows *rows, const LcSiteGroups *groups, const LcSiteStatistics *row)
{
  lc_sites_add_group (rows, groups, row->group);
  lc_rows_add_count (rows, row->events);
  lc_rows_add_count (rows, row->time);
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
  lc_rows_add_count (rows, row->made_waits);
  lc_rows_add_count (rows, row->made_wait);
  if (row->made_waits > 0)
    {
      lc_sites_add_name (rows, lc_site_groups_get_name (groups, row->whom),
                         lc_site_groups_get_site (groups, row->whom).function);
      lc_rows_add_count (rows, row->whom_waited);
    }
  else
    lc_rows_add_nothings (rows, 2);
  lc_rows_add_count (rows, row->held);
}

gboolean
lc_statistics_show_sites (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (report->history, asked->by);
  g_autoptr (GArray) all = NULL;
  LcRows *rows;

  lc_site_groups_skip (groups, asked->skip);
  all = lc_statistics_sites (report->history, report->timeline, groups, report->cancellable, error);
  if (all == NULL)
    return FALSE;
  statistics_sites_begin (report, asked);
  if (lc_history_get_n_stacks (report->history) == 0)
    lc_report_say_no_sites (report);
  if (all->len > 0 || report->format != LC_FORMAT_TEXT)
    {
      rows = lc_report_begin_rows (report, site_columns, G_N_ELEMENTS (site_columns), "site");
      for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
        statistics_sites_add_row (report, rows, groups, &g_array_index (all, LcSiteStatistics, i));
      lc_rows_end (rows, 0);
    }
  lc_report_end (report);
  return TRUE;
}

/* --- Blame --------------------------------------------------------------------------------------------------- */

static const LcRowsColumn blame_columns[] = {
    {"waiter", N_ ("Waits in"), LC_CELL_TEXT},
    {"waiter_function", NULL, LC_CELL_TEXT},
    {"waiter_file", NULL, LC_CELL_TEXT},
    {"waiter_line", NULL, LC_CELL_COUNT},
    {"waiter_module", NULL, LC_CELL_TEXT},
    {"blamed", N_ ("For"), LC_CELL_TEXT},
    {"blamed_function", NULL, LC_CELL_TEXT},
    {"blamed_file", NULL, LC_CELL_TEXT},
    {"blamed_line", NULL, LC_CELL_COUNT},
    {"blamed_module", NULL, LC_CELL_TEXT},
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
};

static void
statistics_sites_add_blame (LcReport *report, LcRows *rows, const LcSiteGroups *groups, const GArray *all)
{
  guint64 total = 0;

  for (guint i = 0; i < all->len; i++)
    total += g_array_index (all, LcBlame, i).time;
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    {
      const LcBlame *blame = &g_array_index (all, LcBlame, i);

      lc_sites_add_group (rows, groups, blame->waiter);
      lc_sites_add_group (rows, groups, blame->blamed);
      lc_report_add_object_cells (report, rows, blame->object);
      lc_rows_add_count (rows, blame->waits);
      lc_rows_add_count (rows, blame->time);
      lc_rows_add_percent (rows, blame->time, total);
      lc_rows_add_count (rows, blame->preempted);
    }
}

gboolean
lc_statistics_show_blame (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (report->history, asked->by);
  const LcWaitsAsked waits = {.axis = LC_AXIS_TIME, .filters = asked->filters};
  g_autoptr (GArray) all = NULL;
  LcRows *rows;

  lc_site_groups_skip (groups, asked->skip);
  all = lc_statistics_blame (report->history, report->timeline, &waits, groups, report->cancellable, error);
  if (all == NULL)
    return FALSE;
  statistics_sites_begin (report, asked);
  if (lc_history_get_n_stacks (report->history) == 0)
    lc_report_say_no_sites (report);
  else if (all->len == 0)
    lc_report_say_nothing (report, _ ("No event waited."));
  if (all->len > 0 || report->format != LC_FORMAT_TEXT)
    {
      rows = lc_report_begin_rows (report, blame_columns, G_N_ELEMENTS (blame_columns), "blame");
      statistics_sites_add_blame (report, rows, groups, all);
      lc_rows_end (rows, 0);
    }
  lc_report_end (report);
  return TRUE;
}
