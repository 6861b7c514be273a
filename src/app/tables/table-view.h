/* SPDX-License-Identifier: Apache-2.0 */
/* A table: columns with titles, rows that are read as they are looked at, links into the diagram, CSV. */
#ifndef LC_APP_TABLE_VIEW_H
#define LC_APP_TABLE_VIEW_H

#include <gtk/gtk.h>

#include "app/tables/table-model.h"

/*
 * Signals of the view:
 *
 *   chosen (LcTableView *, guint position)                      the user has selected one row
 *   activated (LcTableView *, guint position)                   a double click on a row, or Return
 *   sorted (LcTableView *, guint column, gboolean descending)   a click on the title of a column
 *   columns-changed (LcTableView *)                             the user has chosen other columns
 */
#define LC_TYPE_TABLE_VIEW (lc_table_view_get_type ())
G_DECLARE_FINAL_TYPE (LcTableView, lc_table_view, LC, TABLE_VIEW, GtkWidget)

LcTableView *lc_table_view_new (LcSession *session, const char *name);
LcTableModel *lc_table_view_get_model (LcTableView *view);

/* Shows the rows of a source; its columns are made anew if they have other names than those that are there. NULL: no
 * rows, and the columns stay. */
void lc_table_view_show (LcTableView *view, LcTableSource *source);

/* Selects only this row, without the signal `chosen`; or no row. */
void lc_table_view_select (LcTableView *view, guint position);
void lc_table_view_scroll_to (LcTableView *view, guint position);
void lc_table_view_clear_selection (LcTableView *view);

/* Shows by which column the rows are sorted, without the signal `sorted`. */
void lc_table_view_show_order (LcTableView *view, guint column, gboolean descending);

/* The names of the shown columns with commas between them. Free with g_free. */
char *lc_table_view_dup_columns (LcTableView *view);
/* Shows these, and hides the others; an empty text: those that the source shows. */
void lc_table_view_set_columns (LcTableView *view, const char *names);

/* Makes a button whose menu chooses the columns. */
GtkWidget *lc_table_view_new_columns_button (LcTableView *view);

/* Copies the selected rows, or all of them if none is selected; or asks for a file and writes them there. */
void lc_table_view_copy (LcTableView *view);
void lc_table_view_save (LcTableView *view, const char *file_name);

#endif
