/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table as comma-separated values, written by a thread to the clipboard or to a file. */
#ifndef LC_APP_TABLE_CSV_H
#define LC_APP_TABLE_CSV_H

#include <gtk/gtk.h>

#include "app/job.h"
#include "app/tables/table-source.h"

enum
{
  LC_TABLE_MOST_COPIED = 100 * 1000, /* rows, to the clipboard */
};

typedef struct
{
  LcTableSource *source;
  GtkBitset *rows; /* NULL: all */
  GArray *columns; /* guint: those to write */
  GFile *file;     /* NULL: to a text */
} LcTableCsv;

/* Holds the source and the rows. Takes ownership of the columns and the file. */
LcTableCsv *lc_table_csv_new (LcTableSource *source, GtkBitset *rows, GArray *columns, GFile *file);
void lc_table_csv_free (gpointer csv);

typedef struct
{
  char *text; /* NULL: it is in the file */
  guint64 n_rows;
} LcTableWritten;

/* An LcJobWork of an LcTableCsv that returns an LcTableWritten. A file is replaced once all is written. */
gpointer lc_table_csv_write (gpointer csv, LcJobPermille *done, GCancellable *cancellable, GError **error);
void lc_table_written_free (gpointer written);

#endif
