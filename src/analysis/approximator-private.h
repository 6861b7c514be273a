/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the approximator. docs/approximation.md has the formulas. */
#ifndef LC_ANALYSIS_APPROXIMATOR_PRIVATE_H
#define LC_ANALYSIS_APPROXIMATOR_PRIVATE_H

#include <math.h>

#include "approximator.h"
#include "costs-private.h"
#include "posted.h"
#include "preemption.h"
#include "scaled-place.h"

/* Fine times are in 1/256 ns: the fractions of instrumentation costs add up over many events. */
enum
{
  LC_FINE = 8,
};

/*
 * The words carried by points. The first is the point's time. The second is, for a begin, the measured end (of a
 * group's member) or LC_CARRY_MESSAGE; for an end, how much later than stamped the operation was carried out when
 * measured. The third is what is owed.
 */
#define LC_CARRY_MESSAGE(bytes, rendezvous) (MIN ((bytes), G_MAXUINT64 >> 1) << 1 | (rendezvous))
#define LC_CARRIED_BYTES(word) ((word) >> 1)
#define LC_CARRIED_RENDEZVOUS(word) ((word)&1)

/* The time that recording takes, in fine times. */
typedef struct
{
  gint64 before, inside, after;
  gint64 late; /* in ns: an instant event is stamped so long before it is carried out */
} LcInstrumentation;

/* An operation, prepared for its events. Times are in ns, unless said to be fine. */
typedef struct
{
  LcTiming timing;
  gboolean is_group, enters, leaves;
  gboolean is_soft; /* its events that have waited are rendezvous */
  LcPosts posts;
  gboolean nowait_fixed, wait_fixed; /* the cost is used whatever was measured */
  gboolean wait_calibrated;
  gboolean nowait_known, wait_known;
  LcInstrumentation instrumentation;
  LcInstrumentation other; /* of the events that lc_costs_is_other tells */
  gint64 nowait;
  double factor; /* what-if factor */
  guint64 events;
  guint64 lacked; /* events that needed an unknown cost */
} LcTimed;

typedef struct
{
  gint64 begin, end; /* of the present event; `end` is that of the previous event until the present one has ended */
  gint64 after;      /* fine: instrumentation after the previous event */
  gint64 search;     /* fine: instrumentation before each event, besides its operation's */
  gint64 fraction;   /* fine: still to be taken off */
  gint64 owed;       /* see LcEnding */
  guint64 ordinal;   /* the present event */
  guint64 waiting, measured_waiting;

  /* Results for the process's present event in a group, found when the group's first member ends. */
  guint64 group_ordinal;
  gsize group_members;
  gint64 group_end, group_placed_end;
  gint64 group_latest; /* begin of the last other member */
  gboolean group_reordered;

  /* Polling in vain, up to the present event. */
  gboolean polling;
  guint32 poll_object;
  gint64 poll_sequence;
  gint64 poll_owed; /* time left out so far; it is due if the polling ends without an answer */

  GArray *regions; /* guint32: entered regions, the innermost last; NULL: not needed */
  double region_factor;
  double place_factor; /* of the present event's own time */
  double own_factor;   /* of the process itself */
  gboolean *there;     /* by place: whether the last event was called there */
  LcApproximatedProcess report;
} LcApproximatorProcess;

/* A place in the source that is scaled. */
typedef struct
{
  const LcScaledPlace *place;
  double factor;
  guint64 intervals; /* that were scaled */
  guint64 events;    /* that have a stack */
  guint64 unknown;   /* events of which it is not known whether they are called there */
} LcTimedPlace;

/* A member of a group while the group is being sorted. */
typedef struct
{
  const LcSweepPoint *point;
  gint64 begin; /* by the formulas or on the timeline, like LcEnding.begin */
  guint measured_rank;
  gboolean is_last;
} LcMember;

struct _LcApproximator
{
  LcSweepVisitor visitor;
  LcTimelineWriter *writer; /* or NULL */
  const LcCosts *costs;
  LcTrace *trace;
  LcModel model;
  LcSpread spread;
  gboolean optimistic, pessimistic; /* model of messages */
  gboolean collapses;               /* polling in vain takes no time */
  gboolean owes;                    /* see LcEnding */
  gboolean keeps_measurement;       /* no instrumentation is taken off */
  gboolean scaled;
  double communication_factor;
  double *object_factors;     /* by object, or NULL */
  GHashTable *region_factors; /* object -> double *, or NULL */
  LcTimedPlace *places;
  guint n_places;
  gint64 copy;
  gint64 *late; /* by the place of an arc's rule: instrumentation between the stamp and the act */
  guint64 lacked_messages, lacked_copies;
  LcTimed *operations;
  guint32 n_operations;
  LcApproximatorProcess *processes;
  guint32 n_processes;
  LcPosted *posted;
  LcPreemption *preemption; /* NULL: preempted time stays */
  GHashTable *programs;     /* address space -> gint64: when its program ended; NULL: not asked for yet */
  GArray *members;          /* LcMember */
  GArray *lags;             /* gint64, by rank */
  LcTimelineEvent event;    /* the last one that ended */
};

/*
 * An event that ends. Times are in ns on the timeline, unless measured.
 *
 * Instrumentation costs that a user gives are exact, and no interval gets shorter than nothing. Calibrated costs are
 * means: if more is to be taken off than there was time, the rest is owed, and is taken off where there is time again,
 * on this process or on those that go on after it. Otherwise events that cost more to record than the mean would make
 * everything later, and nothing would make up for it. So each point has two times: the one by the formulas, which may
 * go back, and the one on the timeline, where times are in order. The difference is owed. Intervals and local
 * operations make up for it; events that wait take as long as the formulas say, from either time.
 */
typedef struct
{
  LcApproximator *approximator;
  LcApproximatorProcess *process;
  LcTimed *timed;
  const LcInstrumentation *instrumentation;
  LcTiming timing; /* of this event */
  const LcSweepStep *step;
  const LcTraceEvent *event;
  gint64 begin;             /* by the formulas; in the second pass on the timeline, like all other times */
  gint64 placed;            /* on the timeline */
  gint64 lasted;            /* measured */
  gint64 inside;            /* its instrumentation */
  gint64 own;               /* `lasted` without it */
  double factor;            /* what-if factor of its own time */
  gint64 latest;            /* time of the last point it had to come after, like `begin` */
  gint64 reached;           /* the same, on the timeline */
  gint64 owed;              /* the most that one of those points owes, or the process itself */
  gboolean again;           /* in the second pass */
  gint64 found;             /* result of the first pass */
  LcPostedOperation posted; /* the operation that it completes */
  gboolean is_posted;
  const LcSweepPoint *last; /* the last point as measured; NULL: there is none */
} LcEnding;

/* Returns the time that recording this event takes. */
static inline const LcInstrumentation *
lc_approximator_get_instrumentation (const LcApproximator *approximator, const LcTraceEvent *event)
{
  const LcTimed *timed = &approximator->operations[event->operation];

  return G_UNLIKELY (lc_costs_is_other (approximator->costs, event)) ? &timed->other : &timed->instrumentation;
}

static inline gboolean
lc_timed_meets (const LcTimed *timed, const LcTraceEvent *event)
{
  return timed->timing == LC_TIMING_RENDEZVOUS || (timed->is_soft && event->flags & LC_EVENT_CONTENDED);
}

/* Measured times are below 2^61 (LC_TIME_LIMIT), but may be scaled by any factor. Durations are limited to 2^61 and
 * times on the timeline to 2^62, so that their sum cannot overflow. */
#define LC_APPROXIMATED_LONGEST (G_GINT64_CONSTANT (1) << 61)
#define LC_APPROXIMATED_LAST (G_GINT64_CONSTANT (1) << 62)

static inline gint64
lc_duration_limit (gint64 ns)
{
  return CLAMP (ns, -LC_APPROXIMATED_LONGEST, LC_APPROXIMATED_LONGEST);
}

static inline gint64
lc_duration_round (double ns)
{
  if (fabs (ns) < (double)LC_APPROXIMATED_LONGEST)
    return llround (ns);
  return ns > 0 ? LC_APPROXIMATED_LONGEST : ns < 0 ? -LC_APPROXIMATED_LONGEST : 0;
}

static inline gint64
lc_time_limit (gint64 time)
{
  return CLAMP (time, -LC_APPROXIMATED_LONGEST, LC_APPROXIMATED_LAST);
}

static inline gint64
lc_scale (gint64 ns, double factor)
{
  return factor == 1 ? ns : lc_duration_round ((double)ns * factor);
}

/* Returns the what-if factor of the own time of the process's present event. */
static inline double
lc_approximator_find_factor (const LcApproximator *approximator, const LcApproximatorProcess *process,
                             const LcTraceEvent *event)
{
  const double *objects = approximator->object_factors;
  const double factor = approximator->operations[event->operation].factor * process->place_factor * process->own_factor;

  return objects == NULL || event->object == LC_TRACE_NONE ? factor : factor * objects[event->object];
}

void lc_approximator_prepare (LcApproximator *approximator, const LcRules *rules, const LcApproximateOptions *options);

/* Prepares the places for the processes, which have been made. */
void lc_approximator_prepare_places (LcApproximator *approximator, const LcApproximateOptions *options);

/* Notes where the process's next event is called, and returns the factor of the interval before it. */
double lc_approximator_go_to (LcApproximator *approximator, LcApproximatorProcess *process, const LcTraceEvent *event);

/* Finds the results of a group for all its members, unless they are known. */
void lc_approximator_gather (LcEnding *ending);

/* Returns when an event ends that waits until something is given. */
gint64 lc_approximator_end_released (LcEnding *ending);

/* Return when an event ends that waits for a message. */
gint64 lc_approximator_end_message (LcEnding *ending);
gint64 lc_approximator_end_rendezvous (LcEnding *ending);
gint64 lc_approximator_end_tree (LcEnding *ending);
gint64 lc_approximator_end_probe (LcEnding *ending);
gint64 lc_approximator_end_complete (LcEnding *ending);

#endif
