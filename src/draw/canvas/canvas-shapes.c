/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes cut to the visible part: Cairo cannot count beyond some millions. */
#include "draw/canvas/canvas-private.h"

/* Rectangles are cut so far outside the visible part that the cut is not seen. */
#define MARGIN 2.0

static gboolean
canvas_shapes_cut (double *start, double *length, double visible_start, double visible_length, double least)
{
  double end = *start + *length;

  if (*length < 0)
    {
      double swap = *start;

      *start = end;
      end = swap;
    }
  if (end - *start < least)
    {
      *start = (*start + end - least) / 2;
      end = *start + least;
    }
  *start = MAX (*start, visible_start - MARGIN);
  *length = MIN (end, visible_start + visible_length + MARGIN) - *start;
  return *length >= 0;
}

gboolean
lc_rectangle_prepare (LcRectangle *rectangle, const LcRectangle *visible, double least)
{
  return isfinite (rectangle->x) && isfinite (rectangle->y) && isfinite (rectangle->width) &&
         isfinite (rectangle->height) &&
         canvas_shapes_cut (&rectangle->x, &rectangle->width, visible->x, visible->width, least) &&
         canvas_shapes_cut (&rectangle->y, &rectangle->height, visible->y, visible->height, least);
}

gboolean
lc_rectangle_intersect (const LcRectangle *a, const LcRectangle *b, LcRectangle *both)
{
  double x0 = MAX (a->x, b->x), x1 = MIN (a->x + a->width, b->x + b->width);
  double y0 = MAX (a->y, b->y), y1 = MIN (a->y + a->height, b->y + b->height);

  *both = (LcRectangle){x0, y0, MAX (x1 - x0, 0), MAX (y1 - y0, 0)};
  return x1 > x0 && y1 > y0;
}

/* One side of the algorithm of Liang and Barsky. `inside` is how far within that side the line's start is. */
static gboolean
cut_side (double change, double inside, double *enters, double *leaves)
{
  if (change == 0)
    return inside >= 0;
  if (change > 0)
    *leaves = MIN (*leaves, inside / change);
  else
    *enters = MAX (*enters, inside / change);
  return *enters <= *leaves;
}

gboolean
lc_line_cut (LcLine *line, const LcRectangle *bounds)
{
  double dx = line->x1 - line->x0, dy = line->y1 - line->y0, enters = 0, leaves = 1;

  if (!isfinite (line->x0) || !isfinite (line->y0) || !isfinite (dx) || !isfinite (dy))
    return FALSE;
  if (!cut_side (-dx, line->x0 - bounds->x, &enters, &leaves) ||
      !cut_side (dx, bounds->x + bounds->width - line->x0, &enters, &leaves) ||
      !cut_side (-dy, line->y0 - bounds->y, &enters, &leaves) ||
      !cut_side (dy, bounds->y + bounds->height - line->y0, &enters, &leaves))
    return FALSE;
  if (leaves < 1)
    {
      line->x1 = line->x0 + leaves * dx;
      line->y1 = line->y0 + leaves * dy;
    }
  if (enters > 0)
    {
      line->x0 += enters * dx;
      line->y0 += enters * dy;
    }
  return TRUE;
}

/* One side of the algorithm of Sutherland and Hodgman needs how far within that side a place is. */
static double
inside_of (const LcPlace *place, const LcRectangle *bounds, guint side)
{
  switch (side)
    {
    case 0:
      return place->x - bounds->x;
    case 1:
      return bounds->x + bounds->width - place->x;
    case 2:
      return place->y - bounds->y;
    default:
      return bounds->y + bounds->height - place->y;
    }
}

static GArray *
cut_polygon_side (GArray *places, const LcRectangle *bounds, guint side)
{
  GArray *rest = g_array_sized_new (FALSE, FALSE, sizeof (LcPlace), places->len + 2);

  for (guint i = 0; i < places->len; i++)
    {
      const LcPlace *from = &g_array_index (places, LcPlace, (i > 0 ? i : places->len) - 1);
      const LcPlace *to = &g_array_index (places, LcPlace, i);
      double before = inside_of (from, bounds, side), after = inside_of (to, bounds, side);

      if ((before < 0) != (after < 0))
        {
          double share = before / (before - after);
          LcPlace crossing = {from->x + share * (to->x - from->x), from->y + share * (to->y - from->y)};

          g_array_append_val (rest, crossing);
        }
      if (after >= 0)
        g_array_append_val (rest, *to);
    }
  g_array_unref (places);
  return rest;
}

GArray *
lc_polygon_cut (const LcPlace *places, gsize n_places, const LcRectangle *bounds)
{
  GArray *rest = g_array_sized_new (FALSE, FALSE, sizeof (LcPlace), n_places);

  for (gsize i = 0; i < n_places; i++)
    if (isfinite (places[i].x) && isfinite (places[i].y))
      g_array_append_val (rest, places[i]);
  for (guint side = 0; side < 4; side++)
    rest = cut_polygon_side (rest, bounds, side);
  return rest;
}

guint
lc_marker_outline (LcMarker marker, double size, LcPlace outline[LC_MARKER_MOST])
{
  /* All markers have about the area of the dot, so that none looks more important. */
  static const LcPlace diamond[] = {{0, -0.58}, {0.58, 0}, {0, 0.58}, {-0.58, 0}};
  static const LcPlace square[] = {{-0.44, -0.44}, {0.44, -0.44}, {0.44, 0.44}, {-0.44, 0.44}};
  static const LcPlace triangle[] = {{0, -0.6}, {0.6, 0.48}, {-0.6, 0.48}};
  static const LcPlace plus[] = {{-0.15, -0.5}, {0.15, -0.5}, {0.15, -0.15}, {0.5, -0.15},
                                 {0.5, 0.15},   {0.15, 0.15}, {0.15, 0.5},   {-0.15, 0.5},
                                 {-0.15, 0.15}, {-0.5, 0.15}, {-0.5, -0.15}, {-0.15, -0.15}};
  static const struct
  {
    const LcPlace *places;
    guint n_places;
  } outlines[LC_MARKERS] = {
      [LC_MARKER_DIAMOND] = {diamond, G_N_ELEMENTS (diamond)},
      [LC_MARKER_SQUARE] = {square, G_N_ELEMENTS (square)},
      [LC_MARKER_TRIANGLE] = {triangle, G_N_ELEMENTS (triangle)},
      [LC_MARKER_PLUS] = {plus, G_N_ELEMENTS (plus)},
  };

  for (guint i = 0; i < outlines[marker].n_places; i++)
    outline[i] = (LcPlace){outlines[marker].places[i].x * size, outlines[marker].places[i].y * size};
  return outlines[marker].n_places;
}

gboolean
lc_polyline_is_upright (const LcPlace *places, gsize n_places)
{
  for (gsize i = 1; i < n_places; i++)
    if (places[i].x != places[i - 1].x && places[i].y != places[i - 1].y)
      return FALSE;
  return TRUE;
}
