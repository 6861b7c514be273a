/* SPDX-License-Identifier: Apache-2.0 */
/* What an event had to come after last, on any timeline. */
#ifndef LC_ANALYSIS_BASIS_H
#define LC_ANALYSIS_BASIS_H

#include "lightcone/explanation.h"

typedef struct _LcBasisFinder LcBasisFinder;

/* Borrows all; `events` is a walk of this timeline that knows arcs. */
LcBasisFinder *lc_basis_finder_new (LcHistory *history, guint32 timeline, LcHistoryWalk *events,
                                    GCancellable *cancellable);
void lc_basis_finder_free (LcBasisFinder *finder);

/*
 * The last of what the event had to come after on other processes, if that was after its begin, or if it is what made
 * the process. `event` and its `arcs` are as the walk has given them, and stay so.
 */
gboolean lc_basis_find (const LcBasisFinder *finder, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs,
                        LcBasis *basis, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcBasisFinder, lc_basis_finder_free)

#endif
