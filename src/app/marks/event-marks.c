/* SPDX-License-Identifier: Apache-2.0 */
/* The marks and the note of one event, in the inspector. */
#include "app/marks/event-marks.h"

#include <glib/gi18n.h>

#include "app/button-names.h"
#include "app/marks/mark-sets.h"
#include "app/shown-text.h"

static void
event_marks_on_unmark (GtkButton *button, LcSession *session)
{
  const LcUserMark *kept = g_object_get_data (G_OBJECT (button), "lc-mark");

  lc_session_remove_marks (session, kept, 1);
}

static void
event_marks_free_mark (gpointer data)
{
  LcUserMark *mark = data;

  g_free ((char *)mark->name);
  g_free (mark);
}

static GtkWidget *
event_marks_new_row (LcSession *session, const LcUserMark *mark)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = lc_label_new (mark->name);
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *tip = g_strdup_printf (_ ("Remove the mark %s from this event"), mark->name);
  LcUserMark *kept = g_memdup2 (mark, sizeof *mark);

  kept->name = g_strdup (mark->name);
  g_object_set_data_full (G_OBJECT (button), "lc-mark", kept, event_marks_free_mark);
  g_signal_connect_object (button, "clicked", G_CALLBACK (event_marks_on_unmark), session, 0);
  lc_tooltip_show (button, tip);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (row, "mark-tools");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), button);
  return row;
}

static void
event_marks_add_note (GtkBox *box, const char *note)
{
  GtkWidget *label = lc_label_new (note);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 30);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_add_css_class (label, "note-text");
  gtk_box_append (box, label);
}

static GtkWidget *
event_marks_new_button (const char *text, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (text);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
event_marks_fill (GtkBox *box, LcSession *session)
{
  const LcMarks *marks = lc_session_get_marks (session);
  const LcHistoryEvent *event = g_object_get_data (G_OBJECT (box), "lc-event");
  const char *note = lc_marks_get_note (marks, event);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (box));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean focused = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (box));
  GtkWidget *child, *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
  for (guint i = 0; marks != NULL && i < marks->marks->len; i++)
    {
      const LcUserMark *mark = &g_array_index (marks->marks, LcUserMark, i);

      if (!mark->is_span && lc_mark_covers (mark, event))
        gtk_box_append (box, event_marks_new_row (session, mark));
    }
  if (note != NULL)
    event_marks_add_note (box, note);
  gtk_box_append (GTK_BOX (buttons), event_marks_new_button (_ ("Mark…"), "win.mark"));
  gtk_box_append (GTK_BOX (buttons),
                  event_marks_new_button (note != NULL ? _ ("Edit note…") : _ ("Note…"), "win.note"));
  gtk_box_append (box, buttons);
  lc_name_buttons (GTK_WIDGET (box));
  if (focused)
    gtk_widget_grab_focus (gtk_widget_get_last_child (buttons));
}

static void
event_marks_on_changed (LcSession *session, guint what, GtkBox *box)
{
  if ((what & LC_CHANGED_HISTORY) == 0 && (what & LC_CHANGED_MARKS) != 0)
    event_marks_fill (box, session);
}

GtkWidget *
lc_event_marks_new (LcSession *session, const LcHistoryEvent *event)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  g_object_set_data_full (G_OBJECT (box), "lc-event", g_memdup2 (event, sizeof *event), g_free);
  g_signal_connect_object (session, "changed", G_CALLBACK (event_marks_on_changed), box, 0);
  event_marks_fill (GTK_BOX (box), session);
  return box;
}
