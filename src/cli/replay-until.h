/* SPDX-License-Identifier: Apache-2.0 */
/* Where a replay is to stop: before events, with all that is in their past. */
#ifndef LC_CLI_REPLAY_UNTIL_H
#define LC_CLI_REPLAY_UNTIL_H

#include "replay-followers.h"

/* Where, as the user says it; one of them, or none. */
typedef struct
{
  char *events;                       /* "PROCESS:ORDINAL,...": before these, with their past */
  char *cut;                          /* the same: these processes exactly before them */
  char *time;                         /* after what has ended then */
  char *layer;                        /* before what has this layer or a higher one */
  const LcReplayFollowers *followers; /* ranks of MPI, which are of many address spaces, or threads; NULL: threads */
} LcReplayUntil;

gboolean lc_replay_until_is_given (const LcReplayUntil *until);

/*
 * Finds the stop, merging the trace if need be. Returns for each process the ordinal before which it stops, with all
 * that the others need; free it with g_free. `process` is the one to look at. NULL: the message is complete.
 */
guint64 *lc_replay_until_find (const char *directory, const LcReplayUntil *until, guint32 *process, GError **error);

/* Returns how many events of each process are in the past of this one, itself included; free it with g_free. */
guint64 *lc_replay_until_find_past (const char *directory, guint32 process, guint64 ordinal, GError **error);

/* Finds an event, which becomes the first of its call, and a process, by what the user calls them. FALSE: there is
 * none. */
gboolean lc_replay_until_find_event (const char *directory, const LcReplayFollowers *followers, const char *text,
                                     guint32 *process, guint64 *ordinal, GError **error);
gboolean lc_replay_until_find_process (const char *directory, const char *text, guint32 *process, GError **error);

#endif
