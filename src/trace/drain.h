/* SPDX-License-Identifier: Apache-2.0 */
/* Empties the places in which a recorded program writes: what is in them goes to the files that it belongs to. */
#ifndef LC_TRACE_DRAIN_H
#define LC_TRACE_DRAIN_H

#include <glib.h>

#include "folder.h"
#include "lightcone/control.h"

typedef struct _LcDrain LcDrain;

/* What is not to be exceeded. */
typedef struct
{
  guint64 max_size; /* bytes of the trace; 0: as many as the disk has room for */
  guint64 reserve;  /* bytes of the disk that are left free; LC_DRAIN_RESERVE: what is usual */
} LcDrainLimits;

#define LC_DRAIN_RESERVE G_MAXUINT64

/*
 * For the trace in `folder`, which has `control`. `make`: there are no places yet. What is in the places is not
 * believed unchecked.
 */
LcDrain *lc_drain_new (LcFolder *folder, struct lc_control *control, gboolean make, const LcDrainLimits *limits,
                       GError **error);
void lc_drain_free (LcDrain *drain);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDrain, lc_drain_free)

/* Of several who may drain one trace, one does. FALSE: another one does. */
gboolean lc_drain_lock (LcDrain *drain);

/* Empties what is full now, and sees to it that there are enough free places. Returns how many it has emptied. */
guint lc_drain_round (LcDrain *drain);

/* Empties what address spaces have left that are gone. Returns how many places. */
guint lc_drain_dead (LcDrain *drain);

/* Empties all that is not in use by a process that lives. FALSE: something could not be written. */
gboolean lc_drain_finish (LcDrain *drain, GError **error);

/* In a thread of its own, until it is stopped. */
gboolean lc_drain_start (LcDrain *drain, GError **error);
void lc_drain_stop (LcDrain *drain);

#endif
