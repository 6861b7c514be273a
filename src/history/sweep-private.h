/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a sweep, and what its parts ask of each other. */
#ifndef LC_HISTORY_SWEEP_PRIVATE_H
#define LC_HISTORY_SWEEP_PRIVATE_H

#include "census.h"
#include "lightcone/sweep.h"
#include "points.h"
#include "wants.h"

enum
{
  LC_SWEEP_REPORTED = 1000, /* problems told one by one */
};

typedef struct
{
  LcTraceCursor *cursor;
  LcTraceBatch batch;
  gsize at;    /* in the batch */
  guint64 key; /* in the heap: of its present event */
  guint64 layer;
  guint64 since; /* the end of the event before */
  gboolean begun, ended, parked, gave_up;
  gboolean held; /* by the director */
  guint want;    /* of the present event: those before are fulfilled */
  LcSweepPoint *arcs;
  gsize n_arcs, arcs_room;
  LcSweepGroup group;
  guint64 group_layer;
  guint64 carried_begin[LC_SWEEP_CARRIED], carried_end[LC_SWEEP_CARRIED];
  guint32 parked_on;    /* entry */
  guint32 next_waiting; /* in the entry's list */
} LcSweepProcess;

typedef struct
{
  LcTrace *trace;
  const LcRules *rules;
  LcSweepVisitor *const *visitors;
  LcSweepDirector *director; /* or NULL */
  LcSweepPart part;
  LcSweepNext *given; /* by it, of each process: its present event */
  gboolean blocked;   /* the director wants no event to be given up */
  LcSweepResult *result;
  LcWants *wants;
  gboolean has_begin; /* of the visitors: somebody wants to see begins */
  LcCensus *census;
  LcPoints *points;
  LcSweepProcess *processes;
  guint32 n_processes;
  guint32 *heap; /* processes that can go on, by the end of their present event or the director's key */
  guint32 heap_size;
} LcSweep;

static inline const LcTraceEvent *
lc_sweep_present (const LcSweepProcess *process)
{
  return &process->batch.events[process->at];
}

static inline guint64
lc_sweep_ordinal (const LcSweepProcess *process)
{
  return process->batch.first_ordinal + process->at;
}

static inline LcPointKey
lc_sweep_key_of (const LcWant *want, const LcTraceEvent *event, int step)
{
  gint64 sequence = event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0;

  return (LcPointKey){want->id, event->object, lc_sequence_step (sequence, step)};
}

/* How many points of the entry the want can take: of alternatives one, and that is the first to come. */
static inline guint32
lc_sweep_count_answers (const LcSweep *sweep, const LcWant *want, guint32 entry, guint32 *first)
{
  guint32 count = entry != LC_NO_ENTRY ? lc_points_count (sweep->points, entry) : 0;
  const LcSweepPoint *points = count > 0 ? lc_points_list (sweep->points, entry) : NULL;

  *first = 0;
  if (want->group || want->counted)
    return count;
  while (*first < count && lc_want_find_answer (want, points[*first].rule) == NULL)
    ++*first;
  return *first < count ? 1 : 0;
}

/* --- What is wrong: sweep-problems.c ------------------------------------------------------------------------ */

/* Of the present event of a process, and what it lacks (or NULL). */
void lc_sweep_tell (LcSweep *sweep, LcSweepTrouble trouble, guint32 number, const LcWant *want, guint32 cycle);

/* Which process, of those that are parked, has what `want` looks for further on; LC_TRACE_NONE: nobody has. */
guint32 lc_sweep_find_giver (LcSweep *sweep, const LcWant *want, const LcPointKey *key);

/* Sent and never received: of a whole trace only, for in a part of one it may still come. */
void lc_sweep_tell_left (LcSweep *sweep);

#endif
