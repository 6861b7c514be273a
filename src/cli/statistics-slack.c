/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats DIR slack`. Its keys and columns must never change. */
#include "lightcone/slack-statistics.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "format.h"
#include "sites.h"
#include "statistics.h"

/* For programs, which are not told how many rows were left out. */
#define MOST_NEAR 10000

/* In the order of LcSlackBy, then of LcSlackRows. */
static const char *const slack_by_names[] = {"process", "object", "operation", "site", "event", "arc"};

gboolean
lc_slack_by_parse (const char *name, LcSlackRows *by)
{
  *by = LC_SLACK_ROWS_PROCESSES;
  if (name == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (slack_by_names); i++)
    if (strcmp (name, slack_by_names[i]) == 0)
      {
        *by = (LcSlackRows)i;
        return TRUE;
      }
  lc_complain (_ ("stats: --by can be process, object, operation, site, event or arc of slack, not “%s”"), name);
  return FALSE;
}

/* --- Groups -------------------------------------------------------------------------------------------------- */

static const LcRowsColumn group_columns[] = {
    {"group", N_ ("Of"), LC_CELL_TEXT},
    {"number", NULL, LC_CELL_COUNT},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"critical", N_ ("None"), LC_CELL_COUNT},
    {"near", N_ ("Little"), LC_CELL_COUNT},
    {"slack", N_ ("In all"), LC_CELL_TIME},
    {"least", N_ ("Least"), LC_CELL_TIME},
    {"least_process", NULL, LC_CELL_COUNT},
    {"least_process_name", N_ ("of process"), LC_CELL_TEXT},
    {"least_ordinal", N_ ("its event"), LC_CELL_COUNT},
    {"below_1us", N_ ("< 1 us"), LC_CELL_COUNT},
    {"below_10us", N_ ("< 10 us"), LC_CELL_COUNT},
    {"below_100us", N_ ("< 100 us"), LC_CELL_COUNT},
    {"below_1ms", N_ ("< 1 ms"), LC_CELL_COUNT},
    {"below_10ms", N_ ("< 10 ms"), LC_CELL_COUNT},
    {"below_100ms", N_ ("< 100 ms"), LC_CELL_COUNT},
    {"more", N_ ("More"), LC_CELL_COUNT},
};

static const char *
cli_slack_get_name (const LcStatisticsShow *show, const LcSiteGroups *groups, guint32 number)
{
  switch (show->slack_by)
    {
    case LC_SLACK_ROWS_OBJECTS:
      return number == LC_TRACE_NONE ? "(none)" : lc_names_object (show->names, number);
    case LC_SLACK_ROWS_OPERATIONS:
      return lc_names_operation (show->names, number);
    case LC_SLACK_ROWS_SITES:
      return lc_site_groups_get_name (groups, number);
    case LC_SLACK_ROWS_PROCESSES:
    case LC_SLACK_ROWS_EVENTS:
    case LC_SLACK_ROWS_ARCS:
    default:
      return lc_names_process (show->names, number);
    }
}

static void
cli_slack_add_group (const LcStatisticsShow *show, LcRows *rows, const LcSiteGroups *groups,
                     const LcSlackStatistics *group)
{
  lc_rows_add_text (rows, cli_slack_get_name (show, groups, group->number));
  if (show->slack_by == LC_SLACK_ROWS_SITES || group->number == LC_TRACE_NONE)
    lc_rows_add_nothing (rows);
  else
    lc_rows_add_count (rows, group->number);
  lc_rows_add_count (rows, group->events);
  lc_rows_add_count (rows, group->critical);
  lc_rows_add_count (rows, group->near);
  lc_rows_add_count (rows, group->slack);
  if (group->least > 0)
    {
      lc_rows_add_count (rows, group->least);
      lc_rows_add_count (rows, group->least_process);
      lc_rows_add_text (rows, lc_names_process (show->names, group->least_process));
      lc_rows_add_count (rows, group->least_ordinal);
    }
  else
    lc_statistics_add_nothings (rows, 4);
  for (guint i = 0; i < LC_SLACK_RANGES; i++)
    lc_rows_add_count (rows, group->ranges[i]);
}

static LcRows *
cli_slack_begin_rows (const LcStatisticsShow *show, LcJson *json, guint64 most, const LcRowsColumn *columns,
                      guint n_columns, const char *key)
{
  *json = lc_statistics_begin_json (show);
  if (show->format == LC_FORMAT_JSON)
    {
      lc_json_add_string (json, "by", slack_by_names[show->slack_by]);
      lc_json_add_count (json, "max_slack", most);
    }
  return lc_rows_begin (show->format, columns, n_columns, json, key);
}

static gboolean
cli_slack_show_groups (const LcStatisticsShow *show, guint64 most, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (show->history, LC_SITES_BY_SITE);
  g_autoptr (GArray) all =
      lc_statistics_slack (show->history, show->timeline, (LcSlackBy)show->slack_by, groups, most, NULL, error);
  g_autofree char *little = lc_format_duration (most);
  guint shown;
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  lc_statistics_print_title (show, _ ("How much later events could have ended without the run's end moving"));
  if (show->format == LC_FORMAT_TEXT)
    g_print (_ ("  little slack: no more than %s\n"), little);
  if (show->slack_by == LC_SLACK_ROWS_SITES && lc_history_get_n_stacks (show->history) == 0)
    lc_sites_tell_none (show->history, show->format);
  rows = cli_slack_begin_rows (show, &json, most, group_columns, G_N_ELEMENTS (group_columns), "group");
  for (guint i = 0; i < shown; i++)
    cli_slack_add_group (show, rows, groups, &g_array_index (all, LcSlackStatistics, i));
  lc_rows_end (rows, all->len - shown);
  lc_statistics_end_json (&json);
  return TRUE;
}

/* --- Events and arcs ----------------------------------------------------------------------------------------- */

static const LcRowsColumn event_columns[] = {
    {"slack", N_ ("Slack"), LC_CELL_TIME},
    {"process", NULL, LC_CELL_COUNT},
    {"process_name", N_ ("Process"), LC_CELL_TEXT},
    {"ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"operation", N_ ("Operation"), LC_CELL_TEXT},
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"end", N_ ("End"), LC_CELL_TIME},
    {"site", N_ ("Where"), LC_CELL_TEXT},
    /* Of arcs only. */
    {"from_process", NULL, LC_CELL_COUNT},
    {"from_process_name", N_ ("From"), LC_CELL_TEXT},
    {"from_ordinal", N_ ("its event"), LC_CELL_COUNT},
    {"from_point", N_ ("its"), LC_CELL_TEXT},
};

enum
{
  EVENT_COLUMNS = 10, /* of those, the ones of events */
};

static void
cli_slack_add_near (const LcStatisticsShow *show, LcRows *rows, const LcNearEvent *near)
{
  const LcHistorySite *site = lc_history_get_own_site (show->history, near->stack);
  g_autofree char *place = site != NULL ? lc_history_dup_site_text (site) : NULL;

  lc_rows_add_count (rows, near->slack);
  lc_rows_add_count (rows, near->process);
  lc_rows_add_text (rows, lc_names_process (show->names, near->process));
  lc_rows_add_count (rows, near->ordinal);
  lc_rows_add_text (rows, lc_names_operation (show->names, near->operation));
  lc_statistics_add_object (show, rows, near->object);
  lc_rows_add_count (rows, near->begin);
  lc_rows_add_count (rows, near->end);
  lc_sites_add_name (rows, place, site != NULL ? site->function : NULL);
  if (show->slack_by != LC_SLACK_ROWS_ARCS)
    return;
  lc_rows_add_count (rows, near->from_process);
  lc_rows_add_text (rows, lc_names_process (show->names, near->from_process));
  lc_rows_add_count (rows, near->from_ordinal);
  lc_rows_add_name (rows, near->from_point == LC_POINT_BEGIN ? "begin" : "end",
                    near->from_point == LC_POINT_BEGIN ? _ ("begin") : _ ("end"));
}

static gboolean
cli_slack_show_near (const LcStatisticsShow *show, guint64 most, GError **error)
{
  const gboolean arcs = show->slack_by == LC_SLACK_ROWS_ARCS;
  const gsize limit = show->limit < G_MAXSIZE ? show->limit : MOST_NEAR;
  g_autoptr (GArray) all = lc_statistics_least_slack (show->history, show->timeline, arcs, most, limit, NULL, error);
  LcJson json;
  LcRows *rows;

  if (all == NULL || !lc_history_read_places (show->history, error))
    return FALSE;
  lc_statistics_print_title (show,
                             arcs ? _ ("Arcs nearest to being critical") : _ ("Events nearest to being critical"));
  if (all->len == 0 && show->format == LC_FORMAT_TEXT)
    {
      lc_statistics_print_nothing (show, arcs ? _ ("No arc has slack.") : _ ("No event has slack."));
      return TRUE;
    }
  rows = cli_slack_begin_rows (show, &json, most, event_columns, arcs ? G_N_ELEMENTS (event_columns) : EVENT_COLUMNS,
                               slack_by_names[show->slack_by]);
  for (guint i = 0; i < all->len; i++)
    cli_slack_add_near (show, rows, &g_array_index (all, LcNearEvent, i));
  lc_rows_end (rows, 0);
  lc_statistics_end_json (&json);
  return TRUE;
}

/* Without --max-slack, little slack is up to a hundredth of the run; and all events with slack are listed. */
gboolean
lc_statistics_show_slack (const LcStatisticsShow *show, GError **error)
{
  const gboolean lists = show->slack_by == LC_SLACK_ROWS_EVENTS || show->slack_by == LC_SLACK_ROWS_ARCS;
  guint64 total;

  if (!lc_statistics_total (show->history, show->timeline, &total, error))
    return FALSE;
  if (lists)
    return cli_slack_show_near (show, show->max_slack != LC_SLACK_ANY ? show->max_slack : total, error);
  return cli_slack_show_groups (show, show->max_slack != LC_SLACK_ANY ? show->max_slack : total / 100, error);
}
