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
#define LC_SWEEP_CARRIED 3

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

  /* Where the event was measured: on this process, with this ordinal, unless a director has moved it. */
  guint32 origin_process;
  guint64 origin_ordinal;
  guint64 since;    /* there, the measured end of the event before it; 0: it was the first */
  gboolean decided; /* a director has chosen others than measured for it to come after */
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
  LC_SWEEP_LEFT,      /* nobody took what the event has given: odd, but no mistake */
} LcSweepTrouble;

/* One event that could not be resolved as the rules say; of what was left, the event that gave it. */
typedef struct
{
  LcSweepTrouble trouble;
  guint32 process;
  guint64 ordinal;
  guint32 operation;
  guint32 object;
  gint64 sequence;
  guint32 wants; /* the operation that it waits for, or that should have taken it, of the same object */
  gint64 wants_sequence;
  guint64 there, needed; /* of those, how many have come, and how many it waits for */
  guint32 cycle;         /* for a cycle: the process that has what it waits for further on; else LC_TRACE_NONE */
} LcSweepProblem;

typedef struct
{
  guint64 events;
  guint64 arcs;
  guint64 unmatched; /* of all kinds below, how many; problems holds the first ones */
  guint64 cycles;
  guint64 backwards;
  guint64 left;     /* not of a part of a trace, nor with a director */
  guint64 layers;   /* the largest layer */
  guint64 highest;  /* how many points were held at once, at most */
  gboolean cut;     /* LcSweepPart.most_events: there were more */
  GArray *problems; /* LcSweepProblem; owned */
} LcSweepResult;

/* Whether what was recorded of the process ends in what the event of the problem waits for: it was killed in it, or is
   still there. */
gboolean lc_sweep_problem_ends_in (const LcSweepProblem *problem, const LcTrace *trace, guint32 process);

/*
 * A director says in which order processes go on, what their events are, and which process carries out which; without
 * one, they are what the trace says, and the order follows measured time. What it gives must be an execution that the
 * rules allow: all events that others wait for must come. With a director
 *
 *   - visitors see the begin of an event before it is decided: its object, sequence, value, bytes and peer may be
 * others at its end;
 *   - the `time` of a point stays the measured one, and `basis` and `last`, which follow it, say nothing about a
 *     decided event;
 *   - arcs that end before they begin by measured time are no problem.
 */
typedef enum
{
  LC_SWEEP_GO,    /* now */
  LC_SWEEP_LATER, /* when all processes have come as far as that */
  LC_SWEEP_HELD,  /* when `woken` names the process */
  LC_SWEEP_OVER,  /* the process has no more events */
} LcSweepVerdict;

/* An event as the director gives it. */
typedef struct
{
  LcTraceEvent event;
  guint32 origin_process; /* see LcSweepStep */
  guint64 origin_ordinal;
  guint64 since;
  guint64 waited;   /* as measured */
  gboolean decided; /* see LcSweepStep */
} LcSweepNext;

typedef struct _LcSweepDirector LcSweepDirector;

/* Embed it at the beginning of a struct of your own. */
struct _LcSweepDirector
{
  /* The next event of a process, when the one before it has ended: GO, HELD or OVER. */
  LcSweepVerdict (*next) (LcSweepDirector *director, guint32 process, LcSweepNext *next);

  /* After the begin of that event has been shown: those of other processes with a lower key go first (equal ones in the
   * order of the processes). No less than the key of the event before it. */
  guint64 (*when) (LcSweepDirector *director, guint32 process);

  /* No process is further behind: may rewrite the event's object, sequence, value, bytes and peer, and `decided`.
   * GO, HELD, or LATER with the key when it is to be asked again in `when`. */
  LcSweepVerdict (*decide) (LcSweepDirector *director, guint32 process, LcSweepNext *next, guint64 *when);

  /* A process that was held and is not any more, or LC_TRACE_NONE. Asked after each event, until there is none. */
  guint32 (*woken) (LcSweepDirector *director);

  /* Nothing can go on; is_stuck tells of each process whether it waits: it is held, or its event lacks something. Which
   * of the latter goes on without, and is a problem? `first` is as good as any, LC_TRACE_NONE if all are held.
   * LC_TRACE_NONE: the sweep ends, with G_IO_ERROR_WOULD_BLOCK. */
  guint32 (*stalled) (LcSweepDirector *director, const gboolean *is_stuck, guint32 first);
};

/* Called now and then with how many events have been swept; FALSE stops the sweep. */
typedef gboolean (*LcSweepProgress) (guint64 events, gpointer data);

/* Which part of a trace is swept. All 0: the whole of one that is complete. */
typedef struct
{
  /*
   * The sweep ends soon after so many events. What has been swept then is the beginning of each process, and all of it
   * is as in a sweep of the whole trace: everything that an event depends on is there, or was still going on. That
   * events wait for what is not read any more is no problem.
   */
  guint64 most_events;
  gboolean growing; /* it is being recorded: what an event waits for may just not be there yet, which is no problem */
} LcSweepPart;

/*
 * Sweeps the whole trace for the visitors: a NULL-terminated list; the n-th has the n-th word of what is carried, and
 * those after the LC_SWEEP_CARRIED-th have none (step->carried is NULL). FALSE with G_IO_ERROR_CANCELLED if progress
 * says so. Clear the result with lc_sweep_result_clear in any case.
 */
gboolean lc_sweep_run (LcTrace *trace, const LcRules *rules, LcSweepVisitor *const *visitors, LcSweepProgress progress,
                       gpointer data, LcSweepResult *result, GError **error);

/* The same of a part of the trace. */
gboolean lc_sweep_run_part (LcTrace *trace, const LcRules *rules, const LcSweepPart *part,
                            LcSweepVisitor *const *visitors, LcSweepProgress progress, gpointer data,
                            LcSweepResult *result, GError **error);

/* The same with a director, or NULL. FALSE also with G_IO_ERROR_WOULD_BLOCK. */
gboolean lc_sweep_run_directed (LcTrace *trace, const LcRules *rules, LcSweepDirector *director,
                                LcSweepVisitor *const *visitors, LcSweepProgress progress, gpointer data,
                                LcSweepResult *result, GError **error);

void lc_sweep_result_clear (LcSweepResult *result);

G_END_DECLS

#endif
