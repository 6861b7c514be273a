/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a run as its program marked them: inside its regions, and after its tags. */
#ifndef LIGHTCONE_INSIDE_H
#define LIGHTCONE_INSIDE_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * A set of events: those inside one of some regions, and those after a tag with one of some values. A region is from
 * the event that enters it to the event that leaves it; a region that is never left ends with the region around it, or
 * with the process. A tag lasts up to before the next tag of the process. Regions and tags are given when the set is
 * made; the first thread that needs the events looks for them once, at some 100 M events/s where marks are few.
 *
 * Events are named as on the measured timeline, so that one set is good for all timelines.
 */
typedef struct _LcInside LcInside;

/* The history must outlive it. Regions are objects. Never NULL; unknown objects have no events. */
LcInside *lc_inside_new (LcHistory *history, const guint32 *regions, guint32 n_regions, const gint64 *tags,
                         guint32 n_tags);
LcInside *lc_inside_ref (LcInside *inside);
void lc_inside_unref (LcInside *inside);

/* The regions and tags that the set was made of; they belong to the set. */
const guint32 *lc_inside_get_regions (const LcInside *inside, guint32 *n_regions);
const gint64 *lc_inside_get_tags (const LcInside *inside, guint32 *n_tags);
gboolean lc_inside_equal (const LcInside *a, const LcInside *b); /* NULL: all events */

/* Finds the events. Each thread calls this before the functions below; other threads wait while one looks. FALSE with
 * LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED: the next call looks again. */
gboolean lc_inside_find (LcInside *inside, GCancellable *cancellable, GError **error);

/* Whether an event of the history, on any timeline, is in the set. */
gboolean lc_inside_has (const LcInside *inside, const LcHistoryEvent *event);

/* Narrows a range of ordinals of the measured timeline (from `first` to before `last`): ordinals cut off are not
 * inside. */
void lc_inside_narrow (const LcInside *inside, guint32 process, guint64 *first, guint64 *last);

/* The regions of a history: objects that are entered, by number, as guint32 in a new array. */
GArray *lc_inside_list_regions (LcHistory *history, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcInside, lc_inside_unref)

G_END_DECLS

#endif
