/* SPDX-License-Identifier: Apache-2.0 */
/* The events of each process that are in view, in order of time, found by bisection, without reading them all. */
#ifndef LC_APP_EVENTS_RANGES_H
#define LC_APP_EVENTS_RANGES_H

#include "app/session/session.h"

/* Events of the shown processes from one ordinal to before another, in the order of the rows. */
typedef struct
{
  const LcShown *shown; /* not held */
  guint32 n;            /* processes */
  guint64 *first;       /* by place in shown->processes */
  guint64 *last;
  guint64 *before; /* number of events of the processes before it; before[n]: of all */
} LcEventsRanges;

/* Finds the events that touch the span, on the shown axis; NULL: all. */
LcEventsRanges *lc_events_ranges_new (const LcShown *shown, const LcSpan *span, GCancellable *cancellable,
                                      GError **error);
void lc_events_ranges_free (LcEventsRanges *ranges);

guint64 lc_events_ranges_count (const LcEventsRanges *ranges);

/* Finds the place in shown->processes of the process that has the event at a position, by process and ordinal. */
guint32 lc_events_ranges_find (const LcEventsRanges *ranges, guint64 position);

/* The events in the order of their begins (those of one moment by row), from some place on. For one thread. */
typedef struct _LcEventsMerge LcEventsMerge;

LcEventsMerge *lc_events_merge_new (const LcEventsRanges *ranges, GCancellable *cancellable, GError **error);
void lc_events_merge_free (LcEventsMerge *merge);

/* Goes to a position; quick if it is not far behind the last one. */
gboolean lc_events_merge_go_to (LcEventsMerge *merge, guint64 position, GError **error);

/* Goes to the first event that begins at a time or later, and gives its position. */
gboolean lc_events_merge_go_to_time (LcEventsMerge *merge, guint64 time, guint64 *position, GError **error);

/* Gives the event that the merge is at, and goes on. FALSE: an error, or (with process LC_TRACE_NONE) the end. */
gboolean lc_events_merge_next (LcEventsMerge *merge, LcEventName *name, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcEventsRanges, lc_events_ranges_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcEventsMerge, lc_events_merge_free)

#endif
