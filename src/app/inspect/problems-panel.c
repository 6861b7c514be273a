/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of problems of the trace, each with the place that it leads to. */
#include "app/inspect/problems-panel.h"

#include <glib/gi18n.h>

#include "app/pane.h"
#include "app/names.h"
#include "app/shell.h"
#include "app/session/listed.h"
#include "app/inspect/problems.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

struct _LcProblemsPanel
{
  GtkBox parent;

  LcSession *session;
  GtkStack *pages;
  GtkBox *list_box;
  GtkLabel *note;
  GtkSpinner *spinner;
  LcPane *pane;
};

G_DEFINE_FINAL_TYPE (LcProblemsPanel, lc_problems_panel, GTK_TYPE_BOX)

/* Returns a text like "2 problems, 3 notes". */
static char *
tell_notes (LcProblems *problems, const char *bad)
{
  guint64 notes = lc_problems_get_n_notes (problems);
  g_autofree char *count = lc_format_count (notes), *text = NULL;

  if (notes == 0)
    return g_strdup (bad);
  text = g_strdup_printf (ngettext ("%s note", "%s notes", notes), count);
  return g_strdup_printf (_ ("%s, %s"), bad, text);
}

static void
problems_panel_show_found (gpointer owner)
{
  LcProblemsPanel *panel = owner;
  LcProblems *problems = lc_problems_of (panel->session);
  guint n = g_list_model_get_n_items (lc_problems_get_list (problems));
  guint64 wrong = lc_problems_get_n_wrong (problems);
  g_autofree char *count = lc_format_count (wrong);
  g_autofree char *bad = g_strdup_printf (ngettext ("%s problem", "%s problems", wrong), count), *text = NULL;
  gboolean looking = lc_problems_is_looking (problems);

  text = tell_notes (problems, bad);
  lc_label_show (panel->note, looking ? _ ("Looking for problems…") : text);
  gtk_spinner_set_spinning (panel->spinner, looking);
  gtk_stack_set_visible_child_name (panel->pages, n > 0 || looking ? "list" : "empty");
}

static void
problems_panel_on_changed (LcProblemsPanel *panel)
{
  lc_pane_spoil (panel->pane);
}

static void
problems_panel_go_to (gpointer owner, LcListed *listed)
{
  lc_problems_go_to (lc_problems_of (LC_PROBLEMS_PANEL (owner)->session), listed);
}

static void
lc_problems_panel_dispose (GObject *object)
{
  LcProblemsPanel *panel = LC_PROBLEMS_PANEL (object);

  g_clear_pointer (&panel->pane, lc_pane_free);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_problems_panel_parent_class)->dispose (object);
}

static void
lc_problems_panel_class_init (LcProblemsPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_problems_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "problems-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcProblemsPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcProblemsPanel, list_box);
  gtk_widget_class_bind_template_child (widget, LcProblemsPanel, note);
  gtk_widget_class_bind_template_child (widget, LcProblemsPanel, spinner);
}

static void
lc_problems_panel_init (LcProblemsPanel *panel)
{
  gtk_widget_init_template (GTK_WIDGET (panel));
}

GtkWidget *
lc_problems_panel_new (LcSession *session)
{
  LcProblemsPanel *panel = g_object_new (LC_TYPE_PROBLEMS_PANEL, NULL);
  LcProblems *problems = lc_problems_of (session);

  panel->session = g_object_ref (session);
  gtk_box_append (panel->list_box, lc_listed_view_new (g_object_ref (lc_problems_get_list (problems)), _ ("Problems"),
                                                       problems_panel_go_to, panel));
  panel->pane = lc_pane_new (panel, session, 0, problems_panel_show_found);
  g_signal_connect_object (problems, "changed", G_CALLBACK (problems_panel_on_changed), panel, G_CONNECT_SWAPPED);
  return GTK_WIDGET (panel);
}

static void
problems_panel_show (GtkWidget *widget, const char *name, GVariant *parameter)
{
  lc_shell_show_panel (LC_SHELL (widget), "problems");
}

void
lc_problems_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.problems", NULL, problems_panel_show);
}
