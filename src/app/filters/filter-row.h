/* SPDX-License-Identifier: Apache-2.0 */
/* One row of a page of the filter panel. */
#ifndef LC_APP_FILTER_ROW_H
#define LC_APP_FILTER_ROW_H

#include <gtk/gtk.h>

#include "app/filters/filter-model.h"

/* Its signal: ticked (LcFilterRow *, guint number, gboolean): the user wants an entry to be on, or off. */
#define LC_TYPE_FILTER_ROW (lc_filter_row_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterRow, lc_filter_row, LC, FILTER_ROW, GtkWidget)

/* It holds the model, and follows what is ticked in it. */
GtkWidget *lc_filter_row_new (LcFilterModel *model, const LcFilterKind *kind);

/* NULL: none. */
void lc_filter_row_set_item (LcFilterRow *row, LcFilterItem *item);

#endif
