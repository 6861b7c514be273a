/* SPDX-License-Identifier: Apache-2.0 */
/* The times in which a process did not go on of itself: it was preempted, or outside of the program. Read piece by
 * piece, to bound the memory. */
#ifndef LC_ANALYSIS_OFF_TIMES_H
#define LC_ANALYSIS_OFF_TIMES_H

#include "lightcone/states.h"

typedef struct
{
  LcHistory *history;
  guint32 timeline;
  guint32 process;
  GCancellable *cancellable;
  guint64 from; /* begin of the next piece */
  guint64 to;   /* end of the process */
  guint64 piece;
  GArray *spans; /* LcStateSpan of the present piece; NULL: none has been read */
  guint at;
} LcOffTimes;

/* Gives the next span, which lies within one event or between two, and belongs to the times until the next call of
 * either function. NULL: there are no more. FALSE with an error. */
gboolean lc_off_times_get (LcOffTimes *off, const LcStateSpan **span, GError **error);
void lc_off_times_skip (LcOffTimes *off);

void lc_off_times_clear (LcOffTimes *off);

#endif
