/* SPDX-License-Identifier: Apache-2.0 */
/* Who follows a plan, threads of a program or ranks of MPI, as those see them who let them go on from stop to stop. */
#ifndef LC_CLI_REPLAY_FOLLOWERS_H
#define LC_CLI_REPLAY_FOLLOWERS_H

#include <sys/types.h>

#include "lightcone/replay.h"

typedef struct
{
  guint32 process; /* of the trace */
  guint32 id;      /* thread of the system */
  guint64 next, n_events;
  gboolean is_born, is_alive;
} LcReplayFollower;

/* One plan. What the program shares is restored before it is looked at. */
typedef struct
{
  gpointer data; /* for all of these */
  guint32 n;
  pid_t debugged; /* the process that a debugger attaches to */
  void (*restore) (gpointer data);
  void (*look) (gpointer data, guint32 number, LcReplayFollower *follower);

  /* Returns the ordinal of an event by number. FALSE: there is none. */
  gboolean (*get_ordinal) (gpointer data, guint32 number, guint64 event, guint64 *ordinal);

  /* Whether an event is of the same call as the one before. NULL: none is. */
  gboolean (*is_joined) (gpointer data, guint32 number, guint64 event);

  /* How many events it may do; it is told by `move`. */
  void (*set_limit) (gpointer data, guint32 number, guint64 limit);
  void (*move) (gpointer data);

  /* Names who is to come to its limit, whatever that needs of the others; LC_REPLAY_NONE: nobody. NULL: they need
   * nothing that is not in the past. */
  void (*aim) (gpointer data, guint32 number);

  /* Whether none can go on now. `moved` changes whenever one has. */
  gboolean (*is_still) (gpointer data, guint64 *moved);

  /* A line for each, of what it is to do next; free with g_free. */
  char *(*text_next) (gpointer data, LcTrace *trace);
} LcReplayFollowers;

/* The threads of a program, whose plan was `kept`; both must live longer. */
typedef struct
{
  struct lc_replay_header *plan;
  struct lc_replay_header kept;
} LcReplayThreads;
LcReplayFollowers lc_replay_followers_of_threads (LcReplayThreads *threads);

/* Counts the events that come before an ordinal. */
guint64 lc_replay_followers_count_before (const LcReplayFollowers *followers, guint32 number, guint64 ordinal);

/* The ordinal of the next event, or one more than that of the last. */
guint64 lc_replay_followers_get_next (const LcReplayFollowers *followers, guint32 number);

/* Finds who follows the history of a process. FALSE: nobody. */
gboolean lc_replay_followers_find (const LcReplayFollowers *followers, guint32 process, guint32 *number);

/* Finds the first event of the call that an event belongs to, or else of the next call. FALSE: nobody follows the
 * history of the process, or it has no event from there on. */
gboolean lc_replay_followers_find_call (const LcReplayFollowers *followers, guint32 process, guint64 ordinal,
                                        guint64 *call);

/* Makes of an event's ordinal that of the first event of its call, for nobody stops within a call. FALSE: nobody
 * follows the history of the process, or it has no event from there on. */
gboolean lc_replay_followers_adjust (const LcReplayFollowers *followers, guint32 process, guint64 *ordinal);

/* Sets the limits that are given by process, as ordinals. Who has gone further stays where it is. */
void lc_replay_followers_set_limits (const LcReplayFollowers *followers, const guint64 *limits, guint32 n_processes);

#endif
