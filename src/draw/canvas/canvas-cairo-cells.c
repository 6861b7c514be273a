/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of colours on Cairo. */
#include "draw/canvas/canvas-cairo-private.h"

static cairo_surface_t *
surface_of (guint32 *colors, guint columns, guint rows)
{
  return cairo_image_surface_create_for_data ((guchar *)colors, CAIRO_FORMAT_ARGB32, (int)columns, (int)rows,
                                              (int)(columns * sizeof *colors));
}

/* Every pixel's colour is found here, since Cairo would smooth cells that are smaller than pixels. */
static void
canvas_cairo_cells_paint_pixels (LcCairoCanvas *canvas, const LcRectangle *rectangle, const guint32 *colors,
                                 guint columns, guint rows)
{
  double x0 = lc_cairo_pixel_x (canvas, rectangle->x), x1 = lc_cairo_pixel_x (canvas, rectangle->x + rectangle->width);
  double y0 = lc_cairo_pixel_y (canvas, rectangle->y), y1 = lc_cairo_pixel_y (canvas, rectangle->y + rectangle->height);
  LcRectangle cut_to = *rectangle;
  LcPixelBox box;

  if (!lc_rectangle_prepare (&cut_to, &canvas->parent.visible, 0))
    return;
  box = lc_cairo_box_of (canvas, &cut_to);
  if (!lc_pixel_box_intersect (&box, &canvas->box, &box))
    return;

  guint width = (guint)(box.x1 - box.x0), height = (guint)(box.y1 - box.y0);
  LcRectangle part = {(box.x0 - x0) / (x1 - x0) * columns, (box.y0 - y0) / (y1 - y0) * rows,
                      width / (x1 - x0) * columns, height / (y1 - y0) * rows};
  g_autofree guint32 *pixels = lc_cells_resize (colors, columns, rows, &part, width, height);
  cairo_surface_t *surface = surface_of (pixels, width, height);

  cairo_save (canvas->cairo);
  cairo_set_matrix (canvas->cairo, &canvas->pixel_matrix);
  cairo_set_source_surface (canvas->cairo, surface, box.x0, box.y0);
  cairo_pattern_set_filter (cairo_get_source (canvas->cairo), CAIRO_FILTER_NEAREST);
  cairo_rectangle (canvas->cairo, box.x0, box.y0, width, height);
  cairo_fill (canvas->cairo);
  cairo_restore (canvas->cairo);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
}

/* Paints each cell as one pixel of an image if all cells are seen. Else the image has FINE pixels per unit of the part
 * that is seen. */
#define FINE 4.0

static void
paint_on_paper (LcCairoCanvas *canvas, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows)
{
  LcRectangle seen;
  guint new_columns = columns, new_rows = rows;

  rectangle.width = MAX (rectangle.width, LC_CAIRO_LEAST);
  rectangle.height = MAX (rectangle.height, LC_CAIRO_LEAST);
  if (!lc_rectangle_intersect (&rectangle, &canvas->parent.visible, &seen))
    return;
  if (seen.width < rectangle.width || seen.height < rectangle.height)
    {
      new_columns = (guint)CLAMP (ceil (seen.width * FINE), 1, LC_CELLS_MOST);
      new_rows = (guint)CLAMP (ceil (seen.height * FINE), 1, LC_CELLS_MOST);
    }
  new_columns = MIN (new_columns, LC_CELLS_MOST);
  new_rows = MIN (new_rows, LC_CELLS_MOST);

  LcRectangle part = {(seen.x - rectangle.x) / rectangle.width * columns,
                      (seen.y - rectangle.y) / rectangle.height * rows, seen.width / rectangle.width * columns,
                      seen.height / rectangle.height * rows};
  g_autofree guint32 *pixels = lc_cells_resize (colors, columns, rows, &part, new_columns, new_rows);
  cairo_surface_t *surface = surface_of (pixels, new_columns, new_rows);

  cairo_save (canvas->cairo);
  cairo_rectangle (canvas->cairo, seen.x, seen.y, seen.width, seen.height);
  cairo_clip (canvas->cairo);
  cairo_translate (canvas->cairo, seen.x, seen.y);
  cairo_scale (canvas->cairo, seen.width / new_columns, seen.height / new_rows);
  cairo_set_source_surface (canvas->cairo, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (canvas->cairo), CAIRO_FILTER_NEAREST);
  cairo_paint (canvas->cairo);
  cairo_restore (canvas->cairo);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
}

void
lc_cairo_cells (LcCanvas *parent, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;

  if (canvas->has_pixels)
    canvas_cairo_cells_paint_pixels (canvas, &rectangle, colors, columns, rows);
  else
    paint_on_paper (canvas, rectangle, colors, columns, rows);
}
