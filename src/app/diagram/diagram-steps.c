/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of the selection: to the next event, to another process, along an arc. The target is found in the
 * background. */
#include "app/diagram/diagram-steps.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/job.h"

struct _LcDiagramSteps
{
  LcSession *session;
  LcJob *job;
  LcShown *shown;   /* the choices that the running search is for */
  LcMove move;      /* the move that the running search is for */
  LcMove next_move; /* asked for meanwhile; LC_MOVE_NONE: none */
};

/* A step to find, and then the event that was found. */
typedef struct
{
  LcShown *shown;
  LcMove move;
  LcEventName from; /* process LC_TRACE_NONE: nothing is selected */
  double place;     /* position on the axis of time or of layers to be near */
  guint32 row;
  LcFiltering filtering; /* ready while the step is looked for */
} Step;

static void
diagram_steps_free_step (gpointer data)
{
  Step *step = data;

  lc_filtering_end (&step->filtering);
  lc_shown_unref (step->shown);
  g_free (step);
}

/* --- Filters -------------------------------------------------------------------------------------------------------
 */

typedef struct
{
  const LcFiltering *filtering;
  LcHistoryEvent event;
  gboolean found;
} Wanted;

static gboolean
diagram_steps_look_at (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Wanted *wanted = data;

  if (!lc_filtering_has (wanted->filtering, event))
    return TRUE;
  wanted->event = *event;
  wanted->found = TRUE;
  return FALSE;
}

/* Finds the first wanted event from `first` on, or the last one before it. `error` is set if reading fails. */
static gboolean
find_from (const Step *step, guint32 process, guint64 first, gboolean backwards, LcHistoryEvent *event,
           GCancellable *cancellable, GError **error)
{
  LcHistory *history = step->shown->opened->history;
  Wanted wanted = {.filtering = &step->filtering};

  if (backwards && first == 0)
    return FALSE;
  if (!lc_history_visit (history, step->shown->timeline, process, first, backwards ? 0 : G_MAXUINT64,
                         diagram_steps_look_at, &wanted, cancellable, error))
    return FALSE;
  *event = wanted.event;
  return wanted.found;
}

/* --- To another process ------------------------------------------------------------------------------------------- */

static double
get_distance (const Step *step, const LcHistoryEvent *event)
{
  double from = (double)(step->shown->selection.time == LC_SCENE_PHYSICAL ? event->begin : event->layer);
  double to = (double)(step->shown->selection.time == LC_SCENE_PHYSICAL ? event->end : event->layer);

  return MAX (MAX (from - step->place, step->place - to), 0);
}

static gboolean
find_near (const Step *step, guint32 process, LcHistoryEvent *event, GCancellable *cancellable, GError **error)
{
  const LcShown *shown = step->shown;
  LcHistory *history = shown->opened->history;
  LcHistoryEvent at, before, after;
  gboolean has_before, has_after;
  guint64 place = (guint64)MAX (step->place, 0), n_events;

  if (!lc_history_count_events (history, shown->timeline, process, &n_events, error) || n_events == 0)
    return FALSE;
  if (!(shown->selection.time == LC_SCENE_PHYSICAL
            ? lc_history_find_event_at (history, shown->timeline, process, place, &at, error)
            : lc_history_find_event_at_layer (history, shown->timeline, process, place, &at, error)))
    return FALSE;
  has_before = find_from (step, process, at.ordinal + 1, TRUE, &before, cancellable, error);
  if (*error != NULL)
    return FALSE;
  has_after = find_from (step, process, at.ordinal + 1, FALSE, &after, cancellable, error);
  if (*error != NULL)
    return FALSE;
  if (has_before && (!has_after || get_distance (step, &before) <= get_distance (step, &after)))
    *event = before;
  else
    *event = after;
  return has_before || has_after;
}

static gboolean
find_in_row (const Step *step, guint32 row, LcHistoryEvent *event, GCancellable *cancellable, GError **error)
{
  guint32 n_processes;
  const guint32 *processes = lc_shown_get_row (step->shown, row, &n_processes);
  LcHistoryEvent one;
  gboolean found = FALSE;

  for (guint32 i = 0; i < n_processes && *error == NULL; i++)
    if (find_near (step, processes[i], &one, cancellable, error) &&
        (!found || get_distance (step, &one) < get_distance (step, event)))
      {
        *event = one;
        found = TRUE;
      }
  return found && *error == NULL;
}

/* Searches from row to row; rows without wanted events are skipped. */
static gboolean
find_in_rows (const Step *step, LcHistoryEvent *event, GCancellable *cancellable, GError **error)
{
  gint64 n_rows = lc_shown_get_n_rows (step->shown), by = step->move == LC_MOVE_ROW_BEFORE ? -1 : 1;
  gint64 row = step->from.process == LC_TRACE_NONE || step->move == LC_MOVE_NONE ? step->row : step->row + by;

  for (; row >= 0 && row < n_rows && *error == NULL; row += by)
    if (find_in_row (step, (guint32)row, event, cancellable, error))
      return TRUE;
  return FALSE;
}

/* --- Along an arc ----------------------------------------------------------------------------------------------------
 */

static gboolean
find_along (const Step *step, LcEventName *found, GCancellable *cancellable, GError **error)
{
  LcHistory *history = step->shown->opened->history;
  guint32 timeline = step->shown->timeline;
  gboolean in = step->move == LC_MOVE_ARC_IN;
  g_autoptr (GArray) arcs = NULL;
  gint64 longest = G_MININT64;

  if (!(in ? lc_history_list_arcs_in (history, timeline, step->from.process, step->from.ordinal, &arcs, error)
           : lc_history_list_arcs_out (history, timeline, step->from.process, step->from.ordinal, cancellable, &arcs,
                                       error)))
    return FALSE;
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (arcs, LcHistoryArc, i);
      gint64 length = (gint64)(arc->to_time - arc->from_time);

      if (length <= longest)
        continue;
      longest = length;
      *found =
          in ? (LcEventName){arc->from_process, arc->from_ordinal} : (LcEventName){arc->to_process, arc->to_ordinal};
    }
  return arcs->len > 0;
}

/* --- In the background
 * -------------------------------------------------------------------------------------------------- */

static gpointer
diagram_steps_find (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  Step *step = data;
  g_autoptr (GError) failed = NULL;
  LcHistoryEvent event = {0};
  LcEventName found = {.process = LC_TRACE_NONE};
  gboolean selected = step->from.process != LC_TRACE_NONE, there;

  if (!lc_filtering_begin (&step->filtering, &step->shown->selection.filters, step->shown->opened->history, cancellable,
                           error))
    return NULL;
  if (selected && (step->move == LC_MOVE_ARC_IN || step->move == LC_MOVE_ARC_OUT))
    there = find_along (step, &found, cancellable, &failed);
  else
    {
      if (selected && (step->move == LC_MOVE_NEXT || step->move == LC_MOVE_PREVIOUS))
        there = find_from (step, step->from.process, step->from.ordinal + (step->move == LC_MOVE_NEXT),
                           step->move == LC_MOVE_PREVIOUS, &event, cancellable, &failed);
      else
        there = find_in_rows (step, &event, cancellable, &failed);
      found = (LcEventName){there ? event.process : LC_TRACE_NONE, event.ordinal};
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return NULL;
    }
  return g_memdup2 (&found, sizeof found);
}

static void
tell_none (LcDiagramSteps *steps)
{
  switch ((guint)steps->move)
    {
    case LC_MOVE_ARC_IN:
      lc_session_tell (steps->session, _ ("No arc ends at this event."));
      break;
    case LC_MOVE_ARC_OUT:
      lc_session_tell (steps->session, _ ("No arc begins at this event."));
      break;
    default:
      if (gdk_display_get_default () != NULL)
        gdk_display_beep (gdk_display_get_default ());
    }
}

/* Selects the found event without zooming, so that neighbouring events stay side by side. The move of the view is not
 * remembered: Escape does not take back single steps. */
static void
diagram_steps_choose (LcDiagramSteps *steps, const LcEventName *found)
{
  guint32 row = lc_shown_find_row (lc_session_get_shown (steps->session), found->process);
  const LcHistoryEvent *event;
  double from, to;
  LcSpan span;

  lc_session_begin (steps->session);
  lc_session_select (steps->session, found->process, found->ordinal, row == LC_TRACE_NONE);
  event = lc_session_get_event (steps->session);
  if (row != LC_TRACE_NONE && event != NULL && lc_session_get_place (steps->session, event, &from, &to))
    {
      lc_session_get_span (steps->session, &span);
      lc_span_reveal (&span, from, to, row);
      lc_session_set_span (steps->session, &span, FALSE);
    }
  lc_session_end (steps->session);
}

/* Tells whether the search was for what is chosen now. */
static gboolean
diagram_steps_are_current (const LcDiagramSteps *steps)
{
  const LcShown *now = lc_session_get_shown (steps->session);

  return now != NULL && now->opened == steps->shown->opened &&
         (lc_session_compare (steps->shown, now) & ~(guint)(LC_CHANGED_FOUND | LC_CHANGED_MARKS)) == 0;
}

static void
diagram_steps_on_done (gpointer owner, gpointer result, const GError *error)
{
  LcDiagramSteps *steps = owner;
  g_autofree LcEventName *found = result;
  LcMove next = steps->next_move;
  gboolean same = diagram_steps_are_current (steps);

  steps->next_move = LC_MOVE_NONE;
  g_clear_pointer (&steps->shown, lc_shown_unref);
  if (error != NULL)
    lc_session_tell (steps->session, error->message);
  else if (same && found->process != LC_TRACE_NONE)
    diagram_steps_choose (steps, found);
  else if (same)
    tell_none (steps);
  if (next != LC_MOVE_NONE)
    lc_diagram_steps_go (steps, next);
}

/* Makes a step from the selection, or from the middle of the view without one. */
static Step *
new_step (LcDiagramSteps *steps, LcMove move)
{
  LcShown *shown = lc_session_get_shown (steps->session);
  const LcHistoryEvent *event = lc_session_get_event (steps->session);
  Step *step = g_new0 (Step, 1);
  LcSpan span;

  lc_session_get_span (steps->session, &span);
  step->shown = lc_shown_ref (shown);
  step->move = move;
  lc_session_get_selection (steps->session, &step->from);
  step->place = (span.from + span.to) / 2;
  step->row = (guint32)CLAMP ((span.first_row + span.last_row) / 2, 0, lc_shown_get_n_rows (shown) - 1.0);
  if (shown->selection.time == LC_SCENE_PHASE)
    step->place = (double)lc_history_get_n_layers (shown->opened->history) / 2;
  if (event == NULL)
    return step;
  step->place = shown->selection.time == LC_SCENE_PHYSICAL ? ((double)event->begin + (double)event->end) / 2
                                                           : (double)event->layer;
  if (lc_shown_find_row (shown, event->process) != LC_TRACE_NONE)
    step->row = lc_shown_find_row (shown, event->process);
  return step;
}

static gboolean
can_step (LcDiagramSteps *steps)
{
  LcShown *shown = lc_session_get_shown (steps->session);

  return shown != NULL && lc_shown_get_n_rows (shown) > 0;
}

static void
diagram_steps_start (LcDiagramSteps *steps, Step *step)
{
  g_clear_pointer (&steps->shown, lc_shown_unref);
  steps->shown = lc_shown_ref (step->shown);
  steps->move = step->move;
  lc_job_start (steps->job, diagram_steps_find, step, diagram_steps_free_step);
}

void
lc_diagram_steps_go (LcDiagramSteps *steps, LcMove move)
{
  if (!can_step (steps))
    return;
  /* Steps run one after the other, because each starts where the one before has led to. */
  if (lc_job_is_running (steps->job))
    steps->next_move = move;
  else
    diagram_steps_start (steps, new_step (steps, move));
}

void
lc_diagram_steps_to_row (LcDiagramSteps *steps, guint32 row)
{
  Step *step;

  if (!can_step (steps) || row >= lc_shown_get_n_rows (lc_session_get_shown (steps->session)))
    return;
  step = new_step (steps, LC_MOVE_NONE);
  step->row = row;
  steps->next_move = LC_MOVE_NONE;
  diagram_steps_start (steps, step);
}

LcDiagramSteps *
lc_diagram_steps_new (LcSession *session)
{
  LcDiagramSteps *steps = g_new0 (LcDiagramSteps, 1);

  steps->session = g_object_ref (session);
  steps->job = lc_job_new (steps, diagram_steps_on_done, NULL, g_free);
  return steps;
}

void
lc_diagram_steps_free (LcDiagramSteps *steps)
{
  lc_job_free (steps->job);
  g_clear_pointer (&steps->shown, lc_shown_unref);
  g_object_unref (steps->session);
  g_free (steps);
}
