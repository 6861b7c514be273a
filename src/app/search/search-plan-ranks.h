/* SPDX-License-Identifier: Apache-2.0 */
/* Search terms for processes with blanks in their names, and for messages from and to ranks. */
#ifndef LC_APP_SEARCH_PLAN_RANKS_H
#define LC_APP_SEARCH_PLAN_RANKS_H

#include "app/search/search-plan.h"

/* Joins words that together are the name of a process, such as "rank 3", into one term. After `from` or `to`, such a
 * term is the source or destination of messages. Free with g_array_unref. */
GArray *lc_search_join_terms (LcHistory *history, const GArray *terms);

/* Finds a rank by its number or by the name of its process. FALSE: there is none. */
gboolean lc_search_find_rank (LcHistory *history, const char *wanted, guint32 *rank);

/* Keeps only channels from one of the ranks `from` to one of the ranks `to` (guint32). NULL: all ranks. */
void lc_search_plan_keep_channels (LcSearchPlan *plan, const LcSearchNames *names, const GArray *from,
                                   const GArray *to);

#endif
