/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats DIR slack`. Its keys and columns must never change. */
#include "lightcone/slack-statistics.h"

#include <glib/gi18n.h>

#include "report/sites.h"
#include "report/statistics.h"
#include "trace/quantities.h"

/* For programs, which are not told how many rows were left out. */
#define MOST_NEAR 10000

/* The rows that there are. */
typedef enum
{
  SLACK_PROCESSES,
  SLACK_OBJECTS,
  SLACK_OPERATIONS,
  SLACK_SITES,
  SLACK_EVENTS,
  SLACK_ARCS,
} SlackRows;

const char *const lc_slack_by_names[] = {"process", "object", "operation", "site", "event", "arc", NULL};

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
statistics_slack_get_name (LcReport *report, guint by, const LcSiteGroups *groups, guint32 number)
{
  switch (by)
    {
    case SLACK_OBJECTS:
      return number == LC_TRACE_NONE ? "(none)" : lc_names_object (report->names, number);
    case SLACK_OPERATIONS:
      return lc_names_operation (report->names, number);
    case SLACK_SITES:
      return lc_site_groups_get_name (groups, number);
    default:
      return lc_names_process (report->names, number);
    }
}

static void
statistics_slack_add_group (LcReport *report, guint by, LcRows *rows, const LcSiteGroups *groups,
                            const LcSlackStatistics *group)
{
  lc_rows_add_text (rows, statistics_slack_get_name (report, by, groups, group->number));
  lc_rows_add_id (rows, by == SLACK_SITES ? LC_TRACE_NONE : group->number);
  lc_rows_add_count (rows, group->events);
  lc_rows_add_count (rows, group->critical);
  lc_rows_add_count (rows, group->near);
  lc_rows_add_count (rows, group->slack);
  if (group->least > 0)
    {
      lc_rows_add_count (rows, group->least);
      lc_report_add_process_cells (report, rows, group->least_process);
      lc_rows_add_count (rows, group->least_ordinal);
    }
  else
    lc_rows_add_nothings (rows, 4);
  for (guint i = 0; i < LC_SLACK_RANGES; i++)
    lc_rows_add_count (rows, group->ranges[i]);
}

static LcRows *
statistics_slack_begin_rows (LcReport *report, guint by, guint64 most, const LcRowsColumn *columns, guint n_columns,
                             const char *key)
{
  lc_report_add_string (report, "by", lc_slack_by_names[by]);
  lc_report_add_count (report, "max_slack", most);
  return lc_report_begin_rows (report, columns, n_columns, key);
}

static gboolean
statistics_slack_show_groups (LcReport *report, guint by, guint64 most, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (report->history, LC_SITES_BY_SITE);
  g_autoptr (GArray) all =
      lc_statistics_slack (report->history, report->timeline, (LcSlackBy)by, groups, most, report->cancellable, error);
  g_autofree char *little = lc_format_duration (most);
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  lc_report_begin (report);
  lc_report_say (report, _ ("  little slack: no more than %s\n"), little);
  if (by == SLACK_SITES && lc_history_get_n_stacks (report->history) == 0)
    lc_report_say_no_sites (report);
  rows = statistics_slack_begin_rows (report, by, most, group_columns, G_N_ELEMENTS (group_columns), "group");
  for (guint i = 0, n = lc_rows_limit (rows, all->len); i < n; i++)
    statistics_slack_add_group (report, by, rows, groups, &g_array_index (all, LcSlackStatistics, i));
  lc_rows_end (rows, 0);
  lc_report_end (report);
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
statistics_slack_add_near (LcReport *report, gboolean arcs, LcRows *rows, const LcNearEvent *near)
{
  const LcHistorySite *site = lc_history_get_own_site (report->history, near->stack);
  g_autofree char *place = site != NULL ? lc_history_dup_site_text (site) : NULL;

  lc_rows_add_count (rows, near->slack);
  lc_report_add_process_cells (report, rows, near->process);
  lc_rows_add_count (rows, near->ordinal);
  lc_rows_add_text (rows, lc_names_operation (report->names, near->operation));
  lc_report_add_object_cells (report, rows, near->object);
  lc_rows_add_count (rows, near->begin);
  lc_rows_add_count (rows, near->end);
  lc_sites_add_name (rows, place, site != NULL ? site->function : NULL);
  if (!arcs)
    return;
  lc_report_add_process_cells (report, rows, near->from_process);
  lc_rows_add_count (rows, near->from_ordinal);
  lc_rows_add_name (rows, near->from_point == LC_POINT_BEGIN ? "begin" : "end",
                    near->from_point == LC_POINT_BEGIN ? _ ("begin") : _ ("end"));
}

static gboolean
statistics_slack_show_near (LcReport *report, guint by, guint64 most, GError **error)
{
  const gboolean arcs = by == SLACK_ARCS;
  const gsize limit = report->limit < G_MAXSIZE ? report->limit : MOST_NEAR;
  g_autoptr (GArray) all =
      lc_statistics_least_slack (report->history, report->timeline, arcs, most, limit, report->cancellable, error);
  LcRows *rows;

  if (all == NULL || !lc_history_read_places (report->history, error))
    return FALSE;
  report->title = arcs ? _ ("Arcs nearest to being critical") : _ ("Events nearest to being critical");
  lc_report_begin (report);
  if (all->len == 0 && report->format == LC_FORMAT_TEXT)
    {
      lc_report_say_nothing (report, arcs ? _ ("No arc has slack.") : _ ("No event has slack."));
      return TRUE;
    }
  rows = statistics_slack_begin_rows (report, by, most, event_columns,
                                      arcs ? G_N_ELEMENTS (event_columns) : EVENT_COLUMNS, lc_slack_by_names[by]);
  for (guint i = 0; i < all->len; i++)
    statistics_slack_add_near (report, arcs, rows, &g_array_index (all, LcNearEvent, i));
  lc_rows_end (rows, 0);
  lc_report_end (report);
  return TRUE;
}

/* Without --max-slack, little slack is up to a hundredth of the run; and all events with slack are listed. */
gboolean
lc_statistics_show_slack (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  const gboolean is_given = asked->max_slack != LC_SLACK_ANY;
  guint64 total;

  if (!lc_statistics_total (report->history, report->timeline, &total, error))
    return FALSE;
  if (asked->by == SLACK_EVENTS || asked->by == SLACK_ARCS)
    return statistics_slack_show_near (report, asked->by, is_given ? asked->max_slack : total, error);
  return statistics_slack_show_groups (report, asked->by, is_given ? asked->max_slack : total / 100, error);
}
