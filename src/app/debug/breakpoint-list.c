/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the session's breakpoints. */
#include "app/debug/breakpoint-list.h"

#include <glib/gi18n.h>

#include "app/button-names.h"
#include "app/inspect/event-report.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

#define LIST "lc-breakpoint-session"

/* --- Rows -------------------------------------------------------------------------------------------------------- */

static LcSession *
breakpoint_list_get_session (GtkWidget *list)
{
  return g_object_get_data (G_OBJECT (list), LIST);
}

/* Returns the breakpoint of a row. */
static LcEventName
breakpoint_list_get_name (GtkListBoxRow *row)
{
  GtkWidget *list = gtk_widget_get_parent (GTK_WIDGET (row));
  const GArray *breakpoints = lc_session_get_breakpoints (breakpoint_list_get_session (list));

  return g_array_index (breakpoints, LcEventName, (guint)gtk_list_box_row_get_index (row));
}

static void
breakpoint_list_remove (GtkButton *button, GtkListBoxRow *row)
{
  GtkWidget *list = gtk_widget_get_parent (GTK_WIDGET (row));
  LcEventName name = breakpoint_list_get_name (row);

  lc_session_set_breakpoint (breakpoint_list_get_session (list), name.process, name.ordinal, FALSE);
}

static GtkWidget *
breakpoint_list_new_texts (LcSession *session, const LcEventName *name)
{
  LcHistory *history = lc_session_get_history (session);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *labels[2];
  g_autoptr (LcNames) names = lc_names_new (history);
  g_autofree char *process = lc_format_text (lc_names_process (names, name->process));
  g_autofree char *title = NULL, *place = NULL;
  LcHistoryEvent event;

  if (lc_history_get_event (history, LC_TIMELINE_MEASURED, name->process, name->ordinal, &event, NULL))
    {
      g_autofree char *moment = lc_history_dup_moment (history, event.begin);

      title = lc_event_dup_title (names, &event);
      place = g_strdup_printf (_ ("%s at %s"), process, moment);
    }
  labels[0] = lc_label_new (title != NULL ? title : process);
  labels[1] = lc_label_new (place != NULL ? place : process);
  gtk_widget_add_css_class (labels[1], "dim-label");
  gtk_widget_add_css_class (labels[1], "caption");
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      gtk_label_set_xalign (GTK_LABEL (labels[i]), 0);
      gtk_label_set_ellipsize (GTK_LABEL (labels[i]), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (texts), labels[i]);
    }
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  return texts;
}

static GtkWidget *
breakpoint_list_new_row (LcSession *session, const LcEventName *name)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *remove = gtk_button_new_from_icon_name ("user-trash-symbolic");

  gtk_widget_add_css_class (box, "listed");
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  lc_tooltip_show (remove, _ ("Remove this breakpoint"));
  g_signal_connect (remove, "clicked", G_CALLBACK (breakpoint_list_remove), row);
  gtk_box_append (GTK_BOX (box), breakpoint_list_new_texts (session, name));
  gtk_box_append (GTK_BOX (box), remove);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

/* --- The list ---------------------------------------------------------------------------------------------------- */

static void
breakpoint_list_go_to (GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
  LcSession *session = breakpoint_list_get_session (GTK_WIDGET (list));
  const LcEventName name = breakpoint_list_get_name (row);
  guint32 process;
  guint64 ordinal;

  if (lc_history_locate (lc_session_get_history (session), lc_session_get_shown (session)->timeline, name.process,
                         name.ordinal, &process, &ordinal, NULL))
    lc_session_select (session, process, ordinal, TRUE);
  else
    lc_session_tell (session, _ ("This event is not on the timeline that is shown."));
}

/* Breakpoints are set by hand, so there are never many. */
static void
breakpoint_list_refresh (GtkListBox *list)
{
  LcSession *session = breakpoint_list_get_session (GTK_WIDGET (list));
  const GArray *breakpoints = lc_session_get_breakpoints (session);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, 0)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
  if (lc_session_get_history (session) == NULL)
    return;
  for (guint i = 0; i < breakpoints->len; i++)
    gtk_list_box_append (list, breakpoint_list_new_row (session, &g_array_index (breakpoints, LcEventName, i)));
  lc_name_buttons (GTK_WIDGET (list));
}

static void
breakpoint_list_on_changed (LcSession *session, guint what, GtkListBox *list)
{
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_BREAKPOINTS)) != 0)
    breakpoint_list_refresh (list);
}

GtkWidget *
lc_breakpoint_list_new (LcSession *session)
{
  GtkWidget *list = gtk_list_box_new (), *none = lc_label_new (_ ("None. The key s sets one on the selected event."));

  g_object_set_data_full (G_OBJECT (list), LIST, g_object_ref (session), g_object_unref);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "listing");
  lc_accessible_show (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Breakpoints"));
  gtk_label_set_wrap (GTK_LABEL (none), TRUE);
  gtk_label_set_xalign (GTK_LABEL (none), 0);
  gtk_widget_add_css_class (none, "dim-label");
  gtk_widget_add_css_class (none, "panel-note");
  gtk_list_box_set_placeholder (GTK_LIST_BOX (list), none);
  g_signal_connect (list, "row-activated", G_CALLBACK (breakpoint_list_go_to), NULL);
  g_signal_connect_object (session, "changed", G_CALLBACK (breakpoint_list_on_changed), list, 0);
  breakpoint_list_refresh (GTK_LIST_BOX (list));
  return list;
}
