/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of clocks. */
#include "timescale.h"

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

/* A larger shift would lose the highest bits of 10^9 << shift. */
#define LARGEST_SHIFT 97

/* Returns the last tick whose product with the multiplier is below the limit; for very fast clocks that is any tick. */
static guint64
last_ticks (const LcTimescale *timescale)
{
  const LcWide most = ~(LcWide)0;
  LcWide limit = timescale->shift < 128 - 61 ? (LcWide)LC_TIME_LIMIT << timescale->shift : most, ticks;

  if (timescale->multiplier == 0)
    return G_MAXUINT64;
  ticks = (limit - 1) / timescale->multiplier;
  return ticks >= G_MAXUINT64 - timescale->start ? G_MAXUINT64 : timescale->start + (guint64)ticks;
}

void
lc_timescale_init (LcTimescale *timescale, guint64 start, guint64 frequency)
{
  guint shift = 0;

  g_assert (frequency > 0);
  while (shift < LARGEST_SHIFT && ((LcWide)NS_PER_SECOND << (shift + 1)) / frequency <= G_MAXINT64)
    shift++;
  timescale->start = start;
  timescale->multiplier = (guint64)(((LcWide)NS_PER_SECOND << shift) / frequency);
  timescale->shift = shift;
  timescale->last = last_ticks (timescale);
}

void
lc_timescale_limit (LcTimescale *timescale, guint64 last)
{
  timescale->last = MIN (timescale->last, MAX (last, timescale->start));
}

guint64
lc_scale (guint64 value, guint64 numerator, guint64 denominator)
{
  LcWide result = ((LcWide)value * numerator + denominator / 2) / denominator;

  return result > G_MAXUINT64 ? G_MAXUINT64 : (guint64)result;
}
