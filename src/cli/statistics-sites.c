/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats` about places in the source. Its keys and columns must never change. */
#include <glib/gi18n.h>

#include "sites.h"
#include "statistics.h"

/* Begins the output, and tells it if the history does not say where its events are. */
static LcJson
statistics_sites_begin (const LcStatisticsShow *show, const char *title)
{
  LcJson json = lc_statistics_begin_json (show);

  lc_statistics_print_title (show, title);
  if (show->format == LC_FORMAT_JSON)
    {
      lc_json_add_string (&json, "by", lc_sites_by_name (show->by));
      lc_json_add_count (&json, "sites", lc_history_get_n_sites (show->history));
    }
  return json;
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
statistics_sites_add_row (const LcStatisticsShow *show, LcRows *rows, const LcSiteGroups *groups,
                          const LcSiteStatistics *row)
{
  lc_sites_add_group (rows, groups, row->group);
  lc_rows_add_count (rows, row->events);
  lc_rows_add_count (rows, row->time);
  lc_rows_add_count (rows, row->waits);
  lc_rows_add_count (rows, row->waited);
  if (row->waits > 0)
    {
      lc_rows_add_count (rows, row->longest);
      lc_rows_add_count (rows, row->longest_process);
      lc_rows_add_text (rows, lc_names_process (show->names, row->longest_process));
      lc_rows_add_count (rows, row->longest_ordinal);
    }
  else
    lc_statistics_add_nothings (rows, 4);
  lc_rows_add_count (rows, row->made_waits);
  lc_rows_add_count (rows, row->made_wait);
  if (row->made_waits > 0)
    {
      lc_sites_add_name (rows, lc_site_groups_get_name (groups, row->whom),
                         lc_site_groups_get_site (groups, row->whom).function);
      lc_rows_add_count (rows, row->whom_waited);
    }
  else
    lc_statistics_add_nothings (rows, 2);
  lc_rows_add_count (rows, row->held);
}

gboolean
lc_statistics_show_sites (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (show->history, show->by);
  g_autoptr (GArray) all = NULL;
  guint shown;
  LcJson json;
  LcRows *rows;

  lc_site_groups_skip (groups, show->skip);
  all = lc_statistics_sites (show->history, show->timeline, groups, NULL, error);
  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  json = statistics_sites_begin (show, _ ("Where processes waited, and made others wait"));
  if (lc_history_get_n_stacks (show->history) == 0)
    lc_sites_tell_none (show->history, show->format);
  if (all->len > 0 || show->format != LC_FORMAT_TEXT)
    {
      rows = lc_rows_begin (show->format, site_columns, G_N_ELEMENTS (site_columns), &json, "site");
      for (guint i = 0; i < shown; i++)
        statistics_sites_add_row (show, rows, groups, &g_array_index (all, LcSiteStatistics, i));
      lc_rows_end (rows, all->len - shown);
    }
  lc_statistics_end_json (&json);
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
statistics_sites_add_blame (const LcStatisticsShow *show, LcRows *rows, const LcSiteGroups *groups, const GArray *all)
{
  guint64 total = 0;

  for (guint i = 0; i < all->len; i++)
    total += g_array_index (all, LcBlame, i).time;
  for (guint i = 0; i < MIN (all->len, show->limit); i++)
    {
      const LcBlame *blame = &g_array_index (all, LcBlame, i);

      lc_sites_add_group (rows, groups, blame->waiter);
      lc_sites_add_group (rows, groups, blame->blamed);
      lc_statistics_add_object (show, rows, blame->object);
      lc_rows_add_count (rows, blame->waits);
      lc_rows_add_count (rows, blame->time);
      lc_rows_add_percent (rows, blame->time, total);
      lc_rows_add_count (rows, blame->preempted);
    }
}

gboolean
lc_statistics_show_blame (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (show->history, show->by);
  g_autoptr (GArray) all = NULL;
  LcJson json;
  LcRows *rows;

  lc_site_groups_skip (groups, show->skip);
  all = lc_statistics_blame (show->history, show->timeline, NULL, groups, NULL, error);
  if (all == NULL)
    return FALSE;
  json = statistics_sites_begin (show, _ ("What waits for what"));
  if (lc_history_get_n_stacks (show->history) == 0)
    lc_sites_tell_none (show->history, show->format);
  else if (all->len == 0)
    lc_statistics_print_nothing (show, _ ("No event waited."));
  if (all->len > 0 || show->format != LC_FORMAT_TEXT)
    {
      rows = lc_rows_begin (show->format, blame_columns, G_N_ELEMENTS (blame_columns), &json, "blame");
      statistics_sites_add_blame (show, rows, groups, all);
      lc_rows_end (rows, all->len - MIN (all->len, show->limit));
    }
  lc_statistics_end_json (&json);
  return TRUE;
}
