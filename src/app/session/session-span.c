/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the run in view: kept within the run, zoomed, panned, and remembered. */
#include "app/session/session-private.h"

enum
{
  MOST_STEPS = 100,
};

/* The narrowest view: positions are at least 1 ns or one layer apart, and a readable picture needs several of them. */
#define NARROWEST 4.0
#define FEWEST_ROWS 1.0

void
lc_session_measure_whole (LcSession *session)
{
  g_autoptr (GError) error = NULL;
  LcSceneQuery query;
  guint64 from = 0, to = 1, end = 1;

  session->whole = (LcSpan){.from = 0, .to = 1, .first_row = 0, .last_row = 1};
  if (session->shown == NULL)
    return;
  lc_shown_fill_query (session->shown, &query);
  if (query.selection.time == LC_SCENE_PHASE && query.phases == NULL)
    query.selection.time = LC_SCENE_LOGICAL; /* in use until the phases are found */
  if (!lc_scene_find_whole (session->shown->opened->history, &query, &from, &to, &end, NULL, &error))
    lc_session_tell (session, error->message);
  session->whole.from = from;
  session->whole.to = MAX (to, from + 1);
  session->run_end = end;
  session->whole.last_row = MAX (lc_shown_get_n_rows (session->shown), 1);
}

void
lc_session_get_whole (LcSession *session, LcSpan *whole)
{
  *whole = session->whole;
}

double
lc_session_get_run_end (LcSession *session)
{
  return session->run_end;
}

void
lc_session_get_span (LcSession *session, LcSpan *span)
{
  *span = session->span;
}

/* Moves the range into the whole run, and cuts it to the whole run if it is longer. */
static void
fit_within (double *from, double *to, double whole_from, double whole_to, double narrowest)
{
  double length = MIN (MAX (*to - *from, narrowest), whole_to - whole_from), middle = (*from + *to) / 2;

  *from = CLAMP (middle - length / 2, whole_from, whole_to - length);
  *to = *from + length;
}

static gboolean
is_same (const LcSpan *a, const LcSpan *b)
{
  return a->from == b->from && a->to == b->to && a->first_row == b->first_row && a->last_row == b->last_row;
}

void
lc_session_remember (LcSession *session)
{
  LcStep *step = g_new (LcStep, 1);

  *step = (LcStep){.shown = lc_shown_ref (session->shown), .span = session->span};
  if (session->steps->len == MOST_STEPS)
    g_ptr_array_remove_index (session->steps, 0);
  g_ptr_array_add (session->steps, step);
}

void
lc_session_set_span (LcSession *session, const LcSpan *span, gboolean remember)
{
  LcSpan fitting = *span;
  const LcSpan *whole = &session->whole;

  if (session->shown == NULL)
    return;
  fit_within (&fitting.from, &fitting.to, whole->from, whole->to, NARROWEST);
  fit_within (&fitting.first_row, &fitting.last_row, whole->first_row, whole->last_row, FEWEST_ROWS);
  if (is_same (&fitting, &session->span))
    return;
  if (remember)
    lc_session_remember (session);
  session->span = fitting;
  lc_session_changed (session, LC_CHANGED_SPAN);
}

void
lc_session_zoom (LcSession *session, double factor, double position)
{
  LcSpan span = session->span;
  double length = span.to - span.from;

  /* The factor is limited first: a view at its narrowest must not drift while the user goes on zooming in. */
  factor = MAX (factor, MIN (NARROWEST / length, 1));
  factor = MIN (factor, (session->whole.to - session->whole.from) / length);
  span.from = position - (position - span.from) * factor;
  span.to = span.from + length * factor;
  lc_session_set_span (session, &span, FALSE);
}

void
lc_session_pan (LcSession *session, double positions, double rows)
{
  LcSpan span = session->span;

  span.from += positions;
  span.to += positions;
  span.first_row += rows;
  span.last_row += rows;
  lc_session_set_span (session, &span, FALSE);
}

void
lc_session_fit (LcSession *session)
{
  lc_session_set_span (session, &session->whole, TRUE);
}

void
lc_session_set_ruler (LcSession *session, double begin, double end)
{
  if (session->ruler_begin == begin && session->ruler_end == end)
    return;
  session->ruler_begin = begin;
  session->ruler_end = end;
  lc_session_changed (session, LC_CHANGED_RULER);
}

void
lc_session_get_ruler (LcSession *session, double *begin, double *end)
{
  *begin = session->ruler_begin;
  *end = session->ruler_end;
}

void
lc_session_set_plots_at_side (LcSession *session, gboolean at_side)
{
  if (session->plots_at_side == at_side)
    return;
  session->plots_at_side = at_side;
  lc_session_changed (session, LC_CHANGED_RULER);
}

gboolean
lc_session_are_plots_at_side (LcSession *session)
{
  return session->plots_at_side;
}

void
lc_session_set_room_below_plots (LcSession *session, int room)
{
  if (session->room_below_plots == room)
    return;
  session->room_below_plots = room;
  lc_session_changed (session, LC_CHANGED_RULER);
}

int
lc_session_get_room_below_plots (LcSession *session)
{
  return session->room_below_plots;
}

gboolean
lc_session_get_head (LcSession *session, double *from, double *to)
{
  *from = session->head_from;
  *to = session->head_to;
  return session->head_from < session->head_to;
}

void
lc_session_set_head (LcSession *session, double from, double to)
{
  if (session->shown == NULL || (session->head_from == from && session->head_to == to))
    return;
  session->head_from = from;
  session->head_to = to;
  lc_session_changed (session, LC_CHANGED_HEAD);
}

void
lc_session_clear_head (LcSession *session)
{
  lc_session_set_head (session, 0, 0);
}

/* Marks are no choices: those that there are now stay. */
static LcShown *
session_span_dup_step (LcSession *session, const LcShown *before)
{
  LcShown *shown = lc_shown_copy (before);

  lc_shown_set_kept (&shown->marks, session->shown->marks != NULL ? lc_kept_ref (session->shown->marks) : NULL);
  lc_shown_set_hidden_marks (shown, (const char *const *)session->shown->hidden_marks);
  return shown;
}

gboolean
lc_session_step_back (LcSession *session)
{
  g_autofree LcStep *step = NULL;

  if (session->steps->len == 0)
    return FALSE;
  step = g_ptr_array_steal_index (session->steps, session->steps->len - 1);
  lc_session_begin (session);
  if (step->shown != session->shown)
    {
      guint n = session->steps->len;

      lc_session_show (session, session_span_dup_step (session, step->shown));
      g_ptr_array_set_size (session->steps, n);
    }
  lc_session_set_span (session, &step->span, FALSE);
  lc_shown_unref (step->shown);
  lc_session_end (session);
  return TRUE;
}
