/* SPDX-License-Identifier: Apache-2.0 */
/* Turns ticks of the recording's clock into ns from its start: one multiplication, and never out of order. */
#ifndef LC_TRACE_TIMESCALE_H
#define LC_TRACE_TIMESCALE_H

#include "lightcone/trace.h"

__extension__ typedef unsigned __int128 LcWide;

typedef struct
{
  guint64 start;
  guint64 multiplier; /* ns a tick, times 2 to the power of `shift` */
  guint shift;
  guint64 last; /* ticks: the last that is less than LC_TIME_LIMIT */
} LcTimescale;

/* `frequency` is in ticks a second and not 0. */
void lc_timescale_init (LcTimescale *timescale, guint64 start, guint64 frequency);

/* 0 before the start; always less than LC_TIME_LIMIT. */
static inline guint64
lc_timescale_ns (const LcTimescale *timescale, guint64 ticks)
{
  LcWide ns;

  if (ticks <= timescale->start)
    return 0;
  ns = ((LcWide)(ticks - timescale->start) * timescale->multiplier) >> timescale->shift;
  return ns >= LC_TIME_LIMIT ? LC_TIME_LIMIT - 1 : (guint64)ns;
}

/* Ticks after this one are damage. */
static inline guint64
lc_timescale_last (const LcTimescale *timescale)
{
  return timescale->last;
}

/* value * numerator / denominator, rounded to nearest; G_MAXUINT64 if that is too large. denominator is not 0. */
guint64 lc_scale (guint64 value, guint64 numerator, guint64 denominator);

#endif
