/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a table: who has them reads some of them when they are asked for, in any thread. */
#ifndef LC_APP_TABLE_SOURCE_H
#define LC_APP_TABLE_SOURCE_H

#include "app/session/session.h"
#include "report/result.h"

typedef struct
{
  char *text; /* to show; never NULL */
  char *raw;  /* for other programs; NULL: the text */
  gboolean is_null;
  LcTarget link;
} LcTableCell;

typedef struct
{
  char *title; /* to show */
  char *name;  /* for other programs */
  gboolean is_number;
  gboolean sorts;    /* a click on its title sorts */
  gboolean is_extra; /* not shown until it is chosen */
  int width;         /* px; 0: as wide as its texts */
} LcTableColumn;

/* Some rows, one after the other. They never change, so any thread may hold them. */
typedef struct
{
  guint n_rows;
  guint n_columns;
  LcTableCell *cells; /* row by row */
  LcTarget *links;    /* what each row as a whole leads to */
} LcTablePage;

/* Makes a page without texts and links. */
LcTablePage *lc_table_page_new (guint n_rows, guint n_columns);
LcTablePage *lc_table_page_ref (LcTablePage *page);
void lc_table_page_unref (LcTablePage *page);

/* The `row` counts from the first one of the page. */
LcTableCell *lc_table_page_get (const LcTablePage *page, guint row, guint column);

typedef struct _LcTableSource LcTableSource;

/* Reads rows that are there. NULL with an error. */
typedef LcTablePage *(*LcTableRead) (LcTableSource *source, guint64 first, guint n_rows, GCancellable *cancellable,
                                     GError **error);

/* The beginning of what a source is; it never changes once it is made. */
struct _LcTableSource
{
  gatomicrefcount count;
  GArray *columns; /* LcTableColumn */
  guint64 n_rows;
  gboolean is_quick; /* its rows lie in memory */
  LcTableRead read;
  void (*free) (LcTableSource *source);
};

/* Sets all of it but the number of rows. */
void lc_table_source_init (LcTableSource *source, LcTableRead read, void (*free) (LcTableSource *source));

/* Adds a column of which nothing but its names is set. The texts are copied. */
LcTableColumn *lc_table_source_add_column (LcTableSource *source, const char *title, const char *name);
LcTableSource *lc_table_source_ref (LcTableSource *source);
void lc_table_source_unref (LcTableSource *source);
const LcTableColumn *lc_table_source_get_column (const LcTableSource *source, guint column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTablePage, lc_table_page_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTableSource, lc_table_source_unref)

#endif
