/* SPDX-License-Identifier: Apache-2.0 */
/* How many events there are of what others wait for, in traces that do not say so themselves: text. */
#ifndef LC_HISTORY_CENSUS_H
#define LC_HISTORY_CENSUS_H

#include "points.h"
#include "wants.h"

typedef struct _LcCensus LcCensus;

/* Reads the whole trace. */
LcCensus *lc_census_new (LcTrace *trace, const LcWants *wants);
void lc_census_free (LcCensus *census);

/* How many points an event that waits with this key can expect. */
guint64 lc_census_count (const LcCensus *census, const LcWant *want, const LcPointKey *key);

#endif
