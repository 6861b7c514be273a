/* SPDX-License-Identifier: Apache-2.0 */
/* Says how a replay ended: where it differs from what was recorded, or who waits for whom. */
#ifndef LC_CLI_REPLAY_TEXT_H
#define LC_CLI_REPLAY_TEXT_H

#include "lightcone/replay.h"

/* Names the processes and objects of a trace as a history would. */
void lc_replay_text_name (LcTrace *trace);

/* Gives " in put() pipe.c:7 (bin/pipe+0x1234)", or "" for a site that is not known; free with g_free. */
char *lc_replay_text_site (LcTrace *trace, guint32 number);

/* Gives the name of an operation, or "?". */
const char *lc_replay_text_operation (guint32 operation);

/* Says what a difference is. */
const char *lc_replay_text_why (guint difference);

/* Gives what was to come and what came, and where in the code; free with g_free. */
char *lc_replay_text_difference (LcTrace *trace, struct lc_replay_header *plan);

/* Gives a line for each thread that waits, with who would have had to come, at most `most` of them. */
char *lc_replay_text_stuck (LcTrace *trace, struct lc_replay_header *plan, guint most);

/* Gives a line for each thread that has come to no turn, as it waits for something that has none. */
char *lc_replay_text_elsewhere (LcTrace *trace, struct lc_replay_header *plan, guint most);

/* Gives a line for each thread that has not done all that was recorded, at most `most` of them. */
char *lc_replay_text_short (LcTrace *trace, struct lc_replay_header *plan, guint most);

/* Gives a line for each thread that lives, with what it has done last. */
char *lc_replay_text_stops (LcTrace *trace, struct lc_replay_header *plan);

/* Gives a line for each thread that lives, with what it is to do next. */
char *lc_replay_text_next (LcTrace *trace, struct lc_replay_header *plan);

/* Gives the paths of the files of code that are not those that were recorded; NULL-terminated. Free with
 * g_strfreev. */
char **lc_replay_text_list_changed (LcTrace *trace);

#endif
