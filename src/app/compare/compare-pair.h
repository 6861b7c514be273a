/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever selects an event of one run gets the same one of the other, by object and sequence. */
#ifndef LC_APP_COMPARE_PAIR_H
#define LC_APP_COMPARE_PAIR_H

#include "app/compare/compare-link.h"

typedef struct _LcComparePair LcComparePair;

/* What there is to say of the selected pair, or NULL. */
typedef void (*LcComparePairTold) (const char *text, gpointer data);

/* It holds the sessions, not the link, which outlives it. */
LcComparePair *lc_compare_pair_new (LcSession *const sessions[2], LcCompareLink *link, LcComparePairTold told,
                                    gpointer data);
void lc_compare_pair_free (LcComparePair *pair);

/* These two, which need not be the same event; process LC_TRACE_NONE: there is none on this side, which `text` tells.
 * Both come into view. */
void lc_compare_pair_select (LcComparePair *pair, const LcEventName events[2], const char *text);

#endif
