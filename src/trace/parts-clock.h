/* SPDX-License-Identifier: Apache-2.0 */
/* How the clocks of several hosts stand to each other. */
#ifndef LC_TRACE_PARTS_CLOCK_H
#define LC_TRACE_PARTS_CLOCK_H

#include "reader.h"

__extension__ typedef __int128 LcSignedWide;

#define LC_PART_SKEW_BITS 62

/* From the ns of a part to those of the whole: a line. */
typedef struct
{
  gint64 from; /* these of the part's ns ... */
  gint64 to;   /* ... are these of the whole */
  gint64 skew; /* how much faster the whole's clock goes, less 1, times 2 to the power of LC_PART_SKEW_BITS */
} LcPartClock;

/* To the nearest ns; never out of order. */
static inline LcSignedWide
lc_part_clock_map_freely (const LcPartClock *clock, guint64 ns)
{
  const LcSignedWide half = (LcSignedWide)1 << (LC_PART_SKEW_BITS - 1);
  LcSignedWide since = (LcSignedWide)ns - clock->from;

  return since + ((since * clock->skew + half) >> LC_PART_SKEW_BITS) + clock->to;
}

/* The same, but never before the start, and always less than LC_TIME_LIMIT. */
static inline guint64
lc_part_clock_map (const LcPartClock *clock, guint64 ns)
{
  LcSignedWide result = lc_part_clock_map_freely (clock, ns);

  return result < 0 ? 0 : result >= LC_TIME_LIMIT ? LC_TIME_LIMIT - 1 : (guint64)result;
}

/*
 * Finds the clocks of all parts (opened traces, called by `names`); `whole` is told what is wrong, and gets the Unix
 * time of its start. Nothing lies before the start of the part that began first.
 */
void lc_part_clocks_find (LcTrace *whole, LcTrace *const *parts, const char *const *names, guint n,
                          LcPartClock *clocks);

#endif
