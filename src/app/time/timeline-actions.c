/* SPDX-License-Identifier: Apache-2.0 */
/* The window's actions for time, orientation and timelines. Their states follow the session. */
#include "app/time/timeline-actions.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/time/approximate-dialog.h"
#include "app/time/timeline-delete.h"
#include "app/time/what-if-dialog.h"

#define STEP 0.1

typedef struct
{
  GtkWindow *window; /* not held: the window owns this struct */
  LcSession *session;
} Actions;

static const char *const time_names[] = {"physical", "logical", "phase"}; /* indexed by LcSceneTime */

/* --- Between two timelines ---------------------------------------------------------------------------------------- */

/* The measured timeline is at the left end of the slider even if it is the one beside. */
static gboolean
timeline_actions_is_turned (const LcShown *shown)
{
  return shown->timeline != LC_TIMELINE_MEASURED && shown->beside == LC_TIMELINE_MEASURED;
}

gboolean
lc_timeline_get_way (LcSession *session, guint32 *from, guint32 *to, double *way)
{
  const LcShown *shown = lc_session_get_shown (session);
  double share = lc_session_get_share (session);

  if (shown == NULL || shown->beside == LC_TRACE_NONE || shown->selection.time != LC_SCENE_PHYSICAL)
    return FALSE;
  *from = timeline_actions_is_turned (shown) ? shown->beside : shown->timeline;
  *to = timeline_actions_is_turned (shown) ? shown->timeline : shown->beside;
  *way = share >= 0 && timeline_actions_is_turned (shown) ? 1 - share : share;
  return TRUE;
}

void
lc_timeline_set_way (LcSession *session, double way)
{
  const LcShown *shown = lc_session_get_shown (session);

  if (shown != NULL)
    lc_session_set_share (session, way < 0 ? -1 : timeline_actions_is_turned (shown) ? 1 - MIN (way, 1) : way);
}

char *
lc_timeline_dup_way (LcSession *session)
{
  guint32 from, to;
  double way;

  if (!lc_timeline_get_way (session, &from, &to, &way) || way < 0)
    return NULL;
  /* TRANSLATORS: two timelines, and how far the picture is on the way from the first to the second. */
  return g_strdup_printf (_ ("between %s and %s, %.0f %%"), lc_session_get_timeline_title (session, from),
                          lc_session_get_timeline_title (session, to), round (way * 100));
}

/* --- Actions ----------------------------------------------------------------------------------------------------- */

static void
timeline_actions_set_time (GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *name = g_variant_get_string (value, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (time_names); i++)
    if (g_str_equal (name, time_names[i]))
      lc_session_set_time (((Actions *)data)->session, (LcSceneTime)i);
}

static void
timeline_actions_set_orientation (GSimpleAction *action, GVariant *value, gpointer data)
{
  lc_session_set_orientation (((Actions *)data)->session,
                              g_variant_get_boolean (value) ? LC_ORIENTATION_RIGHT : LC_ORIENTATION_DOWN);
}

/* Shows another timeline; choosing the timeline that is beside swaps the two. */
static void
set_timeline (GSimpleAction *action, GVariant *value, gpointer data)
{
  LcSession *session = ((Actions *)data)->session;
  const LcShown *shown = lc_session_get_shown (session);
  GPtrArray *timelines = lc_session_get_timelines (session);

  for (guint i = 0; shown != NULL && timelines != NULL && i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (timelines, i);

      if (!g_str_equal (timeline->name, g_variant_get_string (value, NULL)) || timeline->id == shown->timeline)
        continue;
      lc_session_set_timelines (session, timeline->id, shown->beside == timeline->id ? shown->timeline : shown->beside,
                                shown->selection.lowest, shown->selection.highest);
      return;
    }
}

/* Returns the timeline that was made last, or LC_TRACE_NONE. */
static guint32
find_approximated (LcSession *session)
{
  GPtrArray *timelines = lc_session_get_timelines (session);

  for (guint i = timelines != NULL ? timelines->len : 0; i > 0; i--)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (timelines, i - 1);

      if (timeline->id != LC_TIMELINE_MEASURED)
        return timeline->id;
    }
  return LC_TRACE_NONE;
}

/* Shows the approximated timeline, with its arcs and bounds, and the measured one paler beside it. */
static void
set_beside (GSimpleAction *action, GVariant *value, gpointer data)
{
  LcSession *session = ((Actions *)data)->session;
  const LcShown *shown = lc_session_get_shown (session);
  guint32 timeline;

  if (shown == NULL)
    return;
  if (!g_variant_get_boolean (value))
    {
      lc_session_set_timelines (session, shown->timeline, LC_TRACE_NONE, shown->selection.lowest,
                                shown->selection.highest);
      return;
    }
  timeline = shown->timeline != LC_TIMELINE_MEASURED ? shown->timeline : find_approximated (session);
  if (timeline == LC_TRACE_NONE)
    return;
  lc_session_begin (session);
  lc_session_set_timelines (session, timeline, LC_TIMELINE_MEASURED, shown->selection.lowest, shown->selection.highest);
  lc_session_set_time (session, LC_SCENE_PHYSICAL);
  lc_session_end (session);
}

static guint32
find_named (LcSession *session, const char *name)
{
  GPtrArray *timelines = lc_session_get_timelines (session);

  for (guint i = 0; timelines != NULL && i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (timelines, i);

      if (g_str_equal (timeline->name, name))
        return timeline->id;
    }
  return LC_TRACE_NONE;
}

static void
set_bounds (GSimpleAction *action, GVariant *value, gpointer data)
{
  const Actions *actions = data;
  const LcShown *shown = lc_session_get_shown (actions->session);
  guint32 lowest = find_named (actions->session, lc_model_get_name (LC_MODEL_OPTIMISTIC));
  guint32 highest = find_named (actions->session, lc_model_get_name (LC_MODEL_PESSIMISTIC));

  if (shown == NULL)
    return;
  if (!g_variant_get_boolean (value))
    lc_session_set_timelines (actions->session, shown->timeline, shown->beside, LC_TRACE_NONE, LC_TRACE_NONE);
  else if (lowest != LC_TRACE_NONE && highest != LC_TRACE_NONE)
    lc_session_set_timelines (actions->session, shown->timeline, shown->beside, lowest, highest);
  else
    lc_approximate_dialog_make_bounds (actions->window, actions->session);
}

static void
set_apart (GSimpleAction *action, GVariant *value, gpointer data)
{
  lc_timeline_set_way (((Actions *)data)->session, g_variant_get_boolean (value) ? -1 : 0);
}

static void
timeline_actions_go_on (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LcSession *session = ((Actions *)data)->session;
  gboolean more = g_str_equal (g_action_get_name (G_ACTION (action)), "share-more");
  guint32 from, to;
  double way;

  if (!lc_timeline_get_way (session, &from, &to, &way))
    return;
  if (way < 0)
    way = more ? 0 : 1;
  else
    way = CLAMP (round ((way + (more ? STEP : -STEP)) / STEP) * STEP, 0, 1);
  lc_timeline_set_way (session, way);
}

static void
go_to_measured (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_session_set_timelines (((Actions *)data)->session, LC_TIMELINE_MEASURED, LC_TRACE_NONE, LC_TRACE_NONE,
                            LC_TRACE_NONE);
}

static void
timeline_actions_approximate (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Actions *actions = data;

  lc_approximate_dialog_show (actions->window, actions->session);
}

static void
timeline_actions_what_if (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Actions *actions = data;
  GPtrArray *subjects = g_ptr_array_new_with_free_func (lc_what_if_subject_free);

  g_ptr_array_add (subjects, lc_what_if_subject_unpack (parameter));
  lc_what_if_dialog_show (actions->window, actions->session, subjects);
}

/* Asks of what the selected event has, if there is one. */
static void
timeline_actions_what_if_any (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Actions *actions = data;
  const LcHistoryEvent *event = lc_session_get_event (actions->session);

  lc_what_if_dialog_show (actions->window, actions->session,
                          event != NULL ? lc_what_if_list_subjects (lc_session_get_history (actions->session), event)
                                        : g_ptr_array_new_with_free_func (lc_what_if_subject_free));
}

static void
delete_timeline (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Actions *actions = data;

  lc_timeline_delete (actions->window, actions->session, g_variant_get_string (parameter, NULL));
}

/* --- States of the actions --------------------------------------------------------------------------------------- */

static const GActionEntry entries[] = {
    {.name = "time", .parameter_type = "s", .state = "'physical'", .change_state = timeline_actions_set_time},
    {.name = "orientation", .state = "false", .change_state = timeline_actions_set_orientation},
    {.name = "timeline", .parameter_type = "s", .state = "'measured'", .change_state = set_timeline},
    {.name = "beside", .state = "false", .change_state = set_beside},
    {.name = "bounds", .state = "false", .change_state = set_bounds},
    {.name = "apart", .state = "true", .change_state = set_apart},
    {.name = "share-more", .activate = timeline_actions_go_on},
    {.name = "share-less", .activate = timeline_actions_go_on},
    {.name = "measured", .activate = go_to_measured},
    {.name = "approximate", .activate = timeline_actions_approximate},
    {.name = "what-if", .parameter_type = "(uuss)", .activate = timeline_actions_what_if},
    {.name = "what-if-any", .activate = timeline_actions_what_if_any},
    {.name = "delete-timeline", .parameter_type = "s", .activate = delete_timeline},
};

static void
timeline_actions_set (const Actions *actions, const char *name, GVariant *state, gboolean enabled)
{
  GSimpleAction *action = G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (actions->window), name));

  if (state != NULL)
    g_simple_action_set_state (action, state);
  g_simple_action_set_enabled (action, enabled);
}

static void
timeline_actions_on_changed (LcSession *session, guint what, const Actions *actions)
{
  const LcShown *shown = lc_session_get_shown (session);
  const char *name = shown != NULL ? lc_session_get_timeline_name (session, shown->timeline) : NULL;
  gboolean others = find_approximated (session) != LC_TRACE_NONE,
           whole = shown != NULL && shown->opened->temporary == NULL;
  gboolean beside = shown != NULL && shown->beside != LC_TRACE_NONE;
  gboolean bounds = shown != NULL && shown->selection.lowest != LC_TRACE_NONE;

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES |
               LC_CHANGED_ORIENTATION)) == 0)
    return;
  timeline_actions_set (actions, "time", g_variant_new_string (time_names[shown != NULL ? shown->selection.time : 0]),
                        shown != NULL);
  timeline_actions_set (actions, "orientation",
                        g_variant_new_boolean (shown != NULL && shown->orientation == LC_ORIENTATION_RIGHT),
                        shown != NULL);
  timeline_actions_set (actions, "timeline", g_variant_new_string (name != NULL ? name : "measured"), shown != NULL);
  timeline_actions_set (actions, "beside", g_variant_new_boolean (beside), beside || others);
  timeline_actions_set (actions, "bounds", g_variant_new_boolean (bounds), bounds || whole);
  timeline_actions_set (actions, "apart", g_variant_new_boolean (lc_session_get_share (session) < 0), beside);
  timeline_actions_set (actions, "share-more", NULL, beside);
  timeline_actions_set (actions, "share-less", NULL, beside);
  timeline_actions_set (actions, "measured", NULL,
                        shown != NULL && (shown->timeline != LC_TIMELINE_MEASURED || beside || bounds));
  timeline_actions_set (actions, "approximate", NULL, whole);
  timeline_actions_set (actions, "what-if", NULL, whole);
  timeline_actions_set (actions, "what-if-any", NULL, whole);
  timeline_actions_set (actions, "delete-timeline", NULL, whole && others);
}

static void
timeline_actions_free_actions (gpointer data, GObject *window)
{
  Actions *actions = data;

  g_signal_handlers_disconnect_by_data (actions->session, actions);
  g_object_unref (actions->session);
  g_free (actions);
}

void
lc_timeline_add_actions (GtkApplicationWindow *window, LcSession *session)
{
  Actions *actions = g_new0 (Actions, 1);

  actions->window = GTK_WINDOW (window);
  actions->session = g_object_ref (session);
  g_object_weak_ref (G_OBJECT (window), timeline_actions_free_actions, actions);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), actions);
  g_signal_connect (session, "changed", G_CALLBACK (timeline_actions_on_changed), actions);
  timeline_actions_on_changed (session, LC_CHANGED_ALL, actions);
}
