/* SPDX-License-Identifier: Apache-2.0 */
/* The inspector: the report on the selected event, with links to its predecessors and successors. */
#include "app/inspect/inspector.h"

#include "app/names.h"
#include "app/inspect/inspector-parts.h"
#include "app/job.h"
#include "app/pane.h"
#include "app/shown-text.h"

struct _LcInspector
{
  GtkBox parent;

  LcSession *session;
  GtkBox *content;
  GtkBox *relation;
  GtkLabel *cone;
  GtkWidget *cones;
  GtkWidget *copy;
  GtkToggleButton *pin;
  GtkToggleButton *breakpoint;
  GtkSpinner *spinner;

  LcJob *event_job;
  LcJob *facts_job;
  LcJob *relation_job;
  LcEventReport *report;
  LcEventName pinned; /* on the measured timeline; process LC_TRACE_NONE: no event is pinned */
  LcPane *pane;
};

G_DEFINE_FINAL_TYPE (LcInspector, lc_inspector, GTK_TYPE_BOX)

static void
clear (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

/* If the focus is on a link, the new report focuses its first link, so that the user can go on by keyboard. */
static gboolean
has_focus (LcInspector *inspector)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (inspector));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (inspector->content));
}

/* --- Results ----------------------------------------------------------------------------------------------------- */

static void
inspector_tell_error (LcInspector *inspector, const GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    lc_session_tell (inspector->session, error->message);
}

static void
show_event (gpointer owner, gpointer result, const GError *error)
{
  LcInspector *inspector = owner;
  gboolean focused = has_focus (inspector);

  gtk_spinner_stop (inspector->spinner);
  if (result == NULL)
    {
      inspector_tell_error (inspector, error);
      return;
    }
  g_clear_pointer (&inspector->report, lc_event_report_free);
  inspector->report = result;
  clear (inspector->content);
  lc_inspector_add_event (inspector->content, inspector->session, inspector->report);
  gtk_widget_set_sensitive (inspector->copy, TRUE);
  if (focused)
    gtk_widget_child_focus (GTK_WIDGET (inspector->content), GTK_DIR_TAB_FORWARD);
}

static void
show_facts (gpointer owner, gpointer result, const GError *error)
{
  LcInspector *inspector = owner;
  GPtrArray *facts = result;

  clear (inspector->content);
  lc_inspector_add_history (inspector->content, facts);
  if (facts != NULL)
    g_ptr_array_unref (facts);
  else
    inspector_tell_error (inspector, error);
}

static void
show_relation (gpointer owner, gpointer result, const GError *error)
{
  LcInspector *inspector = owner;

  clear (inspector->relation);
  if (result == NULL)
    {
      inspector_tell_error (inspector, error);
      return;
    }
  lc_inspector_add_relation (inspector->relation, inspector->session, result);
  lc_relation_report_free (result);
}

/* Starts the spinner only after the first tick: most reports come sooner. */
static void
show_work (gpointer owner, double fraction)
{
  gtk_spinner_start (LC_INSPECTOR (owner)->spinner);
}

/* --- Looking ----------------------------------------------------------------------------------------------------- */

static void
look_for_relation (LcInspector *inspector)
{
  const LcHistoryEvent *event = lc_session_get_event (inspector->session);
  LcEventName selected;
  LcRelationAsked *asked;

  lc_job_stop (inspector->relation_job);
  if (event != NULL)
    selected = (LcEventName){.process = event->origin_process, .ordinal = event->origin_ordinal};
  if (event == NULL || inspector->pinned.process == LC_TRACE_NONE ||
      (selected.process == inspector->pinned.process && selected.ordinal == inspector->pinned.ordinal))
    {
      clear (inspector->relation);
      return;
    }
  asked = g_new0 (LcRelationAsked, 1);
  asked->opened = lc_opened_ref (lc_session_get_opened (inspector->session));
  asked->timeline = lc_session_get_shown (inspector->session)->timeline;
  asked->pinned = inspector->pinned;
  asked->selected = selected;
  lc_job_start (inspector->relation_job, lc_relation_report_new, asked, lc_relation_asked_free);
}

static void
look_for_event (LcInspector *inspector)
{
  gboolean selected = lc_session_has_selection (inspector->session);

  lc_job_stop (inspector->event_job);
  lc_job_stop (inspector->facts_job);
  gtk_spinner_stop (inspector->spinner);
  if (!selected)
    {
      g_clear_pointer (&inspector->report, lc_event_report_free);
      gtk_widget_set_sensitive (inspector->copy, FALSE);
    }
  if (lc_session_get_shown (inspector->session) == NULL)
    {
      clear (inspector->content);
      return;
    }
  if (selected)
    lc_job_start (inspector->event_job, lc_event_report_new, lc_event_asked_new (inspector->session),
                  lc_event_asked_free);
  else
    lc_job_start (inspector->facts_job, lc_history_facts_new, lc_event_asked_new (inspector->session),
                  lc_event_asked_free);
}

/* Describes the highlighted cone, which may belong to an event that was selected before. */
static void
show_cone (LcInspector *inspector)
{
  const LcShown *shown = lc_session_get_shown (inspector->session);
  g_autofree char *text = shown != NULL ? lc_relation_dup_cone (shown) : NULL;

  gtk_widget_set_visible (inspector->cones, lc_session_has_selection (inspector->session));
  gtk_widget_set_visible (GTK_WIDGET (inspector->cone), text != NULL);
  lc_label_show (inspector->cone, text != NULL ? text : "");
}

static void
inspector_show_breakpoint (LcInspector *inspector)
{
  const LcHistoryEvent *event = lc_session_get_event (inspector->session);

  gtk_widget_set_sensitive (GTK_WIDGET (inspector->breakpoint), event != NULL);
  gtk_toggle_button_set_active (
      inspector->breakpoint,
      event != NULL && lc_session_has_breakpoint (inspector->session, event->origin_process, event->origin_ordinal));
}

enum
{
  MATTERS = LC_CHANGED_HISTORY | LC_CHANGED_SELECTION | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES,
};

static void
inspector_look (gpointer panel)
{
  LcInspector *inspector = panel;

  look_for_event (inspector);
  look_for_relation (inspector);
}

static void
inspector_on_changed (LcSession *session, guint what, LcInspector *inspector)
{
  if ((what & LC_CHANGED_HISTORY) != 0)
    inspector->pinned.process = LC_TRACE_NONE;
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_SELECTION)) != 0)
    {
      const LcHistoryEvent *event = lc_session_get_event (session);

      gtk_widget_set_sensitive (GTK_WIDGET (inspector->pin),
                                event != NULL || inspector->pinned.process != LC_TRACE_NONE);
      gtk_toggle_button_set_active (inspector->pin, inspector->pinned.process != LC_TRACE_NONE);
    }
  if ((what & (MATTERS | LC_CHANGED_BREAKPOINTS)) != 0)
    inspector_show_breakpoint (inspector);
  if ((what & (MATTERS | LC_CHANGED_HIGHLIGHT | LC_CHANGED_FOUND)) != 0)
    show_cone (inspector);
}

/* --- Buttons ----------------------------------------------------------------------------------------------------- */

static void
inspector_copy (GtkButton *button, LcInspector *inspector)
{
  g_autofree char *text = lc_event_report_dup_text (inspector->report);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (inspector)), text);
}

static void
toggle_pin (GtkToggleButton *button, LcInspector *inspector)
{
  const LcHistoryEvent *event = lc_session_get_event (inspector->session);
  gboolean pinned = inspector->pinned.process != LC_TRACE_NONE;

  if (gtk_toggle_button_get_active (button) == pinned)
    return;
  inspector->pinned.process = LC_TRACE_NONE;
  if (!pinned && event != NULL)
    inspector->pinned = (LcEventName){.process = event->origin_process, .ordinal = event->origin_ordinal};
  gtk_widget_set_sensitive (GTK_WIDGET (button), event != NULL);
  look_for_relation (inspector);
}

static void
inspector_toggle_breakpoint (GtkToggleButton *button, LcInspector *inspector)
{
  const LcHistoryEvent *event = lc_session_get_event (inspector->session);

  if (event != NULL)
    lc_session_set_breakpoint (inspector->session, event->origin_process, event->origin_ordinal,
                               gtk_toggle_button_get_active (button));
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_inspector_dispose (GObject *object)
{
  LcInspector *inspector = LC_INSPECTOR (object);

  g_clear_pointer (&inspector->pane, lc_pane_free);
  g_clear_pointer (&inspector->event_job, lc_job_free);
  g_clear_pointer (&inspector->facts_job, lc_job_free);
  g_clear_pointer (&inspector->relation_job, lc_job_free);
  g_clear_pointer (&inspector->report, lc_event_report_free);
  g_clear_object (&inspector->session);
  G_OBJECT_CLASS (lc_inspector_parent_class)->dispose (object);
}

static void
lc_inspector_class_init (LcInspectorClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_inspector_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "inspector.ui");
  gtk_widget_class_bind_template_child (widget, LcInspector, content);
  gtk_widget_class_bind_template_child (widget, LcInspector, relation);
  gtk_widget_class_bind_template_child (widget, LcInspector, cone);
  gtk_widget_class_bind_template_child (widget, LcInspector, cones);
  gtk_widget_class_bind_template_child (widget, LcInspector, copy);
  gtk_widget_class_bind_template_child (widget, LcInspector, pin);
  gtk_widget_class_bind_template_child (widget, LcInspector, breakpoint);
  gtk_widget_class_bind_template_child (widget, LcInspector, spinner);
  gtk_widget_class_bind_template_callback (widget, inspector_copy);
  gtk_widget_class_bind_template_callback (widget, toggle_pin);
  gtk_widget_class_bind_template_callback (widget, inspector_toggle_breakpoint);
}

static void
lc_inspector_init (LcInspector *inspector)
{
  inspector->pinned.process = LC_TRACE_NONE;
  inspector->event_job = lc_job_new (inspector, show_event, show_work, lc_event_report_free);
  inspector->facts_job = lc_job_new (inspector, show_facts, NULL, (GDestroyNotify)g_ptr_array_unref);
  inspector->relation_job = lc_job_new (inspector, show_relation, NULL, lc_relation_report_free);
  gtk_widget_init_template (GTK_WIDGET (inspector));
}

GtkWidget *
lc_inspector_new (LcSession *session)
{
  LcInspector *inspector = g_object_new (LC_TYPE_INSPECTOR, NULL);

  inspector->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (inspector_on_changed), inspector, 0);
  inspector_on_changed (session, LC_CHANGED_ALL, inspector);
  inspector->pane = lc_pane_new (inspector, session, MATTERS, inspector_look);
  return GTK_WIDGET (inspector);
}
