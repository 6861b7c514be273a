/* SPDX-License-Identifier: Apache-2.0 */
/* The row of an entry in the filter panel. */
#ifndef LC_APP_FILTER_ROW_H
#define LC_APP_FILTER_ROW_H

#include <gtk/gtk.h>

#include "app/filters/filter-model.h"

/* Emits ticked (LcFilterRow *, guint number, gboolean) when the user ticks or unticks an entry. */
#define LC_TYPE_FILTER_ROW (lc_filter_row_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterRow, lc_filter_row, LC, FILTER_ROW, GtkWidget)

/* The row holds the model, and follows its ticks. */
GtkWidget *lc_filter_row_new (LcFilterModel *model, const LcFilterKind *kind);

/* Sets the item of the row; NULL: none. */
void lc_filter_row_set_item (LcFilterRow *row, LcFilterItem *item);
LcFilterItem *lc_filter_row_get_item (LcFilterRow *row); /* or NULL */

#endif
