/* SPDX-License-Identifier: Apache-2.0 */
/* Adding a timeline to a history: a begin and an end for every event, by a sweep of the trace. */
#ifndef LIGHTCONE_TIMELINE_H
#define LIGHTCONE_TIMELINE_H

#include "lightcone/history.h"
#include "lightcone/sweep.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;       /* another timeline of this name is replaced; not "measured" */
  const char *model;      /* as the table `timeline` shows it */
  const char *parameters; /* JSON */
  gboolean own;           /* the events that are given may differ from those of the trace in all but what they did */
} LcTimelineDescription;

typedef struct _LcTimelineWriter LcTimelineWriter;

/*
 * Writes into the history at `path`, which was made of this trace with these rules, in one transaction: all of it or
 * nothing. It has threads of its own; the functions below are called from one. Others may read the history meanwhile,
 * and do not see the new timeline before it is there. NULL with LC_HISTORY_ERROR.
 */
LcTimelineWriter *lc_timeline_writer_new (const char *path, LcTrace *trace, const LcRules *rules,
                                          const LcTimelineDescription *description, GError **error);

/* Without lc_timeline_writer_commit: nothing has happened. */
void lc_timeline_writer_free (LcTimelineWriter *writer);

/* One event on the new timeline. */
typedef struct
{
  guint64 begin; /* no less than the end of the event before it on its process */
  guint64 end;
  guint64 waited;
  guint64 removed; /* see LcHistoryEvent */
  gint64 gained;
  gboolean reordered;
  guint32 origin_process; /* used only if the timeline has an order of its own */
  guint64 origin_ordinal;
} LcTimelineEvent;

/*
 * From the `end` of a visitor, for each event in the sweep's order. carried[0] of each arc's point in the step is that
 * point's time on the new timeline.
 */
void lc_timeline_writer_add (LcTimelineWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event);

/* FALSE: nothing can be written any more (lc_timeline_writer_commit tells why), and there is no use to go on. */
gboolean lc_timeline_writer_can_write (const LcTimelineWriter *writer);

/* After the sweep. FALSE: nothing was added; the history may have been made again meanwhile (LC_HISTORY_ERROR_OLD). */
gboolean lc_timeline_writer_commit (LcTimelineWriter *writer, guint32 *number, GError **error);

/* Removes a timeline. LC_HISTORY_ERROR_UNKNOWN: there is none of this name, or it is the measured one. */
gboolean lc_timeline_remove (const char *path, const char *name, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTimelineWriter, lc_timeline_writer_free)

G_END_DECLS

#endif
