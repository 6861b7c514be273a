/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines in memory, and traces to approximate: at random, or what an approximation has come to. */
#ifndef APPROXIMATED_H
#define APPROXIMATED_H

#include "../history/random-history.h"
#include "lightcone/approximate.h"

typedef struct
{
  LcHistoryEvent event;
  guint first_arc; /* in Timeline.arcs */
} TimelineEvent;

/* All events of one timeline. */
typedef struct
{
  guint32 n_processes;
  GArray **events; /* by process: TimelineEvent */
  GArray *arcs;    /* LcHistoryArcEnd */
} Timeline;

Timeline *timeline_new (LcHistory *history, guint32 number);
void timeline_free (Timeline *timeline);

const TimelineEvent *timeline_event (const Timeline *timeline, guint32 process, guint64 ordinal);
guint64 timeline_point (const Timeline *timeline, const LcHistoryArcEnd *point);

/* By (object, sequence): when the last member of a group begins; by that event's key. */
typedef struct
{
  guint32 object;
  gint64 sequence;
  guint64 last;    /* begin */
  guint64 others;  /* the latest begin of the other members than the last one */
  guint32 process; /* of the last one */
} TimelineGroup;

/* TimelineGroup by timeline_group_hash and equal. */
GHashTable *timeline_list_groups (const Timeline *timeline);

/* In an empty directory: with messages of some bytes, processes that others make and join, and a trace.ini. */
void random_trace_write (const RandomHistory *history, const char *directory, guint32 seed, const char *settings);

/* Writes a timeline as a text trace, its times being what was measured. */
void timeline_write (const Timeline *timeline, LcHistory *history, const char *directory, const char *settings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Timeline, timeline_free)

#endif
