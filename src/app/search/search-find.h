/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events: all hits in the order of time, or the next one from a place without reading all events. */
#ifndef LC_APP_SEARCH_FIND_H
#define LC_APP_SEARCH_FIND_H

#include "app/job.h"
#include "app/search/search-plan.h"

/* A hit; hits are ordered by begin, process and ordinal. */
typedef struct
{
  guint64 begin;
  guint64 ordinal;
  guint32 process;
  guint64 from; /* positions on the axis that is shown; of phase time only once the phases are found */
  guint64 to;
} LcSearchHit;

enum
{
  /* Beyond this number, hits are only counted: they are so dense that the next one is found quickly. */
  LC_SEARCH_MOST_HITS = 1 << 20,
};

/* The result of a search. */
typedef struct
{
  guint64 n_hits;
  GArray *hits; /* LcSearchHit; NULL: there are too many */
} LcSearchFound;

/* Finds all hits, in a thread. `counted`, if not NULL, is set to the number of hits so far. */
LcSearchFound *lc_search_find_all (const LcSearchPlan *plan, const LcSearchNames *names, LcJobPermille *done,
                                   gint *counted, GCancellable *cancellable, GError **error);
void lc_search_found_free (LcSearchFound *found);

/* Picks the first hit after a place, or the last one before it, from a list; without a place the first or last of all.
 * FALSE: there is none. */
gboolean lc_search_pick (const GArray *hits, const LcSearchHit *from, gboolean backwards, guint *number);

/* Finds the same hit without a list, in a thread, by reading outwards from the place. FALSE without an error: there is
 * none. */
gboolean lc_search_seek (const LcSearchPlan *plan, const LcSearchNames *names, const LcSearchHit *from,
                         gboolean backwards, LcSearchHit *hit, GCancellable *cancellable, GError **error);

int lc_search_compare (gconstpointer a, gconstpointer b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSearchFound, lc_search_found_free)

#endif
