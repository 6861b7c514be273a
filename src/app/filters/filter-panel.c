/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of filters, which select the events to show. */
#include "app/filters/filter-panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/names.h"
#include "app/filters/filter-actions.h"
#include "app/filters/filter-list.h"
#include "trace/quantities.h"

struct _LcFilterPanel
{
  GtkWidget parent;

  GtkRevealer *active;
  GtkEntry *wait;
  GtkScale *scale;
  GtkEntry *slack;
  GtkWidget *called_title;
  GtkEntry *called;
  GtkSwitch *holding;
  GtkSwitch *arcs;
  GtkStack *pages;

  LcSession *session;
  gboolean filling; /* signals of the widgets do not come from the user */
};

G_DEFINE_FINAL_TYPE (LcFilterPanel, lc_filter_panel, GTK_TYPE_WIDGET)

/* The scale goes in thirds of powers of ten: 0 is all events, 1 is 1 ns, 31 is 10 s. */
static guint64
get_wait (double place)
{
  static const guint64 thirds[] = {1, 2, 5};
  guint step = (guint)lround (place);

  return step == 0 ? 0 : thirds[(step - 1) % 3] * (guint64)llround (pow (10, (step - 1) / 3));
}

static double
filter_panel_get_place (guint64 wait)
{
  guint step = 0;

  while (step < 31 && get_wait (step) < wait)
    step++;
  return step;
}

static void
show_wait (LcFilterPanel *panel, guint64 wait)
{
  g_autofree char *text = wait > 0 ? lc_format_duration (wait) : g_strdup ("");
  guint64 said = 0;

  panel->filling = TRUE;
  /* The typed text stays if it means the same duration. */
  if (!lc_parse_time (gtk_editable_get_text (GTK_EDITABLE (panel->wait)), &said) || said != wait)
    gtk_editable_set_text (GTK_EDITABLE (panel->wait), text);
  gtk_range_set_value (GTK_RANGE (panel->scale), filter_panel_get_place (wait));
  gtk_widget_remove_css_class (GTK_WIDGET (panel->wait), "error");
  panel->filling = FALSE;
}

static void
set_wait (LcFilterPanel *panel, guint64 wait)
{
  LcShown *shown = lc_session_get_shown (panel->session);

  if (shown == NULL || shown->selection.filters.least_wait == wait)
    return;
  shown = lc_shown_copy (shown);
  shown->selection.filters.least_wait = wait;
  lc_session_show (panel->session, shown);
}

/* FALSE: what was typed is no time, and the user has been told. */
static gboolean
filter_panel_read_time (LcFilterPanel *panel, GtkEntry *entry, gboolean *is_given, guint64 *time)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));

  *is_given = *text != '\0';
  if (*is_given && !lc_parse_time (text, time))
    {
      gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
      lc_session_tell (panel->session, _ ("This is no duration: for example 1 ms, 20 us, 500 ns."));
      return FALSE;
    }
  gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
  return TRUE;
}

static void
on_wait_entered (LcFilterPanel *panel)
{
  gboolean is_given;
  guint64 wait = 0;

  if (filter_panel_read_time (panel, panel->wait, &is_given, &wait))
    set_wait (panel, is_given ? wait : 0);
}

static void
on_scaled (LcFilterPanel *panel)
{
  if (!panel->filling)
    set_wait (panel, get_wait (gtk_range_get_value (GTK_RANGE (panel->scale))));
}

static void
filter_panel_show_slack (LcFilterPanel *panel, const LcFilters *filters)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (panel->slack));
  g_autofree char *text = filters->slacks == NULL ? g_strdup ("") : lc_format_duration (filters->most_slack);
  guint64 said = 0;

  /* The typed text stays if it means the same duration. */
  if (filters->slacks == NULL || !lc_parse_time (typed, &said) || said != filters->most_slack)
    gtk_editable_set_text (GTK_EDITABLE (panel->slack), text);
  gtk_widget_remove_css_class (GTK_WIDGET (panel->slack), "error");
}

static void
on_slack_entered (LcFilterPanel *panel)
{
  LcShown *shown = lc_session_get_shown (panel->session);
  gboolean is_given;
  guint64 most = 0;

  if (!filter_panel_read_time (panel, panel->slack, &is_given, &most) || shown == NULL)
    return;
  if (is_given == (shown->selection.filters.slacks != NULL) &&
      (!is_given || most == shown->selection.filters.most_slack))
    return;
  shown = lc_shown_copy (shown);
  lc_shown_set_slack (shown, is_given, most);
  lc_session_show (panel->session, shown);
}

/* A trace that does not say where its events are has no such filter. */
static void
show_called (LcFilterPanel *panel, const LcShown *shown)
{
  gboolean any = lc_history_get_n_sites (shown->opened->history) > 0;

  gtk_widget_set_visible (panel->called_title, any);
  gtk_widget_set_visible (GTK_WIDGET (panel->called), any);
  gtk_editable_set_text (GTK_EDITABLE (panel->called), shown->selection.filters.called != NULL
                                                           ? lc_called_get_place (shown->selection.filters.called)
                                                           : "");
  gtk_widget_remove_css_class (GTK_WIDGET (panel->called), "error");
}

static void
on_called_entered (LcFilterPanel *panel)
{
  g_autofree char *place = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (panel->called))));
  LcShown *shown = lc_session_get_shown (panel->session);

  if (shown == NULL ||
      g_strcmp0 (place, shown->selection.filters.called != NULL ? lc_called_get_place (shown->selection.filters.called)
                                                                : "") == 0)
    {
      gtk_widget_remove_css_class (GTK_WIDGET (panel->called), "error");
      return;
    }
  if (lc_filter_call (panel->session, place))
    gtk_widget_remove_css_class (GTK_WIDGET (panel->called), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (panel->called), "error");
}

static void
on_switched (LcFilterPanel *panel)
{
  LcShown *shown = lc_session_get_shown (panel->session);

  if (panel->filling || shown == NULL)
    return;
  shown = lc_shown_copy (shown);
  shown->selection.hide_holding = !gtk_switch_get_active (panel->holding);
  shown->selection.hide_arcs = !gtk_switch_get_active (panel->arcs);
  lc_session_show (panel->session, shown);
}

static void
filter_panel_on_changed (LcSession *session, guint what, LcFilterPanel *panel)
{
  const LcShown *shown = lc_session_get_shown (session);

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_FILTER)) == 0 || shown == NULL)
    return;
  show_wait (panel, shown->selection.filters.least_wait);
  filter_panel_show_slack (panel, &shown->selection.filters);
  show_called (panel, shown);
  panel->filling = TRUE;
  gtk_switch_set_active (panel->holding, !shown->selection.hide_holding);
  gtk_switch_set_active (panel->arcs, !shown->selection.hide_arcs);
  panel->filling = FALSE;
  gtk_revealer_set_reveal_child (panel->active, lc_filter_is_active (shown));
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_filter_panel_dispose (GObject *object)
{
  LcFilterPanel *panel = LC_FILTER_PANEL (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (panel))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_filter_panel_parent_class)->dispose (object);
}

static void
lc_filter_panel_class_init (LcFilterPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_filter_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "filter-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, active);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, wait);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, scale);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, slack);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, called_title);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, called);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, holding);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, arcs);
  gtk_widget_class_bind_template_child (widget, LcFilterPanel, pages);
  gtk_widget_class_bind_template_callback (widget, on_wait_entered);
  gtk_widget_class_bind_template_callback (widget, on_scaled);
  gtk_widget_class_bind_template_callback (widget, on_slack_entered);
  gtk_widget_class_bind_template_callback (widget, on_called_entered);
  gtk_widget_class_bind_template_callback (widget, on_switched);
}

static void
lc_filter_panel_init (LcFilterPanel *panel)
{
  gtk_widget_init_template (GTK_WIDGET (panel));
}

static void
add_page (LcFilterPanel *panel, const char *name, const LcFilterKind *kind)
{
  gtk_stack_add_titled (panel->pages, lc_filter_list_new (panel->session, kind), name, _ (kind->title));
}

GtkWidget *
lc_filter_panel_new (LcSession *session)
{
  LcFilterPanel *panel = g_object_new (LC_TYPE_FILTER_PANEL, NULL);

  panel->session = g_object_ref (session);
  add_page (panel, "operations", &lc_filter_operations);
  add_page (panel, "objects", &lc_filter_objects);
  add_page (panel, "marks", &lc_filter_marks);
  g_signal_connect_object (session, "changed", G_CALLBACK (filter_panel_on_changed), panel, 0);
  filter_panel_on_changed (session, LC_CHANGED_ALL, panel);
  return GTK_WIDGET (panel);
}
