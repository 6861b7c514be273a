/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a run as its program marked them: inside its regions, and after its tags. */
#ifndef LIGHTCONE_INSIDE_H
#define LIGHTCONE_INSIDE_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * The events of a process that are inside one of some regions, from the event that enters it to the one that leaves it
 * (what is never left ends with the region around it, or with the process), or after a tag with one of some values, up
 * to before the next tag of the process. What it is of is said when it is made; which events these are is looked for
 * once, by the first thread that needs it: some 100 M events/s where marks are few.
 *
 * Events are named as on the measured timeline, so that one is good for all timelines.
 */
typedef struct _LcInside LcInside;

/* The history must outlive it. Regions are objects. Never NULL; unknown objects have no events. */
LcInside *lc_inside_new (LcHistory *history, const guint32 *regions, guint32 n_regions, const gint64 *tags,
                         guint32 n_tags);
LcInside *lc_inside_ref (LcInside *inside);
void lc_inside_unref (LcInside *inside);

/* What it was made of; they belong to it. */
const guint32 *lc_inside_get_regions (const LcInside *inside, guint32 *n_regions);
const gint64 *lc_inside_get_tags (const LcInside *inside, guint32 *n_tags);
gboolean lc_inside_equal (const LcInside *a, const LcInside *b); /* NULL: all events */

/* To be called before what is below, by each thread; others wait while one looks. FALSE with LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED: nothing is known, and the next call looks again. */
gboolean lc_inside_find (LcInside *inside, GCancellable *cancellable, GError **error);

/* Whether an event of the history, on any timeline, is one of them. */
gboolean lc_inside_has (const LcInside *inside, const LcHistoryEvent *event);

/* Makes a range of ordinals of the measured timeline (from the first to before the last) shorter: what is left out is
 * not inside. */
void lc_inside_narrow (const LcInside *inside, guint32 process, guint64 *first, guint64 *last);

/* The regions that a history has: the objects that are entered, by number, as guint32 in a new array. */
GArray *lc_inside_list_regions (LcHistory *history, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcInside, lc_inside_unref)

G_END_DECLS

#endif
