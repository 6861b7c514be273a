/* SPDX-License-Identifier: Apache-2.0 */
/* The times in which nothing was recorded, on purpose: the group [gaps] of trace.ini. */
#ifndef LC_TRACE_GAPS_H
#define LC_TRACE_GAPS_H

#include "problems.h"

/* As trace.ini calls them: "ring", "paused", "dump". */
const char *lc_gap_reason_name (LcGapReason reason);

/* LcTraceGap, of a file of that name. What makes no sense is a problem, and left out. */
GArray *lc_gaps_read (GKeyFile *settings, LcProblems *problems, const char *file);

/* FROM;TO;REASON[;EVENTS] of each, one to a line, and back; NULL: there is none. */
char *lc_gaps_to_text (const LcTraceGap *gaps, gsize n_gaps);
GArray *lc_gaps_from_text (const char *text);

/* The end of the gap that begins at 0, and of those that follow it at once; and where the one begins that never ends.
 */
void lc_gaps_get_limits (const GArray *gaps, guint64 *kept_from, guint64 *kept_to);

/* Lets the times of gaps count from `origin`. One that was over by then is no more. */
void lc_gaps_move (GArray *gaps, guint64 origin);

/* Those of several parts as those of one trace: sorted, and one where they overlap. */
void lc_gaps_unite (GArray *gaps);

/* How much of the time from `begin` to `end` lies in gaps. */
guint64 lc_gaps_measure (const GArray *gaps, guint64 begin, guint64 end);

/* The first gap that lies between two times, all of it; NULL: there is none. */
const LcTraceGap *lc_gaps_find_between (const GArray *gaps, guint64 begin, guint64 end);

/* The last one that is over at a time; NULL: there is none. */
const LcTraceGap *lc_gaps_find_before (const GArray *gaps, guint64 time);

/*
 * For people: "Begins 1.50 s after the start: 123,456 older events were dropped", "Not recorded from 1.70 s to 1.80 s
 * (paused)".
 */
char *lc_gap_describe (const LcTraceGap *gap);

/* The same of the first ones, and how many more there are, joined by `between`; NULL: there is no gap. */
char *lc_gaps_describe (const GArray *gaps, const char *between);

#endif
