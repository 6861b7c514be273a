/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the newest packets of a recording, and drops older ones. */
#ifndef LC_TRACE_RING_H
#define LC_TRACE_RING_H

#include "folder.h"
#include "lightcone/control.h"

/*
 * While a recording goes on of which only the newest is kept, its packets are in files ring-K of the trace, in the
 * order in which they came, whatever process they are of. The oldest file is dropped when there are too many; what was
 * dropped is counted in the control block. At the end each process gets its own stream of what is left.
 */

#define LC_RING_PREFIX "ring-"

typedef struct _LcRing LcRing;

/* NULL: all of this recording is kept. `drops`: FALSE keeps all that is there, to end a recording. */
LcRing *lc_ring_new (LcFolder *folder, struct lc_control *control, gboolean drops);
void lc_ring_free (LcRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRing, lc_ring_free)

/* Adds a whole packet. FALSE: errno. */
gboolean lc_ring_add (LcRing *ring, const struct lc_packet *header, const guint8 *events);

/* Drops what is older than what is kept. */
void lc_ring_tick (LcRing *ring);

/* Drops the oldest file. FALSE: there is only one. */
gboolean lc_ring_drop (LcRing *ring);

guint64 lc_ring_get_bytes (const LcRing *ring);

/* TRUE: the folder has such files, so that not all of the trace is in streams. */
gboolean lc_ring_is_there (const LcFolder *folder);

/*
 * Gives each process its stream of what is left, and removes the files. What ended before the last that was dropped is
 * dropped as well, so that all processes begin at one moment. Without such files nothing is done. A call that was
 * interrupted is repeated by the next one.
 */
gboolean lc_ring_unroll (LcFolder *folder, struct lc_control *control, const guint8 *uuid, GError **error);

#endif
