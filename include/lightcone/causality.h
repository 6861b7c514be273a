/* SPDX-License-Identifier: Apache-2.0 */
/* Causality: what could have influenced an event, what it could have influenced, and what is neither. */
#ifndef LIGHTCONE_CAUSALITY_H
#define LIGHTCONE_CAUSALITY_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * Event f is in the past of event e when f's begin comes before e's end by program order and arcs: then what f did
 * could have influenced e. The future of e are the events that have e in their past. Each event is in both its own past
 * and its own future, and so are the members of one barrier, and the two sides of a rendezvous, to each other: they
 * are together. What is in neither is concurrent with e. No clock has a say in it.
 *
 * On each process the past is what is before a boundary, and the future what is from a boundary on.
 */

/*
 * How many of the first events of each process are in the past of this one; an array with a number for each process,
 * to be freed with g_free. NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED.
 */
guint64 *lc_causality_past (LcHistory *history, guint32 process, guint64 ordinal, GCancellable *cancellable,
                            GError **error);

/* No event of the process is in the future. */
#define LC_CAUSALITY_NEVER G_MAXUINT64

/* The ordinal of the first event of each process that is in the future of this one, or LC_CAUSALITY_NEVER; as above. */
guint64 *lc_causality_future (LcHistory *history, guint32 process, guint64 ordinal, GCancellable *cancellable,
                              GError **error);

typedef enum
{
  LC_RELATION_CONCURRENT, /* neither could have influenced the other */
  LC_RELATION_BEFORE,     /* the first is in the past of the second, and not the other way */
  LC_RELATION_AFTER,      /* the second is in the past of the first, and not the other way */
  LC_RELATION_TOGETHER,   /* each is in the past of the other: one event, one barrier, one rendezvous */
} LcRelation;

/* How the first event is to the second. Looks only at what is between the two by layers. */
gboolean lc_causality_relation (LcHistory *history, guint32 process, guint64 ordinal, guint32 other_process,
                                guint64 other_ordinal, GCancellable *cancellable, LcRelation *relation, GError **error);

G_END_DECLS

#endif
