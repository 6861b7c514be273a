/* SPDX-License-Identifier: Apache-2.0 */
/* Where a replay is to stop: before events, with all that is in their past. */
#ifndef LC_CLI_REPLAY_UNTIL_H
#define LC_CLI_REPLAY_UNTIL_H

#include "lightcone/replay.h"

/*
 * Parses "PROCESS:ORDINAL,...", merging the trace if need be. Returns for each process the ordinal before which it
 * stops; free it with g_free. `process` is that of the first event. NULL: the message is complete.
 */
guint64 *lc_replay_until_parse (const char *directory, const char *text, guint32 *process, GError **error);

/*
 * Runs gdb at the program, which the plan holds: with Lightcone's names for its threads, and that of `thread` selected,
 * in the function of the program that called the operation. `commands`, NULL-terminated, are carried out one by one;
 * NULL: gdb asks its user. `folder` is for a file of gdb's. FALSE: gdb could not be run.
 */
gboolean lc_replay_debug (LcTrace *trace, struct lc_replay_header *plan, guint32 thread, char **commands,
                          const char *folder, GError **error);

#endif
