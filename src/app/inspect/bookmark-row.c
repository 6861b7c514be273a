/* SPDX-License-Identifier: Apache-2.0 */
/* The row of a bookmark: its note, which can be edited in place, and its place. */
#include "app/inspect/bookmark-row.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/inspect/event-report.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

struct _LcBookmarkRow
{
  GtkListBoxRow parent;

  LcSession *session;
  GtkLabel *title;
  GtkLabel *place;
  GtkEntry *note;
  GtkStack *pages;
  guint number;
};

G_DEFINE_FINAL_TYPE (LcBookmarkRow, lc_bookmark_row, GTK_TYPE_LIST_BOX_ROW)

static const LcBookmark *
get_bookmark (LcBookmarkRow *row)
{
  GPtrArray *bookmarks = lc_session_get_bookmarks (row->session);

  return row->number < bookmarks->len ? bookmarks->pdata[row->number] : NULL;
}

/* --- The place --------------------------------------------------------------------------------------------------- */

static char *
tell_span (const LcBookmark *bookmark)
{
  g_autofree char *from = NULL, *to = NULL;

  if (bookmark->time == LC_SCENE_PHYSICAL)
    {
      from = lc_format_duration ((guint64)MAX (bookmark->span.from, 0));
      to = lc_format_duration ((guint64)MAX (bookmark->span.to, 0));
      return g_strdup_printf (_ ("%s to %s"), from, to);
    }
  from = lc_format_count ((guint64)MAX (bookmark->span.from, 0));
  to = lc_format_count ((guint64)MAX (bookmark->span.to, 0));
  return g_strdup_printf (bookmark->time == LC_SCENE_LOGICAL ? _ ("layers %s to %s") : _ ("phase time %s to %s"), from,
                          to);
}

static char *
tell_place (LcBookmarkRow *row, const LcBookmark *bookmark, char **title)
{
  const LcShown *shown = lc_session_get_shown (row->session);
  LcHistory *history = shown->opened->history;
  g_autoptr (LcNames) names = lc_names_new (history);
  g_autofree char *process = NULL, *at = NULL, *span = tell_span (bookmark);
  LcHistoryEvent event;

  if (bookmark->event.process == LC_TRACE_NONE ||
      !lc_history_get_event (history, shown->timeline, bookmark->event.process, bookmark->event.ordinal, &event, NULL))
    {
      *title = g_strdup (_ ("A part of the run"));
      return g_steal_pointer (&span);
    }
  *title = lc_event_dup_title (names, &event);
  process = lc_format_text (lc_names_process (names, event.process));
  at = lc_history_dup_moment (history, event.begin);
  return g_strdup_printf (_ ("%s at %s"), process, at);
}

void
lc_bookmark_row_set (LcBookmarkRow *row, guint number)
{
  const LcBookmark *bookmark;
  g_autofree char *title = NULL, *place = NULL, *whole = NULL;

  row->number = number;
  bookmark = get_bookmark (row);
  if (bookmark == NULL)
    return;
  place = tell_place (row, bookmark, &title);
  whole = bookmark->note[0] != '\0' ? g_strdup_printf (_ ("%s · %s"), title, place) : g_strdup (place);
  lc_label_show (row->title, bookmark->note[0] != '\0' ? bookmark->note : title);
  lc_label_show (row->place, whole);
  lc_tooltip_show (GTK_WIDGET (row), bookmark->note[0] != '\0' ? bookmark->note : title);
}

/* --- The note ---------------------------------------------------------------------------------------------------- */

static void
bookmark_row_edit (GtkButton *button, LcBookmarkRow *row)
{
  const LcBookmark *bookmark = get_bookmark (row);

  if (bookmark == NULL)
    return;
  gtk_editable_set_text (GTK_EDITABLE (row->note), bookmark->note);
  gtk_stack_set_visible_child_name (row->pages, "edit");
  gtk_widget_grab_focus (GTK_WIDGET (row->note));
}

static void
bookmark_row_end_editing (LcBookmarkRow *row, gboolean keep)
{
  const LcBookmark *bookmark = get_bookmark (row);

  if (g_strcmp0 (gtk_stack_get_visible_child_name (row->pages), "edit") != 0)
    return;
  gtk_stack_set_visible_child_name (row->pages, "show");
  if (keep && bookmark != NULL && g_strcmp0 (bookmark->note, gtk_editable_get_text (GTK_EDITABLE (row->note))) != 0)
    lc_session_change_bookmark (row->session, row->number, gtk_editable_get_text (GTK_EDITABLE (row->note)));
}

static void
bookmark_row_on_entered (GtkEntry *entry, LcBookmarkRow *row)
{
  bookmark_row_end_editing (row, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
on_left (GtkEventControllerFocus *controller, LcBookmarkRow *row)
{
  bookmark_row_end_editing (row, TRUE);
}

static gboolean
bookmark_row_on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                     LcBookmarkRow *row)
{
  if (key != GDK_KEY_Escape)
    return FALSE;
  bookmark_row_end_editing (row, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (row));
  return TRUE;
}

static void
remove_bookmark (GtkButton *button, LcBookmarkRow *row)
{
  lc_session_remove_bookmark (row->session, row->number);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_bookmark_row_dispose (GObject *object)
{
  g_clear_object (&LC_BOOKMARK_ROW (object)->session);
  G_OBJECT_CLASS (lc_bookmark_row_parent_class)->dispose (object);
}

static void
lc_bookmark_row_class_init (LcBookmarkRowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_bookmark_row_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "bookmark-row.ui");
  gtk_widget_class_bind_template_child (widget, LcBookmarkRow, title);
  gtk_widget_class_bind_template_child (widget, LcBookmarkRow, place);
  gtk_widget_class_bind_template_child (widget, LcBookmarkRow, note);
  gtk_widget_class_bind_template_child (widget, LcBookmarkRow, pages);
  gtk_widget_class_bind_template_callback (widget, bookmark_row_edit);
  gtk_widget_class_bind_template_callback (widget, bookmark_row_on_entered);
  gtk_widget_class_bind_template_callback (widget, on_left);
  gtk_widget_class_bind_template_callback (widget, bookmark_row_on_key);
  gtk_widget_class_bind_template_callback (widget, remove_bookmark);
}

static void
lc_bookmark_row_init (LcBookmarkRow *row)
{
  gtk_widget_init_template (GTK_WIDGET (row));
}

GtkWidget *
lc_bookmark_row_new (LcSession *session)
{
  LcBookmarkRow *row = g_object_new (LC_TYPE_BOOKMARK_ROW, NULL);

  row->session = g_object_ref (session);
  return GTK_WIDGET (row);
}
