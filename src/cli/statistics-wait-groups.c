/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats DIR waits`. Its keys and columns must never change. */
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "sites.h"
#include "statistics.h"

/* In the order of LcWaitsBy. */
static const char *const waits_by_names[] = {"object", "site", "stack", "process", "for", "pair"};

gboolean
lc_waits_by_parse (const char *name, LcWaitsBy *by)
{
  *by = LC_WAITS_BY_OBJECT;
  if (name == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (waits_by_names); i++)
    if (strcmp (name, waits_by_names[i]) == 0)
      {
        *by = (LcWaitsBy)i;
        return TRUE;
      }
  lc_complain (_ ("stats: --by can be object, site, stack, process, for or pair of waits, not “%s”"), name);
  return FALSE;
}

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
statistics_wait_groups_add (const LcStatisticsShow *show, LcRows *rows, const GArray *all, guint shown)
{
  guint64 total = 0;

  for (guint i = 0; i < all->len; i++)
    total += g_array_index (all, LcWaitGroup, i).waited;
  for (guint i = 0; i < shown; i++)
    {
      const LcWaitGroup *group = &g_array_index (all, LcWaitGroup, i);

      lc_rows_add_text (rows, group->name);
      if (show->waits_by == LC_WAITS_BY_SITE || show->waits_by == LC_WAITS_BY_PAIR || group->number == LC_TRACE_NONE)
        lc_rows_add_nothing (rows);
      else
        lc_rows_add_count (rows, group->number);
      lc_rows_add_count (rows, group->waits);
      lc_rows_add_count (rows, group->waited);
      lc_rows_add_percent (rows, group->waited, total);
      lc_rows_add_count (rows, group->longest);
      lc_rows_add_count (rows, group->longest_process);
      lc_rows_add_text (rows, lc_names_process (show->names, group->longest_process));
      lc_rows_add_count (rows, group->longest_ordinal);
      lc_rows_add_count (rows, group->preempted);
    }
}

gboolean
lc_statistics_show_waits (const LcStatisticsShow *show, GError **error)
{
  const LcWaitsAsked asked = {.axis = LC_AXIS_TIME};
  gboolean needs_sites = show->waits_by == LC_WAITS_BY_SITE || show->waits_by == LC_WAITS_BY_STACK;
  g_autoptr (GArray) all =
      lc_statistics_wait_groups (show->history, show->timeline, show->waits_by, &asked, NULL, error);
  guint shown;
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  json = lc_statistics_begin_json (show);
  if (show->format == LC_FORMAT_JSON)
    lc_json_add_string (&json, "by", waits_by_names[show->waits_by]);
  lc_statistics_print_title (show, _ ("Waits in groups"));
  if (needs_sites && lc_history_get_n_stacks (show->history) == 0)
    lc_sites_tell_none (show->history, show->format);
  if (all->len > 0 || show->format != LC_FORMAT_TEXT)
    {
      rows = lc_rows_begin (show->format, wait_columns, G_N_ELEMENTS (wait_columns), &json, "wait");
      statistics_wait_groups_add (show, rows, all, shown);
      lc_rows_end (rows, all->len - shown);
    }
  else
    lc_statistics_print_nothing (show, _ ("No event waited."));
  lc_statistics_end_json (&json);
  return TRUE;
}
