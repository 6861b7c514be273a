/* SPDX-License-Identifier: Apache-2.0 */
/* The link between two diagrams: moving or zooming one of them moves the other. */
#ifndef LC_APP_COMPARE_LINK_H
#define LC_APP_COMPARE_LINK_H

#include "app/session/session.h"

typedef enum
{
  LC_LINK_PAIR,  /* the selected pair stands at the same place in both, at the same scale */
  LC_LINK_TIME,  /* both show the same time since the start */
  LC_LINK_SHARE, /* both show the same share of the run */
  LC_LINK_NONE,
} LcLinkWay;

typedef struct _LcCompareLink LcCompareLink;

/* Makes a link that holds the sessions. Each session keeps its part in view until one of them is moved. */
LcCompareLink *lc_compare_link_new (LcSession *const sessions[2]);
void lc_compare_link_free (LcCompareLink *link);

void lc_compare_link_set_way (LcCompareLink *link, LcLinkWay way);

/* Suspends the link until each hold is matched by lc_compare_link_let_go. */
void lc_compare_link_hold (LcCompareLink *link);
void lc_compare_link_let_go (LcCompareLink *link);

/* Makes the two selected events the pair; the part in view of `leading` stays. */
void lc_compare_link_align (LcCompareLink *link, guint leading);

/* Makes the two selected events the pair and brings both into view, at one scale if the link is LC_LINK_PAIR. If only
 * one side has a selection, that one comes into view. */
void lc_compare_link_reveal (LcCompareLink *link);

#endif
