/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of the longest waits, each with the place that it leads to. */
#include "app/inspect/waits-panel.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/job.h"
#include "app/session/listed.h"
#include "app/inspect/longest-waits.h"
#include "app/pane.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  DELAY = 300, /* ms after the last move of the span, which usually moves several times in a row */
};

struct _LcWaitsPanel
{
  GtkBox parent;

  LcSession *session;
  GtkDropDown *by;
  GtkToggleButton *in_view;
  GtkProgressBar *progress;
  GtkStack *pages;
  GtkBox *list_box;
  GtkLabel *note;

  GListStore *waits;
  LcJob *job;
  LcPane *pane;
};

G_DEFINE_FINAL_TYPE (LcWaitsPanel, lc_waits_panel, GTK_TYPE_BOX)

/* --- Results ----------------------------------------------------------------------------------------------------- */

static void
show_progress (gpointer owner, double fraction)
{
  LcWaitsPanel *panel = owner;

  gtk_widget_set_visible (GTK_WIDGET (panel->progress), TRUE);
  gtk_progress_bar_set_fraction (panel->progress, fraction);
}

static void
on_waits (gpointer owner, gpointer result, const GError *error)
{
  LcWaitsPanel *panel = owner;
  LcLongestWaits *waits = result;
  g_autofree char *count = NULL, *all = NULL, *text = NULL;
  guint n;

  gtk_widget_set_visible (GTK_WIDGET (panel->progress), FALSE);
  if (waits == NULL)
    {
      lc_session_tell (panel->session, error->message);
      return;
    }
  n = waits->rows->len;
  lc_listed_fill (panel->waits, waits->rows);
  count = lc_format_count (n);
  all = gtk_drop_down_get_selected (panel->by) != LC_LONGEST_WAITS_EACH
            ? g_strdup_printf (ngettext ("%s group of waits", "%s groups of waits", n), count)
        : n < LC_LONGEST_WAITS ? g_strdup_printf (ngettext ("%s wait", "%s waits", n), count)
                               : g_strdup_printf (_ ("The longest %s waits"), count);
  text = waits->has_no_joins ? g_strdup_printf (_ ("%s, without joins of threads"), all) : g_steal_pointer (&all);
  lc_label_show (panel->note, text);
  lc_tooltip_show (GTK_WIDGET (panel->note), text);
  gtk_stack_set_visible_child_name (panel->pages, n > 0 ? "list" : "empty");
  lc_longest_waits_free (waits);
}

static void
waits_panel_look (gpointer owner)
{
  LcWaitsPanel *panel = owner;
  const LcShown *shown = lc_session_get_shown (panel->session);
  gboolean in_view = gtk_toggle_button_get_active (panel->in_view);

  lc_job_stop (panel->job);
  if (shown == NULL)
    {
      g_list_store_remove_all (panel->waits);
      return;
    }
  lc_job_start (panel->job, lc_longest_waits_list,
                lc_longest_waits_ask (panel->session, gtk_drop_down_get_selected (panel->by), in_view),
                lc_longest_waits_asked_free);
}

/* --- When to search ---------------------------------------------------------------------------------------------- */

enum
{
  MATTERS = LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES | LC_CHANGED_ROWS | LC_CHANGED_FILTER,
};

static void
waits_panel_on_changed (LcSession *session, guint what, LcWaitsPanel *panel)
{
  const LcShown *shown = lc_session_get_shown (session);

  /* Waits cannot be searched by phase time. */
  gtk_widget_set_sensitive (GTK_WIDGET (panel->in_view), shown == NULL || shown->selection.time != LC_SCENE_PHASE);
  if ((what & (LC_CHANGED_SPAN | LC_CHANGED_TIME)) != 0 && (what & MATTERS) == 0 &&
      gtk_toggle_button_get_active (panel->in_view))
    lc_pane_spoil_soon (panel->pane, DELAY);
}

static void
on_toggled (LcWaitsPanel *panel)
{
  lc_pane_spoil (panel->pane);
}

static GPtrArray *
waits_panel_open (gpointer owner, LcListed *listed)
{
  LcWaitsPanel *panel = owner;
  g_autoptr (GError) error = NULL;
  GPtrArray *rows = lc_longest_waits_open (panel->session, listed, &error);

  if (rows == NULL)
    lc_session_tell (panel->session, error->message);
  return rows;
}

static void
waits_panel_go_to (gpointer owner, LcListed *listed)
{
  lc_session_select (LC_WAITS_PANEL (owner)->session, listed->event.process, listed->event.ordinal, TRUE);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_waits_panel_dispose (GObject *object)
{
  LcWaitsPanel *panel = LC_WAITS_PANEL (object);

  g_clear_pointer (&panel->pane, lc_pane_free);
  g_clear_pointer (&panel->job, lc_job_free);
  g_clear_object (&panel->waits);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_waits_panel_parent_class)->dispose (object);
}

static void
lc_waits_panel_class_init (LcWaitsPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_waits_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "waits-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcWaitsPanel, by);
  gtk_widget_class_bind_template_child (widget, LcWaitsPanel, in_view);
  gtk_widget_class_bind_template_child (widget, LcWaitsPanel, progress);
  gtk_widget_class_bind_template_child (widget, LcWaitsPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcWaitsPanel, list_box);
  gtk_widget_class_bind_template_child (widget, LcWaitsPanel, note);
  gtk_widget_class_bind_template_callback (widget, on_toggled);
}

static void
lc_waits_panel_init (LcWaitsPanel *panel)
{
  panel->waits = g_list_store_new (LC_TYPE_LISTED);
  panel->job = lc_job_new (panel, on_waits, show_progress, (GDestroyNotify)lc_longest_waits_free);
  gtk_widget_init_template (GTK_WIDGET (panel));
}

GtkWidget *
lc_waits_panel_new (LcSession *session)
{
  LcWaitsPanel *panel = g_object_new (LC_TYPE_WAITS_PANEL, NULL);

  panel->session = g_object_ref (session);
  gtk_box_append (panel->list_box,
                  lc_listed_tree_new (g_object_ref (G_LIST_MODEL (panel->waits)), _ ("The longest waits"),
                                      waits_panel_open, waits_panel_go_to, panel));
  panel->pane = lc_pane_new (panel, session, MATTERS, waits_panel_look);
  g_signal_connect_object (session, "changed", G_CALLBACK (waits_panel_on_changed), panel, 0);
  waits_panel_on_changed (session, LC_CHANGED_ALL, panel);
  return GTK_WIDGET (panel);
}
