/* SPDX-License-Identifier: Apache-2.0 */
/* The ground of a diagram: layers, bands of phases, the lives of processes and the objects that they hold. */
#include "diagram-private.h"

#include <math.h>

#define NARROWEST_LAYER 4.0 /* pixels: narrower layers have no line */
#define NARROWEST_BAND 3.0
#define ROOM_OF_NAME 13.0
#define UNKNOWN_STRENGTH 0.35

/* --- Layers ----------------------------------------------------------------------------------------------------- */

static void
add_line_across (const LcDiagramPainter *painter, GArray *lines, double position)
{
  LcPlace from = lc_diagram_get_place (painter->view, painter->view->first_row, position);
  LcPlace to = lc_diagram_get_place (painter->view, painter->view->last_row, position);
  LcLine line = {from.x, from.y, to.x, to.y};

  g_array_append_val (lines, line);
}

static void
paint_layers (const LcDiagramPainter *painter)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LcLine));

  if (painter->scale < NARROWEST_LAYER)
    return;
  for (double layer = floor (painter->view->from); layer < painter->view->to; layer++)
    add_line_across (painter, lines, layer + 0.5);
  lc_diagram_paint_lines (painter, lc_canvas_stroke (painter->canvas, LC_INK_GRID, 1), lines);
}

/* --- Phases ------------------------------------------------------------------------------------------------------ */

/* The position of a phase's begin on the axis that is shown. */
static double
begin_of_phase (const LcSceneQuery *query, guint32 phase)
{
  const LcPhase *its = lc_phases_get (query->phases, phase);

  switch (query->selection.time)
    {
    case LC_SCENE_PHYSICAL:
      return (double)its->begin;
    case LC_SCENE_LOGICAL:
      return (double)its->first_layer;
    case LC_SCENE_PHASE:
      return (double)its->position;
    }
  g_return_val_if_reached (0);
}

/* Visits the visible phases that have events. A phase's band ends where the next one begins. A process that is far
 * ahead may begin a phase before those that come first: its band is behind theirs all the same, so that bands are in
 * order. */
typedef void (*BandVisit) (guint32 phase, guint number, double from, double to, gpointer data);

static void
visit_bands (const LcSceneQuery *query, const LcDiagramView *view, BandVisit visit, gpointer data)
{
  guint32 n_phases = lc_phases_get_n (query->phases), last = LC_TRACE_NONE;
  guint number = 0;
  double from = 0;

  for (guint32 i = 0; i <= n_phases; i++)
    {
      double to = i < n_phases ? MAX (begin_of_phase (query, i), from) : view->to;

      if (i < n_phases && lc_phases_get (query->phases, i)->events == 0)
        continue;
      if (last != LC_TRACE_NONE && to > view->from && from < view->to)
        visit (last, number, MAX (from, view->from), MIN (to, view->to), data);
      number += last != LC_TRACE_NONE;
      last = i;
      from = to;
    }
}

typedef struct
{
  const LcDiagramPainter *painter;
  GArray *bands;
  GArray *limits;
  guint n_seen;
} Bands;

static void
add_band (guint32 phase, guint number, double from, double to, gpointer data)
{
  Bands *bands = data;
  const LcDiagramView *view = bands->painter->view;
  LcRectangle band = lc_diagram_get_box (view, (view->first_row + view->last_row) / 2,
                                         (view->last_row - view->first_row) * bands->painter->row_size, from, to);

  bands->n_seen++;
  if (from > view->from)
    add_line_across (bands->painter, bands->limits, from);
  if (number % 2 == 1)
    g_array_append_val (bands->bands, band);
}

static void
diagram_ground_paint_phases (const LcDiagramPainter *painter)
{
  g_autoptr (GArray) rectangles = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LcLine));
  Bands bands = {.painter = painter, .bands = rectangles, .limits = lines};
  double length = (painter->view->to - painter->view->from) * painter->scale;
  LcFill fill = lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (painter->canvas), LC_INK_PHASE));

  visit_bands (painter->query, painter->view, add_band, &bands);
  if (bands.n_seen == 0 || length / bands.n_seen < NARROWEST_BAND)
    return;
  lc_diagram_paint_rectangles (painter, fill, rectangles);
  lc_diagram_paint_lines (painter, lc_canvas_stroke (painter->canvas, LC_INK_GRID, 1), lines);
}

typedef struct
{
  const LcSceneQuery *query;
  const LcDiagramView *view;
  LcCanvas *canvas;
  LcRectangle room;
  double free_from; /* pixels along the axis: the end of the last name */
} PhaseNames;

static void
paint_phase_name (guint32 phase, guint number, double from, double to, gpointer data)
{
  PhaseNames *names = data;
  gboolean down = names->view->orientation == LC_ORIENTATION_DOWN;
  LcPlace start = lc_diagram_get_place (names->view, 0, from), end = lc_diagram_get_place (names->view, 0, to);
  double first = MAX (down ? start.y : start.x, names->free_from), last = down ? end.y : end.x;
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT};
  const char *name = lc_phase_get_title (lc_phases_get (names->query->phases, phase));

  if (last - first < ROOM_OF_NAME * lc_canvas_get_text_scale (names->canvas))
    return;
  if (down)
    {
      style.room = names->room.width - 6;
      lc_canvas_text (names->canvas, &style, (LcPlace){names->room.x + 6, first + 1}, name);
      return;
    }
  style.align_y = 0.5;
  style.room = last - first - 4;
  lc_canvas_text (names->canvas, &style, (LcPlace){first + 3, names->room.y + names->room.height / 2}, name);
}

void
lc_diagram_paint_phase_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  PhaseNames names = {.query = lc_scene_get_query (scene), .view = view, .canvas = canvas, .room = room};

  if (names.query->phases == NULL)
    return;
  names.free_from = view->orientation == LC_ORIENTATION_DOWN ? view->area.y : view->area.x;
  lc_canvas_begin (canvas, "phases", NULL);
  visit_bands (names.query, view, paint_phase_name, &names);
  lc_canvas_end (canvas);
}

/* --- Processes -------------------------------------------------------------------------------------------------------
 */

/* Whether a life is a body: where there are summaries they cover it. */
static gboolean
diagram_ground_is_body (const LcDiagramPainter *painter, const LcMark *mark)
{
  return mark->kind == LC_MARK_LIFE && lc_diagram_has_bodies (painter->view) && !lc_scene_is_summary (painter->scene) &&
         lc_scene_count_processes (painter->scene, mark) == 1;
}

/* Paints all marks of a kind, each track with its own strength, and what is dim more weakly. */
static void
paint_solid (const LcDiagramPainter *painter, LcMarkKind kind, LcColor color)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, kind, 0, LC_TRACE_NONE, &n_marks);
  GArray *tracks[2][2]; /* by track, then by whether the mark is dim */

  for (guint i = 0; i < 4; i++)
    tracks[i / 2][i % 2] = g_array_new (FALSE, FALSE, sizeof (LcRectangle));

  for (gsize i = 0; i < n_marks; i++)
    {
      LcRectangle rectangle = lc_diagram_get_rectangle (painter->view, &marks[i]);

      if (diagram_ground_is_body (painter, &marks[i]))
        rectangle =
            lc_diagram_get_box (painter->view, lc_diagram_get_lane (painter->view, marks[i].row, marks[i].track),
                                painter->breadths.event, (double)marks[i].from, (double)marks[i].to);
      if (lc_diagram_cut (painter->view, 4, &rectangle))
        g_array_append_val (tracks[marks[i].track & 1][(marks[i].flags & LC_MARK_DIM) != 0], rectangle);
    }
  for (guint i = 0; i < 4; i++)
    {
      double strength = lc_diagram_get_strength (painter, i / 2) * (i % 2 == 1 ? UNKNOWN_STRENGTH : 1);

      lc_diagram_paint_rectangles (painter, lc_canvas_color_fill (lc_diagram_fade (painter, color, strength)),
                                   tracks[i / 2][i % 2]);
      g_array_unref (tracks[i / 2][i % 2]);
    }
}

double
lc_diagram_get_body_strength (const LcDiagramPainter *painter)
{
  const LcSceneQuery *query = painter->query;

  if (lc_filters_are_set (&query->selection.filters) || query->selection.highlight.kind != LC_HIGHLIGHT_NONE)
    return UNKNOWN_STRENGTH;
  return 1;
}

/* The ground is as strong as without a highlight where the critical path stays in physical time: the process runs there
 * if nothing lies over that. */
static void
diagram_ground_paint_stays (const LcDiagramPainter *painter)
{
  const LcColor color = lc_diagram_get_running_color (lc_canvas_get_theme (painter->canvas));
  g_autoptr (GArray) stays = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (painter->scene, &n_arcs);

  for (gsize i = 0; i < n_arcs; i++)
    {
      LcRectangle stay;

      if (arcs[i].kind != LC_SCENE_ARC_CRITICAL || arcs[i].from_row != arcs[i].to_row)
        continue;
      stay = lc_diagram_get_box (painter->view, lc_diagram_get_lane (painter->view, arcs[i].from_row, 0),
                                 painter->breadths.event, (double)arcs[i].from, (double)arcs[i].to);
      if (lc_diagram_cut (painter->view, 2, &stay))
        g_array_append_val (stays, stay);
    }
  lc_diagram_paint_rectangles (
      painter, lc_canvas_color_fill (lc_diagram_fade (painter, color, lc_diagram_get_strength (painter, 0))), stays);
}

void
lc_diagram_paint_ground (const LcDiagramPainter *painter)
{
  LcTheme theme = lc_canvas_get_theme (painter->canvas);

  if (painter->query->phases != NULL)
    diagram_ground_paint_phases (painter);
  if (painter->query->selection.time != LC_SCENE_PHYSICAL)
    paint_layers (painter);
  if (lc_diagram_has_cells (painter->scene, painter->view))
    return;
  /* A process that holds an object runs as well; the line of its life lies over the box of what it holds. */
  if (!lc_diagram_hides (painter->view, LC_DIAGRAM_HOLDING))
    paint_solid (painter, LC_MARK_HOLDING, lc_palette_get_color (theme, LC_INK_HOLDING));
  if (!lc_diagram_hides (painter->view, LC_DIAGRAM_RUNNING))
    paint_solid (painter, LC_MARK_LIFE,
                 lc_diagram_has_bodies (painter->view) ? lc_diagram_fade (painter, lc_diagram_get_running_color (theme),
                                                                          lc_diagram_get_body_strength (painter))
                                                       : lc_palette_get_color (theme, LC_INK_RUNNING));
  if (!lc_diagram_hides (painter->view, LC_DIAGRAM_RUNNING) && lc_diagram_has_bodies (painter->view))
    diagram_ground_paint_stays (painter);
}
