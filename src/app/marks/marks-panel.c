/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of marks and notes. */
#include "app/marks/marks-panel.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/button-names.h"
#include "app/marks/mark-row.h"
#include "app/session/listed.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  MOST_SETS = 200, /* names that have a row */
};

struct _LcMarksPanel
{
  GtkBox parent;

  LcSession *session;
  GtkStack *pages;
  GtkListBox *sets;
  GtkLabel *more;
  GtkLabel *apart;
  GtkBox *notes;
  GListStore *noted; /* LcListed, one for each annotation */
};

G_DEFINE_FINAL_TYPE (LcMarksPanel, lc_marks_panel, GTK_TYPE_BOX)

/* --- Sets -------------------------------------------------------------------------------------------------------- */

/* Rows are kept, because one of them may have the keyboard focus. */
static void
marks_panel_show_sets (LcMarksPanel *panel, const GArray *sets)
{
  guint n = MIN (sets->len, MOST_SETS);
  GtkListBoxRow *row;

  for (guint i = 0; i < n; i++)
    {
      row = gtk_list_box_get_row_at_index (panel->sets, (int)i);
      if (row == NULL)
        {
          row = GTK_LIST_BOX_ROW (lc_mark_row_new (panel->session));
          lc_name_buttons (GTK_WIDGET (row));
          gtk_list_box_append (panel->sets, GTK_WIDGET (row));
        }
      lc_mark_row_set (LC_MARK_ROW (row), &g_array_index (sets, LcMarkSet, i));
    }
  while ((row = gtk_list_box_get_row_at_index (panel->sets, (int)n)) != NULL)
    gtk_list_box_remove (panel->sets, GTK_WIDGET (row));
  g_autofree char *count = lc_format_count (sets->len - n);
  g_autofree char *text = g_strdup_printf (ngettext ("and %s more name", "and %s more names", sets->len - n), count);

  gtk_widget_set_visible (GTK_WIDGET (panel->more), sets->len > n);
  lc_label_show (panel->more, text);
  gtk_widget_set_visible (GTK_WIDGET (panel->sets), n > 0);
}

static void
marks_panel_go_on (GtkListBox *list, GtkListBoxRow *row, LcMarksPanel *panel)
{
  lc_mark_row_step (LC_MARK_ROW (row), FALSE);
}

/* --- Notes ------------------------------------------------------------------------------------------------------- */

static LcListed *
marks_panel_list_note (LcMarksPanel *panel, const LcAnnotation *annotation, guint number)
{
  LcHistory *history = lc_session_get_history (panel->session);
  g_autofree char *process = NULL, *ordinal = lc_format_count (annotation->ordinal);
  LcListed *listed;

  if (annotation->process < lc_history_get_n_processes (history))
    process = lc_format_text (lc_history_get_process (history, annotation->process)->name);
  listed = lc_listed_new (g_strdup (annotation->text),
                          g_strdup_printf (_ ("%s, event %s"), process != NULL ? process : "?", ordinal), NULL);
  listed->wraps = TRUE;
  listed->share = -1;
  listed->number = number;
  return listed;
}

static void
marks_panel_show_notes (LcMarksPanel *panel, const LcMarks *marks)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; marks != NULL && i < marks->annotations->len; i++)
    g_ptr_array_add (list, marks_panel_list_note (panel, &g_array_index (marks->annotations, LcAnnotation, i), i));
  lc_listed_fill (panel->noted, list);
  gtk_widget_set_visible (GTK_WIDGET (panel->notes), list->len > 0);
}

static void
marks_panel_on_note (gpointer owner, LcListed *listed)
{
  LcMarksPanel *panel = owner;
  const LcMarks *marks = lc_session_get_marks (panel->session);
  const LcShown *shown = lc_session_get_shown (panel->session);
  const LcAnnotation *annotation;
  g_autoptr (GError) error = NULL;
  guint32 process;
  guint64 ordinal;

  if (marks == NULL || listed->number >= marks->annotations->len)
    return;
  annotation = &g_array_index (marks->annotations, LcAnnotation, (guint)listed->number);
  if (lc_history_locate (shown->opened->history, shown->timeline, annotation->process, annotation->ordinal, &process,
                         &ordinal, &error))
    lc_session_select (panel->session, process, ordinal, TRUE);
  else
    lc_session_tell (panel->session, error->message);
}

/* --- The panel --------------------------------------------------------------------------------------------------- */

static void
marks_panel_refresh (LcMarksPanel *panel)
{
  const LcMarks *marks = lc_session_get_marks (panel->session);
  g_autoptr (GArray) sets = lc_mark_sets_list (marks);

  marks_panel_show_sets (panel, sets);
  marks_panel_show_notes (panel, marks);
  gtk_stack_set_visible_child_name (
      panel->pages, sets->len > 0 || g_list_model_get_n_items (G_LIST_MODEL (panel->noted)) > 0 ? "list" : "empty");
}

static void
marks_panel_on_changed (LcSession *session, guint what, LcMarksPanel *panel)
{
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_MARKS)) != 0)
    marks_panel_refresh (panel);
  if ((what & LC_CHANGED_TIMELINE) != 0)
    gtk_widget_set_visible (GTK_WIDGET (panel->apart), lc_session_get_share (session) >= 0);
}

static void
lc_marks_panel_dispose (GObject *object)
{
  LcMarksPanel *panel = LC_MARKS_PANEL (object);

  g_clear_object (&panel->noted);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_marks_panel_parent_class)->dispose (object);
}

static void
lc_marks_panel_class_init (LcMarksPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_marks_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "marks-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcMarksPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcMarksPanel, sets);
  gtk_widget_class_bind_template_child (widget, LcMarksPanel, more);
  gtk_widget_class_bind_template_child (widget, LcMarksPanel, apart);
  gtk_widget_class_bind_template_child (widget, LcMarksPanel, notes);
  gtk_widget_class_bind_template_callback (widget, marks_panel_go_on);
}

static void
lc_marks_panel_init (LcMarksPanel *panel)
{
  GtkWidget *view;

  gtk_widget_init_template (GTK_WIDGET (panel));
  panel->noted = g_list_store_new (LC_TYPE_LISTED);
  view = lc_listed_view_new (g_object_ref (G_LIST_MODEL (panel->noted)), _ ("Notes"), marks_panel_on_note, panel);
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (panel->notes, view);
}

GtkWidget *
lc_marks_panel_new (LcSession *session)
{
  LcMarksPanel *panel = g_object_new (LC_TYPE_MARKS_PANEL, NULL);

  panel->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (marks_panel_on_changed), panel, 0);
  marks_panel_on_changed (session, LC_CHANGED_ALL, panel);
  return GTK_WIDGET (panel);
}
