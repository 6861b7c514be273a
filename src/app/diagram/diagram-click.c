/* SPDX-License-Identifier: Apache-2.0 */
/* Clicks: a click selects an event, a double click zooms to it. */
#include "app/diagram/diagram-input-private.h"

#define MARGIN 4.0          /* pixels around the pointer */
#define LEAST_POSITIONS 8.0 /* layers that remain in view around an event */
#define SHORT 50.0          /* zoom factor for an event without length */

/* --- Finding the clicked event ----------------------------------------------------------------------------------- */

/* Renames an event of the timeline beside to its process and ordinal on the shown timeline. */
static gboolean
diagram_click_translate (const LcScene *scene, guint track, LcEventName *event)
{
  const LcSceneQuery *query = lc_scene_get_query (scene);
  LcHistory *history = lc_scene_get_history (scene);
  LcHistoryEvent found;

  return track == 0 || (lc_history_get_event (history, query->beside, event->process, event->ordinal, &found, NULL) &&
                        lc_history_locate (history, query->timeline, found.origin_process, found.origin_ordinal,
                                           &event->process, &event->ordinal, NULL));
}

/* Finds the event that took the held object: the holding begins with it. */
static gboolean
diagram_click_find_holder (const LcScene *scene, const LcMark *mark, LcEventName *event)
{
  const LcSceneQuery *query = lc_scene_get_query (scene);
  guint32 timeline = mark->track == 0 ? query->timeline : query->beside;
  LcHistoryEvent found;

  if (query->selection.time != LC_SCENE_PHYSICAL ||
      !lc_history_find_event_at (lc_scene_get_history (scene), timeline, mark->process, mark->from, &found, NULL))
    return FALSE;
  *event = (LcEventName){.process = found.process, .ordinal = found.ordinal};
  return TRUE;
}

/* Finds the event in which a process waited for the operation that it never ended. */
static gboolean
diagram_click_find_last (const LcScene *scene, const LcMark *mark, LcEventName *event)
{
  const LcSceneQuery *query = lc_scene_get_query (scene);
  LcHistoryEvent last;

  if (mark->ordinal == 0 || !lc_history_get_event (lc_scene_get_history (scene), query->timeline, mark->process,
                                                   mark->ordinal - 1, &last, NULL))
    return FALSE;
  *event = (LcEventName){.process = mark->process, .ordinal = mark->ordinal - 1};
  return query->selection.time != LC_SCENE_PHYSICAL || last.end > mark->from;
}

static gboolean
find_of_mark (const LcScene *scene, const LcMark *mark, LcEventName *event)
{
  *event = (LcEventName){.process = mark->process, .ordinal = mark->ordinal};
  switch ((LcMarkKind)mark->kind)
    {
    case LC_MARK_EVENT:
    case LC_MARK_BOUNDS:
      return diagram_click_translate (scene, mark->track, event);
    case LC_MARK_SUMMARY: /* the longest event of the summary */
      return mark->events > 0 && diagram_click_translate (scene, mark->track, event);
    case LC_MARK_HOLDING:
      return diagram_click_find_holder (scene, mark, event) && diagram_click_translate (scene, mark->track, event);
    case LC_MARK_PENDING: /* the process's last event, if the operation is in that */
      return diagram_click_find_last (scene, mark, event);
    case LC_MARK_LIFE:
    case LC_MARK_GOING:
    case LC_MARK_ABSENT:
    case LC_MARK_LOST:
    case LC_MARKS:
      break;
    }
  return FALSE;
}

/* Finds the event at the end of an arc, or the one at its begin if the first is selected already. */
static gboolean
find_of_arc (LcDiagramInput *input, const LcScene *scene, const LcSceneArc *arc, LcEventName *event)
{
  LcEventName selected;

  if (arc->kind == LC_SCENE_ARC_BLOCKED)
    return FALSE;
  lc_session_get_selection (input->session, &selected);
  *event = (LcEventName){.process = lc_scene_get_process (scene, arc->to_row), .ordinal = arc->to_ordinal};
  if (arc->kind == LC_SCENE_ARC_LINK || (event->process == selected.process && event->ordinal == selected.ordinal))
    *event = (LcEventName){.process = lc_scene_get_process (scene, arc->from_row), .ordinal = arc->from_ordinal};
  return TRUE;
}

gboolean
lc_diagram_input_find_event (LcDiagramInput *input, const LcPick *pick, LcEventName *event)
{
  const LcScene *scene = lc_diagram_area_get_scene (input->area);

  if (scene == NULL)
    return FALSE;
  if (pick->mark != NULL)
    return find_of_mark (scene, pick->mark, event);
  return pick->arc != NULL && find_of_arc (input, scene, pick->arc, event);
}

/* --- Zooming to an event ----------------------------------------------------------------------------------------- */

static void
show_part (LcDiagramInput *input, double from, double to)
{
  LcShown *shown = lc_session_get_shown (input->session);
  LcSpan span;

  lc_session_get_span (input->session, &span);
  lc_span_zoom_to (&span, from, to,
                   shown->selection.time != LC_SCENE_PHYSICAL ? LEAST_POSITIONS
                   : to > from                                ? 0
                                                              : (span.to - span.from) / SHORT);
  lc_diagram_input_set_span (input, &span, LC_WAY_ALONG, TRUE);
}

void
lc_diagram_input_show_event (LcDiagramInput *input, const LcHistoryEvent *event)
{
  double from, to;

  if (lc_session_get_place (input->session, event, &from, &to))
    show_part (input, from, to);
}

void
lc_diagram_input_show_mark (LcDiagramInput *input, const LcMark *mark)
{
  double shift = lc_session_get_shown (input->session)->selection.time == LC_SCENE_PHYSICAL ? 0 : 1;

  show_part (input, (double)mark->from, (double)mark->to + (mark->kind == LC_MARK_EVENT ? shift : 0));
}

/* --- The gesture
 * -------------------------------------------------------------------------------------------------------- */

static void
select_picked (LcDiagramInput *input, const LcPick *pick)
{
  LcEventName event;

  if (lc_diagram_input_find_event (input, pick, &event))
    lc_session_select (input->session, event.process, event.ordinal, FALSE);
  else
    lc_session_clear_selection (input->session);
}

static gboolean
can_be_zoomed_to (const LcMark *mark)
{
  return mark != NULL && mark->kind != LC_MARK_LIFE && mark->kind != LC_MARK_GOING && mark->kind != LC_MARK_LOST;
}

static void
diagram_click_on_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  LcDiagramInput *input = LC_DIAGRAM_INPUT (data);
  LcPick pick = {0};
  gboolean picked;

  if (input->area == NULL)
    return;
  picked = lc_diagram_area_pick (input->area, x, y, MARGIN, &pick);
  if (n_press == 1)
    select_picked (input, &pick);
  else if (n_press == 2 && picked && can_be_zoomed_to (pick.mark))
    lc_diagram_input_show_mark (input, pick.mark);
}

static void
diagram_click_on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  gtk_widget_grab_focus (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
}

void
lc_diagram_input_add_clicks (LcDiagramInput *input)
{
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_object (click, "pressed", G_CALLBACK (diagram_click_on_pressed), input, 0);
  g_signal_connect_object (click, "released", G_CALLBACK (diagram_click_on_released), input, 0);
  gtk_widget_add_controller (GTK_WIDGET (input->area), GTK_EVENT_CONTROLLER (click));
}
