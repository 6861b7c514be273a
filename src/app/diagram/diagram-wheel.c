/* SPDX-License-Identifier: Apache-2.0 */
/* Wheel and pinch: scrolling pans, or zooms at the pointer. */
#include "app/diagram/diagram-input-private.h"
#include "app/settings.h"

#include <math.h>

#define NOTCH 60.0 /* pixels of a touchpad that count as a notch of a wheel */

typedef struct
{
  LcDiagramInput *input;
  LcWays ways;
  double x; /* of the pointer, on the widget */
  double y;
  LcSpan span; /* at the begin of a pinch */
  double position;
  double row;
} Wheel;

static void
free_wheel (gpointer data)
{
  g_object_unref (((Wheel *)data)->input);
  g_free (data);
}

/* Finds the row and the position under the pointer, clamped to the area. */
static void
diagram_wheel_find_place (Wheel *wheel, GtkWidget *widget, const LcDiagramView *view, double *row, double *position)
{
  LcPlace place = lc_diagram_input_get_place (wheel->input, widget, wheel->x, wheel->y);

  place.x = CLAMP (place.x, 0, view->area.width);
  place.y = CLAMP (place.y, 0, view->area.height);
  lc_diagram_get_position (view, place, row, position);
}

static void
diagram_wheel_zoom (Wheel *wheel, GtkWidget *widget, const LcDiagramView *view, LcWays ways, double factor)
{
  double row, position;
  LcSpan span, whole;

  diagram_wheel_find_place (wheel, widget, view, &row, &position);
  lc_session_get_span (wheel->input->session, &span);
  lc_session_get_whole (wheel->input->session, &whole);
  if ((ways & LC_WAY_ALONG) != 0)
    lc_span_zoom (&span, &whole, factor, position);
  if ((ways & LC_WAY_ACROSS) != 0)
    lc_span_zoom_rows (&span, &whole, factor, row);
  lc_diagram_input_zoom_to (wheel->input, &span, ways);
}

/* If all rows are in view there is nowhere to pan across them, so the wheel then pans time. */
static void
diagram_wheel_pan (Wheel *wheel, const LcDiagramView *view, double x, double y)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  double across = down ? x : y, along = down ? y : x;
  LcSpan whole;

  lc_session_get_whole (wheel->input->session, &whole);
  if (wheel->ways == LC_WAY_ALONG ||
      (along == 0 && view->last_row - view->first_row >= whole.last_row - whole.first_row))
    {
      along = along != 0 ? along : across;
      across = 0;
    }
  else if (wheel->ways == LC_WAY_ACROSS && across == 0)
    across = along;
  lc_diagram_input_pan (wheel->input, down ? -across : -along, down ? -along : -across, wheel->ways);
}

static gboolean
diagram_wheel_on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  Wheel *wheel = data;
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean smooth = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  LcWheel what = lc_wheel_find (modifiers, lc_settings_get_choice ("wheel", 0) != 0);
  LcDiagramView view;

  lc_diagram_input_stop (wheel->input);
  if (!lc_diagram_input_get_view (wheel->input, &view))
    return GDK_EVENT_PROPAGATE;
  if (what == LC_WHEEL_PANS)
    diagram_wheel_pan (wheel, &view, smooth ? dx : dx * lc_wheel_get_pixels (view.area.width),
                       smooth ? dy : dy * lc_wheel_get_pixels (view.area.height));
  else
    {
      /* With Shift, scrolling down may be reported as scrolling to the right. */
      double notches = (fabs (dy) >= fabs (dx) ? dy : dx) / (smooth ? NOTCH : 1);
      LcWays ways = what == LC_WHEEL_ZOOMS_TIME ? LC_WAY_ALONG : LC_WAY_ACROSS;

      diagram_wheel_zoom (wheel, widget, &view, wheel->ways == LC_WAYS ? ways : wheel->ways,
                          lc_wheel_get_factor (notches));
    }
  return GDK_EVENT_STOP;
}

static void
on_decelerate (GtkEventControllerScroll *controller, double x, double y, gpointer data)
{
  Wheel *wheel = data;

  if (lc_wheel_find (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller)),
                     lc_settings_get_choice ("wheel", 0) != 0) == LC_WHEEL_PANS)
    lc_diagram_input_glide (wheel->input, -x, -y, wheel->ways);
}

static void
diagram_wheel_on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  Wheel *wheel = data;

  wheel->x = x;
  wheel->y = y;
}

/* --- Pinch
 * ------------------------------------------------------------------------------------------------------------ */

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  Wheel *wheel = data;
  LcDiagramView view;

  lc_diagram_input_stop (wheel->input);
  if (!lc_diagram_input_get_view (wheel->input, &view))
    return;
  gtk_gesture_get_bounding_box_center (gesture, &wheel->x, &wheel->y);
  diagram_wheel_find_place (wheel, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)), &view, &wheel->row,
                            &wheel->position);
  lc_session_get_span (wheel->input->session, &wheel->span);
}

/* Zooms time at the centre of the fingers; with Shift, rows. */
static void
on_pinch (GtkGestureZoom *gesture, double scale, gpointer data)
{
  Wheel *wheel = data;
  GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  LcWays ways = (modifiers & GDK_SHIFT_MASK) != 0 ? LC_WAY_ACROSS : LC_WAY_ALONG;
  LcSpan span = wheel->span, whole;

  lc_session_get_whole (wheel->input->session, &whole);
  if (wheel->ways != LC_WAYS)
    ways = wheel->ways;
  if (ways == LC_WAY_ALONG)
    lc_span_zoom (&span, &whole, 1 / MAX (scale, 1e-6), wheel->position);
  else
    lc_span_zoom_rows (&span, &whole, 1 / MAX (scale, 1e-6), wheel->row);
  lc_diagram_input_zoom_to (wheel->input, &span, ways);
}

void
lc_diagram_input_add_wheel (LcDiagramInput *input, GtkWidget *widget, LcWays ways)
{
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  Wheel *wheel = g_new0 (Wheel, 1);

  wheel->input = g_object_ref (input);
  wheel->ways = ways;
  g_object_set_data_full (G_OBJECT (widget), "lc-wheel", wheel, free_wheel);
  g_signal_connect (scroll, "scroll", G_CALLBACK (diagram_wheel_on_scroll), wheel);
  g_signal_connect (scroll, "decelerate", G_CALLBACK (on_decelerate), wheel);
  g_signal_connect (motion, "enter", G_CALLBACK (diagram_wheel_on_motion), wheel);
  g_signal_connect (motion, "motion", G_CALLBACK (diagram_wheel_on_motion), wheel);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), wheel);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), wheel);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
