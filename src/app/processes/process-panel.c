/* SPDX-License-Identifier: Apache-2.0 */
/* The process panel: the shown processes, their order, and their groups. */
#include <glib/gi18n.h>

#include "app/names.h"
#include "app/processes/process-panel-private.h"
#include "app/shown-text.h"
#include "lightcone/states.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

G_DEFINE_FINAL_TYPE (LcProcessPanel, lc_process_panel, GTK_TYPE_WIDGET)

/* --- The selection in the list ----------------------------------------------------------------------------------- */

GPtrArray *
_lc_process_panel_get_selected (LcProcessPanel *panel)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (panel->selection);
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint place;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &place); more;
       more = gtk_bitset_iter_next (&iter, &place))
    g_ptr_array_add (items, g_list_model_get_item (G_LIST_MODEL (panel->model), place));
  return items;
}

GPtrArray *
_lc_process_panel_get_meant (LcProcessPanel *panel, LcProcessItem *item)
{
  GPtrArray *items = _lc_process_panel_get_selected (panel);

  if (g_ptr_array_find (items, item, NULL))
    return items;
  g_ptr_array_set_size (items, 0);
  g_ptr_array_add (items, g_object_ref (item));
  return items;
}

void
_lc_process_panel_select (LcProcessPanel *panel, const GPtrArray *items)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (panel->model));
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, n);
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < items->len; i++)
    g_hash_table_add (wanted, items->pdata[i]);
  for (guint place = 0; place < n; place++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (panel->model), place);

      if (g_hash_table_contains (wanted, item))
        gtk_bitset_add (selected, place);
    }
  gtk_selection_model_set_selection (panel->selection, selected, all);
}

/* --- To the session and back ------------------------------------------------------------------------------------- */

static void
process_panel_show_summary (LcProcessPanel *panel)
{
  LcHistory *history = lc_session_get_history (panel->session);
  guint n_found = g_list_model_get_n_items (G_LIST_MODEL (panel->model));
  gboolean looking = *lc_process_model_get_text (panel->model) != '\0';
  g_autofree char *shown = lc_format_count (lc_process_model_get_n_shown (panel->model));
  guint32 n_all = history != NULL ? lc_history_get_n_processes (history) : 0;
  g_autofree char *all = lc_format_count (n_all);
  g_autofree char *text =
      g_strdup_printf (ngettext ("%s of %s process shown", "%s of %s processes shown", n_all), shown, all);

  lc_label_show (panel->summary, text);
  gtk_revealer_set_reveal_child (panel->found, looking && n_found > 0);
  gtk_stack_set_visible_child_name (panel->stack, n_found > 0 ? "list" : looking ? "nothing" : "none");
}

void
_lc_process_panel_tell (LcProcessPanel *panel)
{
  LcShown *shown;

  if (lc_session_get_shown (panel->session) == NULL)
    return;
  shown = lc_shown_copy (lc_session_get_shown (panel->session));
  lc_process_model_fill (panel->model, shown);
  panel->telling = TRUE;
  lc_session_show (panel->session, shown);
  panel->telling = FALSE;
  if (lc_process_model_get_sort (panel->model) == LC_PROCESS_SORT_OWN && !g_str_equal (panel->sort, "own"))
    {
      g_free (panel->sort);
      panel->sort = g_strdup ("own");
      g_object_notify (G_OBJECT (panel), "sort");
    }
  process_panel_show_summary (panel);
}

void
_lc_process_panel_reveal (LcProcessPanel *panel, const LcProcessItem *item)
{
  const LcShown *shown = lc_session_get_shown (panel->session);
  guint32 row = LC_TRACE_NONE;
  LcSpan span;
  double n_rows;

  for (guint32 i = 0; shown != NULL && i < shown->selection.n_processes && row == LC_TRACE_NONE; i++)
    if (lc_process_model_is_of (panel->model, shown->selection.processes[i], item))
      row = lc_shown_find_row (shown, shown->selection.processes[i]);
  if (row == LC_TRACE_NONE)
    return;
  lc_session_get_span (panel->session, &span);
  if (row >= span.first_row && row + 1 <= span.last_row)
    return;
  n_rows = span.last_row - span.first_row;
  span.first_row = row + 0.5 - n_rows / 2;
  span.last_row = span.first_row + n_rows;
  lc_session_set_span (panel->session, &span, TRUE);
}

static void
mark_selected (LcProcessPanel *panel)
{
  LcEventName event;
  guint place;

  lc_session_get_selection (panel->session, &event);
  lc_process_model_mark (panel->model, event.process);
  if (event.process != LC_TRACE_NONE && lc_process_model_find (panel->model, event.process, &place))
    gtk_widget_activate_action (GTK_WIDGET (panel->list), "list.scroll-to-item", "u", place);
}

/* --- Waiting ----------------------------------------------------------------------------------------------------- */

/* Takes the waiting times from the coarsest summary, which is quick whatever the size of the history. */
static gpointer
process_panel_find_waiting (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcShown *shown = data;
  LcHistory *history = shown->opened->history;
  guint32 n = lc_history_get_n_processes (history);
  g_autoptr (GArray) waiting = g_array_sized_new (FALSE, TRUE, sizeof (LcWaitingStatistics), n);
  g_autoptr (LcWindowResult) result = NULL;
  LcWindow window = {.timeline = shown->timeline, .axis = LC_AXIS_TIME};
  const LcSummary *summary;
  guint64 begin, end;

  if (!lc_statistics_span (history, shown->timeline, &begin, &end, error))
    return NULL;
  window.to = end + 1;
  result = lc_history_summarize_window (history, &window, 2 * (gsize)n, 0, cancellable, error);
  if (result == NULL)
    return NULL;
  g_array_set_size (waiting, n);
  summary = lc_window_result_get_summary (result);
  for (gsize i = 0; summary != NULL && i < summary->n_rows; i++)
    {
      LcWaitingStatistics *one = &g_array_index (waiting, LcWaitingStatistics, summary->rows[i].process);

      for (gsize j = 0; j < summary->rows[i].n_buckets; j++)
        {
          one->running += summary->rows[i].buckets[j].running;
          one->waiting += summary->rows[i].buckets[j].waiting;
          one->span += lc_summary_bucket_get_alive (&summary->rows[i].buckets[j]);
        }
      one->process = summary->rows[i].process;
    }
  return g_steal_pointer (&waiting);
}

static void
on_waiting (gpointer owner, gpointer result, const GError *error)
{
  LcProcessPanel *panel = owner;

  if (result == NULL)
    {
      lc_session_tell (panel->session, error->message);
      return;
    }
  lc_process_model_set_waiting (panel->model, result);
  g_array_unref (result);
  if (lc_process_model_get_sort (panel->model) == LC_PROCESS_SORT_WAITING)
    _lc_process_panel_tell (panel);
}

static void
process_panel_on_changed (LcSession *session, guint what, LcProcessPanel *panel)
{
  LcShown *shown = lc_session_get_shown (session);

  if ((what & LC_CHANGED_HISTORY) != 0)
    lc_process_model_set_history (panel->model, lc_session_get_history (session));
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE)) != 0)
    {
      lc_job_stop (panel->waiting);
      if (shown != NULL)
        lc_job_start (panel->waiting, process_panel_find_waiting, lc_shown_ref (shown), (GDestroyNotify)lc_shown_unref);
    }
  if ((what & LC_CHANGED_ROWS) != 0 && shown != NULL && !panel->telling)
    {
      lc_process_model_follow (panel->model, shown);
      if (lc_process_model_get_sort (panel->model) == LC_PROCESS_SORT_OWN)
        g_object_set (panel, "sort", "own", NULL);
    }
  if ((what & LC_CHANGED_SELECTION) != 0)
    mark_selected (panel);
  if ((what & (LC_CHANGED_ROWS | LC_CHANGED_HISTORY)) != 0)
    process_panel_show_summary (panel);
}

/* --- Order and groups -------------------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  LcProcessSort sort;
  gboolean most_first; /* descending by default, because large values are of interest */
} sorts[] = {
    {"own", LC_PROCESS_SORT_OWN, FALSE},     {"number", LC_PROCESS_SORT_NUMBER, FALSE},
    {"name", LC_PROCESS_SORT_NAME, FALSE},   {"waiting", LC_PROCESS_SORT_WAITING, TRUE},
    {"begin", LC_PROCESS_SORT_BEGIN, FALSE}, {"events", LC_PROCESS_SORT_EVENTS, TRUE},
};

static void
process_panel_sort (LcProcessPanel *panel)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sorts); i++)
    if (g_str_equal (sorts[i].name, panel->sort) && sorts[i].sort != LC_PROCESS_SORT_OWN)
      {
        lc_process_model_sort (panel->model, sorts[i].sort, panel->descending);
        _lc_process_panel_tell (panel);
      }
}

static void
set_sort (LcProcessPanel *panel, const char *name)
{
  if (g_strcmp0 (panel->sort, name) == 0)
    return;
  g_free (panel->sort);
  panel->sort = g_strdup (name);
  for (gsize i = 0; i < G_N_ELEMENTS (sorts); i++)
    if (g_str_equal (sorts[i].name, name) && panel->descending != sorts[i].most_first &&
        sorts[i].sort != LC_PROCESS_SORT_OWN)
      {
        panel->descending = sorts[i].most_first;
        g_object_notify (G_OBJECT (panel), "descending");
      }
  process_panel_sort (panel);
}

static void
set_grouping (LcProcessPanel *panel, const char *name)
{
  if (g_strcmp0 (panel->grouping, name) == 0)
    return;
  g_free (panel->grouping);
  panel->grouping = g_strdup (name);
  lc_process_model_group (panel->model, g_str_equal (name, "host")     ? LC_PROCESS_GROUPING_HOST
                                        : g_str_equal (name, "prefix") ? LC_PROCESS_GROUPING_PREFIX
                                                                       : LC_PROCESS_GROUPING_NONE);
  _lc_process_panel_tell (panel);
}

enum
{
  PROPERTY_SORT = 1,
  PROPERTY_DESCENDING,
  PROPERTY_GROUPING,
};

static void
lc_process_panel_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (object);

  if (id == PROPERTY_DESCENDING)
    g_value_set_boolean (value, panel->descending);
  else
    g_value_set_string (value, id == PROPERTY_SORT ? panel->sort : panel->grouping);
}

static void
lc_process_panel_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (object);

  if (id == PROPERTY_SORT)
    set_sort (panel, g_value_get_string (value));
  else if (id == PROPERTY_GROUPING)
    set_grouping (panel, g_value_get_string (value));
  else
    {
      panel->descending = g_value_get_boolean (value);
      process_panel_sort (panel);
    }
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
process_panel_on_text (LcProcessPanel *panel)
{
  lc_process_model_set_text (panel->model, gtk_editable_get_text (GTK_EDITABLE (panel->entry)));
  process_panel_show_summary (panel);
}

/* Called for Enter in the search entry. */
static void
process_panel_on_entered (LcProcessPanel *panel)
{
  gtk_widget_activate_action (GTK_WIDGET (panel), "processes.show-found", NULL);
}

static void
process_panel_on_stopped (LcProcessPanel *panel)
{
  gtk_editable_set_text (GTK_EDITABLE (panel->entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (panel->list));
}

static void
process_panel_on_activated (LcProcessPanel *panel, guint place)
{
  g_autoptr (LcProcessItem) item = g_list_model_get_item (G_LIST_MODEL (panel->model), place);

  _lc_process_panel_reveal (panel, item);
}

static void
lc_process_panel_dispose (GObject *object)
{
  LcProcessPanel *panel = LC_PROCESS_PANEL (object);
  GtkWidget *child;

  g_clear_pointer (&panel->waiting, lc_job_free);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (panel))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&panel->selection);
  g_clear_object (&panel->model);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_process_panel_parent_class)->dispose (object);
}

static void
lc_process_panel_finalize (GObject *object)
{
  g_free (LC_PROCESS_PANEL (object)->sort);
  g_free (LC_PROCESS_PANEL (object)->grouping);
  G_OBJECT_CLASS (lc_process_panel_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object->get_property = lc_process_panel_get_property;
  object->set_property = lc_process_panel_set_property;
  g_object_class_install_property (object, PROPERTY_SORT, g_param_spec_string ("sort", NULL, NULL, "number", flags));
  g_object_class_install_property (object, PROPERTY_DESCENDING,
                                   g_param_spec_boolean ("descending", NULL, NULL, FALSE, flags));
  g_object_class_install_property (object, PROPERTY_GROUPING,
                                   g_param_spec_string ("grouping", NULL, NULL, "none", flags));
}

static void
lc_process_panel_class_init (LcProcessPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_process_panel_dispose;
  G_OBJECT_CLASS (class)->finalize = lc_process_panel_finalize;
  install_properties (G_OBJECT_CLASS (class));
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "process-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcProcessPanel, entry);
  gtk_widget_class_bind_template_child (widget, LcProcessPanel, found);
  gtk_widget_class_bind_template_child (widget, LcProcessPanel, show_found);
  gtk_widget_class_bind_template_child (widget, LcProcessPanel, stack);
  gtk_widget_class_bind_template_child (widget, LcProcessPanel, list);
  gtk_widget_class_bind_template_child (widget, LcProcessPanel, menu);
  gtk_widget_class_bind_template_child (widget, LcProcessPanel, summary);
  gtk_widget_class_bind_template_callback (widget, process_panel_on_text);
  gtk_widget_class_bind_template_callback (widget, process_panel_on_entered);
  gtk_widget_class_bind_template_callback (widget, process_panel_on_stopped);
  gtk_widget_class_bind_template_callback (widget, process_panel_on_activated);
  _lc_process_panel_install_actions (widget);
}

static void
lc_process_panel_init (LcProcessPanel *panel)
{
  g_autoptr (GtkListItemFactory) factory = _lc_process_panel_create_rows (panel);
  GtkEventController *keys = gtk_event_controller_key_new ();

  panel->sort = g_strdup ("number");
  panel->grouping = g_strdup ("none");
  panel->model = lc_process_model_new ();
  panel->selection = GTK_SELECTION_MODEL (gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (panel->model))));
  panel->waiting = lc_job_new (panel, on_waiting, NULL, (GDestroyNotify)g_array_unref);
  gtk_widget_init_template (GTK_WIDGET (panel));
  gtk_list_view_set_factory (panel->list, factory);
  gtk_list_view_set_model (panel->list, panel->selection);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (_lc_process_panel_on_key), panel);
  gtk_widget_add_controller (GTK_WIDGET (panel->list), keys);
}

GtkWidget *
lc_process_panel_new (LcSession *session)
{
  LcProcessPanel *panel = g_object_new (LC_TYPE_PROCESS_PANEL, NULL);

  panel->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (process_panel_on_changed), panel, 0);
  process_panel_on_changed (session, LC_CHANGED_ALL, panel);
  return GTK_WIDGET (panel);
}
