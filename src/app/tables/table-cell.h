/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a table as widgets, and what sorts its columns. */
#ifndef LC_APP_TABLE_CELL_H
#define LC_APP_TABLE_CELL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Makes the cells of one column; those with a link can be clicked at, and select what they lead to. */
GtkListItemFactory *lc_table_cell_factory_new (LcSession *session, guint column, const char *title, gboolean is_number);

/* A sorter that sorts nothing: the rows come sorted from their source. It is there to tell its column. */
GtkSorter *lc_table_sorter_new (guint column);

/* Finds which column a view is to be sorted by, and how, from the sorter of the view. `a` and `b` are any two objects.
 * FALSE: by none. */
gboolean lc_table_sorter_find (GtkSorter *sorter, GObject *a, GObject *b, guint *column, gboolean *descending);

#endif
