/* SPDX-License-Identifier: Apache-2.0 */
/* The window: one session, its views, and the pages that stand in for them while there is no history. */
#include "app/browser.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/button-names.h"
#include "app/browser-private.h"
#include "app/compare/compare-window.h"
#ifdef LC_HAVE_SCRIPT
#include "app/console/console-panel.h"
#endif
#include "app/inspect/bookmarks-panel.h"
#include "app/marks/mark-dialog.h"
#include "app/plots/copy-picture.h"
#include "app/plots/export-dialog.h"
#include "app/play/graph-panel.h"
#include "app/debug/debug-actions.h"
#include "app/diagram/color-legend.h"
#include "app/diagram/highlight-actions.h"
#include "app/diagram/legend-bar.h"
#include "app/inspect/problems-banner.h"
#include "app/inspect/problems-panel.h"
#include "app/filters/filter-actions.h"
#include "app/processes/process-actions.h"
#include "app/search/search-bar.h"
#include "app/tables/events-panel.h"
#include "app/tables/sql-panel.h"
#include "app/shortcuts-window.h"
#include "app/shortcuts.h"
#include "app/diagram/space-time.h"
#include "app/scripts/script-commands.h"
#include "app/shown-text.h"
#include "app/time/time-switch.h"
#include "app/time/timeline-actions.h"
#include "app/time/timeline-bar.h"
#include "app/time/timeline-menu.h"

static void lc_browser_shell_init (LcShellInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (LcBrowser, lc_browser, ADW_TYPE_APPLICATION_WINDOW,
                               G_IMPLEMENT_INTERFACE (LC_TYPE_SHELL, lc_browser_shell_init))

static const char *const side_names[LC_SIDES] = {"left", "right", "bottom"};

/* --- Actions ----------------------------------------------------------------------------------------------------- */

static void
browser_close_window (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_window_close (GTK_WINDOW (widget));
}

static void
browser_go (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = LC_BROWSER (widget)->session;

  if (g_str_equal (name, "win.back"))
    lc_session_go_back (session);
  else
    lc_session_go_forward (session);
}

static void
install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.close", NULL, browser_close_window);
  gtk_widget_class_install_action (class, "win.back", NULL, browser_go);
  gtk_widget_class_install_action (class, "win.forward", NULL, browser_go);
  lc_browser_open_install_actions (class);
  lc_browser_keep_install_actions (class);
  lc_compare_install_actions (class);
  lc_process_install_actions (class);
  lc_debug_install_actions (class);
  lc_filter_install_actions (class);
  lc_export_dialog_install_actions (class);
  lc_copy_picture_install_actions (class);
  lc_bookmarks_install_actions (class);
  lc_mark_dialog_install_actions (class);
#ifdef LC_HAVE_SCRIPT
  lc_console_install_actions (class);
#endif
  lc_events_install_actions (class);
  lc_sql_install_actions (class);
  lc_problems_install_actions (class);
  lc_graph_install_actions (class);
}

/* --- The window -------------------------------------------------------------------------------------------------- */

static void
browser_on_changed (LcSession *session, guint what, LcBrowser *browser)
{
  const LcOpened *opened = lc_session_get_opened (session);

  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.back", lc_session_can_go_back (session));
  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.forward", lc_session_can_go_forward (session));
  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.compare", opened != NULL && opened->temporary == NULL);
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES)) == 0)
    return;
  lc_window_title_show (browser->title, opened != NULL ? opened->title : "Lightcone");
  lc_window_show_title (GTK_WINDOW (browser), opened != NULL ? opened->title : "Lightcone");
  lc_window_title_show_subtitle (
      browser->title,
      opened != NULL ? lc_session_get_timeline_title (session, lc_session_get_shown (session)->timeline) : NULL);
}

static void
lc_browser_dispose (GObject *object)
{
  LcBrowser *browser = LC_BROWSER (object);

  lc_browser_open_dispose (browser);
  lc_browser_keep_dispose (browser);
  g_clear_object (&browser->session);
  G_OBJECT_CLASS (lc_browser_parent_class)->dispose (object);
}

static void
lc_browser_class_init (LcBrowserClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_browser_dispose;
  g_type_ensure (LC_TYPE_ROOM);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "browser.ui");
  gtk_widget_class_bind_template_child (widget, LcBrowser, toasts);
  gtk_widget_class_bind_template_child (widget, LcBrowser, title);
  gtk_widget_class_bind_template_child (widget, LcBrowser, pages);
  gtk_widget_class_bind_template_child (widget, LcBrowser, failed);
  gtk_widget_class_bind_template_child (widget, LcBrowser, centre);
  gtk_widget_class_bind_template_child (widget, LcBrowser, header_start);
  gtk_widget_class_bind_template_child (widget, LcBrowser, header_end);
  gtk_widget_class_bind_template_child (widget, LcBrowser, welcome);
  gtk_widget_class_bind_template_child (widget, LcBrowser, opening);
  gtk_widget_class_bind_template_child (widget, LcBrowser, recording);
  gtk_widget_class_bind_template_child (widget, LcBrowser, banners);
  gtk_widget_class_bind_template_child (widget, LcBrowser, open_button);
  gtk_widget_class_bind_template_child (widget, LcBrowser, script_commands);
  gtk_widget_class_bind_template_child (widget, LcBrowser, room);
  gtk_widget_class_bind_template_child (widget, LcBrowser, left_paned);
  gtk_widget_class_bind_template_child (widget, LcBrowser, right_paned);
  gtk_widget_class_bind_template_child (widget, LcBrowser, bottom_paned);
  for (guint side = 0; side < LC_SIDES; side++)
    {
      g_autofree char *name = g_strconcat (side_names[side], "_side", NULL);

      gtk_widget_class_bind_template_child_full (widget, name, FALSE, 0);
    }
  install_actions (widget);
}

/* Moves the keyboard focus; the stack itself would focus the first widget of the page. */
static void
give_keyboard (LcBrowser *browser, const char *page)
{
  if (g_str_equal (page, "diagram"))
    gtk_widget_grab_focus (browser->diagram);
  else if (g_str_equal (page, "welcome"))
    gtk_widget_grab_focus (adw_bin_get_child (browser->welcome));
  else if (g_str_equal (page, "record"))
    gtk_widget_grab_focus (adw_bin_get_child (browser->recording));
}

static void
lc_browser_init (LcBrowser *browser)
{
  GtkWidget *search, *legend;

  browser->session = lc_session_new ();
  gtk_widget_init_template (GTK_WIDGET (browser));
  for (guint side = 0; side < LC_SIDES; side++)
    {
      g_autofree char *name = g_strconcat (side_names[side], "_side", NULL);

      browser->sides[side] = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (browser), LC_TYPE_BROWSER, name));
    }
  lc_browser_sides_init (browser);
  lc_browser_plots_init (browser);
  lc_timeline_add_actions (GTK_APPLICATION_WINDOW (browser), browser->session);
  lc_browser_sides_add_toggles (browser, browser->header_start, NULL);
  gtk_box_append (browser->header_start, lc_time_switch_new (browser->session));
  gtk_box_append (browser->header_end, lc_timeline_menu_new (browser->session));
  lc_browser_sides_add_search (browser);
  lc_browser_sides_add_toggles (browser, NULL, browser->header_end);
  lc_browser_sides_update_header (browser);
  search = lc_search_bar_new (browser->session);
  gtk_box_prepend (browser->banners, search);
  lc_search_bar_add_actions (LC_SEARCH_BAR (search), G_ACTION_MAP (browser));
  gtk_box_append (browser->centre, lc_timeline_bar_new (browser->session));
  gtk_box_append (browser->centre, lc_color_legend_new (browser->session));
  browser->diagram = lc_space_time_new (browser->session);
  gtk_box_append (browser->centre, browser->diagram);
  legend = lc_legend_bar_new (lc_space_time_get_area (LC_SPACE_TIME (browser->diagram)), browser->session);
  browser->below = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (browser->below), legend);
  gtk_box_append (browser->centre, browser->below);
  lc_legend_bar_add_action (GTK_APPLICATION_WINDOW (browser), legend);
  g_signal_connect_object (browser->session, "changed", G_CALLBACK (browser_on_changed), browser, 0);
  g_signal_connect_object (browser->session, "told", G_CALLBACK (lc_shell_tell), browser, G_CONNECT_SWAPPED);
  lc_browser_open_init (browser);
  lc_browser_keep_init (browser);
  lc_shortcuts_window_add (GTK_APPLICATION_WINDOW (browser));
  lc_shortcuts_add_letters (GTK_WIDGET (browser));
  lc_color_legend_add_action (GTK_APPLICATION_WINDOW (browser), browser->session);
  lc_script_commands_add (GTK_APPLICATION_WINDOW (browser), browser->script_commands, browser->session);
  lc_highlight_actions_add (GTK_APPLICATION_WINDOW (browser), browser->session);
  gtk_box_append (browser->banners, lc_problems_banner_new (browser->session));
  lc_name_buttons (GTK_WIDGET (browser));
  browser_on_changed (browser->session, LC_CHANGED_ALL, browser);
  give_keyboard (browser, "welcome");
}

LcBrowser *
lc_browser_new (AdwApplication *application)
{
  return g_object_new (LC_TYPE_BROWSER, "application", application, NULL);
}

void
lc_browser_set_page (LcBrowser *browser, const char *page)
{
  gboolean there = g_str_equal (lc_browser_get_page (browser), page);

  gtk_stack_set_visible_child_name (browser->pages, page);
  if (!there)
    give_keyboard (browser, page);
}

const char *
lc_browser_get_page (LcBrowser *browser)
{
  return gtk_stack_get_visible_child_name (browser->pages);
}

/* --- What features ask of it ------------------------------------------------------------------------------------- */

static LcSession *
browser_get_session (LcShell *shell)
{
  return LC_BROWSER (shell)->session;
}

static void
browser_add_toast (LcShell *shell, AdwToast *toast)
{
  adw_toast_overlay_add_toast (LC_BROWSER (shell)->toasts, toast);
}

static void
lc_browser_shell_init (LcShellInterface *interface)
{
  interface->get_session = browser_get_session;
  interface->add_toast = browser_add_toast;
  interface->show_panel = lc_browser_show_panel;
  interface->get_panel = lc_browser_get_panel;
}
