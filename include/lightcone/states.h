/* SPDX-License-Identifier: Apache-2.0 */
/* What a process did at each moment: one of five states, decided in one place for all that show or count it. */
#ifndef LIGHTCONE_STATES_H
#define LIGHTCONE_STATES_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/* One of these holds at every moment of a process, from when it is followed to its end. */
typedef enum
{
  LC_IS_RUNNING,
  LC_IS_WAITING,   /* in an event, for another process: until that released it, or to the end if nobody is known */
  LC_IS_WOKEN,     /* from the release until it really went on */
  LC_IS_PREEMPTED, /* ready to go on, but without a processor */
  LC_IS_OUTSIDE,   /* blocked on what is no process, as an event tells */
  LC_IS_UNSEEN,    /* the same, where no event tells why: only the kernel's scheduler knows of it */
} LcProcessState;
#define LC_PROCESS_STATES 6

/* "running", "waiting", "woken", "preempted", "outside", "unseen"; never translated. */
const char *lc_process_state_get_name (LcProcessState state);

/* A time of a process in one state: that of the event `ordinal`, or that before it. */
typedef struct
{
  guint64 begin; /* on the timeline asked for */
  guint64 end;
  guint64 ordinal;
  LcProcessState state;
  gboolean inside; /* within the event; FALSE: after the event before it */
} LcStateSpan;

/* Called for each span; FALSE stops the visit. */
typedef gboolean (*LcVisitState) (const LcStateSpan *span, gpointer data);

/* Visits what a process did from one time to before another, in order and without gaps; the spans at both ends are
 * cut. */
gboolean lc_history_visit_states (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                                  LcVisitState visit, gpointer data, GCancellable *cancellable, GError **error);

/* Adds to `times`, by state, what the process did between an event of the walk, which was made with LC_WALK_STATES or
 * more than LC_WALK_TIMES, and the event before it: not before `from`, which is not before the end of that, nor after
 * `to`. FALSE as lc_history_walk_get. */
gboolean lc_history_walk_sum_before (LcHistoryWalk *walk, guint32 process, guint64 ordinal, guint64 from, guint64 to,
                                     guint64 *times, GError **error);

/* Adds a time in a state to a bucket. */
static inline void
lc_summary_bucket_add_state (LcSummaryBucket *bucket, LcProcessState state, guint64 time)
{
  switch (state)
    {
    case LC_IS_WAITING:
      bucket->waiting += time;
      break;
    case LC_IS_WOKEN:
      bucket->woken += time;
      break;
    case LC_IS_PREEMPTED:
      bucket->preempted += time;
      break;
    case LC_IS_UNSEEN:
      bucket->unseen += time;
      bucket->outside += time;
      break;
    case LC_IS_OUTSIDE:
      bucket->outside += time;
      break;
    case LC_IS_RUNNING:
    default:
      bucket->running += time;
    }
}

/* The whole time of a bucket in which its process was there. */
static inline guint64
lc_summary_bucket_get_alive (const LcSummaryBucket *bucket)
{
  return bucket->running + bucket->waiting + bucket->woken + bucket->preempted + bucket->outside;
}

G_END_DECLS

#endif
