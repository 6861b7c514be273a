/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a table as widgets, and what sorts its columns. */
#include "app/tables/table-cell.h"

#include "app/shown-text.h"
#include "app/tables/table-link.h"
#include "app/tables/table-model.h"

/* --- Cells ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSession *session;
  char *title;
  guint column;
  gboolean is_number;
} TableCells;

static void
table_cell_free (gpointer data, GClosure *closure)
{
  TableCells *cells = data;

  g_object_unref (cells->session);
  g_free (cells->title);
  g_free (cells);
}

/* Returns the text that a screen reader says of a row, in the order of its columns. */
static char *
table_cell_dup_row (const LcTableRow *row)
{
  GString *text = g_string_new (NULL);
  const LcTableCell *cell;

  for (guint i = 0; (cell = lc_table_row_get_cell (row, i)) != NULL; i++)
    if (cell->text[0] != '\0' && !cell->is_null)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", cell->text);
  return g_string_free (text, FALSE);
}

/* GTK 4.8 names rows and cells by the types of their widgets. */
static void
table_cell_name (GtkWidget *label, const TableCells *cells, const LcTableCell *cell)
{
  GtkWidget *widget = gtk_widget_get_parent (label), *its_row = widget != NULL ? gtk_widget_get_parent (widget) : NULL;
  const LcTableRow *row = g_object_get_data (G_OBJECT (label), "lc-row");

  if (its_row == NULL)
    return;
  lc_accessible_show (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, cell->text);
  lc_accessible_show (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, cells->title);
  /* The first one that is shown names the row. */
  if (gtk_widget_get_prev_sibling (widget) == NULL)
    {
      g_autofree char *text = table_cell_dup_row (row);

      lc_accessible_show (GTK_ACCESSIBLE (its_row), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
    }
}

static void
table_cell_show (GtkWidget *label, const TableCells *cells, const LcTableCell *cell)
{
  if (cell == NULL)
    {
      lc_label_show (GTK_LABEL (label), "…");
      return;
    }
  table_cell_name (label, cells, cell);
  if (cell->is_null)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
  if (cell->link.kind == LC_TARGET_NONE)
    lc_label_show (GTK_LABEL (label), cell->text);
  else
    {
      g_autofree char *text = lc_shown_dup_markup (cell->text);
      /* GTK takes no click on the second half of the last letter: behind the text stands a hair space. */
      g_autofree char *markup = g_strdup_printf ("<a href=\"lightcone:\">%s\u200a</a>", text);

      gtk_label_set_markup (GTK_LABEL (label), markup);
    }
}

static const LcTableCell *
table_cell_of (GtkWidget *label, const TableCells *cells)
{
  const LcTableRow *row = g_object_get_data (G_OBJECT (label), "lc-row");

  return row != NULL ? lc_table_row_get_cell (row, cells->column) : NULL;
}

static gboolean
table_cell_on_link (GtkLabel *label, const char *uri, TableCells *cells)
{
  const LcTableCell *cell = table_cell_of (GTK_WIDGET (label), cells);
  LcTarget link = cell != NULL ? cell->link : (LcTarget){LC_TARGET_NONE, 0, 0};

  lc_table_link_follow (cells->session, &link);
  return TRUE;
}

static void
table_cell_on_read (LcTableRow *row, GtkWidget *label)
{
  const TableCells *cells = g_object_get_data (G_OBJECT (label), "lc-cells");

  table_cell_show (label, cells, lc_table_row_get_cell (row, cells->column));
}

static void
table_cell_set_up (GtkSignalListItemFactory *factory, GtkListItem *item, TableCells *cells)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), cells->is_number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  if (cells->is_number)
    gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (label), "lc-cells", cells);
  g_signal_connect (label, "activate-link", G_CALLBACK (table_cell_on_link), cells);
  gtk_list_item_set_child (item, label);
}

static void
table_cell_bind (GtkSignalListItemFactory *factory, GtkListItem *item, TableCells *cells)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  LcTableRow *row = gtk_list_item_get_item (item);

  g_object_set_data_full (G_OBJECT (label), "lc-row", g_object_ref (row), g_object_unref);
  g_signal_connect (row, "read", G_CALLBACK (table_cell_on_read), label);
  table_cell_show (label, cells, lc_table_row_get_cell (row, cells->column));
}

static void
table_cell_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, TableCells *cells)
{
  GtkWidget *label = gtk_list_item_get_child (item);

  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), table_cell_on_read, label);
  g_object_set_data (G_OBJECT (label), "lc-row", NULL);
}

GtkListItemFactory *
lc_table_cell_factory_new (LcSession *session, guint column, const char *title, gboolean is_number)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  TableCells *cells = g_new (TableCells, 1);

  *cells = (TableCells){g_object_ref (session), g_strdup (title), column, is_number};
  g_signal_connect_data (factory, "setup", G_CALLBACK (table_cell_set_up), cells, table_cell_free, 0);
  g_signal_connect (factory, "bind", G_CALLBACK (table_cell_bind), cells);
  g_signal_connect (factory, "unbind", G_CALLBACK (table_cell_unbind), cells);
  return factory;
}

/* --- Sorters ----------------------------------------------------------------------------------------------------- */

#define LC_TYPE_TABLE_SORTER (lc_table_sorter_get_type ())
G_DECLARE_FINAL_TYPE (LcTableSorter, lc_table_sorter, LC, TABLE_SORTER, GtkSorter)

struct _LcTableSorter
{
  GtkSorter parent;

  guint column;
};

G_DEFINE_FINAL_TYPE (LcTableSorter, lc_table_sorter, GTK_TYPE_SORTER)

/* The sorter that was asked last, on the main thread. */
static const LcTableSorter *asked;

static GtkOrdering
lc_table_sorter_compare (GtkSorter *sorter, gpointer a, gpointer b)
{
  asked = LC_TABLE_SORTER (sorter);
  return GTK_ORDERING_SMALLER;
}

static GtkSorterOrder
lc_table_sorter_get_order (GtkSorter *sorter)
{
  return GTK_SORTER_ORDER_PARTIAL;
}

static void
lc_table_sorter_class_init (LcTableSorterClass *class)
{
  GTK_SORTER_CLASS (class)->compare = lc_table_sorter_compare;
  GTK_SORTER_CLASS (class)->get_order = lc_table_sorter_get_order;
}

static void
lc_table_sorter_init (LcTableSorter *sorter)
{
}

GtkSorter *
lc_table_sorter_new (guint column)
{
  LcTableSorter *sorter = g_object_new (LC_TYPE_TABLE_SORTER, NULL);

  sorter->column = column;
  return GTK_SORTER (sorter);
}

gboolean
lc_table_sorter_find (GtkSorter *sorter, GObject *a, GObject *b, guint *column, gboolean *descending)
{
  GtkOrdering order;

  asked = NULL;
  order = gtk_sorter_compare (sorter, a, b);
  if (asked == NULL)
    return FALSE;
  *column = asked->column;
  *descending = order == GTK_ORDERING_LARGER;
  return TRUE;
}
