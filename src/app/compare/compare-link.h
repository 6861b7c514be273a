/* SPDX-License-Identifier: Apache-2.0 */
/* Two diagrams whose parts in view go together. */
#ifndef LC_APP_COMPARE_LINK_H
#define LC_APP_COMPARE_LINK_H

#include "app/session/session.h"

typedef enum
{
  LC_LINK_PAIR,  /* the selected pair is at the same place in both, at the same scale */
  LC_LINK_TIME,  /* the same time since the start */
  LC_LINK_SHARE, /* the same share of the run */
  LC_LINK_NONE,
} LcLinkWay;

typedef struct _LcCompareLink LcCompareLink;

/* It holds the sessions. As long as nothing was moved, each shows what it shows. */
LcCompareLink *lc_compare_link_new (LcSession *const sessions[2]);
void lc_compare_link_free (LcCompareLink *link);

void lc_compare_link_set_way (LcCompareLink *link, LcLinkWay way);

/* As often held as let go: in between neither follows the other. */
void lc_compare_link_hold (LcCompareLink *link);
void lc_compare_link_let_go (LcCompareLink *link);

/* What is selected on both sides is a pair from now on; `leading` stays where it is. */
void lc_compare_link_align (LcCompareLink *link, guint leading);

/* The same, and both come into view, at one scale if that is how they are linked. What is selected on one side only
 * comes into view there. */
void lc_compare_link_reveal (LcCompareLink *link);

#endif
