/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of ranks of MPI in a replay: each rank is an address space of its own, with a plan of its own. */
#ifndef LC_CLI_REPLAY_MPI_THREADS_H
#define LC_CLI_REPLAY_MPI_THREADS_H

#include "lightcone/replay-mpi.h"
#include "replay-run.h"

typedef struct
{
  struct lc_replay_header *plan; /* mapped shared */
  struct lc_replay_header kept;
  guint64 moved;
  gint64 still_since; /* us; 0: some thread can go on, or has moved */
} LcReplayRankThreads;

typedef struct
{
  LcTrace *trace;
  LcReplayRankThreads *ranks; /* by rank; without a plan: threads of the rank have no turns */
  guint32 n;                  /* 0: no rank has threads that wait for each other */
  char *prefix;               /* of the paths of plans */
  LcReplayGiven *given;       /* what the ranks get from outside */
  LcReplayPlan result;        /* of all plans */
} LcReplayMpiThreads;

/* Writes a plan for each rank to the folder if any rank has several threads, or is given anything, which only a thread
 * that follows a plan is. FALSE: `error` is set, or the user has been told. */
gboolean lc_replay_mpi_threads_prepare (LcReplayMpiThreads *threads, LcTrace *trace, struct lc_replay_mpi_header *plan,
                                        const char *folder, LcReplayGiven *given, GError **error);
void lc_replay_mpi_threads_clear (LcReplayMpiThreads *threads);

/* Make all plans ready for another run, restore what programs may have damaged, and let all threads do what they like.
 */
void lc_replay_mpi_threads_begin (LcReplayMpiThreads *threads, enum lc_replay_mode mode_then);
void lc_replay_mpi_threads_restore (LcReplayMpiThreads *threads);
void lc_replay_mpi_threads_free (LcReplayMpiThreads *threads);

/* Whether some of the threads are those of gcc's OpenMP. */
gboolean lc_replay_mpi_threads_have_openmp (const LcReplayMpiThreads *threads);

/* Looks at the threads of a rank. FALSE: none of them lives that has turns. */
gboolean lc_replay_mpi_threads_look (LcReplayMpiThreads *threads, guint32 rank, LcReplayLook *look);

/* Whether no thread of a rank can go on by itself, as those that wait for no turn and are not in MPI wait for a word of
 * memory, or for what others make ready. */
gboolean lc_replay_mpi_threads_wait (LcReplayMpiThreads *threads, guint32 rank);

/* Whether all threads of a rank have done what was recorded, but for one that is to wait for all others in MPI. */
gboolean lc_replay_mpi_threads_are_at_end (LcReplayMpiThreads *threads, guint32 rank, gboolean is_leaving);

/* Find a rank one of whose threads differs; one whose threads all wait for each other; one that has ended before the
 * end of what its threads had done; and one that was not found by its number, so that its threads have not had their
 * turns. LC_REPLAY_NONE: there is none. */
guint32 lc_replay_mpi_threads_find_difference (LcReplayMpiThreads *threads);
guint32 lc_replay_mpi_threads_find_stuck (LcReplayMpiThreads *threads);
guint32 lc_replay_mpi_threads_find_short (LcReplayMpiThreads *threads);
guint32 lc_replay_mpi_threads_find_free (LcReplayMpiThreads *threads, struct lc_replay_mpi_header *plan);

/* Compares the plans with those of the ranks of a recorded replay, whose plan of MPI is `again`. FALSE: they differ, or
 * `error` is set, or the user has been told. */
gboolean lc_replay_mpi_threads_align (LcReplayMpiThreads *threads, LcTrace *trace, struct lc_replay_mpi_header *again,
                                      const char *folder, LcReplayAlignment *alignment, GError **error);

/* Give lines for each rank that has something to tell, at most `most` for each; free with g_free. */
char *lc_replay_mpi_threads_text_difference (LcReplayMpiThreads *threads, guint32 rank);
char *lc_replay_mpi_threads_text_stuck (LcReplayMpiThreads *threads, guint most);
char *lc_replay_mpi_threads_text_short (LcReplayMpiThreads *threads, guint most);

/* A line for each thread that has ended and not asked for all that it was given. Free with g_free. */
char *lc_replay_mpi_threads_text_left (LcReplayMpiThreads *threads);

#endif
