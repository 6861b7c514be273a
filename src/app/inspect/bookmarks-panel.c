/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of bookmarks. */
#include "app/inspect/bookmarks-panel.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/inspect/bookmark-row.h"
#include "app/shell.h"

struct _LcBookmarksPanel
{
  GtkBox parent;

  LcSession *session;
  GtkStack *pages;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (LcBookmarksPanel, lc_bookmarks_panel, GTK_TYPE_BOX)

/* Updates the rows in place instead of making new ones: the note of a row may just be edited when the change is
 * signalled. Bookmarks are made by hand, so there are never many. */
static void
refresh (LcBookmarksPanel *panel)
{
  GPtrArray *bookmarks = lc_session_get_bookmarks (panel->session);
  GtkListBoxRow *row;
  guint n = lc_session_get_history (panel->session) != NULL ? bookmarks->len : 0;

  for (guint i = 0; i < n; i++)
    {
      row = gtk_list_box_get_row_at_index (panel->list, (int)i);
      if (row == NULL)
        {
          GtkWidget *new_row = lc_bookmark_row_new (panel->session);

          gtk_list_box_append (panel->list, new_row);
          row = GTK_LIST_BOX_ROW (new_row);
        }
      lc_bookmark_row_set (LC_BOOKMARK_ROW (row), i);
    }
  while ((row = gtk_list_box_get_row_at_index (panel->list, (int)n)) != NULL)
    gtk_list_box_remove (panel->list, GTK_WIDGET (row));
  gtk_stack_set_visible_child_name (panel->pages, n > 0 ? "list" : "empty");
}

static void
bookmarks_panel_on_changed (LcSession *session, guint what, LcBookmarksPanel *panel)
{
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_BOOKMARKS)) != 0)
    refresh (panel);
}

static void
bookmarks_panel_go_to (GtkListBox *list, GtkListBoxRow *row, LcBookmarksPanel *panel)
{
  lc_session_go_to_bookmark (panel->session, (guint)gtk_list_box_row_get_index (row));
}

static void
lc_bookmarks_panel_dispose (GObject *object)
{
  g_clear_object (&LC_BOOKMARKS_PANEL (object)->session);
  G_OBJECT_CLASS (lc_bookmarks_panel_parent_class)->dispose (object);
}

static void
lc_bookmarks_panel_class_init (LcBookmarksPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_bookmarks_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "bookmarks-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcBookmarksPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcBookmarksPanel, list);
  gtk_widget_class_bind_template_callback (widget, bookmarks_panel_go_to);
}

static void
lc_bookmarks_panel_init (LcBookmarksPanel *panel)
{
  gtk_widget_init_template (GTK_WIDGET (panel));
}

GtkWidget *
lc_bookmarks_panel_new (LcSession *session)
{
  LcBookmarksPanel *panel = g_object_new (LC_TYPE_BOOKMARKS_PANEL, NULL);

  panel->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (bookmarks_panel_on_changed), panel, 0);
  refresh (panel);
  return GTK_WIDGET (panel);
}

/* --- Adding ------------------------------------------------------------------------------------------------------ */

/* Adds a bookmark of the selection and the view. */
static void
add_here (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  const LcShown *shown = lc_session_get_shown (session);
  LcBookmark bookmark = {0};

  if (shown == NULL)
    return;
  bookmark.time = shown->selection.time;
  lc_session_get_selection (session, &bookmark.event);
  lc_session_get_span (session, &bookmark.span);
  lc_session_add_bookmark (session, &bookmark);
  lc_session_tell (session, _ ("A bookmark was added."));
}

void
lc_bookmarks_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.bookmark", NULL, add_here);
}
