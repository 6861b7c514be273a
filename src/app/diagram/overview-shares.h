/* SPDX-License-Identifier: Apache-2.0 */
/* What the strip of the whole run shows: in each part of the axis, how much of all processes was running and waiting.
 */
#ifndef LC_APP_OVERVIEW_SHARES_H
#define LC_APP_OVERVIEW_SHARES_H

#include "app/session/session.h"

enum
{
  LC_OVERVIEW_PARTS = 512,
};

/* 0 to 1, together. Of physical time 1 is what the part with most of it has; of others, all that there is. */
typedef struct
{
  float running[LC_OVERVIEW_PARTS];
  float waiting[LC_OVERVIEW_PARTS];
} LcOverviewShares;

/* In a thread; some milliseconds, whatever the size of the history, but for phase time. Free it with g_free. NULL with
 * an error, or without one: there is nothing to see (no process, phases that are not found yet). */
LcOverviewShares *lc_overview_find_shares (const LcShown *shown, const LcSpan *whole, GCancellable *cancellable,
                                           GError **error);

#endif
