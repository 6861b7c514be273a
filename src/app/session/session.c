/* SPDX-License-Identifier: Apache-2.0 */
/* The session: the history and the choices that are shown, with a signal for each change. */
#include "app/session/session-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/session/state.h"
#include "draw/options/view-options.h"
#include "lightcone/what-if.h"

G_DEFINE_FINAL_TYPE (LcSession, lc_session, G_TYPE_OBJECT)

enum
{
  CHANGED,
  TOLD,
  SIGNALS,
};

static guint signals[SIGNALS];

static void
session_free_step (gpointer data)
{
  LcStep *step = data;

  lc_shown_unref (step->shown);
  g_free (step);
}

static void
free_bookmark (gpointer data)
{
  LcBookmark *bookmark = data;

  g_free (bookmark->note);
  g_free (bookmark);
}

static void
lc_session_init (LcSession *session)
{
  session->share = -1;
  session->steps = g_ptr_array_new_with_free_func (session_free_step);
  session->trail = g_array_new (FALSE, FALSE, sizeof (LcEventName));
  session->bookmarks = g_ptr_array_new_with_free_func (free_bookmark);
  session->titles = g_ptr_array_new_with_free_func (g_free);
  session->selection.process = LC_TRACE_NONE;
  lc_session_init_stops (session);
  lc_session_init_marks (session);
  lc_session_init_find (session);
}

static void
lc_session_dispose (GObject *object)
{
  LcSession *session = LC_SESSION (object);

  lc_session_dispose_find (session);
  lc_session_dispose_marks (session);
  g_ptr_array_set_size (session->steps, 0);
  g_clear_pointer (&session->timelines, g_ptr_array_unref);
  g_clear_pointer (&session->shown, lc_shown_unref);
  G_OBJECT_CLASS (lc_session_parent_class)->dispose (object);
}

static void
lc_session_finalize (GObject *object)
{
  LcSession *session = LC_SESSION (object);

  g_ptr_array_unref (session->steps);
  g_ptr_array_unref (session->titles);
  g_array_unref (session->trail);
  g_ptr_array_unref (session->bookmarks);
  lc_session_finalize_stops (session);
  g_clear_pointer (&session->hits, lc_kept_unref);
  g_free (session->phases);
  G_OBJECT_CLASS (lc_session_parent_class)->finalize (object);
}

static void
lc_session_class_init (LcSessionClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_session_dispose;
  G_OBJECT_CLASS (class)->finalize = lc_session_finalize;
  signals[CHANGED] =
      g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[TOLD] = g_signal_new ("told", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

LcSession *
lc_session_new (void)
{
  return g_object_new (LC_TYPE_SESSION, NULL);
}

/* --- Telling --------------------------------------------------------------------------------------------------- */

void
lc_session_begin (LcSession *session)
{
  session->depth++;
}

void
lc_session_end (LcSession *session)
{
  guint changed = session->changed;

  g_return_if_fail (session->depth > 0);
  if (--session->depth > 0 || changed == 0)
    return;
  session->changed = 0;
  g_signal_emit (session, signals[CHANGED], 0, changed);
}

void
lc_session_changed (LcSession *session, guint what)
{
  lc_session_begin (session);
  session->changed |= what;
  lc_session_end (session);
}

void
lc_session_tell (LcSession *session, const char *text)
{
  g_signal_emit (session, signals[TOLD], 0, text);
}

/* --- The history ----------------------------------------------------------------------------------------------- */

LcOpened *
lc_session_get_opened (LcSession *session)
{
  return session->shown != NULL ? session->shown->opened : NULL;
}

LcHistory *
lc_session_get_history (LcSession *session)
{
  return session->shown != NULL ? session->shown->opened->history : NULL;
}

static void
load_timelines (LcSession *session)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&session->timelines, g_ptr_array_unref);
  g_ptr_array_set_size (session->titles, 0);
  if (session->shown == NULL)
    return;
  session->timelines = lc_history_list_timelines (session->shown->opened->history, &error);
  if (session->timelines == NULL)
    lc_session_tell (session, error->message);
  for (guint i = 0; session->timelines != NULL && i < session->timelines->len; i++)
    g_ptr_array_add (session->titles, lc_timeline_dup_title (session->timelines->pdata[i]));
}

void
lc_session_reload_timelines (LcSession *session)
{
  load_timelines (session);
  lc_session_changed (session, LC_CHANGED_TIMELINES);
}

GPtrArray *
lc_session_get_timelines (LcSession *session)
{
  return session->timelines;
}

const char *
lc_session_get_timeline_name (LcSession *session, guint32 timeline)
{
  for (guint i = 0; session->timelines != NULL && i < session->timelines->len; i++)
    {
      const LcHistoryTimeline *one = g_ptr_array_index (session->timelines, i);

      if (one->id == timeline)
        return one->name;
    }
  return NULL;
}

const char *
lc_session_get_timeline_title (LcSession *session, guint32 timeline)
{
  for (guint i = 0; session->timelines != NULL && i < session->timelines->len; i++)
    if (((const LcHistoryTimeline *)session->timelines->pdata[i])->id == timeline)
      return session->titles->pdata[i];
  return timeline == LC_TIMELINE_MEASURED ? _ ("measured") : NULL;
}

static gboolean
is_same_trace (const LcShown *before, const LcOpened *opened)
{
  return before != NULL && opened != NULL && g_strcmp0 (before->opened->directory, opened->directory) == 0;
}

void
lc_session_open (LcSession *session, LcOpened *opened)
{
  LcShown *before = session->shown;
  g_autoptr (GKeyFile) state = is_same_trace (before, opened) ? lc_state_take (session) : NULL;

  lc_session_begin (session);
  lc_session_clear_selection (session);
  g_array_set_size (session->trail, 0);
  g_ptr_array_set_size (session->steps, 0);
  session->shown = NULL;
  session->share = -1;
  session->head_from = session->head_to = 0;
  session->shown = opened != NULL ? lc_shown_new (opened) : NULL;
  g_ptr_array_set_size (session->bookmarks, 0);
  lc_session_forget_stops (session);
  g_clear_pointer (&session->hits, lc_kept_unref);
  g_clear_pointer (&session->phases, g_free);
  g_clear_pointer (&before, lc_shown_unref);
  load_timelines (session);
  lc_session_follow_marks (session);
  lc_session_measure_whole (session);
  session->span = session->whole;
  lc_session_find_missing (session);
  lc_session_changed (session, LC_CHANGED_ALL);
  if (state != NULL)
    lc_state_give (session, state);
  lc_session_end (session);
}

/* --- What is shown --------------------------------------------------------------------------------------------- */

LcShown *
lc_session_get_shown (LcSession *session)
{
  return session->shown;
}

guint
lc_session_compare (const LcShown *a, const LcShown *b)
{
  static const guint changes[LC_OPTION_PARTS] = {
      [LC_OPTION_TIMELINES] = LC_CHANGED_TIMELINE,  [LC_OPTION_TIME] = LC_CHANGED_TIME,
      [LC_OPTION_ROWS] = LC_CHANGED_ROWS,           [LC_OPTION_FILTERS] = LC_CHANGED_FILTER,
      [LC_OPTION_HIGHLIGHT] = LC_CHANGED_HIGHLIGHT, [LC_OPTION_COLORING] = LC_CHANGED_FILTER,
      [LC_OPTION_BOUNDS] = LC_CHANGED_TIMELINE,     [LC_OPTION_HIDDEN] = LC_CHANGED_FILTER,
      [LC_OPTION_MARKS] = LC_CHANGED_MARKS,         [LC_OPTION_ORIENTATION] = LC_CHANGED_ORIENTATION,
  };
  LcPictureOptions one, other;
  guint32 its[2], others[2];
  guint changed = 0, parts;

  lc_shown_fill_options (a, &one, its);
  lc_shown_fill_options (b, &other, others);
  parts = lc_view_options_compare (&one, &other, a->opened->history);
  for (LcOptionPart part = 0; part < LC_OPTION_PARTS; part++)
    changed |= (parts & 1u << part) != 0 ? changes[part] : 0;
  changed |= a->phases != b->phases || a->path != b->path || a->past != b->past || a->future != b->future
                 ? LC_CHANGED_FOUND
                 : 0;
  changed |= a->marks != b->marks ? LC_CHANGED_MARKS : 0;
  return changed;
}

/* Drops results that were found for other choices. */
static void
drop_stale (const LcShown *before, LcShown *shown)
{
  guint changed = lc_session_compare (before, shown);

  if (before->timeline != shown->timeline)
    {
      if (shown->phases == before->phases)
        lc_shown_set_kept (&shown->phases, NULL);
      if (shown->path == before->path)
        lc_shown_set_kept (&shown->path, NULL);
      if (shown->selection.filters.slacks != NULL)
        lc_shown_set_slack (shown, TRUE, shown->selection.filters.most_slack);
    }
  if ((changed & LC_CHANGED_HIGHLIGHT) == 0)
    return;
  if (shown->past == before->past)
    lc_shown_set_kept (&shown->past, NULL);
  if (shown->future == before->future)
    lc_shown_set_kept (&shown->future, NULL);
}

/* The axis shows layers until the phases are found. */
static gboolean
get_selected_place (LcSession *session, double *from, double *to)
{
  if (session->shown->selection.time != LC_SCENE_PHASE || session->shown->phases != NULL)
    return lc_session_get_place (session, &session->event, from, to);
  *from = session->event.layer;
  *to = *from + 1;
  return TRUE;
}

/* Keeps the same part of the run in view after the axis or the rows have changed: a visible selection keeps its place
 * in the window; otherwise the view keeps its share of the whole run. */
static void
keep_view (LcSession *session, const LcSpan *whole_before, double place_before)
{
  LcSpan before = session->span;
  double length = whole_before->to - whole_before->from, share = (before.to - before.from) / MAX (length, 1e-9);
  double middle = (before.from - whole_before->from) / MAX (length, 1e-9) + share / 2, from, to;
  LcSpan span = session->span;

  length = session->whole.to - session->whole.from;
  span.from = session->whole.from + (middle - share / 2) * length;
  span.to = span.from + share * length;
  if (isfinite (place_before) && get_selected_place (session, &from, &to))
    {
      span.from = from - place_before * share * length;
      span.to = span.from + share * length;
    }
  if (before.last_row - before.first_row >= whole_before->last_row - whole_before->first_row)
    {
      span.first_row = session->whole.first_row;
      span.last_row = session->whole.last_row;
    }
  lc_session_set_span (session, &span, FALSE);
}

/* Returns the selection's place in the window from 0 to 1, or NAN if the selection is not in view. */
static double
session_find_place (LcSession *session)
{
  double from, to, place;

  if (!lc_session_has_selection (session) || !get_selected_place (session, &from, &to))
    return NAN;
  place = (from - session->span.from) / (session->span.to - session->span.from);
  return place >= 0 && place <= 1 ? place : NAN;
}

void
lc_session_show (LcSession *session, LcShown *shown)
{
  LcShown *before = session->shown;
  LcSpan whole = session->whole;
  double place = session_find_place (session);
  guint changed;

  g_return_if_fail (before != NULL && shown->opened == before->opened);
  drop_stale (before, shown);
  changed = lc_session_compare (before, shown);
  if (changed == 0)
    {
      lc_shown_unref (shown);
      return;
    }
  lc_session_begin (session);
  if ((changed & ~(LC_CHANGED_FOUND | LC_CHANGED_MARKS)) != 0)
    lc_session_remember (session);
  session->shown = shown;
  if ((changed & (LC_CHANGED_TIME | LC_CHANGED_TIMELINE)) != 0)
    lc_session_clear_head (session);
  if ((changed & LC_CHANGED_TIMELINE) != 0)
    lc_session_keep_selection (session, before->timeline);
  if ((changed & (LC_CHANGED_TIME | LC_CHANGED_TIMELINE | LC_CHANGED_ROWS | LC_CHANGED_FOUND)) != 0)
    {
      lc_session_measure_whole (session);
      keep_view (session, &whole, place);
    }
  if (shown->beside == LC_TRACE_NONE)
    session->share = -1;
  lc_shown_unref (before);
  lc_session_find_missing (session);
  lc_session_changed (session, changed);
  lc_session_end (session);
}

void
lc_session_set_time (LcSession *session, LcSceneTime time)
{
  LcShown *shown;

  if (session->shown == NULL || session->shown->selection.time == time)
    return;
  shown = lc_shown_copy (session->shown);
  shown->selection.time = time;
  lc_session_show (session, shown);
}

void
lc_session_set_orientation (LcSession *session, LcOrientation orientation)
{
  LcShown *shown;

  if (session->shown == NULL)
    return;
  shown = lc_shown_copy (session->shown);
  shown->orientation = orientation;
  lc_session_show (session, shown);
}

void
lc_session_set_timelines (LcSession *session, guint32 timeline, guint32 beside, guint32 lowest, guint32 highest)
{
  LcShown *shown;

  if (session->shown == NULL)
    return;
  shown = lc_shown_copy (session->shown);
  shown->timeline = timeline;
  shown->beside = beside;
  shown->selection.lowest = lowest;
  shown->selection.highest = highest;
  lc_session_show (session, shown);
}

void
lc_session_set_processes (LcSession *session, const guint32 *processes, guint32 n_processes)
{
  LcShown *shown;

  if (session->shown == NULL)
    return;
  shown = lc_shown_copy (session->shown);
  lc_shown_set_processes (shown, processes, n_processes);
  lc_session_show (session, shown);
}

void
lc_session_set_highlight (LcSession *session, LcHighlightKind kind)
{
  LcShown *shown;

  if (session->shown == NULL)
    return;
  if (kind >= LC_HIGHLIGHT_PAST && !lc_session_has_selection (session))
    {
      lc_session_tell (session, _ ("Select an event first: its past and its future can then be shown."));
      return;
    }
  shown = lc_shown_copy (session->shown);
  shown->selection.highlight.kind = kind;
  if (kind >= LC_HIGHLIGHT_PAST)
    {
      shown->selection.highlight.process = session->event.origin_process;
      shown->selection.highlight.ordinal = session->event.origin_ordinal;
    }
  lc_session_show (session, shown);
}

void
lc_session_set_share (LcSession *session, double share)
{
  share = MIN (share, 1);
  if (session->share == share || session->shown == NULL || session->shown->beside == LC_TRACE_NONE)
    return;
  session->share = share;
  lc_session_changed (session, LC_CHANGED_TIMELINE);
}

double
lc_session_get_share (LcSession *session)
{
  return session->share;
}
