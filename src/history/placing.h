/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where the events of a trace come from, in a thread of its own beside a merge. */
#ifndef LC_HISTORY_PLACING_H
#define LC_HISTORY_PLACING_H

#include "lightcone/where.h"

typedef struct _LcPlacing LcPlacing;

/* `before` may be NULL, and must outlive it. */
LcPlacing *lc_placing_new (LcTrace *trace, const LcWhereBefore *before);

/* Stops it, and waits until it has. The result goes with it. */
void lc_placing_free (LcPlacing *placing);

/* Waits until it has ended, or until this time, and returns whether it has. */
gboolean lc_placing_wait (LcPlacing *placing, gint64 until);

/* Gives the result when it has ended. It may be changed, and goes with `placing`. */
LcWhere *lc_placing_get (const LcPlacing *placing, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPlacing, lc_placing_free)

#endif
