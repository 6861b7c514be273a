/* SPDX-License-Identifier: Apache-2.0 */
/* The ruler of time: round numbers of nanoseconds or layers, names of phases, and the position of the pointer. */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/diagram/rulers.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "draw/diagram/diagram-private.h"
#include "draw/canvas/ticks.h"

#define TICK 4.0
#define GAP 3.0
#define TEXT_GAP 12.0
#define TICK_SPACE 70.0 /* px between ticks along the top */
#define TICK_HEIGHT 34.0
#define ROUNDING 0.01 /* px that a place may be off by what was computed before, so that it does not lose a pixel */
#define WIDEST "000.00000" /* the ruler always has room for such a number */

struct _LcTimeRuler
{
  GtkWidget parent;

  LcDiagramArea *area; /* borrowed: it is a child of the same parent */
  LcDiagramInput *input;
  LcSession *session;
  double widest;    /* px of the widest number so far */
  gboolean pointed; /* a mark of the pointer is drawn */
};

G_DEFINE_FINAL_TYPE (LcTimeRuler, lc_time_ruler, GTK_TYPE_WIDGET)

static const LcTextStyle tick_style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT};

static double
ruler_time_measure_text (LcCanvas *canvas, const char *text)
{
  double width, height;

  lc_canvas_measure (canvas, &tick_style, text, &width, &height);
  return width;
}

/* --- Ticks
 * ------------------------------------------------------------------------------------------------------------ */

static LcAxisScaleKind
get_kind (const LcDiagramView *view)
{
  return view->time == LC_SCENE_PHYSICAL ? LC_SCALE_TIME : LC_SCALE_COUNT;
}

static double
ruler_time_get_step (const GArray *ticks)
{
  return ticks->len < 2 ? INFINITY : g_array_index (ticks, LcTick, 1).value - g_array_index (ticks, LcTick, 0).value;
}

/* Makes at most `most` ticks, independent of the position of the view: otherwise ticks would come and go while it
 * moves. */
static GArray *
new_ticks (const LcDiagramView *view, guint most, char **unit)
{
  double shift = lc_diagram_get_shift (view), length = view->to - view->from;
  GArray *ticks = lc_ticks_new (get_kind (view), view->from - shift, view->to - shift, most, unit);

  if (most < 3 || floor (length / ruler_time_get_step (ticks)) + 1 <= most)
    return ticks;
  g_array_unref (ticks);
  g_free (*unit);
  return lc_ticks_new (get_kind (view), view->from - shift, view->to - shift, most - 1, unit);
}

static double
ruler_time_measure_widest (LcCanvas *canvas, const GArray *ticks)
{
  double widest = 0;

  for (guint i = 0; i < ticks->len; i++)
    widest = MAX (widest, ruler_time_measure_text (canvas, g_array_index (ticks, LcTick, i).text));
  return widest;
}

/* Resizes later: a widget must not be resized while it is painted. */
static gboolean
ruler_time_make_room (gpointer data)
{
  gtk_widget_queue_resize (GTK_WIDGET (data));
  return G_SOURCE_REMOVE;
}

/* Makes as many ticks as there is room for. */
static GArray *
choose_ticks (LcTimeRuler *ruler, const LcDiagramView *view, LcCanvas *canvas, char **unit)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  double length = down ? view->area.height : view->area.width;
  guint most = (guint)CLAMP (length / ((down ? TICK_HEIGHT : TICK_SPACE) * lc_canvas_get_text_scale (canvas)), 2, 100);
  GArray *ticks = new_ticks (view, most, unit);
  double widest = ruler_time_measure_widest (canvas, ticks);

  while (!down && ticks->len > 1 && widest + TEXT_GAP > ruler_time_get_step (ticks) * lc_diagram_get_scale (view) &&
         most > 2)
    {
      g_array_unref (ticks);
      g_free (*unit);
      most = MAX (most * 3 / 4, 2);
      ticks = new_ticks (view, most, unit);
      widest = ruler_time_measure_widest (canvas, ticks);
    }
  if (down && widest > ruler->widest)
    {
      ruler->widest = widest;
      g_idle_add_full (G_PRIORITY_DEFAULT, ruler_time_make_room, g_object_ref (ruler), g_object_unref);
    }
  return ticks;
}

/* --- Painting
 * --------------------------------------------------------------------------------------------------------- */

static void
paint_tick (const LcDiagramView *view, LcCanvas *canvas, LcRectangle room, double position, const char *text)
{
  LcPlace place = lc_diagram_get_place (view, view->first_row, position);
  LcTextStyle style = tick_style;
  double width;
  LcLine line;

  if (view->orientation == LC_ORIENTATION_DOWN)
    {
      double y = floor (place.y + ROUNDING) + 0.5;

      line = (LcLine){room.width - TICK, y, room.width, y};
      style.align_x = 1;
      style.align_y = 0.5;
      place = (LcPlace){room.width - TICK - GAP, CLAMP (place.y, view->area.y + 5, MAX (room.height - 6, 6))};
    }
  else
    {
      double x = floor (place.x + ROUNDING) + 0.5;

      width = ruler_time_measure_text (canvas, text);
      line = (LcLine){x, room.height - TICK, x, room.height};
      style.align_x = 0.5;
      style.align_y = 1;
      place = (LcPlace){CLAMP (place.x, MIN (width / 2 + 1, room.width / 2), room.width - width / 2 - 1),
                        room.height - TICK - 1};
    }
  lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1), &line, 1);
  lc_canvas_text (canvas, &style, place, text);
}

static void
paint_unit (const LcDiagramView *view, LcCanvas *canvas, LcRectangle room, const char *unit)
{
  LcTextStyle style = tick_style;

  style.align_y = 1;
  if (view->orientation == LC_ORIENTATION_DOWN)
    {
      style.align_x = 1;
      style.room = room.width - TICK - GAP;
      lc_canvas_text (canvas, &style, (LcPlace){room.width - TICK - GAP, view->area.y - 6}, unit);
      return;
    }
  style.room = MAX (view->area.x - 24, 12);
  lc_canvas_text (canvas, &style, (LcPlace){4, room.height - TICK - 1}, unit);
}

static void
paint_numbers (LcTimeRuler *ruler, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  g_autofree char *unit = NULL;
  g_autoptr (GArray) ticks = choose_ticks (ruler, view, canvas, &unit);

  for (guint i = 0; i < ticks->len; i++)
    {
      const LcTick *tick = &g_array_index (ticks, LcTick, i);

      paint_tick (view, canvas, room, tick->value + lc_diagram_get_shift (view), tick->text);
    }
  paint_unit (view, canvas, room, view->time != LC_SCENE_PHYSICAL ? _ ("layer") : unit != NULL ? unit : "");
}

/* Returns the position at which a phase ends. */
static double
get_phase_end (const LcPhases *phases, guint32 phase)
{
  return (double)(phase + 1 < lc_phases_get_n (phases) ? lc_phases_get (phases, phase + 1)->position
                                                       : lc_phases_get_n_positions (phases));
}

static gboolean
is_phase_seen (const LcDiagramView *view, const LcPhases *phases, guint32 phase)
{
  double from = (double)lc_phases_get (phases, phase)->position, to = get_phase_end (phases, phase);

  return to > from && to > view->from && from < view->to;
}

/* Chooses to name every first, second, fifth, tenth ... phase, so that there is room for each name. */
static guint32
find_phase_step (const LcDiagramView *view, const LcPhases *phases, double length, double space)
{
  static const guint32 factors[] = {1, 2, 5};
  guint32 n_seen = 0, step = 1;

  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    n_seen += is_phase_seen (view, phases, i);
  for (guint k = 0; k < 24 && step * length < space * n_seen; k++)
    step = factors[k % 3] * (guint32)pow (10, k / 3);
  return step;
}

/* Whether the number at the end of a phase's name is a multiple of the step: 20, 40, 60 are told, not 19, 39, 59. Names
 * without a number are told, too, where there is room. */
static gboolean
is_phase_round (const LcPhases *phases, guint32 phase, guint32 step)
{
  const char *name = lc_phases_get (phases, phase)->name, *at = name + strlen (name);

  while (at > name && g_ascii_isdigit (at[-1]))
    at--;
  return *at == '\0' || g_ascii_strtoull (at, NULL, 10) % step == 0;
}

/* Names phases at their begins; the phase at the edge of the view is named at the edge. */
static void
ruler_time_paint_phases (LcTimeRuler *ruler, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  const LcPhases *phases = lc_kept_get (lc_session_get_shown (ruler->session)->phases);
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  guint32 step, last = LC_TRACE_NONE;

  paint_unit (view, canvas, room, _ ("phase"));
  if (phases == NULL)
    return;
  step = find_phase_step (view, phases, down ? view->area.height : view->area.width,
                          (down ? TICK_HEIGHT : TICK_SPACE) * lc_canvas_get_text_scale (canvas));
  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    if (is_phase_seen (view, phases, i) && is_phase_round (phases, i, step) &&
        (last == LC_TRACE_NONE || i - last >= step))
      {
        paint_tick (view, canvas, room, MAX ((double)lc_phases_get (phases, i)->position, view->from),
                    lc_phase_get_title (lc_phases_get (phases, i)));
        last = i;
      }
}

/* Formats a position to the precision of a pixel, without the unit if there is no room for it. */
static char *
ruler_time_dup_place (const LcDiagramView *view, LcCanvas *canvas, double room, double position)
{
  g_autofree char *text = NULL, *end = NULL, *unit = NULL, *whole = NULL;

  if (view->time != LC_SCENE_PHYSICAL)
    position = floor (position);
  lc_ticks_dup_limits (get_kind (view), position, position + MAX (100 / lc_diagram_get_scale (view), 1), &text, &end,
                       &unit);
  if (unit != NULL)
    whole = g_strdup_printf ("%s %s", text, unit);
  return whole != NULL && ruler_time_measure_text (canvas, whole) <= room ? g_steal_pointer (&whole)
                                                                          : g_steal_pointer (&text);
}

static void
paint_pointer (LcTimeRuler *ruler, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_x = 0.5, .align_y = 1, .backdrop = TRUE};
  g_autofree char *text = NULL;
  double x, y, row, position, width;
  LcPlace place;
  LcLine line;

  ruler->pointed = lc_diagram_input_get_pointer (ruler->input, &x, &y);
  if (!ruler->pointed)
    return;
  gtk_widget_translate_coordinates (GTK_WIDGET (ruler->area), GTK_WIDGET (ruler), x, y, &place.x, &place.y);
  lc_diagram_get_position (view, place, &row, &position);
  text = ruler_time_dup_place (view, canvas, room.width - 4, position);
  width = ruler_time_measure_text (canvas, text);
  line = view->orientation == LC_ORIENTATION_DOWN
             ? (LcLine){0, floor (place.y) + 0.5, room.width, floor (place.y) + 0.5}
             : (LcLine){floor (place.x) + 0.5, 0, floor (place.x) + 0.5, room.height};
  lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_SELECTION, 1), &line, 1);
  if (view->orientation == LC_ORIENTATION_DOWN)
    {
      style.align_x = 1;
      style.align_y = place.y > view->area.y + 20 * lc_canvas_get_text_scale (canvas) ? 1 : 0;
      place.x = MAX (room.width - 2, width);
      place.y += style.align_y > 0 ? -1 : 2;
    }
  else
    place = (LcPlace){CLAMP (place.x, width / 2 + 2, MAX (room.width - width / 2 - 2, width / 2 + 2)),
                      room.height - TICK - 1};
  lc_canvas_text (canvas, &style, place, text);
}

/* Marks the head of a play. */
static void
ruler_time_paint_head (LcTimeRuler *ruler, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  LcPlace start, end;
  LcRectangle box;
  double from, to;

  if (!lc_session_get_head (ruler->session, &from, &to))
    return;
  start = lc_diagram_get_place (view, view->first_row, from);
  end = lc_diagram_get_place (view, view->first_row, to);
  if (view->orientation == LC_ORIENTATION_DOWN)
    box = (LcRectangle){room.width - TICK, start.y, TICK, end.y - start.y};
  else
    box = (LcRectangle){start.x, room.height - TICK, end.x - start.x, TICK};
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_CRITICAL, 1), &box, 1);
}

static void
paint_edge (const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  const LcLine line = view->orientation == LC_ORIENTATION_DOWN
                          ? (LcLine){room.width - 0.5, view->area.y, room.width - 0.5, room.height}
                          : (LcLine){view->area.x, room.height - 0.5, room.width, room.height - 0.5};

  lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1), &line, 1);
}

static void
lc_time_ruler_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcTimeRuler *ruler = LC_TIME_RULER (widget);
  LcRectangle room = {0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)};
  g_autoptr (LcCanvas) canvas = NULL;
  LcDiagramView view;

  if (!lc_ruler_get_view (widget, ruler->area, &view) || view.to <= view.from)
    return;
  canvas = lc_ruler_new_canvas (widget, snapshot);
  paint_edge (&view, canvas, room);
  if (view.time == LC_SCENE_PHASE)
    ruler_time_paint_phases (ruler, &view, canvas, room);
  else
    paint_numbers (ruler, &view, canvas, room);
  ruler_time_paint_head (ruler, &view, canvas, room);
  paint_pointer (ruler, &view, canvas, room);
}

int
lc_time_ruler_measure (LcTimeRuler *ruler)
{
  const LcShown *shown = lc_session_get_shown (ruler->session);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1, 1);
  cairo_t *cairo = cairo_create (surface);
  g_autoptr (LcCanvas) canvas = lc_theme_new_canvas (cairo, LC_THEME_LIGHT);
  double width, height;

  lc_canvas_measure (canvas, &tick_style, WIDEST, &width, &height);
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  if (shown == NULL || shown->orientation == LC_ORIENTATION_RIGHT)
    return (int)ceil (height + TICK + GAP);
  return (int)ceil (MAX (width, ruler->widest) + TICK + GAP + 2);
}

/* --- The widget
 * ------------------------------------------------------------------------------------------------------- */

static void
ruler_time_on_changed (LcTimeRuler *ruler, guint what)
{
  if ((what & LC_CHANGED_HEAD) != 0)
    gtk_widget_queue_draw (GTK_WIDGET (ruler));
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_ORIENTATION)) == 0)
    return;
  ruler->widest = 0;
  gtk_widget_queue_resize (GTK_WIDGET (ruler));
}

static void
lc_time_ruler_dispose (GObject *object)
{
  LcTimeRuler *ruler = LC_TIME_RULER (object);

  g_clear_object (&ruler->input);
  g_clear_object (&ruler->session);
  G_OBJECT_CLASS (lc_time_ruler_parent_class)->dispose (object);
}

static void
lc_time_ruler_class_init (LcTimeRulerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_time_ruler_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = lc_time_ruler_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "ruler");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lc_time_ruler_init (LcTimeRuler *ruler)
{
  gtk_widget_set_overflow (GTK_WIDGET (ruler), GTK_OVERFLOW_HIDDEN);
  lc_accessible_show (GTK_ACCESSIBLE (ruler), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("The axis of time"));
  gtk_widget_set_cursor_from_name (GTK_WIDGET (ruler), "crosshair");
}

GtkWidget *
lc_time_ruler_new (LcDiagramArea *area, LcDiagramInput *input, LcSession *session)
{
  LcTimeRuler *ruler = g_object_new (LC_TYPE_TIME_RULER, NULL);

  ruler->area = area;
  ruler->input = g_object_ref (input);
  ruler->session = g_object_ref (session);
  g_signal_connect_object (area, "moved", G_CALLBACK (gtk_widget_queue_draw), ruler, G_CONNECT_SWAPPED);
  g_signal_connect_object (input, "pointed", G_CALLBACK (gtk_widget_queue_draw), ruler, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "changed", G_CALLBACK (ruler_time_on_changed), ruler, G_CONNECT_SWAPPED);
  lc_diagram_input_add_ruler (input, GTK_WIDGET (ruler), LC_WAY_ALONG);
  return GTK_WIDGET (ruler);
}
