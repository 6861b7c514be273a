/* SPDX-License-Identifier: Apache-2.0 */
/* The future of every event, point by point, in one pass over a history from its last layer to its first. */
#ifndef LC_ANALYSIS_FUTURES_H
#define LC_ANALYSIS_FUTURES_H

#include "lightcone/slack.h"

/*
 * The points of event o of a process have the numbers 2 o (begin) and 2 o + 1 (end). A future is, for each process, the
 * number of its first point that program order and arcs put after a point, or LC_FUTURE_NEVER.
 *
 * A pass holds one future for each process, and one for each point that arcs from higher layers begin at: never the
 * history. It is for one thread, and must be freed before the history.
 */
typedef struct _LcFutures LcFutures;

#define LC_FUTURE_NEVER G_MAXUINT64

static inline guint64
lc_future_begin_of (guint64 ordinal)
{
  return 2 * ordinal;
}

typedef struct
{
  LcHistoryEvent event;        /* as a walk with LC_WALK_ARCS gives it */
  const LcHistoryArcEnd *arcs; /* event.n_arcs of them, those that are left out included */
  guint64 slack;               /* ns that its end could have been later */
  const guint64 *after;        /* by process: the future of the event's end, that point included */
} LcEventFuture;

/* Arcs of a rule that is TRUE in `left_out` (by rule of the history; NULL: none is) order nothing. NULL with
 * LC_HISTORY_ERROR. */
LcFutures *lc_futures_new (LcHistory *history, const gboolean *left_out, GCancellable *cancellable, GError **error);
void lc_futures_free (LcFutures *futures);

/* Sets `next` to the next event, from the highest layer down and by process within a layer, or to NULL after the last
 * one. It is valid until the next call. FALSE with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
gboolean lc_futures_next (LcFutures *futures, const LcEventFuture **next, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFutures, lc_futures_free)

#endif
