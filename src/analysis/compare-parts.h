/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two histories within bounded memory. */
#ifndef LC_ANALYSIS_COMPARE_PARTS_H
#define LC_ANALYSIS_COMPARE_PARTS_H

#include "lightcone/compare.h"

/* Like lc_compare; objects are compared together up to `most_at_once` events on a side, and one with more of them in
 * ranges of sequence numbers. */
LcComparison *lc_compare_in_parts (const LcCompareSide sides[2], gsize limit, guint64 most_at_once,
                                   LcCompareProgress progress, gpointer data, GCancellable *cancellable,
                                   GError **error);

#endif
