/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the time: which events of a process end within one, and what it held in it. */
#ifndef LC_ANALYSIS_WITHIN_H
#define LC_ANALYSIS_WITHIN_H

#include "lightcone/history.h"

/* The first event of a process that ends at `from` or later; how many it has if there is none. */
gboolean lc_within_find_first (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 *ordinal,
                               GError **error);

typedef void (*LcWithinHeld) (guint32 object, guint64 held, gpointer data);

/* What of the time from `from` to before `to` (from == to: all of it) the process held its objects; each is told once
 * or more often, and the sum counts. What is never given back is held to the process's end. */
gboolean lc_within_visit_held (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                               LcWithinHeld visit, gpointer data, GCancellable *cancellable, GError **error);

#endif
