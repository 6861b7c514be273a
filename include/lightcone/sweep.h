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
  guint64 time;  /* as measured, ns */
  guint64 layer; /* end: layer of the event; begin: of the event before it, or 0 */
  guint64 carried[LC_SWEEP_CARRIED];
  const LcArcRule *rule; /* rule of the arc to the event that gets this point */
} LcSweepPoint;

/* The members of one barrier, in the order in which they came. */
typedef struct
{
  const LcSweepPoint *members;
  gsize n_members;
  gsize last; /* index of the last member by measured time */
} LcSweepGroup;

/* `basis` of an event whose own process was last, not an arc. */
#define LC_SWEEP_OWN (-1)

typedef struct
{
  guint32 process;
  guint64 ordinal;
  const LcTraceEvent *event; /* until the call returns */
  guint64 layer;             /* at its begin: layer of the event before it */
  guint64 waited;            /* ns */
  guint64 woken;             /* ns: after that, from the release until it really went on */
  guint64 own;               /* ns that the operation takes by itself, where the trace's settings say that; else 0 */
  const LcSweepPoint *arcs;  /* points of other events that it had to come after; a whole group is one */
  gsize n_arcs;
  int basis;                 /* index of the arc that was last, or LC_SWEEP_OWN */
  const LcSweepGroup *group; /* barrier of which it is a member, or NULL */
  guint64 *carried;          /* the visitor's word for this point, to be set by the visitor */

  /* The place at which the event was measured. It is this process and ordinal, unless a director has moved the
   * event. */
  guint32 origin_process;
  guint64 origin_ordinal;
  guint64 since; /* there, the measured end of the event before it; of the first: 0, or from when on it is followed */
  gboolean decided; /* a director has changed the events that it comes after */
  guint64 granted;  /* when a director has let it go on after a wait; 0: as soon as what it comes after is there */
  gboolean outside; /* it waited for what is no process, for as long as it lasted */
  gboolean pending; /* the end of a process that was blocked to it, in LcTraceProcess.pending; comes after all others */

  /* When the process was off its processors, from `since` to the event's end, as measured; until the call returns. */
  const LcAbsence *absences;
  gsize n_absences;
} LcSweepStep;

typedef struct _LcSweepVisitor LcSweepVisitor;

/* Embed this at the beginning of your own struct. Either function may be NULL. */
struct _LcSweepVisitor
{
  void (*begin) (LcSweepVisitor *visitor, const LcSweepStep *step);
  void (*end) (LcSweepVisitor *visitor, const LcSweepStep *step);
};

typedef enum
{
  LC_SWEEP_UNMATCHED, /* an event waits for an event that does not exist */
  LC_SWEEP_CYCLE,     /* events wait for each other in a circle */
  LC_SWEEP_BACKWARDS, /* an arc ends before it begins: the clocks disagree */
  LC_SWEEP_LEFT,      /* nobody took the thing that an event gave: odd, but no mistake */
} LcSweepTrouble;

/* An event that could not be resolved by the rules; for LC_SWEEP_LEFT, the event that gave. */
typedef struct
{
  LcSweepTrouble trouble;
  guint32 process;
  guint64 ordinal;
  guint32 operation;
  guint32 object;
  gint64 sequence;
  guint32 wants; /* the operation that it waits for, or that should have taken from it, on the same object */
  gint64 wants_sequence;
  guint64 there, needed; /* number of these that have come, and number that it waits for */
  guint32 cycle;         /* LC_SWEEP_CYCLE: the process on which the wanted event comes later; else LC_TRACE_NONE */
} LcSweepProblem;

typedef struct
{
  guint64 events;
  guint64 arcs;
  guint64 unmatched; /* number of problems of each kind, down to `left`; `problems` has the first ones */
  guint64 cycles;
  guint64 backwards;
  guint64 left;     /* 0 for a part of a trace, and with a director */
  guint64 layers;   /* the largest layer */
  guint64 highest;  /* largest number of points held at once */
  gboolean cut;     /* LcSweepPart.most_events: there were more */
  GArray *problems; /* LcSweepProblem; owned */
} LcSweepResult;

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
  LC_SWEEP_HELD,  /* when `woken` gives the process */
  LC_SWEEP_OVER,  /* the process has no more events */
} LcSweepVerdict;

/* An event that the director gives. */
typedef struct
{
  LcTraceEvent event;
  guint32 origin_process; /* see LcSweepStep */
  guint64 origin_ordinal;
  guint64 since;
  guint64 waited;   /* as measured */
  gboolean decided; /* see LcSweepStep */
  guint64 granted;
  gboolean counted; /* the director has set the value, which says how many points the event comes after */
} LcSweepNext;

typedef struct _LcSweepDirector LcSweepDirector;

/* Embed this at the beginning of your own struct. */
struct _LcSweepDirector
{
  /* Gives the next event of a process after the one before has ended. Returns GO, HELD or OVER. */
  LcSweepVerdict (*next) (LcSweepDirector *director, guint32 process, LcSweepNext *next);

  /* Gives the event's key after its begin has been shown. Events of other processes with a lower key go first; equal
   * keys go in the order of processes. The key is no less than the key of the event before on this process. */
  guint64 (*when) (LcSweepDirector *director, guint32 process);

  /* Decides an event when no process is further behind. May rewrite its object, sequence, value, bytes and peer,
   * `decided`, `granted` and `counted`. Returns GO, HELD, or LATER with the key in `when` at which to ask again. */
  LcSweepVerdict (*decide) (LcSweepDirector *director, guint32 process, LcSweepNext *next, guint64 *when);

  /* Gives a process that is no longer held, or LC_TRACE_NONE. Called after each event until it gives none. */
  guint32 (*woken) (LcSweepDirector *director);

  /* Nothing can go on. is_stuck is TRUE for each process that is held, or whose event lacks another one. Returns one of
   * the latter, to go on without and become a problem; `first` is as good as any, and LC_TRACE_NONE if all are held.
   * LC_TRACE_NONE ends the sweep with G_IO_ERROR_WOULD_BLOCK. */
  guint32 (*stalled) (LcSweepDirector *director, const gboolean *is_stuck, guint32 first);
};

/* Called now and then with the number of events swept; FALSE stops the sweep. */
typedef gboolean (*LcSweepProgress) (guint64 events, gpointer data);

/* The part of a trace to sweep. All 0: the whole of a complete trace. */
typedef struct
{
  /*
   * The sweep ends soon after this number of events. The swept events are then the beginning of each process, and are
   * the same as in a sweep of the whole trace: everything that an event depends on is there, or was still going on. An
   * event that waits for one that is not read any more is no problem.
   */
  guint64 most_events;
  gboolean growing; /* the trace is being recorded: waiting for an event that is not there yet is no problem */
} LcSweepPart;

/*
 * Sweeps the whole trace for the visitors: a NULL-terminated list. The n-th visitor has the n-th word of `carried`;
 * visitors after the LC_SWEEP_CARRIED-th have none (step->carried is NULL). FALSE with G_IO_ERROR_CANCELLED if progress
 * returns FALSE. Clear the result with lc_sweep_result_clear in any case.
 */
gboolean lc_sweep_run (LcTrace *trace, const LcRules *rules, LcSweepVisitor *const *visitors, LcSweepProgress progress,
                       gpointer data, LcSweepResult *result, GError **error);

/* Sweeps a part of the trace. */
gboolean lc_sweep_run_part (LcTrace *trace, const LcRules *rules, const LcSweepPart *part,
                            LcSweepVisitor *const *visitors, LcSweepProgress progress, gpointer data,
                            LcSweepResult *result, GError **error);

/* Sweeps with a director, or NULL. FALSE also with G_IO_ERROR_WOULD_BLOCK. */
gboolean lc_sweep_run_directed (LcTrace *trace, const LcRules *rules, LcSweepDirector *director,
                                LcSweepVisitor *const *visitors, LcSweepProgress progress, gpointer data,
                                LcSweepResult *result, GError **error);

void lc_sweep_result_clear (LcSweepResult *result);

G_END_DECLS

#endif
