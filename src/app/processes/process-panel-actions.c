/* SPDX-License-Identifier: Apache-2.0 */
/* The actions of the process panel, with their keys. */
#include "app/processes/process-panel-private.h"
#include "app/time/what-if-subject.h"

/* Applies an action to the selected items; without a selection, nothing happens. */
static void
with_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (widget);
  g_autoptr (GPtrArray) items = _lc_process_panel_get_selected (panel);

  if (items->len == 0)
    return;
  if (g_str_equal (name, "processes.solo"))
    lc_process_model_solo (panel->model, items);
  else
    lc_process_model_set_ticked (panel->model, items, g_str_equal (name, "processes.show"));
  _lc_process_panel_tell (panel);
}

static void
with_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (widget);

  if (g_str_equal (name, "processes.invert"))
    lc_process_model_invert (panel->model);
  else
    lc_process_model_tick_all (panel->model, g_str_equal (name, "processes.show-all"));
  _lc_process_panel_tell (panel);
}

static void
panel_actions_show_found (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (widget);

  if (*lc_process_model_get_text (panel->model) == '\0' || !lc_process_model_tick_found (panel->model))
    return;
  _lc_process_panel_tell (panel);
}

static void
panel_actions_move (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (widget);
  g_autoptr (GPtrArray) items = _lc_process_panel_get_selected (panel);

  if (!lc_process_model_move (panel->model, items, g_str_equal (name, "processes.up") ? -1 : 1))
    return;
  _lc_process_panel_tell (panel);
  _lc_process_panel_select (panel, items);
}

static void
collapse_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (widget);

  lc_process_model_collapse_all (panel->model, g_str_equal (name, "processes.collapse-all"));
  _lc_process_panel_tell (panel);
}

static void
panel_actions_reveal (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (widget);
  g_autoptr (GPtrArray) items = _lc_process_panel_get_selected (panel);

  if (items->len > 0)
    _lc_process_panel_reveal (panel, g_ptr_array_index (items, 0));
}

/* Asks of the first process that is selected. */
static void
panel_actions_what_if (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (widget);
  g_autoptr (GPtrArray) items = _lc_process_panel_get_selected (panel);
  const LcProcessItem *item = items->len > 0 ? items->pdata[0] : NULL;
  LcHistory *history = lc_session_get_history (panel->session);

  if (item != NULL && !lc_process_item_is_heading (item) && history != NULL)
    gtk_widget_activate_action_variant (widget, "win.what-if",
                                        lc_what_if_subject_pack (LC_SCALE_PROCESS, item->process,
                                                                 lc_history_get_process (history, item->process)->name,
                                                                 NULL));
}

void
_lc_process_panel_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "processes.show", NULL, with_selected);
  gtk_widget_class_install_action (class, "processes.hide", NULL, with_selected);
  gtk_widget_class_install_action (class, "processes.solo", NULL, with_selected);
  gtk_widget_class_install_action (class, "processes.show-all", NULL, with_all);
  gtk_widget_class_install_action (class, "processes.hide-all", NULL, with_all);
  gtk_widget_class_install_action (class, "processes.invert", NULL, with_all);
  gtk_widget_class_install_action (class, "processes.show-found", NULL, panel_actions_show_found);
  gtk_widget_class_install_action (class, "processes.up", NULL, panel_actions_move);
  gtk_widget_class_install_action (class, "processes.down", NULL, panel_actions_move);
  gtk_widget_class_install_action (class, "processes.collapse-all", NULL, collapse_all);
  gtk_widget_class_install_action (class, "processes.expand-all", NULL, collapse_all);
  gtk_widget_class_install_action (class, "processes.reveal", NULL, panel_actions_reveal);
  gtk_widget_class_install_action (class, "processes.what-if", NULL, panel_actions_what_if);
  gtk_widget_class_install_property_action (class, "processes.sort", "sort");
  gtk_widget_class_install_property_action (class, "processes.descending", "descending");
  gtk_widget_class_install_property_action (class, "processes.grouping", "grouping");
}

/* --- Keys in the list -------------------------------------------------------------------------------------------- */

static void
panel_actions_toggle (LcProcessPanel *panel)
{
  g_autoptr (GPtrArray) items = _lc_process_panel_get_selected (panel);
  gboolean all = TRUE;

  for (guint i = 0; i < items->len; i++)
    {
      const LcProcessItem *item = g_ptr_array_index (items, i);

      all &= item->n_shown == item->n_members;
    }
  lc_process_model_set_ticked (panel->model, items, !all);
  _lc_process_panel_tell (panel);
}

static gboolean
panel_actions_turn (LcProcessPanel *panel, gboolean collapsed)
{
  g_autoptr (GPtrArray) items = _lc_process_panel_get_selected (panel);
  LcProcessItem *heading = items->len == 1 ? g_ptr_array_index (items, 0) : NULL;

  if (heading == NULL || !lc_process_item_is_heading (heading) || heading->collapsed == collapsed)
    return FALSE;
  lc_process_model_set_collapsed (panel->model, heading, collapsed);
  _lc_process_panel_tell (panel);
  return TRUE;
}

static gboolean
panel_actions_activate (LcProcessPanel *panel, const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (panel), action, NULL);
  return TRUE;
}

static gboolean
on_key_with_alt (LcProcessPanel *panel, guint key)
{
  if (key == GDK_KEY_Up || key == GDK_KEY_KP_Up)
    return panel_actions_activate (panel, "processes.up");
  if (key == GDK_KEY_Down || key == GDK_KEY_KP_Down)
    return panel_actions_activate (panel, "processes.down");
  return FALSE;
}

gboolean
_lc_process_panel_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                          LcProcessPanel *panel)
{
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (panel)) == GTK_TEXT_DIR_RTL;

  state &= GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK;
  if (state == GDK_ALT_MASK)
    return on_key_with_alt (panel, key);
  if (state != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_space:
    case GDK_KEY_KP_Space:
      panel_actions_toggle (panel);
      return TRUE;
    case GDK_KEY_Delete:
    case GDK_KEY_KP_Delete:
      return panel_actions_activate (panel, "processes.hide");
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return panel_actions_turn (panel, !mirrored);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return panel_actions_turn (panel, mirrored);
    case GDK_KEY_Escape:
      return lc_session_step_back (panel->session);
    case GDK_KEY_Menu:
      gtk_popover_set_pointing_to (GTK_POPOVER (panel->menu), NULL);
      gtk_popover_popup (GTK_POPOVER (panel->menu));
      return TRUE;
    default:
      return FALSE;
    }
}
