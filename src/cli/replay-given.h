/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a replayed program what it got from outside, if that was recorded. */
#ifndef LC_CLI_REPLAY_GIVEN_H
#define LC_CLI_REPLAY_GIVEN_H

#include "lightcone/given.h"
#include "lightcone/replay.h"

/* All are 0 or NULL if nothing is given back. */
typedef struct
{
  char *library;               /* path of what gives it back */
  char *path;                  /* of the file that it has it from */
  struct lc_inputs_plan *plan; /* that file, mapped shared */
  struct lc_inputs_plan kept;  /* its header, as it was written */
  guint64 size;
} LcReplayGiven;

void lc_replay_given_clear (LcReplayGiven *given);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcReplayGiven, lc_replay_given_clear)

/* Makes the file of an address space, or of LC_GIVEN_RANKS, in a folder, if the trace has what it needs. */
gboolean lc_replay_given_open (LcReplayGiven *given, LcTrace *trace, guint32 instance, const char *folder,
                               GError **error);

/* Makes it ready for a run. */
void lc_replay_given_begin (LcReplayGiven *given);

/* Restores what the program must not have changed. */
void lc_replay_given_restore (LcReplayGiven *given);

/* Returns what a thread has asked for, and what was recorded; "" if none has asked for something else. Free with
 * g_free. */
char *lc_replay_given_text_difference (LcReplayGiven *given, LcTrace *trace);

/* A line for each thread that has ended and not asked for all that it was given. Free with g_free. */
char *lc_replay_given_text_left (LcReplayGiven *given, LcTrace *trace, struct lc_replay_header *plan);

/* Returns the descriptor that others have to make ready before a thread gets what it got from it; -1: it waits for
 * none. */
int lc_replay_given_awaits (LcReplayGiven *given, const struct lc_replay_thread *thread);

/* A line for each thread that waits so. Free with g_free. */
char *lc_replay_given_text_awaited (LcReplayGiven *given, LcTrace *trace, struct lc_replay_header *plan);

#endif
