/* SPDX-License-Identifier: Apache-2.0 */
/* The dialogs that mark the selected event, or a time, and that write a note on it. */
#include "app/marks/mark-dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/shell.h"
#include "app/inspect/event-report.h"
#include "app/marks/mark-sets.h"
#include "app/shown-text.h"

enum
{
  MOST_OFFERED = 8, /* names that there are already, as buttons */
};

/* The subject of a dialog, as it was when the dialog was opened. */
typedef struct
{
  LcSession *session;
  LcOpened *opened;
  gboolean has_event;
  guint32 process; /* of the event, on the measured timeline */
  guint64 ordinal;
  LcSpan span; /* of measured time; from == to: there is none */
  guint32 *processes;
  guint32 n_processes;

  GtkEditable *name;
  GtkCheckButton *marks_event;
  GtkTextBuffer *text;
} MarkSubject;

static void
mark_dialog_free_subject (gpointer data)
{
  MarkSubject *subject = data;

  g_object_unref (subject->session);
  lc_opened_unref (subject->opened);
  g_free (subject->processes);
  g_free (subject);
}

/* Spans are of the measured time of single processes: of those whose rows are in view. */
static void
mark_dialog_take_span (MarkSubject *subject)
{
  const LcShown *shown = lc_session_get_shown (subject->session);
  guint32 first, last, n = 0;
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (guint32));

  lc_session_get_span (subject->session, &subject->span);
  if (shown->selection.time != LC_SCENE_PHYSICAL || shown->timeline != LC_TIMELINE_MEASURED)
    subject->span.to = subject->span.from;
  first = (guint32)MAX (floor (subject->span.first_row), 0);
  last = (guint32)MIN (ceil (subject->span.last_row), lc_shown_get_n_rows (shown));
  for (guint32 row = first; row < last; row++)
    {
      const guint32 *of_row = lc_shown_get_row (shown, row, &n);

      g_array_append_vals (processes, of_row, n);
    }
  subject->n_processes = processes->len;
  subject->processes = (guint32 *)(void *)g_array_free (g_steal_pointer (&processes), FALSE);
}

static MarkSubject *
mark_dialog_new_subject (LcSession *session)
{
  MarkSubject *subject = g_new0 (MarkSubject, 1);
  const LcHistoryEvent *event = lc_session_get_event (session);

  subject->session = g_object_ref (session);
  subject->opened = lc_opened_ref (lc_session_get_opened (session));
  subject->has_event = event != NULL;
  if (event != NULL)
    {
      subject->process = event->origin_process;
      subject->ordinal = event->origin_ordinal;
    }
  mark_dialog_take_span (subject);
  return subject;
}

static char *
mark_dialog_dup_title (LcSession *session)
{
  g_autoptr (LcNames) names = lc_names_new (lc_session_get_history (session));
  const LcHistoryEvent *event = lc_session_get_event (session);

  return event != NULL ? lc_event_dup_title (names, event) : NULL;
}

/* --- Marking ----------------------------------------------------------------------------------------------------- */

static void
mark_dialog_mark (const MarkSubject *subject)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (subject->name)));
  g_autofree LcUserMark *marks = g_new0 (LcUserMark, MAX (subject->n_processes, 1));
  guint32 n = 1;

  if (name[0] == '\0')
    return;
  if (subject->has_event && gtk_check_button_get_active (subject->marks_event))
    marks[0] = (LcUserMark){name, subject->process, FALSE, subject->ordinal, subject->ordinal};
  else
    for (n = 0; n < subject->n_processes; n++)
      marks[n] = (LcUserMark){name, subject->processes[n], TRUE, (guint64)MAX (subject->span.from, 0),
                              (guint64)MAX (subject->span.to, 0)};
  lc_session_set_hidden (subject->session, name, FALSE);
  lc_session_add_marks (subject->session, marks, n);
}

static void
mark_dialog_on_response (AdwMessageDialog *dialog, const char *response, MarkSubject *subject)
{
  if (g_str_equal (response, "mark") && lc_session_get_opened (subject->session) == subject->opened)
    mark_dialog_mark (subject);
}

static void
mark_dialog_on_typed (GtkEditable *name, AdwMessageDialog *dialog)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (name)));
  gsize length = strlen (text);

  adw_message_dialog_set_response_enabled (dialog, "mark", length > 0 && length <= LC_MARKS_LONGEST_NAME);
}

static void
mark_dialog_on_offered (GtkButton *button, GtkEditable *name)
{
  gtk_editable_set_text (name, g_object_get_data (G_OBJECT (button), "name"));
  gtk_widget_grab_focus (GTK_WIDGET (name));
}

/* Offers the names that there are, so that a set grows by a click. */
static void
mark_dialog_offer (GtkBox *box, const MarkSubject *subject)
{
  g_autoptr (GArray) sets = lc_mark_sets_list (lc_session_get_marks (subject->session));
  GtkWidget *flow = gtk_flow_box_new ();

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (flow), GTK_SELECTION_NONE);
  for (guint i = 0; i < MIN (sets->len, MOST_OFFERED); i++)
    {
      const char *name = g_array_index (sets, LcMarkSet, i).name;
      GtkWidget *button = gtk_button_new (), *label = lc_label_new (name);

      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 16);
      gtk_button_set_child (GTK_BUTTON (button), label);
      lc_accessible_show (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
      g_object_set_data_full (G_OBJECT (button), "name", g_strdup (name), g_free);
      g_signal_connect_object (button, "clicked", G_CALLBACK (mark_dialog_on_offered), subject->name, 0);
      gtk_flow_box_insert (GTK_FLOW_BOX (flow), button, -1);
    }
  gtk_widget_set_visible (flow, sets->len > 0);
  gtk_box_append (box, flow);
}

/* Only one choice is offered if there is only one subject. */
static void
mark_dialog_add_choice (GtkBox *box, MarkSubject *subject)
{
  g_autofree char *event = mark_dialog_dup_title (subject->session);
  g_autofree char *this_one = g_strdup_printf (_ ("The event %s"), event != NULL ? event : "");
  gboolean has_span = subject->span.to > subject->span.from && subject->n_processes > 0;
  GtkWidget *time = gtk_check_button_new_with_label (_ ("The time in view, on the processes in view"));

  subject->marks_event = GTK_CHECK_BUTTON (gtk_check_button_new_with_label (this_one));
  gtk_check_button_set_group (GTK_CHECK_BUTTON (time), subject->marks_event);
  gtk_check_button_set_active (subject->has_event ? subject->marks_event : GTK_CHECK_BUTTON (time), TRUE);
  gtk_widget_set_sensitive (GTK_WIDGET (subject->marks_event), subject->has_event);
  gtk_widget_set_visible (GTK_WIDGET (subject->marks_event), subject->has_event);
  gtk_widget_set_sensitive (time, has_span);
  gtk_box_append (box, GTK_WIDGET (subject->marks_event));
  gtk_box_append (box, time);
}

static void
mark_dialog_open (GtkWidget *widget, const char *action, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  GtkWidget *dialog, *box, *name;
  MarkSubject *subject;

  if (lc_session_get_shown (session) == NULL)
    return;
  subject = mark_dialog_new_subject (session);
  if (!subject->has_event && subject->span.to <= subject->span.from)
    {
      lc_session_tell (session, _ ("Select an event first: it can then be marked. Times are marked in physical time."));
      mark_dialog_free_subject (subject);
      return;
    }
  dialog = adw_message_dialog_new (GTK_WINDOW (widget), _ ("Mark"), NULL);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  name = gtk_entry_new ();
  subject->name = GTK_EDITABLE (name);
  gtk_entry_set_placeholder_text (GTK_ENTRY (name), _ ("A name, such as suspicious"));
  gtk_entry_set_activates_default (GTK_ENTRY (name), TRUE);
  lc_accessible_show (GTK_ACCESSIBLE (name), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("The name of the mark"));
  gtk_box_append (GTK_BOX (box), name);
  mark_dialog_offer (GTK_BOX (box), subject);
  mark_dialog_add_choice (GTK_BOX (box), subject);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), box);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "mark", _ ("_Mark"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "mark", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "mark");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (dialog), "mark", FALSE);
  g_signal_connect_object (name, "changed", G_CALLBACK (mark_dialog_on_typed), dialog, 0);
  g_signal_connect (dialog, "response", G_CALLBACK (mark_dialog_on_response), subject);
  g_object_set_data_full (G_OBJECT (dialog), "lc-subject", subject, mark_dialog_free_subject);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (name);
}

/* --- Notes ------------------------------------------------------------------------------------------------------- */

static void
mark_dialog_on_noted (AdwMessageDialog *dialog, const char *response, MarkSubject *subject)
{
  GtkTextIter from, to;
  g_autofree char *text = NULL;

  if (!g_str_equal (response, "save") || lc_session_get_opened (subject->session) != subject->opened)
    return;
  gtk_text_buffer_get_bounds (subject->text, &from, &to);
  text = g_strstrip (gtk_text_buffer_get_text (subject->text, &from, &to, FALSE));
  lc_session_annotate (subject->session, subject->process, subject->ordinal, text);
}

static void
mark_dialog_open_note (GtkWidget *widget, const char *action, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  const LcHistoryEvent *event = lc_session_get_event (session);
  GtkWidget *dialog, *scrolled, *view;
  const char *note;
  MarkSubject *subject;
  g_autofree char *title = NULL;

  if (event == NULL)
    {
      lc_session_tell (session, _ ("Select an event first: a note can then be written on it."));
      return;
    }
  subject = mark_dialog_new_subject (session);
  note = lc_marks_get_note (lc_session_get_marks (session), event);
  title = mark_dialog_dup_title (session);
  dialog = adw_message_dialog_new (GTK_WINDOW (widget), _ ("Note"), NULL);
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog), title);
  view = gtk_text_view_new ();
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  lc_accessible_show (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("The note on the event"));
  subject->text = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_buffer_set_text (subject->text, note != NULL ? note : "", -1);
  scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 120);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_add_css_class (scrolled, "note");
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), scrolled);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (mark_dialog_on_noted), subject);
  g_object_set_data_full (G_OBJECT (dialog), "lc-subject", subject, mark_dialog_free_subject);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (view);
}

void
lc_mark_dialog_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.mark", NULL, mark_dialog_open);
  gtk_widget_class_install_action (class, "win.note", NULL, mark_dialog_open_note);
}
