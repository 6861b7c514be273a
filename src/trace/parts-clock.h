/* SPDX-License-Identifier: Apache-2.0 */
/* The relation between the clocks of several hosts. */
#ifndef LC_TRACE_PARTS_CLOCK_H
#define LC_TRACE_PARTS_CLOCK_H

#include "reader.h"

__extension__ typedef __int128 LcSignedWide;

#define LC_PART_SKEW_BITS 62

/* A line that maps ns of a part to ns of the whole. */
typedef struct
{
  gint64 from; /* this time of the part ... */
  gint64 to;   /* ... is this time of the whole */
  gint64 skew; /* speed of the whole's clock in the part's, minus 1, times 2 to the power of LC_PART_SKEW_BITS */
} LcPartClock;

/* Maps a time to the nearest ns; the order of times is kept. */
static inline LcSignedWide
lc_part_clock_map_freely (const LcPartClock *clock, guint64 ns)
{
  const LcSignedWide half = (LcSignedWide)1 << (LC_PART_SKEW_BITS - 1);
  LcSignedWide since = (LcSignedWide)ns - clock->from;

  return since + ((since * clock->skew + half) >> LC_PART_SKEW_BITS) + clock->to;
}

/* Maps a time, limited to the start of the whole and below LC_TIME_LIMIT. */
static inline guint64
lc_part_clock_map (const LcPartClock *clock, guint64 ns)
{
  LcSignedWide result = lc_part_clock_map_freely (clock, ns);

  return result < 0 ? 0 : result >= LC_TIME_LIMIT ? LC_TIME_LIMIT - 1 : (guint64)result;
}

/*
 * Finds the clocks of all parts, which are opened traces called `names`; counts problems in `whole`, and sets the Unix
 * time of time 0, before which nothing lies.
 */
void lc_part_clocks_find (LcTrace *whole, LcTrace *const *parts, const char *const *names, guint n,
                          LcPartClock *clocks);

#endif
