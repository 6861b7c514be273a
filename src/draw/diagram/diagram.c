/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram: positions of a scene's marks on a canvas, the order in which they are painted, and the hit test. */
#include "diagram-private.h"

#include <math.h>

#define WIDEST_BOX 44.0
#define WIDEST_NAMED 200.0 /* few rows use the breadth that there is, and names of operations fit in */
#define WIDEST_SUMMARY 96.0

/* The thickness of the hash mark of an event in logical time: a share of the layer's length, within limits in
 * pixels. */
#define THICKNESS 0.5
#define THINNEST_HASH 1.0
#define THICKEST_HASH 6.0

/* Ends of arcs are at most this far from the area: a canvas cannot count much further, and nothing out there is
 * seen. */
#define FAR 1e6

#define LEAST_CONTRAST 0.4

void
lc_diagram_view_init (LcDiagramView *view, const LcScene *scene, LcRectangle area, LcOrientation orientation)
{
  const LcSceneQuery *query = lc_scene_get_query (scene);
  guint32 n_rows = lc_scene_get_n_rows (scene);

  *view = (LcDiagramView){.area = area,
                          .orientation = orientation,
                          .from = (double)query->from,
                          .to = (double)MAX (query->to, query->from + 1),
                          .first_row = 0,
                          .last_row = MAX (n_rows, 1),
                          .time = query->selection.time,
                          .n_tracks = query->beside == LC_TRACE_NONE ? 1 : 2};
}

double
lc_diagram_get_row_size (const LcDiagramView *view)
{
  double across = view->orientation == LC_ORIENTATION_DOWN ? view->area.width : view->area.height;

  return across / (view->last_row - view->first_row);
}

double
lc_diagram_get_scale (const LcDiagramView *view)
{
  double along = view->orientation == LC_ORIENTATION_DOWN ? view->area.height : view->area.width;

  return along / (view->to - view->from);
}

LcPlace
lc_diagram_get_place (const LcDiagramView *view, double row, double position)
{
  double across = (row - view->first_row) * lc_diagram_get_row_size (view);
  double along = (position - view->from) * lc_diagram_get_scale (view);

  if (view->orientation == LC_ORIENTATION_DOWN)
    return (LcPlace){view->area.x + across, view->area.y + along};
  return (LcPlace){view->area.x + along, view->area.y + across};
}

void
lc_diagram_get_position (const LcDiagramView *view, LcPlace place, double *row, double *position)
{
  double x = place.x - view->area.x, y = place.y - view->area.y;
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;

  *row = view->first_row + (down ? x : y) / lc_diagram_get_row_size (view);
  *position = view->from + (down ? y : x) / lc_diagram_get_scale (view);
}

/* --- Across a row ------------------------------------------------------------------------------------------- */

gboolean
lc_diagram_has_bodies (const LcDiagramView *view)
{
  return view->style == LC_DIAGRAM_BODIES && view->time == LC_SCENE_PHYSICAL;
}

void
lc_diagram_get_breadths (const LcDiagramView *view, LcDiagramBreadths *breadths)
{
  double size = lc_diagram_get_row_size (view), track = size / view->n_tracks;

  if (size < LC_DIAGRAM_CELL_ROW)
    {
      *breadths = (LcDiagramBreadths){track, track, track, track};
      return;
    }
  breadths->event = MIN (track * (view->n_tracks == 1 ? 0.6 : 0.72), CLAMP (track * 0.48, WIDEST_BOX, WIDEST_NAMED));
  breadths->holding = MIN (track * 0.92, breadths->event * 1.3);
  breadths->summary = lc_diagram_has_bodies (view) ? breadths->event : MIN (track * 0.8, WIDEST_SUMMARY);
  breadths->life = CLAMP (track * 0.06, 1, 2);
}

double
lc_diagram_get_lane (const LcDiagramView *view, double row, guint track)
{
  LcDiagramBreadths breadths;
  double size = lc_diagram_get_row_size (view), apart;

  if (view->n_tracks == 1)
    return row + 0.5;
  /* Two tracks stay close together, however wide the row is, so that they are seen as one process. */
  lc_diagram_get_breadths (view, &breadths);
  apart = MIN (size / 2, breadths.holding * 1.15) * 0.88;
  return row + 0.5 + (track == 0 ? -0.5 : 0.5) * apart / size;
}

double
lc_diagram_get_shift (const LcDiagramView *view)
{
  return view->time == LC_SCENE_PHYSICAL ? 0 : 0.5;
}

LcRectangle
lc_diagram_get_box (const LcDiagramView *view, double row, double breadth, double from, double to)
{
  LcPlace start = lc_diagram_get_place (view, row, from), end = lc_diagram_get_place (view, row, to);

  if (view->orientation == LC_ORIENTATION_DOWN)
    return (LcRectangle){start.x - breadth / 2, start.y, breadth, end.y - start.y};
  return (LcRectangle){start.x, start.y - breadth / 2, end.x - start.x, breadth};
}

gboolean
lc_diagram_cut (const LcDiagramView *view, double margin, LcRectangle *rectangle)
{
  double left = MAX (rectangle->x, view->area.x - margin), top = MAX (rectangle->y, view->area.y - margin);
  double right = MIN (rectangle->x + rectangle->width, view->area.x + view->area.width + margin);
  double bottom = MIN (rectangle->y + rectangle->height, view->area.y + view->area.height + margin);

  if (right < left || bottom < top)
    return FALSE;
  *rectangle = (LcRectangle){left, top, right - left, bottom - top};
  return TRUE;
}

double
lc_diagram_get_strip (const LcDiagramView *view, double lane, int side, double *breadth)
{
  LcDiagramBreadths breadths;

  lc_diagram_get_breadths (view, &breadths);
  *breadth = MAX (floor ((breadths.holding - breadths.event) / 2), 1);
  return lane + side * (breadths.event + *breadth) / 2 / lc_diagram_get_row_size (view);
}

static double
diagram_breadth_of (const LcDiagramView *view, const LcMark *mark)
{
  LcDiagramBreadths breadths;
  double size = lc_diagram_get_row_size (view);

  lc_diagram_get_breadths (view, &breadths);
  if (mark->n_rows > 1)
    return mark->n_rows * size;
  switch ((LcMarkKind)mark->kind)
    {
    case LC_MARK_LIFE:
      return breadths.life;
    case LC_MARK_HOLDING:
    case LC_MARK_BOUNDS:
      return breadths.holding;
    case LC_MARK_SUMMARY:
      return size < LC_DIAGRAM_CELL_SUMMARY ? size / view->n_tracks : breadths.summary;
    case LC_MARK_EVENT:
    case LC_MARK_ABSENT:
    case LC_MARK_PENDING:
    case LC_MARK_GOING:
    case LC_MARK_LOST:
    case LC_MARKS:
      return breadths.event;
    }
  g_return_val_if_reached (0);
}

LcRectangle
lc_diagram_get_rectangle (const LcDiagramView *view, const LcMark *mark)
{
  double row = lc_diagram_get_lane (view, mark->row + (MAX (mark->n_rows, 1) - 1) / 2.0, mark->track);
  double shift = mark->kind == LC_MARK_SUMMARY ? 0 : lc_diagram_get_shift (view), half = 0;
  double breadth = diagram_breadth_of (view, mark);

  if (view->time != LC_SCENE_PHYSICAL && (mark->kind == LC_MARK_EVENT || mark->kind == LC_MARK_LOST))
    half =
        CLAMP (lc_diagram_get_scale (view) * THICKNESS, THINNEST_HASH, THICKEST_HASH) / 2 / lc_diagram_get_scale (view);
  if (mark->kind == LC_MARK_HOLDING && lc_diagram_has_bodies (view) &&
      lc_diagram_get_row_size (view) >= LC_DIAGRAM_CELL_ROW)
    row = lc_diagram_get_strip (view, row, -1, &breadth);
  return lc_diagram_get_box (view, row, breadth, (double)mark->from + shift - half, (double)mark->to + shift + half);
}

/* --- Arcs ------------------------------------------------------------------------------------------------------- */

static double
far_from (double value, double middle)
{
  return CLAMP (value, middle - FAR, middle + FAR);
}

/* `side` of the box: -1 or 1, or 0 for its middle. */
static LcPlace
end_of_arc (const LcDiagramView *view, guint32 row, guint track, int side, double position)
{
  double size = lc_diagram_get_row_size (view), lane = lc_diagram_get_lane (view, row, track);
  LcDiagramBreadths breadths;
  LcPlace place;

  lc_diagram_get_breadths (view, &breadths);
  if (size >= LC_DIAGRAM_CELL_ROW)
    lane += side * breadths.event / 2 / size;
  place = lc_diagram_get_place (view, lane, position + lc_diagram_get_shift (view));
  return (LcPlace){far_from (place.x, view->area.x), far_from (place.y, view->area.y)};
}

gboolean
lc_diagram_passes (const LcDiagramView *view, const LcSceneArc *arc)
{
  double shift = lc_diagram_get_shift (view);

  return (double)arc->from + shift < view->from && (double)arc->to + shift > view->to &&
         (arc->kind == LC_SCENE_ARC_DATA || arc->kind == LC_SCENE_ARC_ORDER) && arc->from_row != arc->to_row;
}

gboolean
lc_diagram_draws_arc (const LcDiagramView *view, const LcSceneArc *arc)
{
  return (arc->from_row != arc->to_row || arc->kind == LC_SCENE_ARC_LINK) && !lc_diagram_passes (view, arc);
}

LcLine
lc_diagram_get_arc_line (const LcDiagramView *view, const LcSceneArc *arc)
{
  gboolean link = arc->kind == LC_SCENE_ARC_LINK;
  int side = link || arc->to_row > arc->from_row ? 1 : arc->to_row < arc->from_row ? -1 : 0;
  LcPlace from = end_of_arc (view, arc->from_row, link ? 0 : arc->track, side, (double)arc->from);
  LcPlace to = end_of_arc (view, arc->to_row, link ? 1 : arc->track, -side, (double)arc->to);

  return (LcLine){from.x, from.y, to.x, to.y};
}

/* --- Painting --------------------------------------------------------------------------------------------------- */

double
lc_diagram_get_strength (const LcDiagramPainter *painter, guint track)
{
  guint32 timeline = track == 0 ? painter->query->timeline : painter->query->beside;

  return painter->view->n_tracks == 2 && timeline == LC_TIMELINE_MEASURED ? 0.45 : 1;
}

/* With high contrast, what is dim stands back and no more. */
LcColor
lc_diagram_fade (const LcDiagramPainter *painter, LcColor color, double strength)
{
  LcColor panel = lc_palette_get_color (lc_canvas_get_theme (painter->canvas), LC_INK_PANEL);
  double alpha = color.alpha;

  if (lc_theme_has_contrast (lc_canvas_get_theme (painter->canvas)))
    strength = LEAST_CONTRAST + (1 - LEAST_CONTRAST) * strength;
  color = lc_color_mix (panel, color, strength);
  color.alpha = alpha;
  return color;
}

LcFill
lc_diagram_fade_fill (const LcDiagramPainter *painter, LcFill fill, double strength)
{
  fill.color = lc_diagram_fade (painter, fill.color, strength);
  fill.ground = lc_diagram_fade (painter, fill.ground, strength);
  return fill;
}

/* Filling with the colour of the panel, not leaving the fill out, covers the ground, which is that of running. */
LcFill
lc_diagram_hide_fill (const LcDiagramPainter *painter, LcDiagramKind kind, LcFill fill)
{
  if (!lc_diagram_hides (painter->view, kind))
    return fill;
  return lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (painter->canvas), LC_INK_PANEL));
}

gboolean
lc_diagram_has_cells (const LcScene *scene, const LcDiagramView *view)
{
  return lc_diagram_get_row_size (view) < (lc_scene_is_summary (scene) ? LC_DIAGRAM_CELL_SUMMARY : LC_DIAGRAM_CELL_ROW);
}

void
lc_diagram_paint (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas)
{
  LcDiagramPainter painter = {.scene = scene, .query = lc_scene_get_query (scene), .view = view, .canvas = canvas};

  if (view->area.width <= 0 || view->area.height <= 0 || lc_scene_get_n_rows (scene) == 0)
    return;
  lc_diagram_get_breadths (view, &painter.breadths);
  painter.row_size = lc_diagram_get_row_size (view);
  painter.scale = lc_diagram_get_scale (view);
  lc_canvas_clip (canvas, view->area);
  lc_diagram_paint_ground (&painter);
  lc_diagram_paint_going (&painter);
  if (lc_diagram_has_cells (scene, view))
    lc_diagram_paint_cells (&painter);
  else
    {
      lc_diagram_paint_density (&painter);
      lc_diagram_paint_summaries (&painter);
      if (lc_diagram_has_bodies (view))
        lc_diagram_paint_exchanges (&painter);
    }
  lc_diagram_paint_gaps (&painter);
  if (!lc_diagram_has_cells (scene, view))
    lc_diagram_has_bodies (view) ? lc_diagram_paint_bodies (&painter) : lc_diagram_paint_events (&painter);
  lc_diagram_paint_arcs (&painter);
  lc_diagram_paint_notes (&painter);
  lc_diagram_paint_path (&painter);
  if (!lc_diagram_hides (view, LC_DIAGRAM_EVENTS))
    lc_diagram_paint_labels (&painter);
  lc_canvas_unclip (canvas);
}

/* --- Hit test --------------------------------------------------------------------------------------------------- */

static double
distance_to_line (const LcLine *line, LcPlace place)
{
  double x = line->x1 - line->x0, y = line->y1 - line->y0, square = x * x + y * y;
  double along = square > 0 ? ((place.x - line->x0) * x + (place.y - line->y0) * y) / square : 0;

  along = CLAMP (along, 0, 1);
  return hypot (place.x - line->x0 - along * x, place.y - line->y0 - along * y);
}

static const LcSceneArc *
nearest_arc (const LcScene *scene, const LcDiagramView *view, LcPlace place, double margin)
{
  const LcSceneArc *arcs, *nearest = NULL;
  gsize n_arcs;

  arcs = lc_scene_get_arcs (scene, &n_arcs);
  for (gsize i = 0; i < n_arcs; i++)
    {
      LcLine line = lc_diagram_get_arc_line (view, &arcs[i]);
      double distance = distance_to_line (&line, place);

      if (distance <= margin && lc_diagram_draws_arc (view, &arcs[i]) &&
          !lc_diagram_hides (view, LC_DIAGRAM_DATA + arcs[i].kind))
        {
          nearest = &arcs[i];
          margin = distance;
        }
    }
  return nearest;
}

/* The scene's hit test gives a mark the whole breadth of its row; the box that is painted may be narrower. */
static gboolean
is_painted_at (const LcDiagramView *view, const LcMark *mark, LcPlace place, double margin)
{
  LcRectangle box;

  if (mark == NULL || mark->kind == LC_MARK_LIFE || mark->kind == LC_MARK_GOING || mark->kind == LC_MARK_HOLDING ||
      mark->kind == LC_MARK_ABSENT)
    return FALSE;
  box = lc_diagram_get_rectangle (view, mark);
  return place.x >= box.x - margin && place.x <= box.x + box.width + margin && place.y >= box.y - margin &&
         place.y <= box.y + box.height + margin;
}

gboolean
lc_diagram_pick (const LcScene *scene, const LcDiagramView *view, LcPlace place, double margin, LcPick *pick)
{
  double row, position;
  const LcSceneArc *arc;
  gboolean found;

  *pick = (LcPick){NULL, NULL};
  if (place.x < view->area.x || place.x > view->area.x + view->area.width || place.y < view->area.y ||
      place.y > view->area.y + view->area.height)
    return FALSE;
  lc_diagram_get_position (view, place, &row, &position);
  found = lc_scene_pick (scene, row, position - lc_diagram_get_shift (view), margin / lc_diagram_get_row_size (view),
                         margin / lc_diagram_get_scale (view), pick);
  if (found && is_painted_at (view, pick->mark, place, margin))
    return TRUE;
  arc = nearest_arc (scene, view, place, MAX (margin, 1));
  if (arc == NULL && pick->arc != NULL && lc_diagram_hides (view, LC_DIAGRAM_DATA + pick->arc->kind))
    *pick = (LcPick){NULL, NULL};
  if (arc == NULL)
    return found && (pick->mark != NULL || pick->arc != NULL);
  *pick = (LcPick){.arc = arc};
  return TRUE;
}
