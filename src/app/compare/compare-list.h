/* SPDX-License-Identifier: Apache-2.0 */
/* The differences between two runs: a summary, where order differs first, and where time differs most. */
#ifndef LC_APP_COMPARE_LIST_H
#define LC_APP_COMPARE_LIST_H

#include <gtk/gtk.h>

#include "app/compare/compare-pair.h"

#define LC_TYPE_COMPARE_LIST (lc_compare_list_get_type ())
G_DECLARE_FINAL_TYPE (LcCompareList, lc_compare_list, LC, COMPARE_LIST, GtkBox)

GtkWidget *lc_compare_list_new (void);

/* Compares what the two sessions show. Activated rows select their pair through `pair`, which the list does not hold:
 * call lc_compare_list_stop before it is freed. */
void lc_compare_list_start (LcCompareList *list, LcSession *const sessions[2], LcComparePair *pair);
void lc_compare_list_stop (LcCompareList *list);

#endif
