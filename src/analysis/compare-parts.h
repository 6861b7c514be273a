/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories side by side, with a bound on what is in memory. */
#ifndef LC_ANALYSIS_COMPARE_PARTS_H
#define LC_ANALYSIS_COMPARE_PARTS_H

#include "lightcone/compare.h"

/* As lc_compare; an object with more events than `most_at_once` on a side is compared in parts of its sequences. */
LcComparison *lc_compare_in_parts (const LcCompareSide sides[2], gsize limit, guint64 most_at_once,
                                   LcCompareProgress progress, gpointer data, GCancellable *cancellable,
                                   GError **error);

#endif
