/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the files of the event report. */
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

/* Returns a text like "its end, on worker-2 at 1.25 ms". */
char *lc_report_tell_point (const LcReporter *reporter, guint32 process, LcPoint point, guint64 time);

/* Adds the predecessors and successors of the event. */
gboolean lc_report_add_neighbours (const LcReporter *reporter, LcEventReport *report, GError **error);

/* Adds who held the object while the event waited for it. */
gboolean lc_report_add_holders (const LcReporter *reporter, LcEventReport *report, GError **error);

/* Adds the object, and the other events with the same sequence number. */
gboolean lc_report_add_object (const LcReporter *reporter, LcEventReport *report, GError **error);

#endif
