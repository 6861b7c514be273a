/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the overview: how much of all processes was running and waiting in each part of the axis, and what of it
 * is highlighted. */
#ifndef LC_APP_OVERVIEW_SHARES_H
#define LC_APP_OVERVIEW_SHARES_H

#include "app/session/session.h"

enum
{
  LC_OVERVIEW_PARTS = 512,
};

/* Shares from 0 to 1 of both together: in physical time of the busiest part, otherwise of the total of the same
 * part. */
typedef struct
{
  float running[LC_OVERVIEW_PARTS];
  float waiting[LC_OVERVIEW_PARTS];

  /* The share of the rows that are in the past or in the future of the chosen event. */
  float past[LC_OVERVIEW_PARTS];
  float future[LC_OVERVIEW_PARTS];

  /* Where the critical path is, from the first row's side (0) to the last one's (1); low > high: nowhere. */
  float path_low[LC_OVERVIEW_PARTS];
  float path_high[LC_OVERVIEW_PARTS];
} LcOverviewShares;

/* Called in a thread; takes some milliseconds whatever the size of the history, except in phase time. Free with g_free.
 * NULL with an error, or without one if there is nothing to show (no processes, or phases not found yet). */
LcOverviewShares *lc_overview_find_shares (const LcShown *shown, const LcSpan *whole, GCancellable *cancellable,
                                           GError **error);

#endif
