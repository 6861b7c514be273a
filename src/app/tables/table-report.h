/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `lightcone stats` as results in memory. */
#ifndef LC_APP_TABLE_REPORT_H
#define LC_APP_TABLE_REPORT_H

#include "app/job.h"
#include "app/session/shown.h"
#include "report/statistics.h"

typedef struct _LcTableReportAsked LcTableReportAsked;

/* Asks for the table on the timeline that is shown. */
LcTableReportAsked *lc_table_report_asked_new (LcShown *shown, const LcStatistics *what, gsize limit);
void lc_table_report_asked_free (gpointer asked);

/* An LcJobWork of an LcTableReportAsked that returns an LcResult. */
gpointer lc_table_report_make (gpointer asked, LcJobPermille *done, GCancellable *cancellable, GError **error);

#endif
