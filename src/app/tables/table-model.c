/* SPDX-License-Identifier: Apache-2.0 */
/* The list model of a table: rows are objects only while they are looked at, and read in pages by a thread. */
#include "app/tables/table-model.h"

#include "app/job.h"

enum
{
  PAGE = 128,      /* rows that are read at once */
  MOST_PAGES = 64, /* that are kept */
};

struct _LcTableRow
{
  GObject parent;

  GHashTable *rows; /* of the model, by position: those that somebody looks at; not held by it */
  guint position;
  LcTablePage *page; /* NULL: not read yet */
  guint at;          /* in the page */
};

struct _LcTableModel
{
  GObject parent;

  LcTableSource *source;
  guint n_rows;
  GHashTable *rows;  /* position -> LcTableRow, which it does not hold */
  GHashTable *pages; /* number -> LcTablePage */
  GArray *kept;      /* guint: the numbers of the pages, those that were read first before the others */
  GArray *wanted;    /* guint: pages to read, the last one first */
  LcJob *job;
  guint reads; /* the page that is being read */
};

static void table_model_init_list (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE (LcTableRow, lc_table_row, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE_WITH_CODE (LcTableModel, lc_table_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, table_model_init_list))

static guint row_read, pages_read, reading_failed;

/* --- Rows -------------------------------------------------------------------------------------------------------- */

const LcTableCell *
lc_table_row_get_cell (const LcTableRow *row, guint column)
{
  return row->page != NULL && column < row->page->n_columns ? lc_table_page_get (row->page, row->at, column) : NULL;
}

const LcTarget *
lc_table_row_get_link (const LcTableRow *row)
{
  return row->page != NULL ? &row->page->links[row->at] : NULL;
}

static void
table_row_set_page (LcTableRow *row, LcTablePage *page)
{
  if (row->page != NULL || row->position % PAGE >= page->n_rows)
    return;
  row->page = lc_table_page_ref (page);
  row->at = row->position % PAGE;
}

static void
lc_table_row_finalize (GObject *object)
{
  LcTableRow *row = LC_TABLE_ROW (object);

  if (g_hash_table_lookup (row->rows, GUINT_TO_POINTER (row->position)) == row)
    g_hash_table_remove (row->rows, GUINT_TO_POINTER (row->position));
  g_hash_table_unref (row->rows);
  g_clear_pointer (&row->page, lc_table_page_unref);
  G_OBJECT_CLASS (lc_table_row_parent_class)->finalize (object);
}

static void
lc_table_row_class_init (LcTableRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_table_row_finalize;
  row_read = g_signal_new ("read", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_table_row_init (LcTableRow *row)
{
}

/* --- Pages ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcTableSource *source;
  guint page;
  guint n_rows;
} TablePageAsked;

static void
table_model_free_asked (gpointer data)
{
  TablePageAsked *asked = data;

  lc_table_source_unref (asked->source);
  g_free (asked);
}

static gpointer
table_model_read (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const TablePageAsked *asked = data;

  return asked->source->read (asked->source, (guint64)asked->page * PAGE, asked->n_rows, cancellable, error);
}

static guint
table_model_count (LcTableModel *model, guint page)
{
  return MIN (model->n_rows - page * PAGE, PAGE);
}

static gboolean
table_model_is_looked_at (LcTableModel *model, guint page)
{
  for (guint i = 0; i < PAGE; i++)
    if (g_hash_table_contains (model->rows, GUINT_TO_POINTER (page * PAGE + i)))
      return TRUE;
  return FALSE;
}

/* Fast scrolling asks for pages that are gone from view when their turn comes. */
static void
table_model_read_next (LcTableModel *model)
{
  while (model->wanted->len > 0 && !lc_job_is_running (model->job))
    {
      guint page = g_array_index (model->wanted, guint, model->wanted->len - 1);
      TablePageAsked *asked;

      g_array_set_size (model->wanted, model->wanted->len - 1);
      if (!table_model_is_looked_at (model, page) || g_hash_table_contains (model->pages, GUINT_TO_POINTER (page)))
        continue;
      asked = g_new (TablePageAsked, 1);
      *asked = (TablePageAsked){lc_table_source_ref (model->source), page, table_model_count (model, page)};
      model->reads = page;
      lc_job_start (model->job, table_model_read, asked, table_model_free_asked);
    }
}

static void
table_model_keep (LcTableModel *model, guint number, LcTablePage *page)
{
  if (model->kept->len >= MOST_PAGES)
    {
      g_hash_table_remove (model->pages, GUINT_TO_POINTER (g_array_index (model->kept, guint, 0)));
      g_array_remove_index (model->kept, 0);
    }
  g_array_append_val (model->kept, number);
  g_hash_table_insert (model->pages, GUINT_TO_POINTER (number), page);
}

static void
table_model_on_read (gpointer owner, gpointer result, const GError *error)
{
  LcTableModel *model = owner;
  LcTablePage *page = result;
  guint first = model->reads * PAGE;

  if (page == NULL)
    g_signal_emit (model, reading_failed, 0, error->message);
  else
    {
      table_model_keep (model, model->reads, page);
      for (guint i = 0; i < page->n_rows; i++)
        {
          LcTableRow *row = g_hash_table_lookup (model->rows, GUINT_TO_POINTER (first + i));

          if (row == NULL || row->page != NULL)
            continue;
          table_row_set_page (row, page);
          g_signal_emit (row, row_read, 0);
        }
      g_signal_emit (model, pages_read, 0, first, page->n_rows);
    }
  table_model_read_next (model);
}

static void
table_model_want (LcTableModel *model, guint page)
{
  if (lc_job_is_running (model->job) && model->reads == page)
    return;
  for (guint i = 0; i < model->wanted->len; i++)
    if (g_array_index (model->wanted, guint, i) == page)
      {
        g_array_remove_index (model->wanted, i);
        break;
      }
  g_array_append_val (model->wanted, page);
  table_model_read_next (model);
}

/* --- The list ---------------------------------------------------------------------------------------------------- */

static GType
table_model_get_item_type (GListModel *list)
{
  return LC_TYPE_TABLE_ROW;
}

static guint
table_model_get_n_items (GListModel *list)
{
  return LC_TABLE_MODEL (list)->n_rows;
}

/* Gives the row its page: at once if it is there or lies in memory. */
static void
table_model_fill (LcTableModel *model, LcTableRow *row)
{
  guint number = row->position / PAGE;
  LcTablePage *page = g_hash_table_lookup (model->pages, GUINT_TO_POINTER (number));

  if (page == NULL && model->source->is_quick)
    {
      page = model->source->read (model->source, (guint64)number * PAGE, table_model_count (model, number), NULL, NULL);
      if (page != NULL)
        table_model_keep (model, number, page);
    }
  if (page != NULL)
    table_row_set_page (row, page);
  else
    table_model_want (model, number);
}

static gpointer
table_model_get_item (GListModel *list, guint position)
{
  LcTableModel *model = LC_TABLE_MODEL (list);
  LcTableRow *row;

  if (position >= model->n_rows)
    return NULL;
  row = g_hash_table_lookup (model->rows, GUINT_TO_POINTER (position));
  if (row != NULL)
    return g_object_ref (row);
  row = g_object_new (LC_TYPE_TABLE_ROW, NULL);
  row->rows = g_hash_table_ref (model->rows);
  row->position = position;
  g_hash_table_insert (model->rows, GUINT_TO_POINTER (position), row);
  table_model_fill (model, row);
  return row;
}

static void
table_model_init_list (GListModelInterface *interface)
{
  interface->get_item_type = table_model_get_item_type;
  interface->get_n_items = table_model_get_n_items;
  interface->get_item = table_model_get_item;
}

LcTableSource *
lc_table_model_get_source (LcTableModel *model)
{
  return model->source;
}

static void
table_model_forget (LcTableModel *model)
{
  lc_job_stop (model->job);
  g_array_set_size (model->wanted, 0);
  g_array_set_size (model->kept, 0);
  g_hash_table_remove_all (model->pages);
  /* Rows of the source before may live on for a while: they have a table of their own then. */
  g_clear_pointer (&model->rows, g_hash_table_unref);
  model->rows = g_hash_table_new (NULL, NULL);
  g_clear_pointer (&model->source, lc_table_source_unref);
}

void
lc_table_model_set_source (LcTableModel *model, LcTableSource *source)
{
  guint before = model->n_rows;

  if (source != NULL)
    lc_table_source_ref (source);
  table_model_forget (model);
  model->source = source;
  model->n_rows = source != NULL ? (guint)MIN (source->n_rows, LC_TABLE_MOST_ROWS) : 0;
  g_list_model_items_changed (G_LIST_MODEL (model), 0, before, model->n_rows);
}

/* --- The object -------------------------------------------------------------------------------------------------- */

static void
lc_table_model_finalize (GObject *object)
{
  LcTableModel *model = LC_TABLE_MODEL (object);

  lc_job_free (model->job);
  g_clear_pointer (&model->source, lc_table_source_unref);
  g_hash_table_unref (model->rows);
  g_hash_table_unref (model->pages);
  g_array_unref (model->kept);
  g_array_unref (model->wanted);
  G_OBJECT_CLASS (lc_table_model_parent_class)->finalize (object);
}

static void
lc_table_model_class_init (LcTableModelClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = lc_table_model_finalize;
  pages_read =
      g_signal_new ("read", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  reading_failed =
      g_signal_new ("failed", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
lc_table_model_init (LcTableModel *model)
{
  model->rows = g_hash_table_new (NULL, NULL);
  model->pages = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)lc_table_page_unref);
  model->kept = g_array_new (FALSE, FALSE, sizeof (guint));
  model->wanted = g_array_new (FALSE, FALSE, sizeof (guint));
  model->job = lc_job_new (model, table_model_on_read, NULL, (GDestroyNotify)lc_table_page_unref);
}

LcTableModel *
lc_table_model_new (void)
{
  return g_object_new (LC_TYPE_TABLE_MODEL, NULL);
}
