/* SPDX-License-Identifier: Apache-2.0 */
/* Processes whose names have blanks in them, and messages from and to ranks, in what a user types to find events. */
#ifndef LC_APP_SEARCH_RANKS_H
#define LC_APP_SEARCH_RANKS_H

#include "app/search/search-plan.h"

/* The terms, with words made one that are the name of a process together: rank 3. Behind `from` or `to` it is where
 * messages come from or go to. Free with g_array_unref. */
GArray *lc_search_join_terms (LcHistory *history, const GArray *terms);

/* The rank that is meant: a number, or the name of a process. FALSE: there is none. */
gboolean lc_search_find_rank (LcHistory *history, const char *wanted, guint32 *rank);

/* Leaves only channels from one of these ranks to one of those (guint32). NULL: from all, to all. */
void lc_search_plan_keep_channels (LcSearchPlan *plan, const LcSearchNames *names, const GArray *from,
                                   const GArray *to);

#endif
