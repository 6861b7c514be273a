/* SPDX-License-Identifier: Apache-2.0 */
/* Counts points: how many an event has to come after, and how many events need a given point. */
#ifndef LC_HISTORY_CENSUS_H
#define LC_HISTORY_CENSUS_H

#include "points.h"
#include "wants.h"

typedef struct _LcCensus LcCensus;

/*
 * Text need not say how many belong together: then the whole trace is read, and what is there is counted. So it is of
 * a trace with gaps: what is not in the trace was given in a gap, and nobody waits for it. `directed`:
 * who takes what may be decided again. Trace and wants must live longer.
 */
LcCensus *lc_census_new (LcTrace *trace, const LcWants *wants, gboolean directed);
void lc_census_free (LcCensus *census);

/* Whether the trace was counted, in which case values of events may be missing. */
gboolean lc_census_is_counted (const LcCensus *census);

/* The number of points that the event must come after, by the rules and the event's own values. */
guint64 lc_census_get_ruled (const LcCensus *census, const LcWant *want, const LcTraceEvent *event,
                             const LcPointKey *key);

/* The number of those points that exist in the trace, as far as that is known. */
guint64 lc_census_get_expected (const LcCensus *census, const LcWant *want, const LcTraceEvent *event,
                                const LcPointKey *key);

/* Whether some of the points are known to be missing before the sweep has ended. */
gboolean lc_census_is_short (const LcCensus *census, const LcWant *want, const LcTraceEvent *event,
                             const LcPointKey *key);

/* Sets `uses` to the number of events that need the supply; 0 if that is unknown. FALSE: no event needs it. */
gboolean lc_census_get_uses (const LcCensus *census, const LcGift *gift, const LcTraceEvent *event,
                             const LcPointKey *key, guint32 *uses);

#endif
