/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines: adding one to a history, with a begin and an end for every event, by a sweep of the trace. */
#ifndef LIGHTCONE_TIMELINE_H
#define LIGHTCONE_TIMELINE_H

#include "lightcone/history.h"
#include "lightcone/sweep.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;       /* not "measured"; another timeline of this name is replaced */
  const char *model;      /* as the table `timeline` shows it */
  const char *parameters; /* JSON */
  gboolean own;           /* its events may differ from those of the trace, except in the operation */
} LcTimelineDescription;

typedef struct _LcTimelineWriter LcTimelineWriter;

/*
 * Begins a transaction on the history at `path`, which must be made from this trace with these rules: all of the
 * timeline is written or nothing. The writer has its own threads; the functions below are called from one thread.
 * Others may read the history meanwhile, and see the timeline only after the commit. NULL with LC_HISTORY_ERROR.
 */
LcTimelineWriter *lc_timeline_writer_new (const char *path, LcTrace *trace, const LcRules *rules,
                                          const LcTimelineDescription *description, GError **error);

/* Frees the writer. Without lc_timeline_writer_commit the history is unchanged. */
void lc_timeline_writer_free (LcTimelineWriter *writer);

/* An event on the new timeline. */
typedef struct
{
  guint64 begin; /* no less than the end of the event before it on its process */
  guint64 end;
  guint64 waited;
  guint64 woken;
  guint64 removed; /* see LcHistoryEvent */
  gint64 gained;
  gboolean reordered;
  gboolean is_unpreempted; /* measured time in which the process was ready, but had no processor, is left out */
  guint32 origin_process;  /* used only if the timeline has its own order */
  guint64 origin_ordinal;
} LcTimelineEvent;

/*
 * Adds an event. Call it from the `end` of a visitor for each event, in the sweep's order. In each arc of the step,
 * carried[0] is the time of the arc's point on the new timeline.
 */
void lc_timeline_writer_add (LcTimelineWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event);

/* Replaces the description's parameters; at any time before the commit. */
void lc_timeline_writer_set_parameters (LcTimelineWriter *writer, const char *parameters);

/* Whether the writer still works. FALSE: there is no use to go on; lc_timeline_writer_commit gives the error. */
gboolean lc_timeline_writer_can_write (const LcTimelineWriter *writer);

/* Finishes the timeline after the sweep. FALSE: nothing was added; the history may have been made again meanwhile
 * (LC_HISTORY_ERROR_OLD). */
gboolean lc_timeline_writer_commit (LcTimelineWriter *writer, guint32 *number, GError **error);

/* Removes a timeline. FALSE with LC_HISTORY_ERROR_UNKNOWN if no timeline has this name, or for the measured one. */
gboolean lc_timeline_remove (const char *path, const char *name, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTimelineWriter, lc_timeline_writer_free)

G_END_DECLS

#endif
