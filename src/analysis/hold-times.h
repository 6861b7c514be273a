/* SPDX-License-Identifier: Apache-2.0 */
/* Who held what others waited for, while they waited. */
#ifndef LC_ANALYSIS_HOLD_TIMES_H
#define LC_ANALYSIS_HOLD_TIMES_H

#include "lightcone/history.h"
#include "preempted.h"

typedef struct _LcHoldTimes LcHoldTimes;

/* A part of a wait. Where several held at a time, as readers do, each has an equal part. */
typedef struct
{
  guint32 process;   /* LC_TRACE_NONE: nobody held it */
  guint64 waited;    /* ns */
  guint64 preempted; /* part of it in which that process had no processor */
} LcHolderShare;

/* Reads the spans in which an object was held between `from` and `to` (from == to: in all the time). The history must
 * outlive the result. NULL: `error` is set. */
LcHoldTimes *lc_hold_times_new (LcHistory *history, guint32 timeline, guint64 from, guint64 to,
                                GCancellable *cancellable, GError **error);

/* Reads only those that touch some waits (LcHistoryEvent), and are of their objects. */
LcHoldTimes *lc_hold_times_new_for (LcHistory *history, guint32 timeline, const GArray *waits,
                                    GCancellable *cancellable, GError **error);
void lc_hold_times_free (LcHoldTimes *times);

/* Sets `shares` to those of an event's wait (LcHolderShare), which sum to all of it, in no order. The array belongs to
 * `times`, and is valid until the next call. */
gboolean lc_hold_times_share (LcHoldTimes *times, LcPreempted *preempted, const LcHistoryEvent *event,
                              const GArray **shares, GError **error);

/* Sets `holder` to the process that held the object for most of an event's wait, the first one of several; to
 * LC_TRACE_NONE if none did. */
gboolean lc_hold_times_find_holder (LcHoldTimes *times, LcPreempted *preempted, const LcHistoryEvent *event,
                                    LcHolderShare *holder, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHoldTimes, lc_hold_times_free)

#endif
