/* SPDX-License-Identifier: Apache-2.0 */
/* gdb at a replayed program, which goes on from stop to stop. */
#ifndef LC_CLI_REPLAY_DEBUG_H
#define LC_CLI_REPLAY_DEBUG_H

#include "replay-followers.h"

/* What the user wants at a stop. */
typedef struct
{
  gboolean is_wanted; /* gdb */
  char **commands;    /* gdb carries them out one by one; NULL: it asks its user */
  const char *control;
  const char *server; /* the address of a gdbserver; or NULL */
} LcReplayDebugging;

/* Whether a debugger comes at all. */
static inline gboolean
lc_replay_debugging_is_any (const LcReplayDebugging *how)
{
  return how->is_wanted || how->commands != NULL || how->server != NULL;
}

/*
 * Lets a debugger look into a program, or a rank, that is held at its limit, until it goes: gdb has Lightcone's names
 * for its threads, and the one that is `selected` of the followers, in the function of the program that called the
 * operation. Commands `lightcone ...` of gdb move the limits, and `program` is interrupted when nobody can go further.
 * `folder` is for a file of gdb's. `how->control` is the path of a socket on which a program listens that shows where
 * the threads are and asks for the same (docs/replay.md), or NULL. What goes wrong is told to the user.
 */
void lc_replay_debug (LcTrace *trace, const LcReplayFollowers *followers, guint32 selected, pid_t program,
                      const LcReplayDebugging *how, const char *folder);

/* Texts in digits of base 16, as gdb's scripts and we tell them each other. Free with g_free. */
char *lc_replay_debug_encode (const char *text);
char *lc_replay_debug_decode (const char *digits);

/* Writes a script of gdb's to a file in this folder, and returns its path. Free with g_free. */
char *lc_replay_debug_write_script (const char *folder, const char *name, GError **error);

/* Makes the command that attaches gdb to a program: it runs a script, and then carries out commands and ends. NULL: it
 * asks its user. */
GPtrArray *lc_replay_debug_make_command (pid_t program, const char *script, char **commands);

#endif
