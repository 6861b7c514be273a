/* SPDX-License-Identifier: Apache-2.0 */
/* Tells, with whatever is made of a history, that events of it were lost, not recorded on purpose, or are at wrong
 * times. */
#ifndef LC_REPORT_LOST_H
#define LC_REPORT_LOST_H

#include "trace/json.h"
#include "lightcone/history.h"

/* "Note: 240,000 events were lost: ...", a line about events at wrong times, and one for each gap (not for all of
 * many); NULL: all was recorded, and is right. */
char *lc_lost_dup_note (LcHistory *history);

/* Prints the note on a line of its own, for people. */
void lc_lost_print (LcHistory *history);

/* Prints the note on standard error, for output that has no place for it. */
void lc_lost_complain (LcHistory *history);

/* Members of the object that is begun: "events_lost", "events_lost_by_reason", and "wrong_times" and "gap" if there are
 * any. */
void lc_lost_add_json (LcJson *json, LcHistory *history);

/* "gap": an array of LcTraceGap. */
void lc_lost_add_gaps (LcJson *json, const LcTraceGap *gaps, gsize n_gaps);

/* The members of an object: how many, by reason, and "other" for those without one. */
void lc_lost_add_reasons (LcJson *json, const LcTraceLost *lost);

#endif
