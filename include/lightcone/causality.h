/* SPDX-License-Identifier: Apache-2.0 */
/* Causality: the past and the future of an event, and the events that are concurrent with it. */
#ifndef LIGHTCONE_CAUSALITY_H
#define LIGHTCONE_CAUSALITY_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * Event f is in the past of event e if f's begin comes before e's end by program order and arcs: f could then have
 * influenced e. The future of e are the events that have e in their past. An event is in its own past and in its own
 * future. The members of one barrier are in each other's past and future, and so are the two sides of a rendezvous:
 * they are together. An event that is in neither is concurrent with e. Clocks play no part in this.
 *
 * On each process the past is everything before a boundary, and the future is everything from a boundary on.
 */

/*
 * Returns, for each process, how many of its first events are in the past of this event: an array indexed by process,
 * to be freed with g_free. NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED.
 */
guint64 *lc_causality_past (LcHistory *history, guint32 process, guint64 ordinal, GCancellable *cancellable,
                            GError **error);

/* The process has no event in the future. */
#define LC_CAUSALITY_NEVER G_MAXUINT64

/* Returns, for each process, the ordinal of its first event in the future of this event, or LC_CAUSALITY_NEVER. Memory
 * and errors are as for lc_causality_past. */
guint64 *lc_causality_future (LcHistory *history, guint32 process, guint64 ordinal, GCancellable *cancellable,
                              GError **error);

typedef enum
{
  LC_RELATION_CONCURRENT, /* neither could have influenced the other */
  LC_RELATION_BEFORE,     /* the first is in the past of the second, and not the other way */
  LC_RELATION_AFTER,      /* the second is in the past of the first, and not the other way */
  LC_RELATION_TOGETHER,   /* each is in the past of the other: one event, one barrier, one rendezvous */
} LcRelation;

/* Finds the relation of the first event to the second. Looks only at events whose layers are between the two. */
gboolean lc_causality_relation (LcHistory *history, guint32 process, guint64 ordinal, guint32 other_process,
                                guint64 other_ordinal, GCancellable *cancellable, LcRelation *relation, GError **error);

G_END_DECLS

#endif
