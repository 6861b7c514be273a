/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a recording as seen from outside the program: its kind and its frequency. */
#ifndef LC_TRACE_CLOCK_H
#define LC_TRACE_CLOCK_H

#include "lightcone/recording.h"

/* The same moment on three clocks. */
typedef struct
{
  guint64 ticks;     /* of the recording's clock */
  guint64 monotonic; /* ns of CLOCK_MONOTONIC */
  gint64 realtime;   /* ns of the Unix epoch */
} LcClockStamp;

LcClockStamp lc_clock_stamp (enum lc_clock clock);

/* Returns the ticks per second between two moments; 0: they are too close together, or the clock went backwards. */
guint64 lc_clock_frequency (enum lc_clock clock, const LcClockStamp *begin, const LcClockStamp *end);

/* Returns the frequency for a recording that has just begun, by waiting some milliseconds. */
guint64 lc_clock_estimate (enum lc_clock clock, const LcClockStamp *begin);

/* Chooses the clock. FALSE with an error if the settings want a clock that is not available. */
gboolean lc_clock_choose (LcRecordingClock wanted, enum lc_clock *clock, GError **error);

#endif
