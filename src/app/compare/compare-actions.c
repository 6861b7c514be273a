/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of a window with two diagrams: some for both diagrams, some for the one that was used last. */
#include "app/compare/compare-actions.h"

typedef struct
{
  GtkWindow *window; /* not held: the window owns this struct */
  LcSession *sessions[2];
  GtkWidget *views[2];
  LcCompareLink *link;
  guint used;
} Actions;

static const char *const time_names[] = {"physical", "logical", "phase"};                         /* LcSceneTime */
static const char *const highlight_names[] = {"none", "critical-path", "past", "future", "cone"}; /* LcHighlightKind */

/* --- On both diagrams -------------------------------------------------------------------------------------------- */

static void
compare_actions_set_time (GSimpleAction *action, GVariant *value, gpointer data)
{
  Actions *actions = data;

  for (guint i = 0; i < G_N_ELEMENTS (time_names); i++)
    if (g_str_equal (g_variant_get_string (value, NULL), time_names[i]))
      {
        lc_compare_link_hold (actions->link);
        for (guint side = 0; side < 2; side++)
          lc_session_set_time (actions->sessions[side], (LcSceneTime)i);
        lc_compare_link_let_go (actions->link);
        g_simple_action_set_state (action, value);
      }
}

static void
compare_actions_set_orientation (GSimpleAction *action, GVariant *value, gpointer data)
{
  Actions *actions = data;

  for (guint side = 0; side < 2; side++)
    lc_session_set_orientation (actions->sessions[side],
                                g_variant_get_boolean (value) ? LC_ORIENTATION_RIGHT : LC_ORIENTATION_DOWN);
  g_simple_action_set_state (action, value);
}

/* --- On the diagram that was used last --------------------------------------------------------------------------- */

static LcSession *
get_used (gpointer data)
{
  Actions *actions = data;

  return actions->sessions[actions->used];
}

/* Turns the highlight off if it is already on. */
static void
compare_actions_highlight (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LcSession *session = get_used (data);
  LcHighlightKind before = lc_session_get_shown (session)->selection.highlight.kind;

  for (guint i = 0; i < G_N_ELEMENTS (highlight_names); i++)
    if (g_str_equal (g_variant_get_string (parameter, NULL), highlight_names[i]))
      lc_session_set_highlight (session, before == (LcHighlightKind)i ? LC_HIGHLIGHT_NONE : (LcHighlightKind)i);
}

static void
compare_actions_go (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (g_str_equal (g_action_get_name (G_ACTION (action)), "back"))
    lc_session_go_back (get_used (data));
  else
    lc_session_go_forward (get_used (data));
}

static void
show_all_processes (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_session_set_processes (get_used (data), NULL, 0);
}

static void
solo_process (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LcSession *session = get_used (data);
  LcEventName event;

  lc_session_get_selection (session, &event);
  if (event.process == LC_TRACE_NONE || lc_session_get_shown (session)->selection.n_processes == 1)
    lc_session_set_processes (session, NULL, 0);
  else
    lc_session_set_processes (session, &event.process, 1);
}

static void
compare_actions_close_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_close (((Actions *)data)->window);
}

/* --- States of the actions --------------------------------------------------------------------------------------- */

static void
update_highlight (const Actions *actions)
{
  const LcShown *shown = lc_session_get_shown (actions->sessions[actions->used]);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (actions->window), "highlight");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (highlight_names[shown->selection.highlight.kind]));
}

static void
compare_actions_on_changed (LcSession *session, guint what, const Actions *actions)
{
  if ((what & LC_CHANGED_HIGHLIGHT) != 0)
    update_highlight (actions);
}

/* The context menu of a diagram is a descendant of its view, so opening it counts as using the view. */
static void
on_focus (GtkWindow *window, GParamSpec *property, Actions *actions)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  for (guint side = 0; side < 2; side++)
    if (focus != NULL && gtk_widget_is_ancestor (focus, actions->views[side]))
      actions->used = side;
  update_highlight (actions);
}

static const GActionEntry entries[] = {
    {.name = "time", .parameter_type = "s", .state = "'physical'", .change_state = compare_actions_set_time},
    {.name = "orientation", .state = "false", .change_state = compare_actions_set_orientation},
    {.name = "highlight", .parameter_type = "s", .state = "'none'", .activate = compare_actions_highlight},
    {.name = "back", .activate = compare_actions_go},
    {.name = "forward", .activate = compare_actions_go},
    {.name = "show-all-processes", .activate = show_all_processes},
    {.name = "solo-process", .activate = solo_process},
    {.name = "close", .activate = compare_actions_close_window},
};

static void
set_states (Actions *actions)
{
  const LcShown *shown = lc_session_get_shown (actions->sessions[0]);
  GActionMap *map = G_ACTION_MAP (actions->window);

  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "time")),
                             g_variant_new_string (time_names[shown->selection.time]));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "orientation")),
                             g_variant_new_boolean (shown->orientation == LC_ORIENTATION_RIGHT));
}

static void
compare_actions_free_actions (gpointer data, GObject *window)
{
  Actions *actions = data;

  for (guint side = 0; side < 2; side++)
    {
      g_signal_handlers_disconnect_by_data (actions->sessions[side], actions);
      g_object_unref (actions->sessions[side]);
    }
  g_free (actions);
}

void
lc_compare_actions_add (GtkApplicationWindow *window, LcSession *const sessions[2], GtkWidget *const views[2],
                        LcCompareLink *link)
{
  Actions *actions = g_new0 (Actions, 1);

  actions->window = GTK_WINDOW (window);
  actions->link = link;
  for (guint side = 0; side < 2; side++)
    {
      actions->sessions[side] = g_object_ref (sessions[side]);
      actions->views[side] = views[side];
      g_signal_connect (sessions[side], "changed", G_CALLBACK (compare_actions_on_changed), actions);
    }
  g_object_weak_ref (G_OBJECT (window), compare_actions_free_actions, actions);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), actions);
  set_states (actions);
  g_signal_connect (window, "notify::focus-widget", G_CALLBACK (on_focus), actions);
}
