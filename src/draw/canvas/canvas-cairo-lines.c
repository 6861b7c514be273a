/* SPDX-License-Identifier: Apache-2.0 */
/* Lines on Cairo: upright and level ones are sharp where there are pixels. */
#include "draw/canvas/canvas-cairo-private.h"

static int
pixels_across (const LcCairoCanvas *canvas, double width)
{
  return (int)MAX (lround (width * canvas->scale), 1);
}

/* A line thinner than a pixel becomes a paler line of one pixel. */
static LcFill
fill_of_stroke (const LcCairoCanvas *canvas, const LcStroke *stroke)
{
  LcColor color = stroke->color;

  color.alpha *= MIN (stroke->width * canvas->scale, 1);
  return lc_canvas_color_fill (color);
}

/* The box of an upright or level line that is `width` pixels wide and reaches `beyond` pixels further than its ends. */
static LcPixelBox
box_of_line (const LcCairoCanvas *canvas, const LcLine *line, int width, double beyond)
{
  double x0 = lc_cairo_pixel_x (canvas, line->x0), x1 = lc_cairo_pixel_x (canvas, line->x1);
  double y0 = lc_cairo_pixel_y (canvas, line->y0), y1 = lc_cairo_pixel_y (canvas, line->y1);
  gboolean is_level = y0 == y1;
  LcPixelBox box;

  if (is_level)
    {
      lc_cairo_snap (MIN (x0, x1) - beyond, MAX (x0, x1) + beyond, &box.x0, &box.x1);
      box.y0 = (int)floor (y0 - width / 2.0 + 0.5);
      box.y1 = box.y0 + width;
    }
  else
    {
      lc_cairo_snap (MIN (y0, y1) - beyond, MAX (y0, y1) + beyond, &box.y0, &box.y1);
      box.x0 = (int)floor (x0 - width / 2.0 + 0.5);
      box.x1 = box.x0 + width;
    }
  return box;
}

static void
set_stroke (cairo_t *cairo, const LcStroke *stroke)
{
  double step = MAX (stroke->width, 1);

  lc_cairo_set_color (cairo, stroke->color);
  cairo_set_line_width (cairo, stroke->width);
  if (stroke->dashed)
    cairo_set_dash (cairo, (double[]){LC_DASH * step, LC_GAP * step}, 2, 0);
  else
    cairo_set_dash (cairo, NULL, 0, 0);
}

/* Aligns a place to pixels, so that a line that Cairo draws is as sharp as one that is filled as a box. */
static LcPlace
canvas_cairo_lines_sharpen (const LcCairoCanvas *canvas, const LcStroke *stroke, LcPlace place)
{
  int width = pixels_across (canvas, stroke->width);

  if (!canvas->has_pixels)
    return place;
  return (LcPlace){(lc_snap (lc_cairo_pixel_x (canvas, place.x), width) - canvas->to_pixels.x0) / canvas->to_pixels.xx,
                   (lc_snap (lc_cairo_pixel_y (canvas, place.y), width) - canvas->to_pixels.y0) / canvas->to_pixels.yy};
}

/* Draws a slanted line into the pixels directly, which is some ten times as fast as Cairo. */
static void
draw_line (LcCairoCanvas *canvas, const LcStroke *stroke, const LcLine *line)
{
  double step = MAX (stroke->width, 1) * canvas->scale;
  LcPixelLine pixels = {.x0 = line->x0,
                        .y0 = line->y0,
                        .x1 = line->x1,
                        .y1 = line->y1,
                        .width = stroke->width * canvas->scale,
                        .color = lc_cairo_pixel_of (stroke->color),
                        .dash = stroke->dashed ? LC_DASH * step : 0,
                        .gap = stroke->dashed ? LC_GAP * step : 0};

  cairo_matrix_transform_point (&canvas->to_pixels, &pixels.x0, &pixels.y0);
  cairo_matrix_transform_point (&canvas->to_pixels, &pixels.x1, &pixels.y1);
  lc_pixels_line (canvas->pixels, &pixels, &canvas->box);
}

static void
stroke_line (LcCairoCanvas *canvas, const LcStroke *stroke, const LcLine *line)
{
  if (canvas->pixels != NULL && !lc_is_upright (line))
    {
      draw_line (canvas, stroke, line);
      return;
    }

  LcPlace from = {line->x0, line->y0}, to = {line->x1, line->y1};

  if (lc_is_upright (line))
    {
      from = canvas_cairo_lines_sharpen (canvas, stroke, from);
      to = canvas_cairo_lines_sharpen (canvas, stroke, to);
    }
  cairo_move_to (canvas->cairo, from.x, from.y);
  cairo_line_to (canvas->cairo, to.x, to.y);
  cairo_stroke (canvas->cairo);
}

/* Lines are stroked one by one: Cairo takes longer for one path of many lines than for many paths. */
void
lc_cairo_lines (LcCanvas *parent, LcStroke stroke, const LcLine *lines, gsize n_lines)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;
  LcFill fill = fill_of_stroke (canvas, &stroke);
  int width = pixels_across (canvas, stroke.width);

  cairo_save (canvas->cairo);
  set_stroke (canvas->cairo, &stroke);
  for (gsize i = 0; i < n_lines; i++)
    if (canvas->has_pixels && !stroke.dashed && lc_is_upright (&lines[i]))
      {
        LcPixelBox box = box_of_line (canvas, &lines[i], width, 0);

        lc_cairo_add_box (canvas, &box);
        if (fill.color.alpha < 1)
          lc_cairo_fill_batch (canvas, &fill);
      }
    else
      stroke_line (canvas, &stroke, &lines[i]);
  cairo_restore (canvas->cairo);
  lc_cairo_fill_batch (canvas, &fill);
}

void
lc_cairo_polyline (LcCanvas *parent, LcStroke stroke, const LcPlace *places, gsize n_places, gboolean closed)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;
  cairo_t *cairo = canvas->cairo;
  gboolean upright = lc_polyline_is_upright (places, n_places);
  int width = pixels_across (canvas, stroke.width);

  if (canvas->has_pixels && upright && !stroke.dashed)
    {
      LcFill fill = fill_of_stroke (canvas, &stroke);

      for (gsize i = closed ? 0 : 1; i < n_places; i++)
        {
          const LcPlace *from = &places[(i > 0 ? i : n_places) - 1];
          LcPixelBox box =
              box_of_line (canvas, &(LcLine){from->x, from->y, places[i].x, places[i].y}, width, width / 2.0);

          lc_cairo_add_box (canvas, &box);
        }
      lc_cairo_fill_batch (canvas, &fill);
      return;
    }
  cairo_save (cairo);
  set_stroke (cairo, &stroke);
  cairo_set_line_join (cairo, upright ? CAIRO_LINE_JOIN_MITER : CAIRO_LINE_JOIN_ROUND);
  for (gsize i = 0; i < n_places; i++)
    {
      LcPlace place = upright ? canvas_cairo_lines_sharpen (canvas, &stroke, places[i]) : places[i];

      cairo_line_to (cairo, place.x, place.y);
    }
  if (closed)
    cairo_close_path (cairo);
  cairo_stroke (cairo);
  cairo_restore (cairo);
}
