/* SPDX-License-Identifier: Apache-2.0 */
/* gdb at a replayed program, which goes on from stop to stop. */
#ifndef LC_CLI_REPLAY_DEBUG_H
#define LC_CLI_REPLAY_DEBUG_H

#include "replay-run.h"

/*
 * Runs gdb at the program, which the plan holds at its limits: with Lightcone's names for its threads, and that of
 * `run->until` selected, in the function of the program that called the operation. Commands `lightcone ...` of gdb move
 * the limits, and the program is interrupted when no thread can go further. `commands`, NULL-terminated, are carried
 * out one by one; NULL: gdb asks its user. `folder` is for a file of gdb's. `control` is the path of a socket on which
 * a program listens that shows where the threads are and asks for the same (docs/replay.md), or NULL. FALSE: gdb could
 * not be run, or nobody listens.
 */
gboolean lc_replay_debug (LcTrace *trace, const LcReplayRun *run, pid_t program, char **commands, const char *control,
                          const char *folder, GError **error);

/* Runs gdbserver at the program until a debugger has come and gone. `address` is a port, or HOST:PORT. */
gboolean lc_replay_serve_debugger (const struct lc_replay_header *plan, const char *address, GError **error);

#endif
