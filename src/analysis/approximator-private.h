/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the approximator share. docs/approximation.md has the formulas. */
#ifndef LC_ANALYSIS_APPROXIMATOR_PRIVATE_H
#define LC_ANALYSIS_APPROXIMATOR_PRIVATE_H

#include <math.h>

#include "approximator.h"
#include "posted.h"

/* What instrumentation takes is counted in parts of a ns: its fractions add up over the events. */
enum
{
  LC_FINE = 8,
};

/* What the words of a begin point are: its time, and the measured end (of a group's member), or this. Of an end point:
 * its time, and how much later than stamped the operation was carried out when it was measured. Of both, the third is
 * what is owed. */
#define LC_CARRY_MESSAGE(bytes, rendezvous) (MIN ((bytes), G_MAXUINT64 >> 1) << 1 | (rendezvous))
#define LC_CARRIED_BYTES(word) ((word) >> 1)
#define LC_CARRIED_RENDEZVOUS(word) ((word)&1)

/* An operation, as all events of it need it. Times are ns, or fine where that is said. */
typedef struct
{
  LcTiming timing;
  gboolean is_group, enters, leaves;
  gboolean is_soft; /* those of its events that have waited are rendezvous */
  LcPosts posts;
  gboolean nowait_fixed, wait_fixed; /* to be used whatever was measured */
  gboolean wait_calibrated;
  gboolean nowait_known, wait_known;
  gint64 before, inside, after; /* fine */
  gint64 nowait, wait;
  gint64 late;   /* an instant is stamped so long before it is carried out */
  double factor; /* what-if */
  guint64 events;
  guint64 lacked; /* events that would have needed a cost that is not known */
} LcTimed;

typedef struct
{
  gint64 begin, end; /* of the present event, and of the one before it until that has ended */
  gint64 after;      /* fine: instrumentation behind the event before */
  gint64 fraction;   /* fine: what is still to be taken off */
  gint64 owed;       /* see LcEnding */
  guint64 ordinal;   /* of the present event */
  guint64 waiting, measured_waiting;

  /* What follows from a group, for the present event, found when the first of its members ends. */
  guint64 group_ordinal;
  gsize group_members;
  gint64 group_end, group_placed_end;
  gint64 group_latest; /* the last of the others to come */
  gboolean group_reordered;

  /* Asking in vain, up to the present event. */
  gboolean polling;
  guint32 poll_object;
  gint64 poll_sequence;
  gint64 poll_owed; /* what was left out, and is due if nothing comes of it */

  GArray *regions; /* guint32: entered, the innermost last; NULL: nobody wants to know */
  double region_factor;
  LcApproximatedProcess report;
} LcApproximatorProcess;

/* A member of a group, while that is put in order. */
typedef struct
{
  const LcSweepPoint *point;
  gint64 begin; /* as that of LcEnding, by the formulas or on the timeline */
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
  gboolean optimistic, pessimistic; /* of messages */
  gboolean collapses;               /* what is asked in vain takes no time */
  gboolean owes;                    /* see LcEnding */
  gboolean keeps_measurement;       /* nothing is taken off */
  gboolean scaled;
  double communication_factor;
  double *object_factors;     /* by object, or NULL */
  GHashTable *region_factors; /* object -> double *, or NULL */
  gint64 copy;
  gint64
      *late; /* by the place of an arc's rule: between its begin and what it says there lies so much instrumentation */
  guint64 lacked_messages, lacked_copies;
  LcTimed *operations;
  guint32 n_operations;
  LcApproximatorProcess *processes;
  guint32 n_processes;
  LcPosted *posted;
  GArray *members;       /* LcMember */
  GArray *lags;          /* gint64, by rank */
  LcTimelineEvent event; /* the last one that ended */
};

/*
 * An event that ends. Times are ns, of the timeline unless they are measured.
 *
 * What somebody says instrumentation costs is exact, and no interval gets shorter than nothing. What the recorder has
 * found is a mean: where more is to be taken off than there was time, the rest is owed, and taken off where there is
 * time again, on this process or on those that go on after it. Else events that happened to cost more to record than
 * the mean would make things later, and nothing would make up for them. So each point has two times: the one by the
 * formulas, which may go back, and the one on the timeline, where it is put in order. What it is later there is owed.
 * Intervals and local operations make up for it; what waits takes as long as the formulas say, from either time.
 */
typedef struct
{
  LcApproximator *approximator;
  LcApproximatorProcess *process;
  LcTimed *timed;
  LcTiming timing; /* of this event */
  const LcSweepStep *step;
  const LcTraceEvent *event;
  gint64 begin;             /* by the formulas; in the second pass, as all of it, on the timeline */
  gint64 placed;            /* on the timeline */
  gint64 lasted;            /* measured */
  gint64 inside;            /* instrumentation in it */
  gint64 own;               /* lasted without it */
  double factor;            /* what-if, of its own time */
  gint64 latest;            /* arcs: the last one, as begin */
  gint64 reached;           /* and on the timeline */
  gint64 owed;              /* the most that any of them owes, or the process itself */
  gboolean again;           /* the second pass */
  gint64 found;             /* what the first has found */
  LcPostedOperation posted; /* what it completes */
  gboolean is_posted;
  const LcSweepPoint *last; /* measured: the last one; NULL: there is none */
} LcEnding;

static inline gboolean
lc_timed_meets (const LcTimed *timed, const LcTraceEvent *event)
{
  return timed->timing == LC_TIMING_RENDEZVOUS || (timed->is_soft && event->flags & LC_EVENT_CONTENDED);
}

/*
 * What is measured is below 2^61 (LC_TIME_LIMIT), but may be scaled by anything. Durations stay within 2^61, and times
 * on the timeline within 2^62, so that one of each can be added without asking.
 */
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

void lc_approximator_prepare (LcApproximator *approximator, const LcRules *rules, const LcApproximateOptions *options);

/* Finds what follows from a group for all its members, unless that is known. */
void lc_approximator_gather (LcEnding *ending);

/* When messages and what is made of them end. */
gint64 lc_approximator_end_message (LcEnding *ending);
gint64 lc_approximator_end_rendezvous (LcEnding *ending);
gint64 lc_approximator_end_tree (LcEnding *ending);
gint64 lc_approximator_end_probe (LcEnding *ending);
gint64 lc_approximator_end_complete (LcEnding *ending);

#endif
