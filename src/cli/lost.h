/* SPDX-License-Identifier: Apache-2.0 */
/* Tells, with whatever is made of a history, that events of it were lost. */
#ifndef LC_CLI_LOST_H
#define LC_CLI_LOST_H

#include "json.h"
#include "lightcone/history.h"

/* "Note: 240,000 events were lost: ..."; NULL: none was. */
char *lc_lost_dup_note (LcHistory *history);

/* The note as a line of its own, for people. */
void lc_lost_print (LcHistory *history);

/* The same on standard error, where the output itself has no place for it. */
void lc_lost_complain (LcHistory *history);

/* Members of the object that is begun: "events_lost" and "events_lost_by_reason". */
void lc_lost_add_json (LcJson *json, LcHistory *history);

/* The members of an object: how many, by reason, and "other" for those without one. */
void lc_lost_add_reasons (LcJson *json, const LcTraceLost *lost);

#endif
