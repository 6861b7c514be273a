/* SPDX-License-Identifier: Apache-2.0 */
/* The table of events: those of the shown processes, in view or in the whole run, filtered by typing. */
#include "app/tables/events-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/names.h"
#include "app/pane.h"
#include "app/shell.h"
#include "app/settings.h"
#include "app/shown-text.h"
#include "app/tables/events-source.h"
#include "app/tables/table-view.h"
#include "trace/quantities.h"

enum
{
  SOON = 150, /* ms from the last change of what is in view to the next look */
};

struct _LcEventsPanel
{
  GtkBox parent;

  LcSession *session;
  GtkSearchEntry *filter;
  GtkToggleButton *in_view;
  GtkDropDown *order;
  GtkToggleButton *descending;
  GtkEntry *time;
  GtkSpinner *spinner;
  GtkLabel *state;
  GtkBox *buttons;
  GtkStack *pages;
  AdwStatusPage *nothing;
  LcTableView *table;

  LcJob *finding;
  LcJob *placing;
  LcSearchNames *names; /* of the history, or NULL */
  LcPane *pane;
  gboolean is_set;    /* the columns are those of the settings */
  gboolean is_sorted; /* what is looked for has been sorted or filtered anew: its first rows are what is asked for */
  gboolean stays_at_top;
  gboolean goes; /* what is placed is a time that the user asked for: its row is selected */
  gboolean is_setting;
  guint wanted; /* a chosen row that is still being read; G_MAXUINT: none */
};

G_DEFINE_FINAL_TYPE (LcEventsPanel, lc_events_panel, GTK_TYPE_BOX)

/* By LcEventsOrder: the column whose title sorts in that way. */
static const LcEventsColumn order_columns[LC_EVENTS_ORDERS] = {LC_EVENTS_PROCESS, LC_EVENTS_BEGIN, LC_EVENTS_LENGTH,
                                                               LC_EVENTS_WAITED, LC_EVENTS_SLACK};

/* --- Following the diagram ------------------------------------------------------------------------------------------
 */

/* Looks for the selected event, or for a time. */
static void
events_panel_place (LcEventsPanel *panel, gboolean is_time, guint64 time)
{
  LcTableSource *source = lc_table_model_get_source (lc_table_view_get_model (panel->table));
  LcEventsPlaceAsked *asked;

  panel->stays_at_top = panel->is_sorted;
  panel->is_sorted = FALSE;
  if (source == NULL)
    return;
  if (!is_time && !lc_session_has_selection (panel->session))
    {
      lc_job_stop (panel->placing);
      lc_table_view_clear_selection (panel->table);
      return;
    }
  asked = g_new0 (LcEventsPlaceAsked, 1);
  asked->source = lc_table_source_ref (source);
  asked->is_time = is_time;
  asked->time = time;
  lc_session_get_selection (panel->session, &asked->event);
  panel->goes = is_time;
  lc_job_start (panel->placing, lc_events_source_place, asked, lc_events_place_asked_free);
}

static void events_panel_choose (LcEventsPanel *panel, guint position);

static void
events_panel_on_placed (gpointer owner, gpointer result, const GError *error)
{
  LcEventsPanel *panel = owner;
  g_autofree guint64 *position = result;

  if (position == NULL)
    lc_session_tell (panel->session, error->message);
  else if (*position <
           MIN (lc_table_model_get_source (lc_table_view_get_model (panel->table))->n_rows, LC_TABLE_MOST_ROWS))
    {
      lc_table_view_select (panel->table, (guint)*position);
      if (!panel->stays_at_top)
        lc_table_view_scroll_to (panel->table, (guint)*position);
      if (panel->goes)
        events_panel_choose (panel, (guint)*position);
    }
  else
    {
      lc_table_view_clear_selection (panel->table);
      if (panel->goes)
        lc_session_tell (panel->session, _ ("No event of the table begins then or later."));
    }
}

/* --- What is listed --------------------------------------------------------------------------------------------------
 */

static void
events_panel_show_nothing (LcEventsPanel *panel, const char *title, const char *text)
{
  g_autofree char *escaped = lc_shown_dup_markup (text);

  adw_status_page_set_title (panel->nothing, title);
  adw_status_page_set_description (panel->nothing, escaped);
  gtk_stack_set_visible_child_name (panel->pages, "nothing");
}

/* Says how many events there are, and how many of them are listed. */
static void
events_panel_show_state (LcEventsPanel *panel, const LcEventsFound *found)
{
  guint64 listed = MIN (found->source->n_rows, LC_TABLE_MOST_ROWS);
  g_autofree char *count = lc_format_count (found->n_found), *rows = lc_format_count (listed), *text = NULL;

  if (listed < found->n_found)
    text = g_strdup_printf (_ ("the first %s of %s events"), rows, count);
  else
    text = g_strdup_printf (ngettext ("%s event", "%s events", (gulong)found->n_found), count);
  lc_label_show (panel->state, text);
  lc_tooltip_show (GTK_WIDGET (panel->state),
                   found->explanation != NULL && found->explanation[0] != '\0' ? found->explanation : text);
}

static void
events_panel_show_columns (LcEventsPanel *panel)
{
  g_autofree char *names = lc_settings_dup_string ("event-columns", "");

  if (!panel->is_set)
    lc_table_view_set_columns (panel->table, names);
  panel->is_set = TRUE;
}

static void
events_panel_on_found (gpointer owner, gpointer result, const GError *error)
{
  LcEventsPanel *panel = owner;
  LcEventsFound *found = result;

  gtk_spinner_set_spinning (panel->spinner, FALSE);
  panel->wanted = G_MAXUINT;
  if (found == NULL || found->problem != NULL)
    {
      lc_table_view_show (panel->table, NULL);
      lc_label_show (panel->state, "");
      events_panel_show_nothing (panel, _ ("Nothing is listed"), found != NULL ? found->problem : error->message);
    }
  else
    {
      lc_table_view_show (panel->table, found->source);
      lc_table_view_show_order (panel->table, order_columns[gtk_drop_down_get_selected (panel->order)],
                                gtk_toggle_button_get_active (panel->descending));
      events_panel_show_columns (panel);
      events_panel_show_state (panel, found);
      if (found->n_found == 0)
        events_panel_show_nothing (panel, _ ("No events"),
                                   gtk_toggle_button_get_active (panel->in_view)
                                       ? _ ("None of those in view fits. Zoom out, show more, or release “In view”.")
                                       : _ ("None of those that are shown fits."));
      else
        gtk_stack_set_visible_child_name (panel->pages, "table");
      if (panel->is_sorted)
        lc_table_view_scroll_to (panel->table, 0);
      events_panel_place (panel, FALSE, 0);
    }
  if (found != NULL && found->names != NULL)
    {
      g_clear_pointer (&panel->names, lc_search_names_unref);
      panel->names = lc_search_names_ref (found->names);
    }
  g_clear_pointer (&found, lc_events_found_free);
}

static void
events_panel_on_tick (gpointer owner, double fraction)
{
  LcEventsPanel *panel = owner;
  g_autofree char *text = g_strdup_printf (_ ("Reading: %d %%"), (int)(fraction * 100));

  lc_label_show (panel->state, text);
}

/* Asks for the rows anew; without a history there are none. */
static void
events_panel_look (gpointer owner)
{
  LcEventsPanel *panel = owner;
  LcShown *shown = lc_session_get_shown (panel->session);
  g_autofree char *problem = NULL;
  LcEventsAsked *asked;

  lc_job_stop (panel->placing);
  if (shown == NULL)
    {
      lc_job_stop (panel->finding);
      lc_table_view_show (panel->table, NULL);
      return;
    }
  asked = g_new0 (LcEventsAsked, 1);
  asked->shown = lc_shown_ref (shown);
  asked->in_view = gtk_toggle_button_get_active (panel->in_view);
  lc_session_get_span (panel->session, &asked->span);
  asked->order = (LcEventsOrder)gtk_drop_down_get_selected (panel->order);
  asked->descending = gtk_toggle_button_get_active (panel->descending);
  asked->names = panel->names != NULL ? lc_search_names_ref (panel->names) : NULL;
  asked->terms = lc_search_query_parse (gtk_editable_get_text (GTK_EDITABLE (panel->filter)), &problem);
  if (problem != NULL)
    {
      lc_events_asked_free (asked);
      lc_job_stop (panel->finding);
      events_panel_show_nothing (panel, _ ("Nothing is listed"), problem);
      return;
    }
  if (asked->in_view)
    {
      LcSpan whole;

      lc_session_get_whole (panel->session, &whole);
      asked->in_view = asked->span.from > whole.from || asked->span.to < whole.to;
    }
  gtk_spinner_set_spinning (panel->spinner, TRUE);
  lc_job_start (panel->finding, lc_events_source_find, asked, lc_events_asked_free);
}

static void
events_panel_on_changed (LcSession *session, guint what, LcEventsPanel *panel)
{
  guint listed = LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_TIMELINE | LC_CHANGED_ROWS | LC_CHANGED_FILTER;
  const LcShown *shown = lc_session_get_shown (session);

  if (shown != NULL && shown->selection.time == LC_SCENE_PHASE)
    listed |= LC_CHANGED_FOUND;
  if (gtk_toggle_button_get_active (panel->in_view))
    listed |= LC_CHANGED_SPAN;
  if ((what & LC_CHANGED_HISTORY) != 0)
    {
      g_clear_pointer (&panel->names, lc_search_names_unref);
      lc_table_view_show (panel->table, NULL);
    }
  if ((what & listed) != 0)
    lc_pane_spoil_soon (panel->pane, SOON);
  else if ((what & LC_CHANGED_SELECTION) != 0 && !panel->is_setting && !lc_pane_is_stale (panel->pane) &&
           !lc_job_is_running (panel->finding))
    events_panel_place (panel, FALSE, 0);
}

/* --- Leading the diagram
 * ------------------------------------------------------------------------------------------------ */

/* Moves what is in view, without zooming, until the event is there. */
static void
events_panel_bring (LcEventsPanel *panel, const LcHistoryEvent *event)
{
  const LcShown *shown = lc_session_get_shown (panel->session);
  guint32 row = lc_shown_find_row (shown, event->process);
  double from, to, length;
  LcSpan span;

  lc_session_get_span (panel->session, &span);
  if (lc_session_get_place (panel->session, event, &from, &to) && (to < span.from || from > span.to))
    {
      length = span.to - span.from;
      span.from = (from + to) / 2 - length / 2;
      span.to = span.from + length;
    }
  if (row != LC_TRACE_NONE && (row < span.first_row || row + 1 > span.last_row))
    {
      length = span.last_row - span.first_row;
      span.first_row = row + 0.5 - length / 2;
      span.last_row = span.first_row + length;
    }
  lc_session_set_span (panel->session, &span, FALSE);
}

/* Selects the event of a row; `reveal`: zooms until it can be seen. */
static void
events_panel_select (LcEventsPanel *panel, guint position, gboolean reveal)
{
  GListModel *model = G_LIST_MODEL (lc_table_view_get_model (panel->table));
  g_autoptr (LcTableRow) row = g_list_model_get_item (model, position);
  const LcTarget *link = row != NULL ? lc_table_row_get_link (row) : NULL;
  const LcShown *shown = lc_session_get_shown (panel->session);
  g_autoptr (GError) error = NULL;
  guint32 process;
  guint64 ordinal;

  panel->wanted = link == NULL ? position : G_MAXUINT;
  if (link == NULL || shown == NULL)
    return;
  if (!lc_history_locate (shown->opened->history, shown->timeline, (guint32)link->first, link->second, &process,
                          &ordinal, &error))
    {
      lc_session_tell (panel->session, error->message);
      return;
    }
  panel->is_setting = TRUE;
  lc_session_begin (panel->session);
  lc_session_select (panel->session, process, ordinal, reveal);
  if (!reveal && lc_session_has_selection (panel->session))
    events_panel_bring (panel, lc_session_get_event (panel->session));
  lc_session_end (panel->session);
  panel->is_setting = FALSE;
}

static void
events_panel_choose (LcEventsPanel *panel, guint position)
{
  events_panel_select (panel, position, FALSE);
}

static void
events_panel_activate (LcEventsPanel *panel, guint position)
{
  events_panel_select (panel, position, TRUE);
}

static void
events_panel_on_read (LcEventsPanel *panel, guint first, guint n_rows)
{
  if (panel->wanted >= first && panel->wanted - first < n_rows)
    events_panel_choose (panel, panel->wanted);
}

static void
events_panel_on_failed (LcEventsPanel *panel, const char *message)
{
  lc_session_tell (panel->session, message);
}

/* --- Controls
 * ----------------------------------------------------------------------------------------------------------- */

static void
events_panel_on_control (LcEventsPanel *panel)
{
  if (panel->is_setting || panel->session == NULL)
    return;
  panel->is_sorted = TRUE;
  lc_pane_look (panel->pane);
}

/* Sorting by length begins with the longest. */
static void
events_panel_on_order (LcEventsPanel *panel)
{
  guint order = gtk_drop_down_get_selected (panel->order);

  if (panel->is_setting)
    return;
  panel->is_setting = TRUE;
  gtk_toggle_button_set_active (panel->descending, order == LC_EVENTS_BY_LENGTH || order == LC_EVENTS_BY_WAIT);
  panel->is_setting = FALSE;
  events_panel_on_control (panel);
}

/* A first click on a title of lengths sorts the longest first, too. */
static void
events_panel_on_sorted (LcEventsPanel *panel, guint column, gboolean descending)
{
  gboolean is_length = column == LC_EVENTS_LENGTH || column == LC_EVENTS_WAITED;

  for (guint i = 0; i < LC_EVENTS_ORDERS; i++)
    if (order_columns[i] == column)
      {
        gboolean is_new = gtk_drop_down_get_selected (panel->order) != i;

        panel->is_setting = TRUE;
        gtk_drop_down_set_selected (panel->order, i);
        gtk_toggle_button_set_active (panel->descending, is_new ? is_length : descending);
        panel->is_setting = FALSE;
      }
  events_panel_on_control (panel);
}

static void
events_panel_on_time (LcEventsPanel *panel)
{
  guint64 time;

  if (lc_parse_time (gtk_editable_get_text (GTK_EDITABLE (panel->time)), &time))
    events_panel_place (panel, TRUE, time);
  else
    lc_session_tell (panel->session, _ ("A time is a number with a unit: 12.5 ms, 3 s"));
}

static void
events_panel_on_columns (LcEventsPanel *panel)
{
  g_autofree char *names = lc_table_view_dup_columns (panel->table);

  lc_settings_set_string ("event-columns", names);
}

static void
events_panel_stop_filter (LcEventsPanel *panel)
{
  gtk_editable_set_text (GTK_EDITABLE (panel->filter), "");
  gtk_widget_grab_focus (GTK_WIDGET (panel->table));
}

/* While the table has the keyboard, what is typed goes to the filter; so does Escape. */
static gboolean
events_panel_on_key (LcEventsPanel *panel, guint key, guint code, GdkModifierType modifiers)
{
  if (key != GDK_KEY_Escape || gtk_editable_get_text (GTK_EDITABLE (panel->filter))[0] == '\0')
    return FALSE;
  events_panel_stop_filter (panel);
  return TRUE;
}

static void
events_panel_on_copy (LcEventsPanel *panel)
{
  lc_table_view_copy (panel->table);
}

static void
events_panel_on_save (LcEventsPanel *panel)
{
  const LcOpened *opened = lc_session_get_opened (panel->session);
  g_autofree char *name = opened != NULL ? g_strconcat (opened->title, "-events.csv", NULL) : NULL;

  if (name != NULL)
    lc_table_view_save (panel->table, name);
}

/* --- The panel
 * ---------------------------------------------------------------------------------------------------------- */

static gboolean
lc_events_panel_grab_focus (GtkWidget *widget)
{
  LcEventsPanel *panel = LC_EVENTS_PANEL (widget);

  return gtk_widget_grab_focus (GTK_WIDGET (panel->table)) || gtk_widget_grab_focus (GTK_WIDGET (panel->filter));
}

static void
lc_events_panel_dispose (GObject *object)
{
  LcEventsPanel *panel = LC_EVENTS_PANEL (object);

  g_clear_pointer (&panel->pane, lc_pane_free);
  g_clear_pointer (&panel->finding, lc_job_free);
  g_clear_pointer (&panel->placing, lc_job_free);
  g_clear_pointer (&panel->names, lc_search_names_unref);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_events_panel_parent_class)->dispose (object);
}

static void
lc_events_panel_class_init (LcEventsPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_events_panel_dispose;
  widget->grab_focus = lc_events_panel_grab_focus;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "events-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, filter);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, in_view);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, order);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, descending);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, time);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, spinner);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, state);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, buttons);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcEventsPanel, nothing);
  gtk_widget_class_bind_template_callback (widget, events_panel_on_control);
  gtk_widget_class_bind_template_callback (widget, events_panel_on_order);
  gtk_widget_class_bind_template_callback (widget, events_panel_on_time);
  gtk_widget_class_bind_template_callback (widget, events_panel_stop_filter);
  gtk_widget_class_bind_template_callback (widget, events_panel_on_copy);
  gtk_widget_class_bind_template_callback (widget, events_panel_on_save);
}

static void
lc_events_panel_init (LcEventsPanel *panel)
{
  panel->is_setting = TRUE;
  panel->wanted = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (panel));
  gtk_drop_down_set_selected (panel->order, LC_EVENTS_BY_BEGIN);
  panel->finding = lc_job_new (panel, events_panel_on_found, events_panel_on_tick, lc_events_found_free);
  panel->placing = lc_job_new (panel, events_panel_on_placed, NULL, g_free);
  panel->is_setting = FALSE;
}

/* The table is made here, since it has to know the session. */
static void
events_panel_add_table (LcEventsPanel *panel)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  panel->table = lc_table_view_new (panel->session, _ ("Events"));
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (events_panel_on_key), panel, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (panel->table), keys);
  gtk_stack_add_named (panel->pages, GTK_WIDGET (panel->table), "table");
  gtk_box_prepend (panel->buttons, lc_table_view_new_columns_button (panel->table));
  gtk_search_entry_set_key_capture_widget (panel->filter, GTK_WIDGET (panel->table));
  g_signal_connect_object (panel->table, "chosen", G_CALLBACK (events_panel_choose), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel->table, "activated", G_CALLBACK (events_panel_activate), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel->table, "sorted", G_CALLBACK (events_panel_on_sorted), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel->table, "columns-changed", G_CALLBACK (events_panel_on_columns), panel,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (lc_table_view_get_model (panel->table), "read", G_CALLBACK (events_panel_on_read), panel,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (lc_table_view_get_model (panel->table), "failed", G_CALLBACK (events_panel_on_failed), panel,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
lc_events_panel_new (LcSession *session)
{
  LcEventsPanel *panel = g_object_new (LC_TYPE_EVENTS_PANEL, NULL);

  panel->session = g_object_ref (session);
  events_panel_add_table (panel);
  panel->pane = lc_pane_new (panel, session, 0, events_panel_look);
  g_signal_connect_object (session, "changed", G_CALLBACK (events_panel_on_changed), panel, 0);
  return GTK_WIDGET (panel);
}

/* --- The action
 * --------------------------------------------------------------------------------------------------------- */

static void
events_panel_switch (GtkWidget *widget, const char *name, GVariant *parameter)
{
  lc_shell_switch_bottom (LC_SHELL (widget), "events");
}

void
lc_events_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.events", NULL, events_panel_switch);
}
