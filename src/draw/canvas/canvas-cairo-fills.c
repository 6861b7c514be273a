/* SPDX-License-Identifier: Apache-2.0 */
/* Colours and patterns on Cairo. */
#include "draw/canvas/canvas-cairo-private.h"

void
lc_cairo_set_color (cairo_t *cairo, LcColor color)
{
  cairo_set_source_rgba (cairo, color.red, color.green, color.blue, color.alpha);
}

guint32
lc_cairo_pixel_of (LcColor color)
{
  guint32 alpha = (guint32)(color.alpha * 255 + 0.5);
  guint32 red = (guint32)(color.red * color.alpha * 255 + 0.5);
  guint32 green = (guint32)(color.green * color.alpha * 255 + 0.5);
  guint32 blue = (guint32)(color.blue * color.alpha * 255 + 0.5);

  return alpha << 24 | red << 16 | green << 8 | blue;
}

static void
paint_pattern (cairo_t *cairo, const LcFill *fill)
{
  const LcPatternShape *shape = lc_pattern_get_shape (fill->pattern);

  lc_cairo_set_color (cairo, fill->ground);
  cairo_paint (cairo);
  lc_cairo_set_color (cairo, fill->color);
  cairo_set_line_width (cairo, shape->width);
  for (guint i = 0; i < shape->n_lines; i++)
    {
      cairo_move_to (cairo, shape->lines[i].x0, shape->lines[i].y0);
      cairo_line_to (cairo, shape->lines[i].x1, shape->lines[i].y1);
    }
  cairo_stroke (cairo);
  for (guint i = 0; i < shape->n_dots; i++)
    {
      cairo_new_sub_path (cairo);
      cairo_arc (cairo, shape->dots[i].x, shape->dots[i].y, shape->width / 2, 0, 2 * G_PI);
    }
  cairo_fill (cairo);
}

/* A pattern is an image of whole pixels where the surface has pixels, so that it repeats without seams; else it is
 * lines. */
static cairo_surface_t *
new_pattern (const LcCairoCanvas *canvas, const LcFill *fill)
{
  cairo_surface_t *surface;
  int size = (int)CLAMP (lround (LC_PATTERN_PERIOD * canvas->scale), 4, 256);

  if (canvas->has_pixels)
    surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, size, size);
  else
    surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA,
                                              &(cairo_rectangle_t){0, 0, LC_PATTERN_PERIOD, LC_PATTERN_PERIOD});

  cairo_t *cairo = cairo_create (surface);

  if (canvas->has_pixels)
    cairo_scale (cairo, size / LC_PATTERN_PERIOD, size / LC_PATTERN_PERIOD);
  paint_pattern (cairo, fill);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  return surface;
}

static gboolean
same_color (const LcColor *a, const LcColor *b)
{
  return a->red == b->red && a->green == b->green && a->blue == b->blue && a->alpha == b->alpha;
}

cairo_surface_t *
lc_cairo_get_pattern (LcCairoCanvas *canvas, const LcFill *fill)
{
  for (guint i = 0; i < LC_CAIRO_PATTERNS; i++)
    {
      const LcCairoPattern *kept = &canvas->patterns[i];

      if (kept->surface != NULL && kept->fill.pattern == fill->pattern &&
          same_color (&kept->fill.color, &fill->color) && same_color (&kept->fill.ground, &fill->ground))
        return kept->surface;
    }

  LcCairoPattern *pattern = &canvas->patterns[canvas->next_pattern++ % LC_CAIRO_PATTERNS];

  g_clear_pointer (&pattern->surface, cairo_surface_destroy);
  *pattern = (LcCairoPattern){*fill, new_pattern (canvas, fill)};
  return pattern->surface;
}

void
lc_cairo_set_fill (LcCairoCanvas *canvas, const LcFill *fill)
{
  if (fill->pattern == LC_PATTERN_SOLID)
    {
      lc_cairo_set_color (canvas->cairo, fill->color);
      return;
    }

  cairo_pattern_t *source = cairo_pattern_create_for_surface (lc_cairo_get_pattern (canvas, fill));

  if (canvas->has_pixels)
    {
      cairo_matrix_t matrix;

      cairo_matrix_init_translate (&matrix, -round (canvas->to_pixels.x0), -round (canvas->to_pixels.y0));
      cairo_pattern_set_matrix (source, &matrix);
      cairo_set_matrix (canvas->cairo, &canvas->pixel_matrix);
    }
  cairo_pattern_set_extend (source, CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (source, CAIRO_FILTER_NEAREST);
  cairo_set_source (canvas->cairo, source);
  cairo_set_matrix (canvas->cairo, &canvas->matrix);
  cairo_pattern_destroy (source);
}
