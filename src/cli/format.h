/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and tables for people to read. All strings are UTF-8, and the caller's to free. */
#ifndef LC_CLI_FORMAT_H
#define LC_CLI_FORMAT_H

#include <glib.h>

/* "1,234,567" */
char *lc_format_count (guint64 count);

/* Three digits: "999 ns", "1.25 ms", "12.0 s"; then "1 min 15 s", "2 h 5 min". */
char *lc_format_duration (guint64 ns);

/* The same with a sign: "+999 ns", "-1.25 ms", "0 ns". */
char *lc_format_change (gint64 ns);

/* The same of parts of a nanosecond too: "0.4 ns". */
char *lc_format_cost (double ns);

/* Three digits: "999 bytes", "1.50 MiB". */
char *lc_format_bytes (guint64 bytes);

/* Without what would do something to a terminal. NULL gives "". */
char *lc_format_text (const char *text);

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
