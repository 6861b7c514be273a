/* SPDX-License-Identifier: Apache-2.0 */
/* How many points an event has to come after, and how many events need what one gives: as the rules and the trace say.
 */
#ifndef LC_HISTORY_CENSUS_H
#define LC_HISTORY_CENSUS_H

#include "points.h"
#include "wants.h"

typedef struct _LcCensus LcCensus;

/*
 * Text need not say how many belong together: then the whole trace is read, and what is there is counted. `directed`:
 * who takes what may be decided again. Trace and wants must live longer.
 */
LcCensus *lc_census_new (LcTrace *trace, const LcWants *wants, gboolean directed);
void lc_census_free (LcCensus *census);

/* It was counted: values may be missing. */
gboolean lc_census_is_counted (const LcCensus *census);

/* How many points the event must come after, as the rules and its own values have it. */
guint64 lc_census_get_ruled (const LcCensus *census, const LcWant *want, const LcTraceEvent *event,
                             const LcPointKey *key);

/* How many it can expect to come. */
guint64 lc_census_get_expected (const LcCensus *census, const LcWant *want, const LcTraceEvent *event,
                                const LcPointKey *key);

/* It is known before the end of the sweep that some of them are nowhere. */
gboolean lc_census_is_short (const LcCensus *census, const LcWant *want, const LcTraceEvent *event,
                             const LcPointKey *key);

/* How many events need what the event gives; 0: nobody knows how many. FALSE: none does. */
gboolean lc_census_get_uses (const LcCensus *census, const LcGift *gift, const LcTraceEvent *event,
                             const LcPointKey *key, guint32 *uses);

#endif
