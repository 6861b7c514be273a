/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram's input: the pointer, and what wheel, drag, keys and clicks have in common. */
#include "app/diagram/diagram-input-private.h"

#include <math.h>

#define SLOWING 5.0  /* of a glide: by e^5 in a second */
#define SLOWEST 25.0 /* pixels a second, at which a glide ends */
#define FASTEST 8000.0
#define ONE_TURN 800000 /* µs: zooms in quicker succession are one step back */

G_DEFINE_FINAL_TYPE (LcDiagramInput, lc_diagram_input, G_TYPE_OBJECT)

static guint pointed_signal;

/* --- The part in view -------------------------------------------------------------------------------------------- */

gboolean
lc_diagram_input_get_view (LcDiagramInput *input, LcDiagramView *view)
{
  LcShown *shown = input->area != NULL ? lc_session_get_shown (input->session) : NULL;
  LcSpan span;

  if (shown == NULL)
    return FALSE;
  lc_session_get_span (input->session, &span);
  lc_span_to_view (&span, shown->orientation, gtk_widget_get_width (GTK_WIDGET (input->area)),
                   gtk_widget_get_height (GTK_WIDGET (input->area)), view);
  view->time = shown->selection.time;
  return TRUE;
}

LcPlace
lc_diagram_input_get_place (LcDiagramInput *input, GtkWidget *widget, double x, double y)
{
  LcPlace place = {x, y};

  if (input->area != NULL && widget != GTK_WIDGET (input->area))
    gtk_widget_translate_coordinates (widget, GTK_WIDGET (input->area), x, y, &place.x, &place.y);
  return place;
}

void
lc_diagram_input_set_span (LcDiagramInput *input, const LcSpan *span, LcWays ways, gboolean remember)
{
  LcSpan now;

  lc_session_get_span (input->session, &now);
  if ((ways & LC_WAY_ALONG) != 0)
    {
      now.from = span->from;
      now.to = span->to;
    }
  if ((ways & LC_WAY_ACROSS) != 0)
    {
      now.first_row = span->first_row;
      now.last_row = span->last_row;
    }
  lc_session_set_span (input->session, &now, remember);
}

void
lc_diagram_input_zoom_to (LcDiagramInput *input, const LcSpan *span, LcWays ways)
{
  gint64 now = g_get_monotonic_time ();

  lc_diagram_input_set_span (input, span, ways, now - input->zoomed > ONE_TURN);
  input->zoomed = now;
}

void
lc_diagram_input_jump_to (LcDiagramInput *input, const LcSpan *span, gboolean remember)
{
  lc_diagram_input_set_span (input, span, LC_WAYS, remember);
  input->zoomed = 0;
}

void
lc_diagram_input_pan (LcDiagramInput *input, double x, double y, LcWays ways)
{
  LcDiagramView view;
  LcSpan span;

  if (!lc_diagram_input_get_view (input, &view))
    return;
  lc_session_get_span (input->session, &span);
  lc_span_pan (&span, &view, x, y);
  lc_diagram_input_set_span (input, &span, ways, FALSE);
}

guint32
lc_diagram_input_find_row (LcDiagramInput *input, LcPlace place)
{
  LcDiagramView view;
  double row, position;

  if (!lc_diagram_input_get_view (input, &view))
    return LC_TRACE_NONE;
  lc_diagram_get_position (&view, place, &row, &position);
  return row >= 0 && row < lc_shown_get_n_rows (lc_session_get_shown (input->session)) ? (guint32)row : LC_TRACE_NONE;
}

/* --- Gliding ---------------------------------------------------------------------------------------------------------
 */

static gboolean
glide_on (GtkWidget *area, GdkFrameClock *clock, gpointer data)
{
  LcDiagramInput *input = LC_DIAGRAM_INPUT (data);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double seconds = CLAMP ((double)(now - input->glide_time) / G_USEC_PER_SEC, 0, 0.1);

  input->glide_time = now;
  lc_diagram_input_pan (input, input->glide_x * seconds, input->glide_y * seconds, LC_WAYS);
  input->glide_x *= exp (-SLOWING * seconds);
  input->glide_y *= exp (-SLOWING * seconds);
  if (hypot (input->glide_x, input->glide_y) >= SLOWEST)
    return G_SOURCE_CONTINUE;
  input->glide = 0;
  return G_SOURCE_REMOVE;
}

void
lc_diagram_input_stop (LcDiagramInput *input)
{
  if (input->glide != 0 && input->area != NULL)
    gtk_widget_remove_tick_callback (GTK_WIDGET (input->area), input->glide);
  input->glide = 0;
}

void
lc_diagram_input_glide (LcDiagramInput *input, double x, double y, LcWays ways)
{
  LcDiagramView view;
  gboolean level;

  lc_diagram_input_stop (input);
  if (!lc_diagram_input_get_view (input, &view) || hypot (x, y) < SLOWEST * 4)
    return;
  level = (ways & (view.orientation == LC_ORIENTATION_RIGHT ? LC_WAY_ALONG : LC_WAY_ACROSS)) != 0;
  input->glide_x = level ? CLAMP (x, -FASTEST, FASTEST) : 0;
  input->glide_y = ways == LC_WAYS || !level ? CLAMP (y, -FASTEST, FASTEST) : 0;
  input->glide_time = gdk_frame_clock_get_frame_time (gtk_widget_get_frame_clock (GTK_WIDGET (input->area)));
  input->glide =
      gtk_widget_add_tick_callback (GTK_WIDGET (input->area), glide_on, g_object_ref (input), g_object_unref);
}

/* --- The object
 * ------------------------------------------------------------------------------------------------------- */

static void
set_pointer (LcDiagramInput *input, gboolean pointed, double x, double y)
{
  input->pointed = pointed;
  input->x = x;
  input->y = y;
  g_signal_emit (input, pointed_signal, 0);
}

static void
diagram_input_on_motion (LcDiagramInput *input, double x, double y)
{
  set_pointer (input, TRUE, x, y);
}

static void
diagram_input_on_leave (LcDiagramInput *input)
{
  set_pointer (input, FALSE, 0, 0);
}

gboolean
lc_diagram_input_get_pointer (LcDiagramInput *input, double *x, double *y)
{
  *x = input->x;
  *y = input->y;
  return input->pointed;
}

void
lc_diagram_input_select_row (LcDiagramInput *input, guint32 row)
{
  lc_diagram_steps_to_row (input->steps, row);
}

static void
lc_diagram_input_dispose (GObject *object)
{
  LcDiagramInput *input = LC_DIAGRAM_INPUT (object);

  lc_diagram_input_stop (input);
  g_clear_pointer (&input->menu, gtk_widget_unparent);
  if (input->area != NULL)
    gtk_widget_insert_action_group (GTK_WIDGET (input->area), "diagram", NULL);
  g_clear_weak_pointer (&input->area);
  g_clear_pointer (&input->steps, lc_diagram_steps_free);
  g_clear_object (&input->session);
  G_OBJECT_CLASS (lc_diagram_input_parent_class)->dispose (object);
}

static void
lc_diagram_input_class_init (LcDiagramInputClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_diagram_input_dispose;
  pointed_signal =
      g_signal_new ("pointed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_diagram_input_init (LcDiagramInput *input)
{
}

LcDiagramInput *
lc_diagram_input_new (LcDiagramArea *area, LcSession *session)
{
  LcDiagramInput *input = g_object_new (LC_TYPE_DIAGRAM_INPUT, NULL);
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_set_weak_pointer (&input->area, area);
  input->session = g_object_ref (session);
  input->steps = lc_diagram_steps_new (session);
  gtk_widget_set_focusable (GTK_WIDGET (area), TRUE);
  g_signal_connect_object (motion, "enter", G_CALLBACK (diagram_input_on_motion), input, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "motion", G_CALLBACK (diagram_input_on_motion), input, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (diagram_input_on_leave), input, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (area), motion);
  lc_diagram_input_add_wheel (input, GTK_WIDGET (area), LC_WAYS);
  lc_diagram_input_add_drag (input, GTK_WIDGET (area), LC_WAYS);
  lc_diagram_input_add_clicks (input);
  lc_diagram_input_add_keys (input);
  lc_diagram_input_add_menu (input);
  lc_diagram_input_add_tip (input);
  return input;
}

void
lc_diagram_input_add_ruler (LcDiagramInput *input, GtkWidget *ruler, LcWays ways)
{
  lc_diagram_input_add_wheel (input, ruler, ways);
  lc_diagram_input_add_drag (input, ruler, ways);
}
