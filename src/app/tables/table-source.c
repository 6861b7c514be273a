/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a table: who has them reads some of them when they are asked for, in any thread. */
#include "app/tables/table-source.h"

/* --- Pages ------------------------------------------------------------------------------------------------------- */

LcTablePage *
lc_table_page_new (guint n_rows, guint n_columns)
{
  LcTablePage *page = g_atomic_rc_box_new0 (LcTablePage);

  page->n_rows = n_rows;
  page->n_columns = n_columns;
  page->cells = g_new0 (LcTableCell, (gsize)n_rows * n_columns + 1);
  page->links = g_new0 (LcTarget, n_rows + 1);
  return page;
}

LcTablePage *
lc_table_page_ref (LcTablePage *page)
{
  return g_atomic_rc_box_acquire (page);
}

static void
table_page_clear (LcTablePage *page)
{
  for (gsize i = 0; i < (gsize)page->n_rows * page->n_columns; i++)
    {
      g_free (page->cells[i].text);
      g_free (page->cells[i].raw);
    }
  g_free (page->cells);
  g_free (page->links);
}

void
lc_table_page_unref (LcTablePage *page)
{
  g_atomic_rc_box_release_full (page, (GDestroyNotify)table_page_clear);
}

LcTableCell *
lc_table_page_get (const LcTablePage *page, guint row, guint column)
{
  return &page->cells[(gsize)row * page->n_columns + column];
}

/* --- Sources ----------------------------------------------------------------------------------------------------- */

static void
table_source_clear_column (gpointer data)
{
  LcTableColumn *column = data;

  g_free (column->title);
  g_free (column->name);
}

void
lc_table_source_init (LcTableSource *source, LcTableRead read_rows, void (*free_it) (LcTableSource *source))
{
  g_atomic_ref_count_init (&source->count);
  source->columns = g_array_new (FALSE, TRUE, sizeof (LcTableColumn));
  g_array_set_clear_func (source->columns, table_source_clear_column);
  source->read = read_rows;
  source->free = free_it;
}

LcTableColumn *
lc_table_source_add_column (LcTableSource *source, const char *title, const char *name)
{
  LcTableColumn column = {.title = g_strdup (title), .name = g_strdup (name)};

  g_array_append_val (source->columns, column);
  return &g_array_index (source->columns, LcTableColumn, source->columns->len - 1);
}

const LcTableColumn *
lc_table_source_get_column (const LcTableSource *source, guint column)
{
  return &g_array_index (source->columns, LcTableColumn, column);
}

LcTableSource *
lc_table_source_ref (LcTableSource *source)
{
  g_atomic_ref_count_inc (&source->count);
  return source;
}

void
lc_table_source_unref (LcTableSource *source)
{
  if (!g_atomic_ref_count_dec (&source->count))
    return;
  g_array_unref (source->columns);
  source->free (source);
}
