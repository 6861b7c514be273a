/* SPDX-License-Identifier: Apache-2.0 */
/* Adds to any output made from a history that events of it were lost. */
#ifndef LC_CLI_LOST_H
#define LC_CLI_LOST_H

#include "json.h"
#include "lightcone/history.h"

/* Gives "Note: 240,000 events were lost: ..."; NULL: none were lost. */
char *lc_lost_dup_note (LcHistory *history);

/* Prints the note on a line of its own, for people. */
void lc_lost_print (LcHistory *history);

/* Prints the note on standard error, for output that has no place for it. */
void lc_lost_complain (LcHistory *history);

/* Adds the members "events_lost" and "events_lost_by_reason" to the current object. */
void lc_lost_add_json (LcJson *json, LcHistory *history);

/* Adds the number of lost events for each reason, and "other" for those without one, to the current object. */
void lc_lost_add_reasons (LcJson *json, const LcTraceLost *lost);

#endif
