/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories side by side: two linked diagrams, and a list of the differences. */
#include "app/compare/compare-window.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/button-names.h"
#include "app/compare/compare-actions.h"
#include "app/compare/compare-list.h"
#include "app/diagram/space-time.h"
#include "app/open/failure.h"
#include "app/open/opening-view.h"
#include "app/open/recent.h"
#include "app/settings.h"
#include "app/shortcuts-window.h"
#include "app/shortcuts.h"
#include "app/shown-text.h"

struct _LcCompareWindow
{
  AdwApplicationWindow parent;

  AdwToastOverlay *toasts;
  AdwWindowTitle *title;
  GtkStack *pages;
  AdwBin *opening_bin;
  AdwStatusPage *failed;
  GtkWidget *controls;
  GtkDropDown *way;
  GtkToggleButton *list_button;
  GtkLabel *notice;
  GtkWidget *notice_bar;
  GtkBox *sides;
  GtkPaned *paned;
  LcOpeningPage *opening_page;
  LcCompareList *list;

  char *directories[2];
  LcOpening *opening; /* NULL: nothing is being opened */
  LcSession *sessions[2];
  LcCompareLink *link; /* NULL until both histories are open, like `pair` */
  LcComparePair *pair;
};

G_DEFINE_FINAL_TYPE (LcCompareWindow, lc_compare_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- Both histories are open ------------------------------------------------------------------------------------- */

static void
tell (LcCompareWindow *window, const char *text)
{
  g_autofree char *escaped = lc_shown_dup_markup (text);

  adw_toast_overlay_add_toast (window->toasts, adw_toast_new (escaped));
}

static void
show_notice (const char *text, gpointer data)
{
  LcCompareWindow *window = data;

  lc_label_show (window->notice, text != NULL ? text : "");
  gtk_widget_set_visible (window->notice_bar, text != NULL);
}

/* Makes a heading like "A  gauss.trace", with the folder as its tooltip. */
static GtkWidget *
compare_window_make_heading (LcCompareWindow *window, guint side)
{
  const LcOpened *opened = lc_session_get_opened (window->sessions[side]);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *letter = lc_label_new (side == 0 ? "A" : "B");
  GtkWidget *title = lc_label_new (opened->title);

  gtk_widget_add_css_class (letter, "heading");
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  lc_tooltip_show (title, opened->directory);
  gtk_widget_add_css_class (box, "side-heading");
  gtk_box_append (GTK_BOX (box), letter);
  gtk_box_append (GTK_BOX (box), title);
  return box;
}

static GtkWidget *
add_side (LcCompareWindow *window, guint side)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *view = lc_space_time_new (window->sessions[side]);

  gtk_box_append (GTK_BOX (box), compare_window_make_heading (window, side));
  gtk_box_append (GTK_BOX (box), view);
  gtk_box_append (window->sides, box);
  g_signal_connect_object (window->sessions[side], "told", G_CALLBACK (tell), window, G_CONNECT_SWAPPED);
  return view;
}

/* Places the diagrams so that the time axis gets the longer way of the window. */
static void
update_sides (LcCompareWindow *window)
{
  gboolean right = lc_session_get_shown (window->sessions[0])->orientation == LC_ORIENTATION_RIGHT;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (window->sides),
                                  right ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

static void
compare_window_on_changed (LcCompareWindow *window, guint what)
{
  if ((what & LC_CHANGED_ORIENTATION) != 0)
    update_sides (window);
}

static void
set_way (LcCompareWindow *window)
{
  if (window->link != NULL)
    lc_compare_link_set_way (window->link, (LcLinkWay)gtk_drop_down_get_selected (window->way));
}

static void
show_both (LcCompareWindow *window)
{
  const char *first = lc_session_get_opened (window->sessions[0])->title;
  const char *second = lc_session_get_opened (window->sessions[1])->title;
  /* TRANSLATORS: the names of two traces. */
  g_autofree char *title = g_strdup_printf (_ ("%s and %s"), first, second);
  GtkWidget *views[2];

  lc_window_title_show (window->title, title);
  lc_window_show_title (GTK_WINDOW (window), title);
  window->link = lc_compare_link_new (window->sessions);
  window->pair = lc_compare_pair_new (window->sessions, window->link, show_notice, window);
  for (guint side = 0; side < 2; side++)
    views[side] = add_side (window, side);
  lc_compare_actions_add (GTK_APPLICATION_WINDOW (window), window->sessions, views, window->link);
  g_signal_connect_object (window->sessions[0], "changed", G_CALLBACK (compare_window_on_changed), window,
                           G_CONNECT_SWAPPED);
  update_sides (window);
  gtk_widget_set_visible (window->controls, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (window->way), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (window->list_button), TRUE);
  gtk_stack_set_visible_child_name (window->pages, "diagrams");
  lc_name_buttons (GTK_WIDGET (window));
  lc_compare_list_start (window->list, window->sessions, window->pair);
}

/* --- Opening --------------------------------------------------------------------------------------------------------
 */

static void open_next (LcCompareWindow *window);

static void
forget_opening (LcCompareWindow *window)
{
  if (window->opening == NULL)
    return;
  lc_opening_cancel (window->opening);
  g_signal_handlers_disconnect_by_data (window->opening, window);
  g_clear_object (&window->opening);
}

static void
compare_window_on_moved (LcOpening *opening, LcCompareWindow *window)
{
  lc_opening_page_update (window->opening_page, opening);
  gtk_stack_set_visible_child_name (window->pages, "opening");
}

static void
compare_window_show_failure (LcCompareWindow *window, const GError *error)
{
  g_autofree char *text = lc_failure_dup_text (error);
  g_autofree char *escaped = lc_shown_dup_markup (text);

  adw_status_page_set_title (window->failed, lc_failure_get_title (error));
  adw_status_page_set_description (window->failed, escaped);
  gtk_stack_set_visible_child_name (window->pages, "failed");
}

/* The first session has time go as in a trace that is new, and the second starts with the orientation and the axis of
 * the first. */
static void
compare_window_take (LcCompareWindow *window, guint side, LcOpened *opened)
{
  lc_session_open (window->sessions[side], opened);
  if (side == 0)
    lc_session_set_orientation (window->sessions[0],
                                (LcOrientation)lc_settings_get_choice ("new-orientation", LC_ORIENTATION_RIGHT));
  else
    {
      const LcShown *first = lc_session_get_shown (window->sessions[0]);

      lc_session_set_orientation (window->sessions[1], first->orientation);
      lc_session_set_time (window->sessions[1], first->selection.time);
    }
}

static void
compare_window_on_done (LcOpening *opening, LcOpened *opened, const GError *error, LcCompareWindow *window)
{
  g_autoptr (LcOpening) done = g_steal_pointer (&window->opening);

  g_signal_handlers_disconnect_by_data (done, window);
  if (opened == NULL)
    {
      compare_window_show_failure (window, error);
      return;
    }
  lc_recent_add (opened->directory);
  compare_window_take (window, lc_session_get_opened (window->sessions[0]) == NULL ? 0 : 1, opened);
  open_next (window);
}

/* Opens the first side that has no history yet. */
static void
open_next (LcCompareWindow *window)
{
  guint side = lc_session_get_opened (window->sessions[0]) == NULL ? 0 : 1;
  g_autofree char *title = g_filename_display_basename (window->directories[side]);

  if (lc_session_get_opened (window->sessions[side]) != NULL)
    {
      show_both (window);
      return;
    }
  lc_opening_page_set_title (window->opening_page, title);
  window->opening = lc_opening_new (window->directories[side], FALSE);
  g_signal_connect (window->opening, "moved", G_CALLBACK (compare_window_on_moved), window);
  g_signal_connect (window->opening, "done", G_CALLBACK (compare_window_on_done), window);
  lc_opening_start (window->opening);
}

static void
compare_window_cancel_opening (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_window_close (GTK_WINDOW (widget));
}

static void
try_again (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcCompareWindow *window = LC_COMPARE_WINDOW (widget);

  if (window->opening == NULL && window->link == NULL)
    open_next (window);
}

/* --- The window ------------------------------------------------------------------------------------------------------
 */

static void
lc_compare_window_dispose (GObject *object)
{
  LcCompareWindow *window = LC_COMPARE_WINDOW (object);

  forget_opening (window);
  if (window->list != NULL)
    lc_compare_list_stop (window->list);
  window->list = NULL;
  g_clear_pointer (&window->pair, lc_compare_pair_free);
  g_clear_pointer (&window->link, lc_compare_link_free);
  for (guint side = 0; side < 2; side++)
    {
      g_clear_object (&window->sessions[side]);
      g_clear_pointer (&window->directories[side], g_free);
    }
  G_OBJECT_CLASS (lc_compare_window_parent_class)->dispose (object);
}

static void
lc_compare_window_class_init (LcCompareWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_compare_window_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "compare-window.ui");
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, toasts);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, title);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, pages);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, opening_bin);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, failed);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, controls);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, way);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, list_button);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, notice);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, notice_bar);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, sides);
  gtk_widget_class_bind_template_child (widget, LcCompareWindow, paned);
  gtk_widget_class_bind_template_callback (widget, set_way);
  gtk_widget_class_install_action (widget, "win.cancel-opening", NULL, compare_window_cancel_opening);
  gtk_widget_class_install_action (widget, "win.refresh", NULL, try_again);
}

static void
lc_compare_window_init (LcCompareWindow *window)
{
  for (guint side = 0; side < 2; side++)
    window->sessions[side] = lc_session_new ();
  gtk_widget_init_template (GTK_WIDGET (window));
  window->opening_page = LC_OPENING_PAGE (lc_opening_page_new ());
  adw_bin_set_child (window->opening_bin, GTK_WIDGET (window->opening_page));
  window->list = LC_COMPARE_LIST (lc_compare_list_new ());
  gtk_paned_set_end_child (window->paned, GTK_WIDGET (window->list));
  g_object_bind_property (window->list_button, "active", window->list, "visible", G_BINDING_SYNC_CREATE);
  lc_shortcuts_window_add (GTK_APPLICATION_WINDOW (window));
  lc_shortcuts_add_letters (GTK_WIDGET (window));
}

void
lc_compare_window_open (GtkApplication *application, const char *first, const char *second, LcSession *like)
{
  LcCompareWindow *window = g_object_new (LC_TYPE_COMPARE_WINDOW, "application", application, NULL);
  LcOpened *opened = like != NULL ? lc_session_get_opened (like) : NULL;

  window->directories[0] = g_canonicalize_filename (first, NULL);
  window->directories[1] = g_canonicalize_filename (second, NULL);
  if (opened != NULL && !opened->partial && g_str_equal (opened->directory, window->directories[0]))
    {
      const LcShown *shown = lc_session_get_shown (like);

      compare_window_take (window, 0, opened);
      lc_session_set_orientation (window->sessions[0], shown->orientation);
      lc_session_set_time (window->sessions[0], shown->selection.time);
    }
  gtk_window_present (GTK_WINDOW (window));
  open_next (window);
}
