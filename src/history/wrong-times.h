/* SPDX-License-Identifier: Apache-2.0 */
/* Events whose times in the trace cannot be right, so that they stand at others. */
#ifndef LC_HISTORY_WRONG_TIMES_H
#define LC_HISTORY_WRONG_TIMES_H

#include "lightcone/history.h"

/* Counts them, as the merge found them; 0 also if the list of problems cannot be read. */
guint64 lc_wrong_times_count (LcHistory *history);

/* "3 events have times that cannot be right, and stand at others: lightcone check tells where"; NULL: there are none.
 * Free with g_free. */
char *lc_wrong_times_describe (guint64 n);

#endif
