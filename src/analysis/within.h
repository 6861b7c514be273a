/* SPDX-License-Identifier: Apache-2.0 */
/* Spans of time: the events of a process that end in one, and what the process held in it. */
#ifndef LC_ANALYSIS_WITHIN_H
#define LC_ANALYSIS_WITHIN_H

#include "lightcone/history.h"

/* Sets the first event of a process that ends at `from` or later, or the number of its events if there is none. */
gboolean lc_within_find_first (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 *ordinal,
                               GError **error);

typedef void (*LcWithinHeld) (guint32 object, guint64 held, gpointer data);

/* Tells how long the process held its objects between `from` and `to` (from == to: in all the time). An object may be
 * visited several times; the sum counts. An object that is never given back is held to the process's end. */
gboolean lc_within_visit_held (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                               LcWithinHeld visit, gpointer data, GCancellable *cancellable, GError **error);

/* Called with a span, or a part of it, and how long the part lasts. */
typedef void (*LcWithinSpan) (const LcHoldingSpan *span, guint64 held, gpointer data);

/* Does the same for each span; all parts of a span are told, by begin within each piece of the time. */
gboolean lc_within_visit_spans (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                                LcWithinSpan visit, gpointer data, GCancellable *cancellable, GError **error);

#endif
