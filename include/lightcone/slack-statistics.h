/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of slack: where it is, and which events and arcs are nearest to being critical. */
#ifndef LIGHTCONE_SLACK_STATISTICS_H
#define LIGHTCONE_SLACK_STATISTICS_H

#include "lightcone/sites.h"
#include "lightcone/slack.h"

G_BEGIN_DECLS

/* What events of a group have in common. */
typedef enum
{
  LC_SLACK_BY_PROCESS,
  LC_SLACK_BY_OBJECT,
  LC_SLACK_BY_OPERATION,
  LC_SLACK_BY_SITE, /* as `groups` tells */
} LcSlackBy;

/* Slack above 0 is less than 1 us, 10 us, 100 us, 1 ms, 10 ms, 100 ms, or more. */
#define LC_SLACK_RANGES 7

typedef struct
{
  guint32 number; /* of the process, object (or LC_TRACE_NONE), operation, or group of sites */
  guint64 events;
  guint64 critical;                /* without slack */
  guint64 near;                    /* with no more slack than `most`, those without included */
  guint64 slack;                   /* in total, ns; G_MAXUINT64: that or more */
  guint64 ranges[LC_SLACK_RANGES]; /* the numbers of events that have slack, by how much */
  guint64 least;                   /* least slack above 0, ns; 0: no event has slack */
  guint32 least_process;           /* the first event that has it, by process and ordinal; valid if `least` is not 0 */
  guint64 least_ordinal;
} LcSlackStatistics;

/* LcSlackStatistics: by process in their order; else the group with most events without slack first, then with most
 * near ones, then by number. In a new array; NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
GArray *lc_statistics_slack (LcHistory *history, guint32 timeline, LcSlackBy by, LcSiteGroups *groups, guint64 most,
                             GCancellable *cancellable, GError **error);

/* An event, or an arc to it, that has slack. */
typedef struct
{
  guint64 slack; /* above 0 */
  guint64 ordinal;
  guint64 from_ordinal;
  guint64 begin; /* of the event, on the timeline */
  guint64 end;
  guint32 process;
  guint32 object; /* or LC_TRACE_NONE */
  guint32 stack;  /* or LC_TRACE_NONE */
  guint32 operation;
  guint32 from_process; /* LC_TRACE_NONE: it is no arc */
  LcPoint from_point;
} LcNearEvent;

/* LcNearEvent: the events, or else the arcs, that are nearest to being critical: those with least slack above 0 and no
 * more than `most`, at most `limit`, by slack, process, ordinal and where arcs come from. In a new array. */
GArray *lc_statistics_least_slack (LcHistory *history, guint32 timeline, gboolean arcs, guint64 most, gsize limit,
                                   GCancellable *cancellable, GError **error);

G_END_DECLS

#endif
