/* SPDX-License-Identifier: Apache-2.0 */
/* The list model of a table: rows are objects only while they are looked at, and read in pages by a thread. */
#ifndef LC_APP_TABLE_MODEL_H
#define LC_APP_TABLE_MODEL_H

#include "app/tables/table-source.h"

/* A row that is looked at. Its signal `read` says that its cells have come. */
#define LC_TYPE_TABLE_ROW (lc_table_row_get_type ())
G_DECLARE_FINAL_TYPE (LcTableRow, lc_table_row, LC, TABLE_ROW, GObject)

/* NULL: it is still being read. */
const LcTableCell *lc_table_row_get_cell (const LcTableRow *row, guint column);
/* NULL: it is still being read. */
const LcTarget *lc_table_row_get_link (const LcTableRow *row);

/* The signals of the model: `read` (LcTableModel *, guint first, guint n_rows) and `failed` (LcTableModel *, const char
 * *message). */
#define LC_TYPE_TABLE_MODEL (lc_table_model_get_type ())
G_DECLARE_FINAL_TYPE (LcTableModel, lc_table_model, LC, TABLE_MODEL, GObject)

enum
{
  LC_TABLE_MOST_ROWS = 40 * 1000 * 1000, /* in one list: more are more pixels than GTK counts */
};

LcTableModel *lc_table_model_new (void);

/* Shows the rows of another source; NULL: none. */
void lc_table_model_set_source (LcTableModel *model, LcTableSource *source);
LcTableSource *lc_table_model_get_source (LcTableModel *model); /* NULL: none */

#endif
