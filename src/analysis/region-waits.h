/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of a pool's threads for their next parallel region, by what its master did meanwhile. */
#ifndef LC_ANALYSIS_REGION_WAITS_H
#define LC_ANALYSIS_REGION_WAITS_H

#include "lightcone/explanation.h"

typedef struct _LcRegionWaits LcRegionWaits;

/* The part of a wait in which the master was in another region. */
typedef struct
{
  guint64 begin;
  guint64 waited;
  guint32 object; /* of that region */
  guint32 stack;  /* where the master waited for its end */
  LcBasis basis;  /* who ended it */
} LcRegionWait;

/* The history must outlive the result. */
LcRegionWaits *lc_region_waits_new (LcHistory *history, guint32 timeline, GCancellable *cancellable);
void lc_region_waits_free (LcRegionWaits *waits);

/* Sets `parts` to those of an event's wait (LcRegionWait), the last one first: none unless the event begins a part in a
 * region. What they leave of the wait is for the region that the event begins. The array belongs to `waits`, and is
 * valid until the next call. */
gboolean lc_region_waits_find (LcRegionWaits *waits, const LcHistoryEvent *event, const GArray **parts, GError **error);

/* Returns what the parts leave of the event's wait. */
guint64 lc_region_waits_rest (const LcHistoryEvent *event, const GArray *parts);

/* Gives one of the stretches that the parts leave, the last one first: before the i-th part, or after all of them,
 * which may be empty. */
void lc_region_waits_get_gap (const LcHistoryEvent *event, const GArray *parts, guint i, guint64 *from, guint64 *to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRegionWaits, lc_region_waits_free)

#endif
