/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the last point that an event had to come after, on any timeline. */
#ifndef LC_ANALYSIS_BASIS_H
#define LC_ANALYSIS_BASIS_H

#include "lightcone/explanation.h"

typedef struct _LcBasisFinder LcBasisFinder;

/* All arguments are borrowed. `events` is a walk of this timeline with arcs. */
LcBasisFinder *lc_basis_finder_new (LcHistory *history, guint32 timeline, LcHistoryWalk *events,
                                    GCancellable *cancellable);
void lc_basis_finder_free (LcBasisFinder *finder);

/* Finds the last point on other processes that the event had to come after, if that was after its begin, or if it made
 * the process. `event` and `arcs` must come from the walk. */
gboolean lc_basis_find (const LcBasisFinder *finder, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs,
                        LcBasis *basis, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcBasisFinder, lc_basis_finder_free)

#endif
