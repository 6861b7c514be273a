/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events: all that fit, in the order of time, or the next one from a place, without looking at all of them. */
#ifndef LC_APP_SEARCH_FIND_H
#define LC_APP_SEARCH_FIND_H

#include "app/job.h"
#include "app/search/search-plan.h"

/* Hits are in the order of begin, process, ordinal. */
typedef struct
{
  guint64 begin;
  guint64 ordinal;
  guint32 process;
} LcSearchHit;

enum
{
  /* More than that are only counted: they are so close together that the next one is near. */
  LC_SEARCH_MOST_HITS = 1 << 20,
};

/* What was found. */
typedef struct
{
  guint64 n_hits;
  GArray *hits; /* LcSearchHit; NULL: they are too many */
} LcSearchFound;

/* In a thread. `counted`, if not NULL, is how many there are so far. */
LcSearchFound *lc_search_find_all (const LcSearchPlan *plan, const LcSearchNames *names, LcJobPermille *done,
                                   gint *counted, GCancellable *cancellable, GError **error);
void lc_search_found_free (LcSearchFound *found);

/* The first hit after a place, or the last one before it, out of a list. FALSE: there is none. */
gboolean lc_search_pick (const GArray *hits, const LcSearchHit *from, gboolean backwards, guint *number);

/* The same in a thread, outwards from the place, with nothing found before. FALSE without an error: there is none. */
gboolean lc_search_seek (const LcSearchPlan *plan, const LcSearchNames *names, const LcSearchHit *from,
                         gboolean backwards, LcSearchHit *hit, GCancellable *cancellable, GError **error);

int lc_search_compare (gconstpointer a, gconstpointer b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSearchFound, lc_search_found_free)

#endif
