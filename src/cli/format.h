/* SPDX-License-Identifier: Apache-2.0 */
/* Tables for people to read. All strings are UTF-8, and the caller's to free. */
#ifndef LC_CLI_FORMAT_H
#define LC_CLI_FORMAT_H

#include "trace/quantities.h"

/* How many columns of a terminal a text takes. */
guint lc_format_width (const char *text);

typedef struct
{
  const char *title; /* NULL in all columns: the table has no heading */
  gboolean right;    /* aligned to the right, as numbers are */
} LcTableColumn;

typedef struct _LcTable LcTable;

/* `columns` must live as long as the table. */
LcTable *lc_table_new (const LcTableColumn *columns, guint n_columns);
void lc_table_free (LcTable *table);

/* The next cell, row after row; it becomes the table's. NULL: empty. */
void lc_table_take (LcTable *table, char *cell);

/* The lines, each with `indent` spaces before it. Columns in which nothing stands are left out. */
char *lc_table_render (const LcTable *table, guint indent);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTable, lc_table_free)

#endif
