/* SPDX-License-Identifier: Apache-2.0 */
/* What a comparison of two runs has found, in words: the tables of lightcone compare, and lines for a window. */
#ifndef LC_REPORT_COMPARISON_H
#define LC_REPORT_COMPARISON_H

#include "history/names.h"
#include "lightcone/sites.h"
#include "report/facts.h"

/* `directories`: the traces, as the user has named them. `sites`: LcComparedSites; NULL: they are not shown. */
void lc_comparison_show (const LcComparison *comparison, const GArray *sites, const LcCompareSide sides_of_it[2],
                         char **directories, gsize limit, gboolean json);

/*
 * The same for a window, which calls the first run A and the second one B. Lists are of LcFact.
 */

/* How long both took, and what is in both or in one only. */
GPtrArray *lc_comparison_list_facts (const LcComparison *comparison);

/* A line for each of comparison->order or comparison->times, with the two sides as its hint; of times, the value is the
 * change. */
GPtrArray *lc_comparison_list_order (const LcComparison *comparison, LcNames *const names[2]);
GPtrArray *lc_comparison_list_times (const LcComparison *comparison, LcNames *const names[2]);

/* Says how many lines these lists have, and of how many. `limit`: the most of lc_compare. Free with g_free. */
char *lc_comparison_dup_order_note (const LcComparison *comparison);
char *lc_comparison_dup_times_note (const LcComparison *comparison, gsize limit);

#endif
