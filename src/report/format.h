/* SPDX-License-Identifier: Apache-2.0 */
/* Tables for people to read. All strings are UTF-8, and the caller frees them. */
#ifndef LC_REPORT_FORMAT_H
#define LC_REPORT_FORMAT_H

#include "trace/quantities.h"

/* Gives the number of columns of a terminal that a text takes. */
guint lc_format_width (const char *text);

typedef struct
{
  const char *title; /* NULL in all columns: the table has no heading */
  gboolean right;    /* aligned to the right, as for numbers */
} LcTableColumn;

typedef struct _LcTable LcTable;

/* `columns` must live as long as the table. */
LcTable *lc_table_new (const LcTableColumn *columns, guint n_columns);
void lc_table_free (LcTable *table);

/* Adds the next cell, row after row, and takes ownership of it. NULL: an empty cell. */
void lc_table_take (LcTable *table, char *cell);

/* Gives the lines, each with `indent` spaces before it. Columns in which all cells are empty are left out. */
char *lc_table_render (const LcTable *table, guint indent);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTable, lc_table_free)

#endif
