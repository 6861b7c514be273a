/* SPDX-License-Identifier: Apache-2.0 */
/* Slack: how much later an event could have ended without the run's end moving. */
#ifndef LIGHTCONE_SLACK_H
#define LIGHTCONE_SLACK_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * The model: an event ends a fixed time after its begin or the last point that it had to come after, whichever is
 * later, and begins a fixed time after the end of the event before it. The order of the timeline stays. So a process
 * that waits has slack, and the events of the critical path have none.
 *
 * A pass goes once over the history, from the highest layer down. It holds the events of one layer, and the points that
 * arcs from higher layers begin at: never the history. It is for one thread, sees one state of the file, and must be
 * freed before the history.
 */
typedef struct _LcSlackPass LcSlackPass;

typedef struct
{
  LcHistoryEvent event; /* as a walk with LC_WALK_ARCS gives it */
  guint64 slack;        /* ns that its end could have been later */
  /* Both have `event.n_arcs` members, and are valid until the next call. */
  const LcHistoryArcEnd *arcs;
  const guint64 *arc_slacks; /* ns that the point which the arc comes from could have been later, for this arc */
} LcEventSlack;

/* NULL with LC_HISTORY_ERROR. */
LcSlackPass *lc_slack_pass_new (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);
void lc_slack_pass_free (LcSlackPass *pass);

/* Sets `slack` to the next event, from the highest layer down and by process within a layer, or to NULL after the last
 * one. It is valid until the next call. FALSE with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
gboolean lc_slack_pass_next (LcSlackPass *pass, const LcEventSlack **slack, GError **error);

/* Compares two events as qsort does: 0 if they are of one group, whose members end after all of them have begun. */
int lc_slack_compare_groups (const LcHistoryEvent *a, const LcHistoryEvent *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSlackPass, lc_slack_pass_free)

G_END_DECLS

#endif
