/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the partner of a selected event in the other run, matched by object and sequence. */
#ifndef LC_APP_COMPARE_PAIR_H
#define LC_APP_COMPARE_PAIR_H

#include "app/compare/compare-link.h"

typedef struct _LcComparePair LcComparePair;

/* Called with a note about the selected pair, or with NULL if there is nothing to say. */
typedef void (*LcComparePairTold) (const char *text, gpointer data);

/* Makes a pair that holds the sessions, but not the link: the link must outlive the pair. */
LcComparePair *lc_compare_pair_new (LcSession *const sessions[2], LcCompareLink *link, LcComparePairTold told,
                                    gpointer data);
void lc_compare_pair_free (LcComparePair *pair);

/* Selects these two events, which need not be partners, and brings both into view. Process LC_TRACE_NONE: no event on
 * that side, as `text` says. */
void lc_compare_pair_select (LcComparePair *pair, const LcEventName events[2], const char *text);

#endif
