/* SPDX-License-Identifier: Apache-2.0 */
/* Derives from the events of a block what else the history stores: held objects, totals, postings, pyramids, longest
 * arcs. */
#ifndef LC_HISTORY_DERIVE_H
#define LC_HISTORY_DERIVE_H

#include "lightcone/rules.h"
#include "longest.h"
#include "parcel.h"
#include "totals.h"
#include "uses.h"

typedef struct _LcDerive LcDerive;

/* Takes parcels of events and arcs from `in` until the end parcel and gives them back to their pools; sends blocks and
 * rows to `out`. */
LcDerive *lc_derive_new (LcTrace *trace, const LcRules *rules, LcColumns columns, GAsyncQueue *in, LcParcelPool *events,
                         LcParcelPool *arcs, GAsyncQueue *out);
void lc_derive_free (LcDerive *derive);

/* Shorter arcs need not be sent. */
guint64 lc_derive_get_least_arc (const LcDerive *derive);

/* The thread function; `data` is the LcDerive. */
gpointer lc_derive_run (gpointer data);

/* May be called in any thread: further parcels are dropped, so that the thread ends soon. */
void lc_derive_abandon (LcDerive *derive);

/* The pools to which the receiver of `out` gives blocks and rows back. */
LcParcelPool *lc_derive_get_blocks (LcDerive *derive);
LcParcelPool *lc_derive_get_rows (LcDerive *derive);

/* Must be called after the thread has ended. */
const LcTotals *lc_derive_get_totals (const LcDerive *derive);
const LcUses *lc_derive_get_uses (const LcDerive *derive); /* NULL: not of the measured timeline */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDerive, lc_derive_free)

#endif
