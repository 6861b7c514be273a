/* SPDX-License-Identifier: Apache-2.0 */
/* Where a replay is to stop: before events, with all that is in their past. */
#ifndef LC_CLI_REPLAY_UNTIL_H
#define LC_CLI_REPLAY_UNTIL_H

#include "lightcone/replay.h"

/* Where, as the user says it; one of them, or none. */
typedef struct
{
  char *events; /* "PROCESS:ORDINAL,...": before these, with their past */
  char *cut;    /* the same: these processes exactly before them */
  char *time;   /* after what has ended then */
  char *layer;  /* before what has this layer or a higher one */
} LcReplayUntil;

gboolean lc_replay_until_is_given (const LcReplayUntil *until);

/*
 * Finds the stop, merging the trace if need be. Returns for each process the ordinal before which it stops, with all
 * that the others need; free it with g_free. `process` is the one to look at. NULL: the message is complete.
 */
guint64 *lc_replay_until_find (const char *directory, const LcReplayUntil *until, guint32 *process, GError **error);

/*
 * Runs gdb at the program, which the plan holds: with Lightcone's names for its threads, and that of `thread` selected,
 * in the function of the program that called the operation. `commands`, NULL-terminated, are carried out one by one;
 * NULL: gdb asks its user. `folder` is for a file of gdb's. FALSE: gdb could not be run.
 */
gboolean lc_replay_debug (LcTrace *trace, struct lc_replay_header *plan, guint32 thread, char **commands,
                          const char *folder, GError **error);

/* Runs gdbserver at the program until a debugger has come and gone. `address` is a port, or HOST:PORT. */
gboolean lc_replay_serve_debugger (const struct lc_replay_header *plan, const char *address, GError **error);

#endif
