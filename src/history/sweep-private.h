/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a sweep, shared by its files. */
#ifndef LC_HISTORY_SWEEP_PRIVATE_H
#define LC_HISTORY_SWEEP_PRIVATE_H

#include "absent.h"
#include "census.h"
#include "lightcone/sweep.h"
#include "points.h"
#include "wants.h"

enum
{
  LC_SWEEP_REPORTED = 1000, /* problems that are reported one by one */
};

typedef struct
{
  LcTraceCursor *cursor;
  LcTraceBatch batch;
  gsize at;    /* index of the present event in the batch */
  guint64 key; /* order in the heap, from the present event */
  guint64 layer;
  guint64 since; /* end of the previous event */
  gboolean begun, ended, parked, gave_up;
  gboolean held; /* the director holds it back */
  gboolean last; /* its present event is the end that it waited for, and comes when all others have ended */
  guint want;    /* index of the present event's first requirement that is not met */
  LcSweepPoint *arcs;
  gsize n_arcs, arcs_room;
  LcSweepGroup group;
  guint64 group_layer;
  guint64 carried_begin[LC_SWEEP_CARRIED], carried_end[LC_SWEEP_CARRIED];
  guint32 parked_on;    /* entry that it waits for */
  guint32 next_waiting; /* next process in that entry's list */
} LcSweepProcess;

typedef struct
{
  LcTrace *trace;
  const LcRules *rules;
  LcSweepVisitor *const *visitors;
  LcSweepDirector *director; /* or NULL */
  LcSweepPart part;
  gboolean partial;   /* what is not there may be in what was not read, or in a gap: that is no problem */
  LcSweepNext *given; /* by process: its present event, as the director gave it */
  gboolean blocked;   /* the director wants no event to be given up */
  gboolean ending;    /* what was kept for the last goes on */
  LcSweepResult *result;
  LcWants *wants;
  gboolean has_begin; /* some visitor has a function `begin` */
  LcCensus *census;
  LcPoints *points;
  LcAbsent *absent;
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

/* Whether the event has waited until its end, though not for anybody that is known: because its time was over, or it
 * was cancelled, or its partner cannot be known, or it is a row of tests in vain. */
static inline gboolean
lc_sweep_waits_for_nobody (const LcOperationWants *operation, const LcTraceEvent *event)
{
  if (G_UNLIKELY (operation->polls))
    return (event->flags & LC_EVENT_CONTENDED) != 0;
  return G_UNLIKELY (event->flags & (LC_EVENT_TIMED_OUT | LC_EVENT_UNKNOWN | LC_EVENT_CANCELLED)) &&
         (operation->waits || event->flags & LC_EVENT_TIMED_OUT) && !(event->flags & LC_TRACE_EVENT_SEQUENCE);
}

/* What the process was blocked in to its end, if that is its present event; else NULL. */
static inline const LcTracePending *
lc_sweep_find_pending (const LcSweep *sweep, guint32 number)
{
  const LcTraceEvent *event = lc_sweep_present (&sweep->processes[number]);
  const LcTracePending *pending;

  if (G_LIKELY (event->operation != LC_EXIT || !(event->flags & LC_EVENT_CANCELLED)))
    return NULL;
  pending = &lc_trace_get_process (sweep->trace, number)->pending;
  return pending->operation != LC_TRACE_NONE ? pending : NULL;
}

/* Such an end is nobody's doing in this process: when it came is known when all others have ended. */
static inline gboolean
lc_sweep_keeps_for_last (LcSweep *sweep, guint32 number)
{
  if (lc_sweep_find_pending (sweep, number) == NULL || sweep->ending)
    return FALSE;
  sweep->processes[number].last = TRUE;
  return TRUE;
}

static inline void
lc_sweep_resolve_pending (const LcSweep *sweep, const LcTracePending *pending, LcSweepStep *step)
{
  step->pending = TRUE;
  step->outside = sweep->wants->operations[pending->operation].outside;
  step->waited = step->outside ? 0 : step->event->end - step->event->begin;
}

/* A process may have begun before its first event, and in a trace that begins in a gap most have. */
static inline void
lc_sweep_set_since (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];

  if (lc_trace_get_kept_from (sweep->trace) > 0 || lc_trace_get_process (sweep->trace, number)->is_followed)
    process->since = lc_trace_get_followed (sweep->trace, number, lc_sweep_present (process)->begin);
}

static inline LcPointKey
lc_sweep_key_of (const LcWant *want, const LcTraceEvent *event, int step)
{
  gint64 sequence = event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0;

  return (LcPointKey){want->id, event->object, lc_sequence_step (sequence, step)};
}

/* Returns how many points of the entry meet the requirement, and the first of them. Of alternatives one is enough: the
 * first that came. */
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

/* --- Problems (sweep-problems.c) ---------------------------------------------------------------------------- */

/* Reports a problem with the present event of a process; `want` is what it lacks, or NULL. */
void lc_sweep_tell (LcSweep *sweep, LcSweepTrouble trouble, guint32 number, const LcWant *want, guint32 cycle);

/* Returns the parked process that supplies `want` further on, or LC_TRACE_NONE. */
guint32 lc_sweep_find_giver (LcSweep *sweep, const LcWant *want, const LcPointKey *key);

/* Reports supplies that no event took, as messages never received. Skipped for part of a trace, where takers may
 * follow. */
void lc_sweep_tell_left (LcSweep *sweep);

#endif
