/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a run of postings. */
#ifndef LC_HISTORY_POSTINGS_SORT_H
#define LC_HISTORY_POSTINGS_SORT_H

#include "postings.h"

/* Sorts by object, sequence, process and ordinal, and returns whichever of the two arrays has the result. Fast when the
 * postings of each object come nearly in order. */
LcPosting *lc_postings_sort (LcPosting *postings, LcPosting *scratch, gsize n);

#endif
