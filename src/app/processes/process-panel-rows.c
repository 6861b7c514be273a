/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the process panel, and dragging them. */
#include "app/processes/process-panel-private.h"
#include "app/processes/process-row.h"

static LcProcessPanel *
process_panel_rows_get_panel (gpointer row)
{
  return LC_PROCESS_PANEL (gtk_widget_get_ancestor (row, LC_TYPE_PROCESS_PANEL));
}

/* --- User actions on a row --------------------------------------------------------------------------------------- */

static void
process_panel_rows_on_ticked (LcProcessRow *row, gboolean ticked)
{
  LcProcessPanel *panel = process_panel_rows_get_panel (row);
  g_autoptr (GPtrArray) items = _lc_process_panel_get_meant (panel, lc_process_row_get_item (row));

  lc_process_model_set_ticked (panel->model, items, ticked);
  _lc_process_panel_tell (panel);
}

static void
process_panel_rows_on_turned (LcProcessRow *row)
{
  LcProcessPanel *panel = process_panel_rows_get_panel (row);
  LcProcessItem *heading = lc_process_row_get_item (row);

  lc_process_model_set_collapsed (panel->model, heading, !heading->collapsed);
  _lc_process_panel_tell (panel);
}

static void
process_panel_rows_on_chosen (LcProcessRow *row)
{
  _lc_process_panel_reveal (process_panel_rows_get_panel (row), lc_process_row_get_item (row));
}

static void
on_menu (GtkGestureClick *click, int n_press, double x, double y, LcProcessRow *row)
{
  LcProcessPanel *panel = process_panel_rows_get_panel (row);
  g_autoptr (GPtrArray) items = _lc_process_panel_get_meant (panel, lc_process_row_get_item (row));
  double panel_x, panel_y;

  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  _lc_process_panel_select (panel, items);
  gtk_widget_translate_coordinates (GTK_WIDGET (row), GTK_WIDGET (panel), x, y, &panel_x, &panel_y);
  gtk_popover_set_pointing_to (GTK_POPOVER (panel->menu), &(GdkRectangle){(int)panel_x, (int)panel_y, 1, 1});
  gtk_popover_popup (GTK_POPOVER (panel->menu));
}

/* --- Dragging ---------------------------------------------------------------------------------------------------- */

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, LcProcessRow *row)
{
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (GTK_WIDGET (row));

  gtk_drag_source_set_icon (source, picture, (int)x, (int)y);
  return gdk_content_provider_new_typed (LC_TYPE_PROCESS_ITEM, lc_process_row_get_item (row));
}

static gboolean
process_panel_rows_is_after (LcProcessRow *row, double y)
{
  return y > gtk_widget_get_height (GTK_WIDGET (row)) / 2.0;
}

static GdkDragAction
process_panel_rows_on_motion (GtkDropTarget *target, double x, double y, LcProcessRow *row)
{
  gboolean after = process_panel_rows_is_after (row, y);

  gtk_widget_add_css_class (GTK_WIDGET (row), after ? "drop-after" : "drop-before");
  gtk_widget_remove_css_class (GTK_WIDGET (row), after ? "drop-before" : "drop-after");
  return GDK_ACTION_MOVE;
}

static void
process_panel_rows_on_leave (GtkDropTarget *target, LcProcessRow *row)
{
  gtk_widget_remove_css_class (GTK_WIDGET (row), "drop-after");
  gtk_widget_remove_css_class (GTK_WIDGET (row), "drop-before");
}

static gboolean
process_panel_rows_on_drop (GtkDropTarget *target, const GValue *value, double x, double y, LcProcessRow *row)
{
  LcProcessPanel *panel = process_panel_rows_get_panel (row);
  g_autoptr (GPtrArray) items = _lc_process_panel_get_meant (panel, g_value_get_object (value));

  process_panel_rows_on_leave (target, row);
  lc_process_model_move_to (panel->model, items, lc_process_row_get_item (row), process_panel_rows_is_after (row, y));
  _lc_process_panel_tell (panel);
  _lc_process_panel_select (panel, items);
  return TRUE;
}

static void
make_draggable (GtkWidget *row)
{
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (LC_TYPE_PROCESS_ITEM, GDK_ACTION_MOVE);

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect (source, "prepare", G_CALLBACK (on_prepare), row);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (source));
  g_signal_connect (target, "motion", G_CALLBACK (process_panel_rows_on_motion), row);
  g_signal_connect (target, "leave", G_CALLBACK (process_panel_rows_on_leave), row);
  g_signal_connect (target, "drop", G_CALLBACK (process_panel_rows_on_drop), row);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (target));
}

/* --- The factory ------------------------------------------------------------------------------------------------- */

static void
process_panel_rows_on_setup (GtkListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *row = lc_process_row_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (row, "ticked", G_CALLBACK (process_panel_rows_on_ticked), NULL);
  g_signal_connect (row, "turned", G_CALLBACK (process_panel_rows_on_turned), NULL);
  g_signal_connect (row, "chosen", G_CALLBACK (process_panel_rows_on_chosen), NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_menu), row);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  make_draggable (row);
  gtk_list_item_set_child (list_item, row);
}

static void
process_panel_rows_on_bind (GtkListItemFactory *factory, GtkListItem *list_item)
{
  lc_process_row_set_item (LC_PROCESS_ROW (gtk_list_item_get_child (list_item)), gtk_list_item_get_item (list_item));
}

static void
process_panel_rows_on_unbind (GtkListItemFactory *factory, GtkListItem *list_item)
{
  lc_process_row_set_item (LC_PROCESS_ROW (gtk_list_item_get_child (list_item)), NULL);
}

GtkListItemFactory *
_lc_process_panel_create_rows (LcProcessPanel *panel)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (process_panel_rows_on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (process_panel_rows_on_bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (process_panel_rows_on_unbind), NULL);
  return factory;
}
