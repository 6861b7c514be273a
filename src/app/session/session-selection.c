/* SPDX-License-Identifier: Apache-2.0 */
/* The session's selection: the selected event, its place on the axis, and the trail of events selected before. */
#include "app/session/session-private.h"

enum
{
  MOST_ON_TRAIL = 200,
};

void
lc_session_get_selection (LcSession *session, LcEventName *event)
{
  *event = session->selection;
}

gboolean
lc_session_has_selection (LcSession *session)
{
  return session->selection.process != LC_TRACE_NONE;
}

const LcHistoryEvent *
lc_session_get_event (LcSession *session)
{
  return lc_session_has_selection (session) ? &session->event : NULL;
}

gboolean
lc_session_get_place (LcSession *session, const LcHistoryEvent *event, double *from, double *to)
{
  const LcPhases *phases;
  guint32 phase;

  if (session->shown == NULL)
    return FALSE;
  phases = lc_kept_get (session->shown->phases);
  switch (session->shown->selection.time)
    {
    case LC_SCENE_PHYSICAL:
      *from = event->begin;
      *to = event->end;
      return TRUE;
    case LC_SCENE_LOGICAL:
      *from = event->layer;
      break;
    case LC_SCENE_PHASE:
      if (phases == NULL)
        return FALSE;
      phase = lc_phases_of (phases, event->process, event->ordinal);
      *from = lc_phases_get_position (phases, phase, event->layer);
      break;
    }
  *to = *from + 1;
  return TRUE;
}

/* --- Bringing into view ------------------------------------------------------------------------------------------ */

static void
show_process (LcSession *session, guint32 process)
{
  LcShown *shown;

  if (lc_shown_find_row (session->shown, process) != LC_TRACE_NONE)
    return;
  shown = lc_shown_copy (session->shown);
  lc_shown_add_processes (shown, process, 1);
  lc_session_show (session, shown);
}

/* Moves the range as little as possible; a range that already shows the event stays. */
static void
session_selection_move_into (double *from, double *to, double first, double last)
{
  double length = *to - *from, margin = length / 20;

  if (first >= *from && last <= *to)
    return;
  if (last - first > length)
    length = (last - first) * 1.1;
  else if (first < *to && last > *from)
    {
      double shift = first < *from ? first - margin - *from : last + margin - *to;

      *from += shift;
      *to += shift;
      return;
    }
  *from = (first + last) / 2 - length / 2;
  *to = *from + length;
}

static void
session_selection_reveal (LcSession *session)
{
  LcSpan span;
  double from, to;
  guint32 row;

  show_process (session, session->selection.process);
  span = session->span;
  row = lc_shown_find_row (session->shown, session->selection.process);
  if (row != LC_TRACE_NONE)
    session_selection_move_into (&span.first_row, &span.last_row, row, row + 1);
  if (lc_session_get_place (session, &session->event, &from, &to))
    {
      double length = span.to - span.from;

      /* A visible event gets zoomed in to if it is too short to be seen. An event without length gains nothing from
       * zooming. */
      if (to > from && to - from < length / 2000)
        {
          double middle = (from + to) / 2;

          length = MAX ((to - from) * 400, length / 1000);
          span.from = middle - length / 2;
          span.to = middle + length / 2;
        }
      session_selection_move_into (&span.from, &span.to, from, to);
    }
  lc_session_set_span (session, &span, TRUE);
}

/* --- Selecting --------------------------------------------------------------------------------------------------- */

static gboolean
session_selection_choose (LcSession *session, guint32 process, guint64 ordinal)
{
  g_autoptr (GError) error = NULL;
  LcHistoryEvent event;

  if (session->shown == NULL)
    return FALSE;
  if (!lc_history_get_event (session->shown->opened->history, session->shown->timeline, process, ordinal, &event,
                             &error))
    {
      lc_session_tell (session, error->message);
      return FALSE;
    }
  session->event = event;
  session->selection = (LcEventName){.process = process, .ordinal = ordinal};
  return TRUE;
}

static void
put_on_trail (LcSession *session)
{
  guint keep = session->trail->len > 0 ? session->trail_place + 1 : 0;

  g_array_set_size (session->trail, keep);
  if (keep == MOST_ON_TRAIL)
    g_array_remove_index (session->trail, 0);
  g_array_append_val (session->trail, session->selection);
  session->trail_place = session->trail->len - 1;
}

void
lc_session_select (LcSession *session, guint32 process, guint64 ordinal, gboolean reveal_it)
{
  LcEventName before = session->selection;

  if (!session_selection_choose (session, process, ordinal))
    return;
  lc_session_begin (session);
  if (before.process != process || before.ordinal != ordinal)
    {
      put_on_trail (session);
      lc_session_changed (session, LC_CHANGED_SELECTION | LC_CHANGED_TRAIL);
    }
  if (reveal_it)
    session_selection_reveal (session);
  lc_session_end (session);
}

void
lc_session_clear_selection (LcSession *session)
{
  if (!lc_session_has_selection (session))
    return;
  session->selection.process = LC_TRACE_NONE;
  lc_session_changed (session, LC_CHANGED_SELECTION | LC_CHANGED_TRAIL);
}

void
lc_session_keep_selection (LcSession *session, guint32 timeline_before)
{
  LcHistory *history = lc_session_get_history (session);
  guint32 process;
  guint64 ordinal;

  if (!lc_session_has_selection (session) || timeline_before == session->shown->timeline)
    return;
  if (!lc_history_locate (history, session->shown->timeline, session->event.origin_process,
                          session->event.origin_ordinal, &process, &ordinal, NULL) ||
      !session_selection_choose (session, process, ordinal))
    lc_session_clear_selection (session);
  else
    lc_session_changed (session, LC_CHANGED_SELECTION);
}

/* --- The trail --------------------------------------------------------------------------------------------------- */

gboolean
lc_session_can_go_back (LcSession *session)
{
  return session->trail->len > 0 && (session->trail_place > 0 || !lc_session_has_selection (session));
}

gboolean
lc_session_can_go_forward (LcSession *session)
{
  return session->trail_place + 1 < session->trail->len;
}

static void
session_selection_go_to (LcSession *session, guint place)
{
  LcEventName event = g_array_index (session->trail, LcEventName, place);

  if (!session_selection_choose (session, event.process, event.ordinal))
    return;
  session->trail_place = place;
  lc_session_begin (session);
  lc_session_changed (session, LC_CHANGED_SELECTION | LC_CHANGED_TRAIL);
  session_selection_reveal (session);
  lc_session_end (session);
}

void
lc_session_go_back (LcSession *session)
{
  if (lc_session_can_go_back (session))
    session_selection_go_to (session,
                             lc_session_has_selection (session) ? session->trail_place - 1 : session->trail_place);
}

void
lc_session_go_forward (LcSession *session)
{
  if (lc_session_can_go_forward (session))
    session_selection_go_to (session, session->trail_place + 1);
}

/* --- Hits of the search bar -------------------------------------------------------------------------------------- */

const LcKept *
lc_session_get_hits (LcSession *session)
{
  return session->hits;
}

void
lc_session_set_hits (LcSession *session, LcKept *hits)
{
  if (session->hits == NULL && hits == NULL)
    return;
  g_clear_pointer (&session->hits, lc_kept_unref);
  session->hits = hits;
  lc_session_changed (session, LC_CHANGED_HITS);
}
