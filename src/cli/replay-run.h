/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program by a plan, and watches how far its threads come. */
#ifndef LC_CLI_REPLAY_RUN_H
#define LC_CLI_REPLAY_RUN_H

#include "lightcone/replay.h"
#include "replay-given.h"
#include "replay-probe.h"

typedef enum
{
  LC_REPLAY_REACHED, /* the end of what was recorded */
  LC_REPLAY_DIFFERED,
  LC_REPLAY_STUCK,  /* all threads wait for a turn that does not come */
  LC_REPLAY_SHORT,  /* the program ended before its threads had done all that was recorded */
  LC_REPLAY_SILENT, /* the library was not loaded into the program */
} LcReplayVerdict;
#define LC_REPLAY_VERDICTS 5

typedef struct
{
  struct lc_replay_header *plan; /* mapped shared */
  char **command;
  char **environment;
  gboolean goes_on; /* threads are free after a difference and after the end; otherwise the program is ended ... */
  gboolean kills;   /* ... at once */
  /* us in which nothing moves, after which no way on is seen; 0: threads may wait elsewhere. With `until`, no processor
   * is used either, for threads may compute meanwhile. */
  gint64 patience;
  gint64 hang; /* us in which the program, when it is free, uses no processor, after which it is ended; 0: it is not */
  /* Called once no thread can go on at the end of the plan, before that; or NULL. */
  void (*stopped) (gpointer data, pid_t program);
  gpointer data;
  gboolean is_recorded;   /* the command is one that records the program */
  LcReplayGiven *given;   /* what the program gets from outside; or NULL */
  LcReplayProbes *probes; /* expressions that are evaluated meanwhile; or NULL */
  int signal;             /* that ended the recorded program, or 0 */
  int output;             /* descriptor that the program writes to instead of our standard output; 0: none */
  guint32 until;          /* the thread that must have come so far, whoever else waits; LC_REPLAY_NONE: all must have */
} LcReplayRun;

typedef struct
{
  LcReplayVerdict verdict;
  int status;        /* the program's, as waitpid gives it */
  gboolean is_ended; /* the program did not end by itself */
  gboolean has_hung; /* ... but used no processor for so long */
} LcReplayOutcome;

/* Lets signals that end this process end the program first. */
void lc_replay_run_begin (void);

/* The signal that has come, or 0. */
int lc_replay_run_get_signal (void);

/* Restores where things are in a plan: the program may have written anything into what it shares, if it has gone
 * astray.
 */
void lc_replay_run_restore (struct lc_replay_header *plan, const struct lc_replay_header *kept);

/* How far the threads of a plan are. The numbers change whenever anything has moved. */
typedef struct
{
  guint64 moved;
  guint alive, waiting;
  guint inside;      /* of a call of MPI's */
  guint awaiting;    /* that an index comes, which somebody may have brought just now */
  gboolean is_held;  /* no thread that is not in such a call can go on by itself */
  gboolean is_still; /* none can */
} LcReplayLook;

LcReplayLook lc_replay_run_look (struct lc_replay_header *plan);

/* Tells whether no thread can go on now. `moved` changes whenever a thread has. */
gboolean lc_replay_run_is_still (struct lc_replay_header *plan, guint64 *moved);

/* Runs the program once. FALSE: it could not be started. */
gboolean lc_replay_run (const LcReplayRun *run, LcReplayOutcome *outcome, GError **error);

#endif
