/* SPDX-License-Identifier: Apache-2.0 */
/* Selections of waits: which events are in one. */
#ifndef LC_ANALYSIS_WAITS_ASKED_H
#define LC_ANALYSIS_WAITS_ASKED_H

#include "lightcone/statistics.h"

/* Marks the objects of a selection by number. NULL: the selection is not limited to objects. Free with g_free. */
gboolean *lc_waits_asked_mark_objects (const LcWaitsAsked *asked, LcHistory *history);

/* Whether the event waited, and is in the selection. `objects` comes from lc_waits_asked_mark_objects; processes are
 * not compared. */
gboolean lc_waits_asked_has (const LcWaitsAsked *asked, const gboolean *objects, const LcHistoryEvent *event);

#endif
