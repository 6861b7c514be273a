/* SPDX-License-Identifier: Apache-2.0 */
/* Rectangles on Cairo: boxes of whole pixels where there are pixels. */
#include "draw/canvas/canvas-cairo-private.h"

/* With more rectangles in one path, Cairo takes longer for each of them. */
#define BOXES_IN_A_PATH 256

void
lc_cairo_snap (double one, double other, int *start, int *end)
{
  double low = MIN (one, other), high = MAX (one, other);

  *start = (int)floor (low + 0.5);
  *end = (int)floor (high + 0.5);
  if (*start == *end)
    {
      *start = (int)floor ((low + high) / 2);
      *end = *start + 1;
    }
}

LcPixelBox
lc_cairo_box_of (const LcCairoCanvas *canvas, const LcRectangle *rectangle)
{
  LcPixelBox box;

  lc_cairo_snap (lc_cairo_pixel_x (canvas, rectangle->x), lc_cairo_pixel_x (canvas, rectangle->x + rectangle->width),
                 &box.x0, &box.x1);
  lc_cairo_snap (lc_cairo_pixel_y (canvas, rectangle->y), lc_cairo_pixel_y (canvas, rectangle->y + rectangle->height),
                 &box.y0, &box.y1);
  return box;
}

void
lc_cairo_add_box (LcCairoCanvas *canvas, const LcPixelBox *box)
{
  LcPixelBox seen;

  if (lc_pixel_box_intersect (box, &canvas->box, &seen))
    g_array_append_val (canvas->batch, seen);
}

static void
fill_by_cairo (LcCairoCanvas *canvas, const LcFill *fill)
{
  cairo_t *cairo = canvas->cairo;
  gboolean opaque = fill->color.alpha == 1 && (fill->pattern == LC_PATTERN_SOLID || fill->ground.alpha == 1);
  guint most = opaque ? BOXES_IN_A_PATH : G_MAXUINT;

  cairo_save (cairo);
  lc_cairo_set_fill (canvas, fill);
  cairo_set_matrix (cairo, &canvas->pixel_matrix);
  cairo_set_antialias (cairo, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < canvas->batch->len; i++)
    {
      const LcPixelBox *box = &g_array_index (canvas->batch, LcPixelBox, i);

      cairo_rectangle (cairo, box->x0, box->y0, box->x1 - box->x0, box->y1 - box->y0);
      if ((i + 1) % most == 0)
        cairo_fill (cairo);
    }
  cairo_fill (cairo);
  cairo_restore (cairo);
}

void
lc_cairo_fill_batch (LcCairoCanvas *canvas, const LcFill *fill)
{
  guint32 pixel = lc_cairo_pixel_of (fill->color);
  LcTile tile = {0, 0, 1, pixel >> 24 == 0xff, &pixel};

  if (canvas->batch->len > 0 && canvas->pixels == NULL)
    fill_by_cairo (canvas, fill);
  else if (canvas->batch->len > 0)
    {
      if (fill->pattern != LC_PATTERN_SOLID)
        {
          cairo_surface_t *surface = lc_cairo_get_pattern (canvas, fill);

          tile.x = (int)round (canvas->to_pixels.x0);
          tile.y = (int)round (canvas->to_pixels.y0);
          tile.size = cairo_image_surface_get_width (surface);
          tile.opaque = lc_cairo_pixel_of (fill->ground) >> 24 == 0xff;
          tile.pixels = (const guint32 *)(const void *)cairo_image_surface_get_data (surface);
        }
      lc_pixels_fill (canvas->pixels, &tile, (const LcPixelBox *)(const void *)canvas->batch->data, canvas->batch->len);
    }
  g_array_set_size (canvas->batch, 0);
}

void
lc_cairo_rectangles (LcCanvas *parent, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;
  double least = canvas->has_pixels ? 0 : LC_CAIRO_LEAST;

  if (!canvas->has_pixels)
    {
      cairo_save (canvas->cairo);
      lc_cairo_set_fill (canvas, &fill);
    }
  for (gsize i = 0; i < n_rectangles; i++)
    {
      LcRectangle rectangle = rectangles[i];
      LcPixelBox box;

      if (!lc_rectangle_prepare (&rectangle, &parent->visible, least))
        continue;
      if (canvas->has_pixels)
        {
          box = lc_cairo_box_of (canvas, &rectangle);
          lc_cairo_add_box (canvas, &box);
        }
      else
        cairo_rectangle (canvas->cairo, rectangle.x, rectangle.y, rectangle.width, rectangle.height);
    }
  if (canvas->has_pixels)
    lc_cairo_fill_batch (canvas, &fill);
  else
    {
      cairo_fill (canvas->cairo);
      cairo_restore (canvas->cairo);
    }
}
