/* SPDX-License-Identifier: Apache-2.0 */
/* Lock cycles: deadlocks that did not happen, and that the order of the run's other events would have let happen. */
#ifndef LIGHTCONE_LOCK_CYCLES_H
#define LIGHTCONE_LOCK_CYCLES_H

#include "lightcone/sites.h"

G_BEGIN_DECLS

/* Larger circles are not looked for. */
#define LC_LOCK_CYCLE_MOST 4

/* One who would wait in the circle: its request, which is an event of the run, and what it holds meanwhile. */
typedef struct
{
  guint32 process;
  guint64 ordinal; /* of the acquisition */
  guint32 object;  /* that it asks for: the next one holds it */
  guint32 stack;   /* or LC_TRACE_NONE */
  gboolean shared; /* it asks to read */
  guint32 held;    /* the object that the one before it asks for */
  guint64 held_ordinal;
  guint32 held_stack; /* or LC_TRACE_NONE */
  guint32 group;      /* of the request's place */
} LcLockWaiter;

typedef struct
{
  guint n;
  LcLockWaiter waiters[LC_LOCK_CYCLE_MOST]; /* the one with the least object first */
  guint64 count; /* circles of the same locks and places, by other processes or holding others */
} LcLockCycle;

typedef struct
{
  GArray *cycles;  /* LcLockCycle, of fewest locks first, then by count, objects and places */
  guint64 gated;   /* circles of locks and places that a common lock keeps from closing */
  guint64 ordered; /* that cannot be at one time: the rest of the run's order keeps the requests apart */
  gboolean is_cut; /* there is more than was looked at */
} LcLockCycles;

/*
 * Looks for circles of 2 to LC_LOCK_CYCLE_MOST locks: different processes, each of which asked for what the next one
 * held at its own request. Readers do not keep readers waiting, and an attempt that would have failed does not wait.
 * Left out are those whose processes all held another common lock (gated), and those whose requests cannot be at one
 * time (ordered): one of them ended before another began in every execution in which all orders are kept but who gets a
 * lock next.
 */
LcLockCycles *lc_lock_cycles_find (LcHistory *history, const LcRules *rules, LcSiteGroups *groups,
                                   GCancellable *cancellable, GError **error);
void lc_lock_cycles_free (LcLockCycles *cycles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcLockCycles, lc_lock_cycles_free)

G_END_DECLS

#endif
