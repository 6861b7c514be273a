/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the focused diagram. */
#include "app/diagram/diagram-input-private.h"

/* Finds the centre for zooming by keys: the selection if it is in view, else the middle of the view. */
static void
find_centre (LcDiagramInput *input, const LcDiagramView *view, double *position, double *row)
{
  const LcHistoryEvent *event = lc_session_get_event (input->session);
  guint32 found = LC_TRACE_NONE;
  double from, to;

  *position = (view->from + view->to) / 2;
  *row = (view->first_row + view->last_row) / 2;
  if (event == NULL)
    return;
  if (lc_session_get_place (input->session, event, &from, &to) && (from + to) / 2 >= view->from &&
      (from + to) / 2 <= view->to)
    *position = (from + to) / 2;
  found = lc_shown_find_row (lc_session_get_shown (input->session), event->process);
  if (found != LC_TRACE_NONE && found + 0.5 >= view->first_row && found + 0.5 <= view->last_row)
    *row = found + 0.5;
}

static gboolean
move_view (LcDiagramInput *input, LcMove move)
{
  LcDiagramView view;
  LcSpan span, whole;
  double position, row;

  if (!lc_diagram_input_get_view (input, &view))
    return FALSE;
  find_centre (input, &view, &position, &row);
  lc_session_get_span (input->session, &span);
  lc_session_get_whole (input->session, &whole);
  if (!lc_span_move (&span, &whole, view.orientation, move, position, row))
    return FALSE;
  if (move >= LC_MOVE_ZOOM_IN && move <= LC_MOVE_ROWS_OUT)
    lc_diagram_input_zoom_to (input, &span, LC_WAYS);
  else
    lc_diagram_input_jump_to (input, &span, move == LC_MOVE_BEGIN || move == LC_MOVE_END || move == LC_MOVE_FIT);
  return TRUE;
}

static void
diagram_keys_go_back (LcDiagramInput *input)
{
  if (!lc_diagram_input_drop_band (input) && !lc_session_step_back (input->session))
    lc_session_clear_selection (input->session);
}

static void
open_menu (LcDiagramInput *input)
{
  const LcHistoryEvent *event = lc_session_get_event (input->session);
  LcPlace place;
  LcDiagramView view;
  double position, row;

  if (!lc_diagram_input_get_view (input, &view))
    return;
  find_centre (input, &view, &position, &row);
  place = lc_diagram_get_place (&view, row, position);
  if (event == NULL && input->pointed)
    place = (LcPlace){input->x, input->y};
  lc_diagram_input_open_menu (input, place, NULL);
}

static gboolean
diagram_keys_on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers, gpointer data)
{
  LcDiagramInput *input = LC_DIAGRAM_INPUT (data);
  LcMove move = lc_move_find (key, modifiers);

  if (move == LC_MOVE_NONE || input->area == NULL || lc_session_get_shown (input->session) == NULL)
    return GDK_EVENT_PROPAGATE;
  lc_diagram_input_stop (input);
  if (move_view (input, move))
    return GDK_EVENT_STOP;
  if (move == LC_MOVE_BACK)
    diagram_keys_go_back (input);
  else if (move == LC_MOVE_MENU)
    open_menu (input);
  else if (move != LC_MOVE_ZOOM_TO)
    lc_diagram_steps_go (input->steps, move);
  else if (lc_session_has_selection (input->session))
    lc_diagram_input_show_event (input, lc_session_get_event (input->session));
  return GDK_EVENT_STOP;
}

void
lc_diagram_input_add_keys (LcDiagramInput *input)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (diagram_keys_on_key), input, 0);
  gtk_widget_add_controller (GTK_WIDGET (input->area), keys);
}
