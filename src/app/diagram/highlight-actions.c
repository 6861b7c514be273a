/* SPDX-License-Identifier: Apache-2.0 */
/* The highlight actions of a window: the critical path and steps along it, past, future, and both together. */
#include "app/diagram/highlight-actions.h"

#include "app/inspect/path-keeper.h"

/* Indexed by LcHighlightKind. */
static const char *const names[] = {"none", "critical-path", "past", "future", "cone"};

/* Tells whether the highlight belongs to another event than the selected one. */
static gboolean
is_of_another (LcSession *session, const LcShown *shown)
{
  const LcHistoryEvent *event = lc_session_get_event (session);

  return shown->selection.highlight.kind >= LC_HIGHLIGHT_PAST && event != NULL &&
         (shown->selection.highlight.process != event->origin_process ||
          shown->selection.highlight.ordinal != event->origin_ordinal);
}

/* Highlights the critical path, reusing the one that the panel has found. */
static void
show_path (LcSession *session)
{
  LcShown *shown = lc_shown_copy (lc_session_get_shown (session));
  LcKept *path = lc_path_keeper_get_path (lc_path_keeper_of (session));

  shown->selection.highlight.kind = LC_HIGHLIGHT_CRITICAL_PATH;
  if (path != NULL && shown->path == NULL)
    lc_shown_set_kept (&shown->path, lc_kept_ref (path));
  lc_session_show (session, shown);
}

static void
set_highlight (LcSession *session, LcHighlightKind kind)
{
  const LcShown *shown = lc_session_get_shown (session);

  if (shown == NULL)
    return;
  if (kind == shown->selection.highlight.kind && !is_of_another (session, shown))
    kind = LC_HIGHLIGHT_NONE;
  if (kind == LC_HIGHLIGHT_CRITICAL_PATH)
    show_path (session);
  else
    lc_session_set_highlight (session, kind);
}

static void
highlight_actions_highlight (GSimpleAction *action, GVariant *parameter, gpointer session)
{
  const char *name = g_variant_get_string (parameter, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], name))
      set_highlight (session, (LcHighlightKind)i);
}

static void
step_on (GSimpleAction *action, GVariant *parameter, gpointer session)
{
  if (lc_session_get_shown (session) != NULL)
    lc_path_keeper_step (lc_path_keeper_of (session), 1);
}

static void
step_back (GSimpleAction *action, GVariant *parameter, gpointer session)
{
  if (lc_session_get_shown (session) != NULL)
    lc_path_keeper_step (lc_path_keeper_of (session), -1);
}

static void
highlight_actions_on_changed (LcSession *session, guint what, GSimpleAction *action)
{
  const LcShown *shown = lc_session_get_shown (session);
  LcHighlightKind kind = shown != NULL ? shown->selection.highlight.kind : LC_HIGHLIGHT_NONE;

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_HIGHLIGHT)) != 0)
    g_simple_action_set_state (action, g_variant_new_string (names[kind]));
}

void
lc_highlight_actions_add (GtkApplicationWindow *window, LcSession *session)
{
  static const GActionEntry entries[] = {
      {.name = "highlight", .activate = highlight_actions_highlight, .parameter_type = "s", .state = "'none'"},
      {.name = "path-next", .activate = step_on},
      {.name = "path-previous", .activate = step_back},
  };
  GAction *action;

  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), session);
  action = g_action_map_lookup_action (G_ACTION_MAP (window), "highlight");
  g_signal_connect_object (session, "changed", G_CALLBACK (highlight_actions_on_changed), action, 0);
}
