/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a run of postings. */
#ifndef LC_HISTORY_POSTINGS_SORT_H
#define LC_HISTORY_POSTINGS_SORT_H

#include "postings.h"

/*
 * By object, sequence, process and ordinal. Gives the one of the two arrays that they are in afterwards. Quick when
 * those of each object come nearly in order.
 */
LcPosting *lc_postings_sort (LcPosting *postings, LcPosting *scratch, gsize n);

#endif
