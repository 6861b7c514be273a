/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the events of a block: what is held, totals, postings, pyramids, the longest arcs. */
#ifndef LC_HISTORY_DERIVE_H
#define LC_HISTORY_DERIVE_H

#include "lightcone/rules.h"
#include "longest.h"
#include "parcel.h"
#include "totals.h"

typedef struct _LcDerive LcDerive;

/* Takes events and arcs from `in`, up to the end of all, gives them back to their pools, and blocks and rows to `out`.
 */
LcDerive *lc_derive_new (LcTrace *trace, const LcRules *rules, LcColumns columns, GAsyncQueue *in, LcParcelPool *events,
                         LcParcelPool *arcs, GAsyncQueue *out);
void lc_derive_free (LcDerive *derive);

/* Arcs that are shorter than this need not be given. */
guint64 lc_derive_get_least_arc (const LcDerive *derive);

/* The function of its thread; `data` is the LcDerive. */
gpointer lc_derive_run (gpointer data);

/* Any thread: nobody wants what has not been given yet; it ends soon. */
void lc_derive_abandon (LcDerive *derive);

/* For whoever has done with its blocks and rows. */
LcParcelPool *lc_derive_get_blocks (LcDerive *derive);
LcParcelPool *lc_derive_get_rows (LcDerive *derive);

/* When it has ended. */
const LcTotals *lc_derive_get_totals (const LcDerive *derive);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDerive, lc_derive_free)

#endif
