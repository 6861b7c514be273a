/* SPDX-License-Identifier: Apache-2.0 */
/* Converts ticks of the recording's clock to ns from its start, by one multiplication, which keeps their order. */
#ifndef LC_TRACE_TIMESCALE_H
#define LC_TRACE_TIMESCALE_H

#include "lightcone/trace.h"

__extension__ typedef unsigned __int128 LcWide;

typedef struct
{
  guint64 start;
  guint64 multiplier; /* ns per tick, times 2 to the power of `shift` */
  guint shift;
  guint64 last; /* last tick before LC_TIME_LIMIT, and before the known end */
} LcTimescale;

/* `frequency` is in ticks per second, and must not be 0. */
void lc_timescale_init (LcTimescale *timescale, guint64 start, guint64 frequency);

/* Makes all ticks after `last` damage, besides those from LC_TIME_LIMIT on. */
void lc_timescale_limit (LcTimescale *timescale, guint64 last);

/* Returns 0 before the start, and always less than LC_TIME_LIMIT. */
static inline guint64
lc_timescale_ns (const LcTimescale *timescale, guint64 ticks)
{
  LcWide ns;

  if (ticks <= timescale->start)
    return 0;
  ns = ((LcWide)(ticks - timescale->start) * timescale->multiplier) >> timescale->shift;
  return ns >= LC_TIME_LIMIT ? LC_TIME_LIMIT - 1 : (guint64)ns;
}

/* Returns the last valid tick; later ones are damage. */
static inline guint64
lc_timescale_last (const LcTimescale *timescale)
{
  return timescale->last;
}

/* Returns value * numerator / denominator, rounded to nearest; G_MAXUINT64 if that is too large. The denominator must
 * not be 0. */
guint64 lc_scale (guint64 value, guint64 numerator, guint64 denominator);

#endif
