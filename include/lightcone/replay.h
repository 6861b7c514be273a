/* SPDX-License-Identifier: Apache-2.0 */
/* Makes of a trace the plan by which a program is replayed: who uses which object after whom. */
#ifndef LIGHTCONE_REPLAY_H
#define LIGHTCONE_REPLAY_H

#include "lightcone/replay-plan.h"
#include "lightcone/trace.h"

G_BEGIN_DECLS

/* The contents of a plan, and what it leaves to chance. */
typedef struct
{
  guint32 n_threads;
  guint64 n_events;
  guint32 n_elsewhere;  /* processes of other address spaces, but for programs that have executed this one */
  guint32 instance;     /* the address space */
  guint64 n_free;       /* events of the same address space, of classes or objects that have no turns */
  guint32 free_classes; /* their classes, as bits */
  gboolean is_cut;      /* some thread's history ends before the thread did */
  gboolean is_waiting;  /* all such threads had begun operations that have turns */
} LcReplayPlan;

/*
 * Writes the plan of the trace's first address space, or if that has no event with a turn, of the last program that its
 * process has executed, to a new file, for this user alone. Order is in the sequence
 * numbers, so that no history is needed, and memory grows with the versions of read-write locks only. LC_TRACE_ERROR
 * if the trace does not have all events, and G_FILE_ERROR. `limits`, by process, says before which ordinal each of them
 * stops at first; NULL: none does.
 */
gboolean lc_replay_plan_write (LcTrace *trace, const char *path, const guint64 *limits, LcReplayPlan *plan,
                               GError **error);

/* The same of the address space of a rank of MPI, without limits. Its calls of MPI are no part of this plan. */
gboolean lc_replay_plan_write_rank (LcTrace *trace, guint32 instance, const char *path, LcReplayPlan *plan,
                                    GError **error);

/* Makes a plan in memory ready for another run. `mode_then`: what threads do after the first difference. */
void lc_replay_plan_begin (struct lc_replay_header *header, enum lc_replay_mode mode_then);

/* An event of the trace before which its process stops. */
typedef struct
{
  guint32 process;
  guint64 ordinal;
} LcReplayStop;

/*
 * Changes a plan in memory so that these processes wait for ever for the turn of their events, and have done all before
 * them; the others come as far as that needs, and so that the event `need` (or NULL) is done, and then do nothing. Who
 * gets a lock next is changed where it has to be, all else stays. FALSE: that cannot be, and the plan is not to be used
 * any more.
 */
gboolean lc_replay_plan_steer (struct lc_replay_header *header, const LcReplayStop *stops, guint n_stops,
                               const LcReplayStop *need);

/* How a recorded replay differs from what it replays. */
typedef enum
{
  LC_REPLAY_ALIGNED,
  LC_REPLAY_MISSING, /* of the replay: it has no such event */
  LC_REPLAY_ADDED,   /* it has an event more */
  LC_REPLAY_OTHER_OPERATION,
  LC_REPLAY_OTHER_OBJECT,
  LC_REPLAY_OTHER_TURN,  /* the event comes after others of its object than it did */
  LC_REPLAY_OTHER_TRIES, /* another number of tests in vain */
  LC_REPLAY_NO_THREAD,   /* nobody has made this thread */
  LC_REPLAY_NO_RANK,     /* no process was this rank */
} LcReplayMismatch;

/* From this event of the replay on, events of its process are so many after this one of the recording, until the next
 * such pair. */
typedef struct
{
  LcReplayStop again, recorded;
} LcReplayPair;

typedef struct
{
  guint64 n_events; /* that are the same in both */
  guint64 n_moved;  /* of these, how many have another ordinal; and processes with another number */
  LcReplayMismatch mismatch;
  LcReplayStop recorded, again; /* where; the ordinal is G_MAXUINT64 if there is no such event */
  GArray *pairs;                /* LcReplayPair, by process and ordinal of the replay; or NULL: not asked for */
  gboolean is_mixed;            /* events of one process come from several plans */
  GHashTable *processes;        /* of the recording: that of the replay, each and 1 more; or NULL: not asked for */
} LcReplayAlignment;

/* Adds a pair of events that are the same, if it does not follow from the one before. */
void lc_replay_alignment_add (LcReplayAlignment *alignment, const LcReplayStop *recorded, const LcReplayStop *again);

/* Sorts the pairs once all are added. */
void lc_replay_alignment_sort (LcReplayAlignment *alignment);

/* Leaves out the pairs that follow from the one before, when all are sorted: of several plans, each may be needed. */
void lc_replay_alignment_shorten (LcReplayAlignment *alignment);

/* Finds the event of the recording that one of the replay would be by the pairs. FALSE: it is none. */
gboolean lc_replay_alignment_find (const LcReplayAlignment *alignment, const LcReplayStop *again,
                                   LcReplayStop *recorded);

/* Compares the plans of a trace and of a recorded replay of it, event by event. FALSE: they differ. `result`: all zero
 * but for `pairs`. */
gboolean lc_replay_align (struct lc_replay_header *recorded, struct lc_replay_header *again, LcReplayAlignment *result);

/*
 * Changes a plan in memory so that the first of two acquisitions of a lock or crew comes right after the second. All
 * other turns stay, so that perhaps not all threads can come to their ends. FALSE: these are no such events, or then
 * not even the second can come, and the plan is not to be used any more.
 */
gboolean lc_replay_plan_turn_round (struct lc_replay_header *header, const LcReplayStop *first,
                                    const LcReplayStop *second);

static inline struct lc_replay_thread *
lc_replay_plan_threads (struct lc_replay_header *header)
{
  return (struct lc_replay_thread *)(void *)((char *)header + header->threads);
}

static inline struct lc_replay_object *
lc_replay_plan_objects (struct lc_replay_header *header)
{
  return (struct lc_replay_object *)(void *)((char *)header + header->objects);
}

/* Gives an event of a thread by number. NULL: there is none, or the program has damaged what it shares. */
static inline const struct lc_replay_event *
lc_replay_plan_event (const struct lc_replay_header *header, const struct lc_replay_thread *thread, guint64 number)
{
  const char *events = (const char *)header + header->events;
  const struct lc_replay_event *event;

  if (number >= thread->n_events || thread->first >= header->n_events || number >= header->n_events - thread->first)
    return NULL;
  event = (const struct lc_replay_event *)(const void *)events + thread->first + number;
  return event->object < header->n_objects && event->operation < LC_OPERATION_END ? event : NULL;
}

G_END_DECLS

#endif
