/* SPDX-License-Identifier: Apache-2.0 */
/* The sweep: one pass over all processes in which every event comes after everything that it depends on. */
#ifndef LIGHTCONE_SWEEP_H
#define LIGHTCONE_SWEEP_H

#include "lightcone/rules.h"
#include "lightcone/trace.h"

G_BEGIN_DECLS

/*
 * The sweep holds a cursor for each process and the points that arcs may still come from, never the trace. It gives
 * each visitor, in an order that depends on the trace alone, first the begin of an event (all earlier events of its
 * process have ended) and later its end, with the arcs that end there resolved.
 */

/* Words that visitors may attach to a point, and find again where an arc from it ends; one for each visitor. */
#define LC_SWEEP_CARRIED 2

/* A point that arcs come from. */
typedef struct
{
  guint32 process;
  LcPoint point;
  guint64 ordinal;
  guint64 time;  /* measured, ns */
  guint64 layer; /* end: of the event; begin: of the event before it, 0 when it is the first */
  guint64 carried[LC_SWEEP_CARRIED];
  const LcArcRule *rule; /* the arc that ends at the event which gets this point */
} LcSweepPoint;

/* The members of one barrier, in the order in which they came. */
typedef struct
{
  const LcSweepPoint *members;
  gsize n_members;
  gsize last; /* the one that came last by measured time */
} LcSweepGroup;

/* Our own process is the time basis, not an arc. */
#define LC_SWEEP_OWN (-1)

typedef struct
{
  guint32 process;
  guint64 ordinal;
  const LcTraceEvent *event; /* until the call returns */
  guint64 layer;             /* at its begin: of the event before it */
  guint64 waited;            /* ns */
  const LcSweepPoint *arcs;  /* what it had to come after on other events, one for a whole group */
  gsize n_arcs;
  int basis;                 /* which of the arcs was last, or LC_SWEEP_OWN */
  const LcSweepGroup *group; /* the barrier that it is a member of, or NULL */
  guint64 *carried;          /* the visitor's word of this point, for it to set */
} LcSweepStep;

typedef struct _LcSweepVisitor LcSweepVisitor;

/* Embed it at the beginning of a struct of your own. Either function may be NULL. */
struct _LcSweepVisitor
{
  void (*begin) (LcSweepVisitor *visitor, const LcSweepStep *step);
  void (*end) (LcSweepVisitor *visitor, const LcSweepStep *step);
};

typedef enum
{
  LC_SWEEP_UNMATCHED, /* an event waits for one that is nowhere */
  LC_SWEEP_CYCLE,     /* events wait for each other in a circle */
  LC_SWEEP_BACKWARDS, /* an arc ends before it begins: the clocks disagree */
} LcSweepTrouble;

/* One event that could not be resolved as the rules say. */
typedef struct
{
  LcSweepTrouble trouble;
  guint32 process;
  guint64 ordinal;
  guint32 operation;
  guint32 object;
  gint64 sequence;
  guint32 wants; /* the operation that it waits for, of the same object */
  gint64 wants_sequence;
  guint32 cycle; /* for a cycle: the process that has what it waits for further on; else LC_TRACE_NONE */
} LcSweepProblem;

typedef struct
{
  guint64 events;
  guint64 arcs;
  guint64 unmatched; /* of all kinds below, how many; problems holds the first ones */
  guint64 cycles;
  guint64 backwards;
  guint64 layers;   /* the largest layer */
  guint64 highest;  /* how many points were held at once, at most */
  GArray *problems; /* LcSweepProblem; owned */
} LcSweepResult;

/* Called now and then with how many events have been swept; FALSE stops the sweep. */
typedef gboolean (*LcSweepProgress) (guint64 events, gpointer data);

/*
 * Sweeps the whole trace for the visitors: a NULL-terminated list; the n-th has the n-th word of what is carried, and
 * those after the LC_SWEEP_CARRIED-th have none (step->carried is NULL). FALSE with G_IO_ERROR_CANCELLED if progress
 * says so. Clear the result with lc_sweep_result_clear in any case.
 */
gboolean lc_sweep_run (LcTrace *trace, const LcRules *rules, LcSweepVisitor *const *visitors, LcSweepProgress progress,
                       gpointer data, LcSweepResult *result, GError **error);

void lc_sweep_result_clear (LcSweepResult *result);

G_END_DECLS

#endif
