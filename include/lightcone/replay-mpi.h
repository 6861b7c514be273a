/* SPDX-License-Identifier: Apache-2.0 */
/* Makes of a trace of an MPI program the plan by which its ranks are replayed: what each of them did, in order. */
#ifndef LIGHTCONE_REPLAY_MPI_H
#define LIGHTCONE_REPLAY_MPI_H

#include "lightcone/replay-mpi-plan.h"
#include "lightcone/replay.h"
#include "lightcone/trace.h"

G_BEGIN_DECLS

/* The contents of a plan, and what it leaves to chance. */
typedef struct
{
  guint32 n_ranks;
  guint64 n_events;
  guint64 n_free;       /* events of the ranks that are not MPI's, and order threads */
  guint32 free_classes; /* their classes, as bits */
  guint64 n_windows;    /* events of windows, of which only what is done is kept, not in which order */
  gboolean is_cut;      /* some rank's history ends before the rank did */
} LcReplayMpiPlan;

/* Whether the trace is one of an MPI program: it has ranks. */
gboolean lc_replay_mpi_has_ranks (LcTrace *trace);

/* Writes the plan of a trace to a new file, for this user alone. LC_TRACE_ERROR if the trace does not have all events,
 * and G_FILE_ERROR. */
gboolean lc_replay_mpi_plan_write (LcTrace *trace, const char *path, LcReplayMpiPlan *plan, GError **error);

/* Maps the file of a plan, as the ranks do, until this process ends. NULL: G_FILE_ERROR. */
struct lc_replay_mpi_header *lc_replay_mpi_plan_map (const char *path, GError **error);

/* Makes a plan in memory ready for another run. `mode_then`: what ranks do after the first difference. */
void lc_replay_mpi_plan_begin (struct lc_replay_mpi_header *header, enum lc_replay_mode mode_then);

/* Compares the plans of a trace and of a recorded replay of it, rank by rank and event by event. FALSE: they differ.
 * Which thread is which is told by `processes` of the result. */
gboolean lc_replay_mpi_align (struct lc_replay_mpi_header *recorded, struct lc_replay_mpi_header *again,
                              LcReplayAlignment *result);

/* Why two messages cannot change places. */
typedef enum
{
  LC_REPLAY_MPI_NONE,
  LC_REPLAY_MPI_NO_MESSAGE,        /* the event `at` neither receives nor sends one to another rank */
  LC_REPLAY_MPI_NO_FIRST,          /* none from any sender came before the second, for receives that ask for the same */
  LC_REPLAY_MPI_TWO_RANKS,         /* which receive them */
  LC_REPLAY_MPI_ONE_SENDER,        /* MPI keeps its messages in order */
  LC_REPLAY_MPI_NOT_BEFORE,        /* the first has not come before the second */
  LC_REPLAY_MPI_NAMED,             /* the receive `at` names the sender */
  LC_REPLAY_MPI_TWO_COMMUNICATORS, /* on which they are sent */
  LC_REPLAY_MPI_THREADS,           /* several threads of the rank of `at` have used MPI */
  LC_REPLAY_MPI_EARLIER,           /* the second's sender has sent before it what is received `at` that event */
} LcReplayMpiObstacle;

/* Two messages that change places. */
typedef struct
{
  guint32 rank;               /* the history of the one that receives */
  guint64 number;             /* of the event that is to tell of the second message first, among those of the rank */
  LcReplayStop first, second; /* where the program has heard of them */
  LcReplayStop sending;       /* of the second; its process is LC_REPLAY_NONE: that is not known */
  LcReplayStop at;
} LcReplayMpiTurn;

/*
 * Changes a plan in memory so that a rank gets the second of two messages, which it received from any sender, where it
 * got the first. Each is named by an event that receives or finds it, or by its sending; the process of `first` may be
 * LC_REPLAY_NONE for the message that came before. `frees`: all ranks are free when it has come; otherwise they follow
 * the changed plan.
 */
LcReplayMpiObstacle lc_replay_mpi_plan_turn_round (struct lc_replay_mpi_header *header, const LcReplayStop *first,
                                                   const LcReplayStop *second, gboolean frees, LcReplayMpiTurn *turn);

/* Gives an event of a rank by number. NULL: there is none, or the program has damaged what it shares. */
static inline const struct lc_replay_mpi_event *
lc_replay_mpi_event (const struct lc_replay_mpi_header *header, const struct lc_replay_mpi_rank *rank, guint64 number)
{
  if (number >= rank->n_events || rank->first >= header->n_events || number >= header->n_events - rank->first)
    return NULL;
  return lc_replay_mpi_events (header) + rank->first + number;
}

G_END_DECLS

#endif
