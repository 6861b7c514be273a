/* SPDX-License-Identifier: Apache-2.0 */
/* A table: columns with titles, rows that are read as they are looked at, links into the diagram, CSV. */
#include "app/tables/table-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/job.h"
#include "app/shown-text.h"
#include "app/tables/table-cell.h"
#include "app/tables/table-csv.h"
#include "app/tables/table-link.h"
#include "trace/quantities.h"

enum
{
  LEAST_HEIGHT = 130, /* px: the titles and five rows */
};

struct _LcTableView
{
  GtkWidget parent;

  LcSession *session;
  LcTableModel *model;
  GtkMultiSelection *selection;
  GtkColumnView *view;
  GtkWidget *scrolled;
  LcTableSource *source; /* whose columns are shown; NULL: none */
  GPtrArray *columns;    /* GtkColumnViewColumn */
  GtkWidget *checks;     /* of the columns' menu; NULL: there is none */
  LcJob *writing;
  GFile *file; /* that is written */
  GtkFileChooserNative *chooser;
  gboolean is_setting; /* what changes now is not the user's */
};

G_DEFINE_FINAL_TYPE (LcTableView, lc_table_view, GTK_TYPE_WIDGET)

static guint row_chosen, row_activated, column_sorted, columns_changed;

LcTableModel *
lc_table_view_get_model (LcTableView *view)
{
  return view->model;
}

/* --- Sorting ----------------------------------------------------------------------------------------------------- */

/* GTK 4.8 does not say which column was clicked at. It asks the sorter of this column first, which tells. */
static void
table_view_on_sorted (GtkSorter *sorter, GtkSorterChange change, LcTableView *view)
{
  guint column;
  gboolean descending;

  if (!view->is_setting && lc_table_sorter_find (sorter, G_OBJECT (view->model), G_OBJECT (view), &column, &descending))
    g_signal_emit (view, column_sorted, 0, column, descending);
}

void
lc_table_view_show_order (LcTableView *view, guint column, gboolean descending)
{
  view->is_setting = TRUE;
  gtk_column_view_sort_by_column (view->view, NULL, GTK_SORT_ASCENDING);
  if (column < view->columns->len && gtk_column_view_column_get_sorter (view->columns->pdata[column]) != NULL)
    gtk_column_view_sort_by_column (view->view, view->columns->pdata[column],
                                    descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
  view->is_setting = FALSE;
}

/* --- Columns ----------------------------------------------------------------------------------------------------- */

static void
table_view_on_checked (LcTableView *view)
{
  if (!view->is_setting)
    g_signal_emit (view, columns_changed, 0);
}

static void
table_view_fill_checks (LcTableView *view)
{
  GtkWidget *child;

  if (view->checks == NULL)
    return;
  while ((child = gtk_widget_get_first_child (view->checks)) != NULL)
    gtk_box_remove (GTK_BOX (view->checks), child);
  for (guint i = 0; i < view->columns->len; i++)
    {
      GtkWidget *check = gtk_check_button_new_with_label (lc_table_source_get_column (view->source, i)->title);

      g_object_bind_property (view->columns->pdata[i], "visible", check, "active",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
      g_signal_connect_object (check, "toggled", G_CALLBACK (table_view_on_checked), view, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (view->checks), check);
    }
}

static void
table_view_add_column (LcTableView *view, guint number)
{
  const LcTableColumn *column = lc_table_source_get_column (view->source, number);
  GtkColumnViewColumn *shown = gtk_column_view_column_new (
      column->title, lc_table_cell_factory_new (view->session, number, column->title, column->is_number));

  gtk_column_view_column_set_resizable (shown, TRUE);
  gtk_column_view_column_set_visible (shown, !column->is_extra);
  if (column->width > 0)
    gtk_column_view_column_set_fixed_width (shown, column->width);
  if (column->sorts)
    {
      g_autoptr (GtkSorter) sorter = lc_table_sorter_new (number);

      gtk_column_view_column_set_sorter (shown, sorter);
    }
  gtk_column_view_append_column (view->view, shown);
  g_ptr_array_add (view->columns, shown);
}

static gboolean
table_view_has_columns (LcTableView *view, const LcTableSource *source)
{
  if (view->source == NULL || view->source->columns->len != source->columns->len)
    return FALSE;
  for (guint i = 0; i < source->columns->len; i++)
    if (!g_str_equal (lc_table_source_get_column (view->source, i)->name, lc_table_source_get_column (source, i)->name))
      return FALSE;
  return TRUE;
}

static void
table_view_make_columns (LcTableView *view, LcTableSource *source)
{
  g_clear_pointer (&view->source, lc_table_source_unref);
  view->source = lc_table_source_ref (source);
  for (guint i = 0; i < view->columns->len; i++)
    gtk_column_view_remove_column (view->view, view->columns->pdata[i]);
  g_ptr_array_set_size (view->columns, 0);
  for (guint i = 0; i < source->columns->len; i++)
    table_view_add_column (view, i);
  table_view_fill_checks (view);
}

char *
lc_table_view_dup_columns (LcTableView *view)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < view->columns->len; i++)
    if (gtk_column_view_column_get_visible (view->columns->pdata[i]))
      g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "",
                              lc_table_source_get_column (view->source, i)->name);
  return g_string_free (names, FALSE);
}

void
lc_table_view_set_columns (LcTableView *view, const char *names)
{
  g_auto (GStrv) wanted = g_strsplit (names, ",", -1);

  view->is_setting = TRUE;
  for (guint i = 0; i < view->columns->len; i++)
    {
      const LcTableColumn *column = lc_table_source_get_column (view->source, i);
      gboolean visible =
          wanted[0] != NULL ? g_strv_contains ((const char *const *)wanted, column->name) : !column->is_extra;

      gtk_column_view_column_set_visible (view->columns->pdata[i], visible);
    }
  view->is_setting = FALSE;
}

GtkWidget *
lc_table_view_new_columns_button (LcTableView *view)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();

  view->checks = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_popover_set_child (GTK_POPOVER (popover), view->checks);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  lc_tooltip_show (button, _ ("Which columns are shown"));
  table_view_fill_checks (view);
  return button;
}

/* --- Rows -------------------------------------------------------------------------------------------------------- */

/* Tells whether a row, or something in it, has the keyboard. */
static gboolean
table_view_has_focus (LcTableView *view)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (view));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (view->view));
}

/* GTK 4.8 complains of a row that has the keyboard when it goes, so the table takes it meanwhile. */
void
lc_table_view_show (LcTableView *view, LcTableSource *source)
{
  gboolean has_focus = table_view_has_focus (view);

  if (has_focus)
    gtk_root_set_focus (gtk_widget_get_root (GTK_WIDGET (view)), NULL);
  if (source != NULL && !table_view_has_columns (view, source))
    table_view_make_columns (view, source);
  view->is_setting = TRUE;
  lc_table_model_set_source (view->model, source);
  view->is_setting = FALSE;
  if (has_focus)
    gtk_widget_grab_focus (GTK_WIDGET (view->view));
}

void
lc_table_view_scroll_to (LcTableView *view, guint position)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

void
lc_table_view_select (LcTableView *view, guint position)
{
  view->is_setting = TRUE;
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (view->selection), position, TRUE);
  view->is_setting = FALSE;
}

void
lc_table_view_clear_selection (LcTableView *view)
{
  view->is_setting = TRUE;
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (view->selection));
  view->is_setting = FALSE;
}

static void
table_view_on_selected (LcTableView *view)
{
  g_autoptr (GtkBitset) rows = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (view->selection));

  if (!view->is_setting && gtk_bitset_get_size (rows) == 1)
    g_signal_emit (view, row_chosen, 0, gtk_bitset_get_minimum (rows));
}

static void
table_view_on_activated (LcTableView *view, guint position)
{
  g_signal_emit (view, row_activated, 0, position);
}

/* --- CSV --------------------------------------------------------------------------------------------------------- */

static void
table_view_on_written (gpointer owner, gpointer result, const GError *error)
{
  LcTableView *view = owner;
  LcTableWritten *written = result;
  g_autofree char *count = written != NULL ? lc_format_count (written->n_rows) : NULL, *text = NULL;

  if (written == NULL)
    text = g_strdup (error->message);
  else if (written->text != NULL)
    {
      gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view)), written->text);
      text = g_strdup_printf (ngettext ("%s row copied", "%s rows copied", (gulong)written->n_rows), count);
    }
  else
    {
      g_autofree char *name = g_file_get_parse_name (view->file), *shown = lc_format_text (name);

      text = g_strdup_printf (ngettext ("%s row saved in %s", "%s rows saved in %s", (gulong)written->n_rows), count,
                              shown);
    }
  lc_session_tell (view->session, text);
  g_clear_pointer (&written, lc_table_written_free);
}

static GArray *
table_view_list_columns (LcTableView *view)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < view->columns->len; i++)
    if (gtk_column_view_column_get_visible (view->columns->pdata[i]))
      g_array_append_val (columns, i);
  return columns;
}

/* Takes ownership of the file. */
static void
table_view_write (LcTableView *view, GFile *file)
{
  g_autoptr (GtkBitset) rows = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (view->selection));
  LcTableSource *source = lc_table_model_get_source (view->model);
  gboolean all = gtk_bitset_is_empty (rows);

  if (source == NULL)
    {
      g_clear_object (&file);
      return;
    }
  g_set_object (&view->file, file);
  lc_job_start (view->writing, lc_table_csv_write,
                lc_table_csv_new (source, all ? NULL : rows, table_view_list_columns (view), file), lc_table_csv_free);
}

void
lc_table_view_copy (LcTableView *view)
{
  table_view_write (view, NULL);
}

static void
table_view_on_file (GtkNativeDialog *native, int response, LcTableView *view)
{
  GFile *file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));
  g_clear_object (&view->chooser);
  if (file != NULL)
    table_view_write (view, file);
}

void
lc_table_view_save (LcTableView *view, const char *file_name)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (view));

  if (view->chooser != NULL || lc_table_model_get_source (view->model) == NULL)
    return;
  view->chooser = gtk_file_chooser_native_new (_ ("Save the table"), GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                               GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (view->chooser), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (view->chooser), file_name);
  g_signal_connect_object (view->chooser, "response", G_CALLBACK (table_view_on_file), view, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (view->chooser));
}

static gboolean
table_view_on_copy (GtkWidget *widget, GVariant *parameter, gpointer data)
{
  lc_table_view_copy (LC_TABLE_VIEW (widget));
  return TRUE;
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static gboolean
lc_table_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (LC_TABLE_VIEW (widget)->view));
}

static void
lc_table_view_dispose (GObject *object)
{
  LcTableView *view = LC_TABLE_VIEW (object);

  g_clear_pointer (&view->writing, lc_job_free);
  g_clear_object (&view->chooser);
  g_clear_object (&view->file);
  g_clear_pointer (&view->scrolled, gtk_widget_unparent);
  g_clear_pointer (&view->columns, g_ptr_array_unref);
  g_clear_object (&view->selection);
  g_clear_object (&view->model);
  g_clear_pointer (&view->source, lc_table_source_unref);
  g_clear_object (&view->session);
  G_OBJECT_CLASS (lc_table_view_parent_class)->dispose (object);
}

static void
lc_table_view_class_init (LcTableViewClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_table_view_dispose;
  widget->grab_focus = lc_table_view_grab_focus;
  row_chosen = g_signal_new ("chosen", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  row_activated =
      g_signal_new ("activated", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  column_sorted = g_signal_new ("sorted", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT,
                                G_TYPE_BOOLEAN);
  columns_changed = g_signal_new ("columns-changed", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget, "tableview");
  gtk_widget_class_add_binding (widget, GDK_KEY_c, GDK_CONTROL_MASK, table_view_on_copy, NULL);
}

static void
lc_table_view_init (LcTableView *view)
{
  view->model = lc_table_model_new ();
  view->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (view->model)));
  view->columns = g_ptr_array_new_with_free_func (g_object_unref);
  view->writing = lc_job_new (view, table_view_on_written, NULL, lc_table_written_free);
  view->view = GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (view->selection))));
  gtk_widget_add_css_class (GTK_WIDGET (view->view), "data-table");
  gtk_column_view_set_show_row_separators (view->view, FALSE);
  view->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (view->scrolled), LEAST_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (view->scrolled), GTK_WIDGET (view->view));
  gtk_widget_set_parent (view->scrolled, GTK_WIDGET (view));
  g_signal_connect_swapped (view->selection, "selection-changed", G_CALLBACK (table_view_on_selected), view);
  g_signal_connect_swapped (view->view, "activate", G_CALLBACK (table_view_on_activated), view);
  g_signal_connect (gtk_column_view_get_sorter (view->view), "changed", G_CALLBACK (table_view_on_sorted), view);
}

LcTableView *
lc_table_view_new (LcSession *session, const char *name)
{
  LcTableView *view = g_object_new (LC_TYPE_TABLE_VIEW, NULL);

  view->session = g_object_ref (session);
  lc_accessible_show (GTK_ACCESSIBLE (view->view), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  return view;
}
