/* SPDX-License-Identifier: Apache-2.0 */
/* A page of the filter panel: a list of entries that can be searched, sorted and ticked. */
#include "app/filters/filter-list.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/names.h"
#include "app/filters/filter-row.h"
#include "app/pane.h"
#include "app/shown-text.h"
#include "app/time/what-if-subject.h"
#include "trace/quantities.h"

struct _LcFilterList
{
  GtkWidget parent;

  GtkWidget *tools;
  GtkSearchEntry *entry;
  GtkDropDown *order;
  GtkWidget *tick_found;
  GtkWidget *untick;
  GtkLabel *explanation;
  GtkStack *stack;
  GtkListView *list;
  GtkProgressBar *progress;
  AdwStatusPage *nothing;
  GtkLabel *summary;

  LcSession *session;
  const LcFilterKind *kind;
  LcFilterModel *model;
  LcJob *collecting;
  LcJob *finding;
  LcPane *pane; /* stale: the entries do not belong to the shown timeline */
};

G_DEFINE_FINAL_TYPE (LcFilterList, lc_filter_list, GTK_TYPE_WIDGET)

/* --- Finding and sorting ----------------------------------------------------------------------------------------- */

typedef struct
{
  GPtrArray *entries;
  char *folded;
  LcFilterSort sort;
} Find;

static void
free_find (gpointer data)
{
  Find *find = data;

  g_ptr_array_unref (find->entries);
  g_free (find->folded);
  g_free (find);
}

static gpointer
filter_list_find (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const Find *asked = data;

  return lc_filter_entries_find (asked->entries, asked->folded, asked->sort);
}

static void
filter_list_show_found (LcFilterList *list)
{
  GPtrArray *entries = lc_filter_model_get_entries (list->model);
  guint n_found = g_list_model_get_n_items (G_LIST_MODEL (list->model));
  gboolean looking = *gtk_editable_get_text (GTK_EDITABLE (list->entry)) != '\0';
  g_autofree char *found = lc_format_count (n_found), *all = lc_format_count (entries != NULL ? entries->len : 0);
  g_autofree char *text =
      n_found == (entries != NULL ? entries->len : 0) ? g_strdup (all) : g_strdup_printf (_ ("%s of %s"), found, all);
  g_autofree char *counted = g_strdup_printf ("%s: %s", _ (list->kind->title), text);

  adw_status_page_set_title (list->nothing, looking ? _ ("Nothing is called so") : _ (list->kind->nothing));
  gtk_stack_set_visible_child_name (list->stack, n_found > 0 ? "list" : "nothing");
  lc_label_show (list->summary, counted);
  gtk_widget_set_visible (list->tick_found, looking && n_found > 0 && list->kind->write != NULL);
}

static void
filter_list_on_found (gpointer owner, gpointer result, const GError *error)
{
  LcFilterList *list = owner;

  lc_filter_model_set (list->model, lc_filter_model_get_entries (list->model), result);
  g_array_unref (result);
  filter_list_show_found (list);
}

static LcFilterSort
get_sort (LcFilterList *list)
{
  static const LcFilterSort sorts[] = {LC_FILTER_SORT_TIME, LC_FILTER_SORT_EVENTS, LC_FILTER_SORT_NAME,
                                       LC_FILTER_SORT_DETAIL};
  guint chosen = gtk_drop_down_get_selected (list->order);

  return list->kind->sort == LC_FILTER_SORT_NONE || chosen >= G_N_ELEMENTS (sorts) ? list->kind->sort : sorts[chosen];
}

static void
start_finding (LcFilterList *list)
{
  g_autofree char *clean = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (list->entry))));
  Find *asked;

  if (list->model == NULL || lc_filter_model_get_entries (list->model) == NULL)
    return;
  asked = g_new0 (Find, 1);
  asked->entries = g_ptr_array_ref (lc_filter_model_get_entries (list->model));
  asked->folded = *clean != '\0' ? g_utf8_casefold (clean, -1) : NULL;
  asked->sort = get_sort (list);
  lc_job_start (list->finding, filter_list_find, asked, free_find);
}

/* --- Collecting -------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcShown *shown;
  const LcFilterKind *kind;
} Collect;

static void
free_collect (gpointer data)
{
  Collect *asked = data;

  lc_shown_unref (asked->shown);
  g_free (asked);
}

static gpointer
filter_list_collect (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  Collect *asked = data;

  return asked->kind->collect (asked->shown, done, cancellable, error);
}

static void
filter_list_read_states (LcFilterList *list)
{
  GPtrArray *entries = lc_filter_model_get_entries (list->model);
  LcShown *shown = lc_session_get_shown (list->session);

  if (entries == NULL || shown == NULL || list->kind->read == NULL)
    return;
  list->kind->read (shown, entries, lc_filter_model_get_states (list->model));
  lc_filter_model_states_changed (list->model);
}

static void
on_collected (gpointer owner, gpointer result, const GError *error)
{
  LcFilterList *list = owner;

  if (result == NULL)
    {
      lc_session_tell (list->session, error->message);
      return;
    }
  lc_filter_model_set (list->model, result, NULL);
  g_ptr_array_unref (result);
  filter_list_read_states (list);
  start_finding (list);
}

static void
filter_list_on_tick (gpointer owner, double fraction)
{
  LcFilterList *list = owner;

  if (lc_filter_model_get_entries (list->model) == NULL)
    gtk_stack_set_visible_child_name (list->stack, "collecting");
  gtk_progress_bar_set_fraction (list->progress, fraction);
}

static void
filter_list_look (gpointer owner)
{
  LcFilterList *list = owner;
  LcShown *shown = lc_session_get_shown (list->session);
  Collect *asked;

  if (shown == NULL)
    return;
  asked = g_new (Collect, 1);
  *asked = (Collect){lc_shown_ref (shown), list->kind};
  lc_job_start (list->collecting, filter_list_collect, asked, free_collect);
}

static void
filter_list_on_changed (LcSession *session, guint what, LcFilterList *list)
{
  if ((what & LC_CHANGED_HISTORY) != 0)
    {
      lc_job_stop (list->finding);
      lc_filter_model_set (list->model, NULL, NULL);
    }
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE)) != 0)
    lc_job_stop (list->collecting);
  if ((what & LC_CHANGED_FILTER) != 0)
    filter_list_read_states (list);
}

/* --- User actions ------------------------------------------------------------------------------------------------ */

static void
filter_list_tell (LcFilterList *list)
{
  LcShown *shown = lc_shown_copy (lc_session_get_shown (list->session));

  list->kind->write (shown, lc_filter_model_get_entries (list->model), lc_filter_model_get_states (list->model));
  lc_session_show (list->session, shown);
}

static void
filter_list_on_ticked (LcFilterList *list, guint number, gboolean ticked)
{
  lc_filter_model_tick (list->model, number, ticked);
  filter_list_tell (list);
}

static void
on_tick_found (LcFilterList *list)
{
  lc_filter_model_tick_listed (list->model, TRUE);
  filter_list_tell (list);
}

/* Shows all events again. Each kind stores "all" in another way. */
static void
on_untick (LcFilterList *list)
{
  LcShown *shown = lc_session_get_shown (list->session);

  if (shown == NULL)
    return;
  shown = lc_shown_copy (shown);
  if (list->kind == &lc_filter_objects)
    lc_shown_set_objects (shown, NULL, 0);
  else if (list->kind == &lc_filter_marks)
    lc_shown_set_inside (shown, NULL, 0, NULL, 0);
  else
    lc_shown_set_operations (shown, NULL);
  lc_session_show (list->session, shown);
}

/* Shows the stretch from the begin of the first event to the end of the last one. */
static void
go_to_stretch (LcFilterList *list, const LcFilterEntry *entry)
{
  const LcShown *shown = lc_session_get_shown (list->session);
  LcHistoryEvent first, last;
  double from, to, other;
  LcSpan span;

  if (!lc_history_get_event (shown->opened->history, shown->timeline, entry->process, entry->first, &first, NULL) ||
      !lc_history_get_event (shown->opened->history, shown->timeline, entry->process, entry->last, &last, NULL) ||
      !lc_session_get_place (list->session, &first, &from, &other) ||
      !lc_session_get_place (list->session, &last, &other, &to))
    return;
  lc_session_begin (list->session);
  lc_session_select (list->session, entry->process, entry->first, TRUE);
  lc_session_get_span (list->session, &span);
  span.from = from - (to - from) / 20;
  span.to = to + (to - from) / 20;
  lc_session_set_span (list->session, &span, FALSE);
  lc_session_end (list->session);
}

static void
filter_list_on_activated (LcFilterList *list, guint place)
{
  g_autoptr (LcFilterItem) item = g_list_model_get_item (G_LIST_MODEL (list->model), place);
  const LcFilterEntry *entry = lc_filter_item_get_entry (item);

  if (entry->process != LC_TRACE_NONE && entry->last > entry->first)
    go_to_stretch (list, entry);
  else if (entry->search != NULL)
    gtk_widget_activate_action (GTK_WIDGET (list), "win.search-for", "s", entry->search);
  else if (list->kind->write != NULL)
    filter_list_on_ticked (list, item->number, lc_filter_model_get_state (list->model, item->number) != LC_FILTER_ON);
}

/* --- What if ----------------------------------------------------------------------------------------------------- */

static void
filter_list_pop_up (LcFilterList *list, GtkWidget *widget, double x, double y, LcFilterItem *item)
{
  const LcFilterEntry *entry = item != NULL ? lc_filter_item_get_entry (item) : NULL;
  const LcScaleKind kind = list->kind == &lc_filter_operations ? LC_SCALE_OPERATION
                           : list->kind == &lc_filter_objects  ? LC_SCALE_OBJECT
                                                               : LC_SCALE_REGION;

  if (entry != NULL && entry->id != LC_TRACE_NONE && !entry->heading)
    lc_what_if_pop_up (widget, x, y, lc_what_if_subject_pack (kind, entry->id, entry->name, NULL));
}

static void
filter_list_on_menu (GtkGestureClick *click, int n_press, double x, double y, LcFilterList *list)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click));

  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  filter_list_pop_up (list, row, x, y, lc_filter_row_get_item (LC_FILTER_ROW (row)));
}

static void
filter_list_on_menu_key (LcFilterList *list, guint place)
{
  g_autoptr (LcFilterItem) item = g_list_model_get_item (G_LIST_MODEL (list->model), place);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (list)));

  filter_list_pop_up (list, focus != NULL ? focus : GTK_WIDGET (list->list), 24, 12, item);
}

static gboolean
filter_list_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, LcFilterList *list)
{
  GtkSelectionModel *selection = gtk_list_view_get_model (list->list);
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (selection);
  guint place = gtk_bitset_get_minimum (selected);

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_Escape)
    return lc_session_step_back (list->session);
  if (key == GDK_KEY_Menu)
    {
      filter_list_on_menu_key (list, place);
      return TRUE;
    }
  if (key != GDK_KEY_space && key != GDK_KEY_KP_Space)
    return FALSE;
  if (!gtk_bitset_is_empty (selected) && list->kind->write != NULL)
    {
      g_autoptr (LcFilterItem) item = g_list_model_get_item (G_LIST_MODEL (list->model), place);

      filter_list_on_ticked (list, item->number, lc_filter_model_get_state (list->model, item->number) != LC_FILTER_ON);
    }
  return TRUE;
}

/* --- Rows -------------------------------------------------------------------------------------------------------- */

static void
filter_list_on_setup (LcFilterList *list, GtkListItem *list_item)
{
  GtkWidget *row = lc_filter_row_new (list->model, list->kind);
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (filter_list_on_menu), list, 0);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (row, "ticked", G_CALLBACK (filter_list_on_ticked), list, G_CONNECT_SWAPPED);
  gtk_list_item_set_child (list_item, row);
}

static void
filter_list_on_bind (LcFilterList *list, GtkListItem *list_item)
{
  lc_filter_row_set_item (LC_FILTER_ROW (gtk_list_item_get_child (list_item)), gtk_list_item_get_item (list_item));
}

static void
filter_list_on_unbind (LcFilterList *list, GtkListItem *list_item)
{
  lc_filter_row_set_item (LC_FILTER_ROW (gtk_list_item_get_child (list_item)), NULL);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_filter_list_dispose (GObject *object)
{
  LcFilterList *list = LC_FILTER_LIST (object);
  GtkWidget *child;

  g_clear_pointer (&list->pane, lc_pane_free);
  g_clear_pointer (&list->collecting, lc_job_free);
  g_clear_pointer (&list->finding, lc_job_free);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&list->model);
  g_clear_object (&list->session);
  G_OBJECT_CLASS (lc_filter_list_parent_class)->dispose (object);
}

static void
lc_filter_list_class_init (LcFilterListClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_filter_list_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "filter-list.ui");
  gtk_widget_class_bind_template_child (widget, LcFilterList, tools);
  gtk_widget_class_bind_template_child (widget, LcFilterList, entry);
  gtk_widget_class_bind_template_child (widget, LcFilterList, order);
  gtk_widget_class_bind_template_child (widget, LcFilterList, tick_found);
  gtk_widget_class_bind_template_child (widget, LcFilterList, untick);
  gtk_widget_class_bind_template_child (widget, LcFilterList, explanation);
  gtk_widget_class_bind_template_child (widget, LcFilterList, stack);
  gtk_widget_class_bind_template_child (widget, LcFilterList, list);
  gtk_widget_class_bind_template_child (widget, LcFilterList, progress);
  gtk_widget_class_bind_template_child (widget, LcFilterList, nothing);
  gtk_widget_class_bind_template_child (widget, LcFilterList, summary);
  gtk_widget_class_bind_template_callback (widget, start_finding);
  gtk_widget_class_bind_template_callback (widget, filter_list_on_activated);
  gtk_widget_class_bind_template_callback (widget, on_tick_found);
  gtk_widget_class_bind_template_callback (widget, on_untick);
  gtk_widget_class_bind_template_callback (widget, filter_list_on_key);
}

static void
lc_filter_list_init (LcFilterList *list)
{
  list->collecting = lc_job_new (list, on_collected, filter_list_on_tick, (GDestroyNotify)g_ptr_array_unref);
  list->finding = lc_job_new (list, filter_list_on_found, NULL, (GDestroyNotify)g_array_unref);
  gtk_widget_init_template (GTK_WIDGET (list));
}

static void
set_kind (LcFilterList *list)
{
  const char *names[] = {_ (list->kind->time_title), _ ("Events"), _ ("Name"), _ ("Class"), NULL};
  g_autoptr (GtkStringList) orders = gtk_string_list_new (names);
  static const LcFilterSort places[] = {[LC_FILTER_SORT_TIME] = 0, [LC_FILTER_SORT_DETAIL] = 3};

  gtk_drop_down_set_model (list->order, G_LIST_MODEL (orders));
  if (list->kind->placeholder != NULL)
    {
      g_object_set (list->entry, "placeholder-text", _ (list->kind->placeholder), NULL);
      lc_accessible_show (GTK_ACCESSIBLE (list->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (list->kind->placeholder));
      gtk_drop_down_set_selected (list->order, places[list->kind->sort]);
    }
  gtk_widget_set_visible (list->tools, list->kind->placeholder != NULL);
  gtk_widget_set_visible (list->untick, list->kind->write != NULL);
  gtk_button_set_label (GTK_BUTTON (list->untick),
                        list->kind == &lc_filter_operations ? _ ("Tick all") : _ ("Tick none"));
  lc_label_show (list->explanation, list->kind->explanation != NULL ? _ (list->kind->explanation) : "");
  gtk_widget_set_visible (GTK_WIDGET (list->explanation), list->kind->explanation != NULL);
  lc_accessible_show (GTK_ACCESSIBLE (list->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (list->kind->title));
}

GtkWidget *
lc_filter_list_new (LcSession *session, const LcFilterKind *kind)
{
  LcFilterList *list = g_object_new (LC_TYPE_FILTER_LIST, NULL);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  list->session = g_object_ref (session);
  list->kind = kind;
  list->model = lc_filter_model_new ();
  set_kind (list);
  g_signal_connect_object (factory, "setup", G_CALLBACK (filter_list_on_setup), list, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "bind", G_CALLBACK (filter_list_on_bind), list, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (filter_list_on_unbind), list, G_CONNECT_SWAPPED);
  gtk_list_view_set_factory (list->list, factory);
  g_object_unref (factory);
  gtk_list_view_set_model (list->list,
                           GTK_SELECTION_MODEL (gtk_single_selection_new (g_object_ref (G_LIST_MODEL (list->model)))));
  g_object_unref (gtk_list_view_get_model (list->list));
  g_signal_connect_object (session, "changed", G_CALLBACK (filter_list_on_changed), list, 0);
  filter_list_on_changed (session, LC_CHANGED_ALL, list);
  list->pane = lc_pane_new (list, session, LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE, filter_list_look);
  return GTK_WIDGET (list);
}
