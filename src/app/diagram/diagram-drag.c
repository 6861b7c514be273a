/* SPDX-License-Identifier: Apache-2.0 */
/* Drag: the diagram follows the pointer; with Shift, or on a ruler, a rubber band selects the part to zoom to. */
#include "app/diagram/diagram-input-private.h"

#include <math.h>

#define RECENT 100000 /* µs before the release from which the speed is taken */

typedef struct
{
  LcDiagramInput *input;
  LcWays ways;
  LcSpan span; /* at the begin of the drag */
  LcPlace start;
  gint64 time; /* of `last` */
  LcPlace last;
  double speed_x; /* pixels a second, smoothed */
  double speed_y;
} Drag;

static void
free_drag (gpointer data)
{
  g_object_unref (((Drag *)data)->input);
  g_free (data);
}

/* --- The rubber band ------------------------------------------------------------------------------------------------
 */

/* A rubber band on a ruler has the full breadth of the area, because the ruler sets only one direction. */
static void
diagram_drag_widen (const Drag *drag, const LcDiagramView *view, LcPlace *start, LcPlace *end)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;

  if (drag->ways == LC_WAYS)
    return;
  if ((drag->ways == LC_WAY_ALONG) == down)
    {
      start->x = 0;
      end->x = view->area.width;
    }
  else
    {
      start->y = 0;
      end->y = view->area.height;
    }
}

static LcPlace
keep_inside (const LcDiagramView *view, LcPlace place)
{
  return (LcPlace){CLAMP (place.x, 0, view->area.width), CLAMP (place.y, 0, view->area.height)};
}

static void
draw_band (const Drag *drag, const LcDiagramView *view, LcPlace end)
{
  LcPlace start = keep_inside (view, drag->start);
  graphene_rect_t band;

  end = keep_inside (view, end);
  diagram_drag_widen (drag, view, &start, &end);
  graphene_rect_init (&band, (float)MIN (start.x, end.x), (float)MIN (start.y, end.y), (float)fabs (end.x - start.x),
                      (float)fabs (end.y - start.y));
  lc_diagram_area_set_band (drag->input->area, &band);
}

gboolean
lc_diagram_input_drop_band (LcDiagramInput *input)
{
  GtkGesture *banding = input->banding;

  if (banding == NULL)
    return FALSE;
  input->banding = NULL;
  lc_diagram_area_set_band (input->area, NULL);
  gtk_gesture_set_state (banding, GTK_EVENT_SEQUENCE_DENIED);
  return TRUE;
}

static void
zoom_to_band (const Drag *drag, const LcDiagramView *view, LcPlace end)
{
  LcPlace start = keep_inside (view, drag->start);
  LcSpan span;

  lc_session_get_span (drag->input->session, &span);
  if (lc_span_from_band (&span, view, start, keep_inside (view, end)))
    lc_diagram_input_set_span (drag->input, &span, drag->ways, TRUE);
}

/* --- The gesture
 * ------------------------------------------------------------------------------------------------------ */

static void
on_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  Drag *drag = data;
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  gboolean bands = drag->ways != LC_WAYS || (modifiers & GDK_SHIFT_MASK) != 0;
  LcDiagramView view;

  lc_diagram_input_stop (drag->input);
  if ((button != GDK_BUTTON_PRIMARY && button != GDK_BUTTON_MIDDLE) || !lc_diagram_input_get_view (drag->input, &view))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  drag->start = drag->last = lc_diagram_input_get_place (drag->input, widget, x, y);
  drag->time = g_get_monotonic_time ();
  drag->speed_x = drag->speed_y = 0;
  drag->input->banding = button == GDK_BUTTON_PRIMARY && bands ? GTK_GESTURE (gesture) : NULL;
  lc_session_get_span (drag->input->session, &drag->span);
}

/* Pans from the span at the begin of the drag, so that the place under the pointer stays there even after the ends of
 * the run have stopped it. */
static void
diagram_drag_pan (Drag *drag, double dx, double dy, LcPlace place)
{
  LcDiagramView view;
  LcSpan span = drag->span;
  gint64 now = g_get_monotonic_time ();
  double seconds = (double)MAX (now - drag->time, 1000) / G_USEC_PER_SEC;

  if (!lc_diagram_input_get_view (drag->input, &view))
    return;
  lc_span_pan (&span, &view, dx, dy);
  lc_diagram_input_set_span (drag->input, &span, drag->ways, FALSE);
  drag->speed_x = (drag->speed_x + (place.x - drag->last.x) / seconds) / 2;
  drag->speed_y = (drag->speed_y + (place.y - drag->last.y) / seconds) / 2;
  drag->last = place;
  drag->time = now;
}

static void
on_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  Drag *drag = data;
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  LcPlace place = {drag->start.x + dx, drag->start.y + dy};
  LcDiagramView view;

  if (!gtk_drag_check_threshold (widget, 0, 0, (int)dx, (int)dy) &&
      gtk_gesture_get_sequence_state (GTK_GESTURE (gesture), gtk_gesture_get_last_updated_sequence (
                                                                 GTK_GESTURE (gesture))) == GTK_EVENT_SEQUENCE_NONE)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (drag->input->banding == GTK_GESTURE (gesture) && lc_diagram_input_get_view (drag->input, &view))
    {
      draw_band (drag, &view, place);
      return;
    }
  if (drag->ways == LC_WAYS)
    gtk_widget_set_cursor_from_name (widget, "grabbing");
  diagram_drag_pan (drag, dx, dy, place);
}

static void
on_end (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  Drag *drag = data;
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  LcPlace place = {drag->start.x + dx, drag->start.y + dy};
  gboolean claimed = gtk_gesture_get_sequence_state (GTK_GESTURE (gesture),
                                                     gtk_gesture_get_last_updated_sequence (GTK_GESTURE (gesture))) ==
                     GTK_EVENT_SEQUENCE_CLAIMED;
  LcDiagramView view;

  if (drag->ways == LC_WAYS)
    gtk_widget_set_cursor (widget, NULL);
  if (drag->input->banding == GTK_GESTURE (gesture))
    {
      drag->input->banding = NULL;
      lc_diagram_area_set_band (drag->input->area, NULL);
      if (claimed && lc_diagram_input_get_view (drag->input, &view))
        zoom_to_band (drag, &view, place);
    }
  else if (claimed && g_get_monotonic_time () - drag->time < RECENT)
    lc_diagram_input_glide (drag->input, drag->speed_x, drag->speed_y, drag->ways);
}

static void
diagram_drag_on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  Drag *drag = data;

  if (drag->ways == LC_WAYS)
    gtk_widget_set_cursor (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)), NULL);
  if (drag->input->banding != gesture || drag->input->area == NULL)
    return;
  drag->input->banding = NULL;
  lc_diagram_area_set_band (drag->input->area, NULL);
}

void
lc_diagram_input_add_drag (LcDiagramInput *input, GtkWidget *widget, LcWays ways)
{
  GtkGesture *gesture = gtk_gesture_drag_new ();
  Drag *drag = g_new0 (Drag, 1);

  drag->input = g_object_ref (input);
  drag->ways = ways;
  g_object_set_data_full (G_OBJECT (widget), "lc-drag", drag, free_drag);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), 0);
  g_signal_connect (gesture, "drag-begin", G_CALLBACK (on_begin), drag);
  g_signal_connect (gesture, "drag-update", G_CALLBACK (on_update), drag);
  g_signal_connect (gesture, "drag-end", G_CALLBACK (on_end), drag);
  g_signal_connect (gesture, "cancel", G_CALLBACK (diagram_drag_on_cancel), drag);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
}
