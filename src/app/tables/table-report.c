/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `lightcone stats` as results in memory. */
#include "app/tables/table-report.h"

#include <glib/gi18n.h>

struct _LcTableReportAsked
{
  LcShown *shown;
  const LcStatistics *what;
  gsize limit; /* rows */
};

LcTableReportAsked *
lc_table_report_asked_new (LcShown *shown, const LcStatistics *what, gsize limit)
{
  LcTableReportAsked *asked = g_new (LcTableReportAsked, 1);

  *asked = (LcTableReportAsked){lc_shown_ref (shown), what, limit};
  return asked;
}

void
lc_table_report_asked_free (gpointer data)
{
  LcTableReportAsked *asked = data;

  lc_shown_unref (asked->shown);
  g_free (asked);
}

/* Gives the name of a timeline. NULL: it is not there any more. */
static char *
table_report_dup_timeline (LcHistory *history, guint32 timeline, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, error);

  for (guint i = 0; timelines != NULL && i < timelines->len; i++)
    {
      const LcHistoryTimeline *one = timelines->pdata[i];

      if (one->id == timeline)
        return g_strdup (one->name);
    }
  if (timelines != NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The timeline is not there any more."));
  return NULL;
}

gpointer
lc_table_report_make (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcTableReportAsked *asked = data;
  const LcStatisticsAsked usual = {.phases = "auto", .max_slack = LC_SLACK_ANY};
  LcHistory *history = asked->shown->opened->history;
  g_autofree char *timeline = table_report_dup_timeline (history, asked->shown->timeline, error);
  g_autoptr (LcNames) names = lc_names_new (history);
  g_autoptr (LcResult) result = lc_result_new ("");
  LcReport report = {.history = history,
                     .names = names,
                     .what = asked->what->name,
                     .title = _ (asked->what->title),
                     .timeline_name = (asked->what->options & LC_STATISTICS_ALL) == 0 ? timeline : NULL,
                     .timeline = asked->shown->timeline,
                     .format = LC_FORMAT_KEPT,
                     .limit = asked->limit,
                     .cancellable = cancellable,
                     .result = result};

  result->timeline = asked->shown->timeline;
  if (timeline == NULL || !asked->what->show (&report, &usual, error))
    return NULL;
  return g_steal_pointer (&result);
}
