/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the event's report know of each other. */
#ifndef LC_APP_EVENT_REPORT_PRIVATE_H
#define LC_APP_EVENT_REPORT_PRIVATE_H

#include "app/inspect/event-report.h"
#include "lightcone/phases.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const LcEventAsked *asked;
  const LcPhases *phases; /* or NULL */
  GCancellable *cancellable;
} LcReporter;

/* "its end, on worker-2 at 1.25 ms" */
char *lc_report_tell_point (const LcReporter *reporter, guint32 process, LcPoint point, guint64 time);

/* What comes before and after it. */
gboolean lc_report_add_neighbours (const LcReporter *reporter, LcEventReport *report, GError **error);

/* Its object, and the other events of the same number. */
gboolean lc_report_add_object (const LcReporter *reporter, LcEventReport *report, GError **error);

#endif
