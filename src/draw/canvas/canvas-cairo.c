/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas on Cairo: pixels, PDF and anything else that has a cairo_t. */
#include "draw/canvas/canvas-cairo-private.h"

/* --- Other shapes ---------------------------------------------------------------------------------------------- */

static void
cairo_add_outline (cairo_t *cairo, double x, double y, const LcPlace *places, gsize n_places)
{
  for (gsize i = 0; i < n_places; i++)
    cairo_line_to (cairo, x + places[i].x, y + places[i].y);
  cairo_close_path (cairo);
}

static void
cairo_polygon (LcCanvas *parent, LcFill fill, const LcPlace *places, gsize n_places)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;

  cairo_save (canvas->cairo);
  lc_cairo_set_fill (canvas, &fill);
  cairo_add_outline (canvas->cairo, 0, 0, places, n_places);
  cairo_fill (canvas->cairo);
  cairo_restore (canvas->cairo);
}

static void
cairo_markers (LcCanvas *parent, LcMarker marker, LcFill fill, double size, const LcPlace *places, gsize n_places)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;
  cairo_t *cairo = canvas->cairo;
  LcPlace outline[LC_MARKER_MOST];
  guint n_outline = lc_marker_outline (marker, size, outline);

  cairo_save (cairo);
  lc_cairo_set_fill (canvas, &fill);
  cairo_new_path (cairo); /* a text painted before leaves its current point */
  for (gsize i = 0; i < n_places; i++)
    {
      if (n_outline == 0)
        cairo_arc (cairo, places[i].x, places[i].y, size / 2, 0, 2 * G_PI);
      else
        cairo_add_outline (cairo, places[i].x, places[i].y, outline, n_outline);
      cairo_fill (cairo);
    }
  cairo_restore (cairo);
}

/* --- Clips, groups, text --------------------------------------------------------------------------------------- */

static void
cairo_canvas_clip (LcCanvas *parent, LcRectangle rectangle)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;
  cairo_t *cairo = canvas->cairo;

  cairo_save (cairo);
  if (canvas->has_pixels)
    {
      LcPixelBox box = lc_cairo_box_of (canvas, &rectangle);

      g_array_append_val (canvas->boxes, canvas->box);
      if (rectangle.width <= 0 || rectangle.height <= 0 || !lc_pixel_box_intersect (&box, &canvas->box, &canvas->box))
        canvas->box = (LcPixelBox){0};
      box = canvas->box;
      cairo_set_matrix (cairo, &canvas->pixel_matrix);
      cairo_rectangle (cairo, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
      cairo_clip (cairo);
      cairo_set_matrix (cairo, &canvas->matrix);
    }
  else
    {
      cairo_rectangle (cairo, rectangle.x, rectangle.y, rectangle.width, rectangle.height);
      cairo_clip (cairo);
    }
}

static void
cairo_canvas_unclip (LcCanvas *parent)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;

  cairo_restore (canvas->cairo);
  if (canvas->has_pixels)
    {
      canvas->box = g_array_index (canvas->boxes, LcPixelBox, canvas->boxes->len - 1);
      g_array_set_size (canvas->boxes, canvas->boxes->len - 1);
    }
}

static void
cairo_begin (LcCanvas *canvas G_GNUC_UNUSED, const char *name G_GNUC_UNUSED, const char *title G_GNUC_UNUSED)
{
}

static void
cairo_end (LcCanvas *canvas G_GNUC_UNUSED)
{
}

static void
cairo_text (LcCanvas *parent, const LcTextStyle *style, LcPlace place, const LcLabel *label)
{
  cairo_t *cairo = ((LcCairoCanvas *)parent)->cairo;

  cairo_save (cairo);
  lc_cairo_set_color (cairo, lc_palette_get_color (parent->theme, style->ink));
  cairo_translate (cairo, place.x, place.y);
  if (style->upwards)
    cairo_rotate (cairo, -G_PI / 2);
  cairo_move_to (cairo, -style->align_x * label->width, label->baseline - style->align_y * label->height);
  pango_cairo_show_layout_line (cairo, pango_layout_get_line_readonly (label->layout, 0));
  cairo_new_path (cairo); /* the next shape must not begin where the text is */
  cairo_restore (cairo);
}

/* --- Life --------------------------------------------------------------------------------------------------------- */

static void
cairo_free (LcCanvas *parent)
{
  LcCairoCanvas *canvas = (LcCairoCanvas *)parent;

  for (guint i = 0; i < LC_CAIRO_PATTERNS; i++)
    g_clear_pointer (&canvas->patterns[i].surface, cairo_surface_destroy);
  lc_pixels_free (canvas->pixels);
  g_array_unref (canvas->boxes);
  g_array_unref (canvas->batch);
  cairo_destroy (canvas->cairo);
  g_free (canvas);
}

static gboolean
surface_has_pixels (cairo_surface_t *surface)
{
  switch ((int)cairo_surface_get_type (surface))
    {
    case CAIRO_SURFACE_TYPE_PDF:
    case CAIRO_SURFACE_TYPE_PS:
    case CAIRO_SURFACE_TYPE_SVG:
    case CAIRO_SURFACE_TYPE_SCRIPT:
    case CAIRO_SURFACE_TYPE_RECORDING:
    case CAIRO_SURFACE_TYPE_WIN32_PRINTING:
    case CAIRO_SURFACE_TYPE_XML:
    case CAIRO_SURFACE_TYPE_TEE:
      return FALSE;
    default:
      return TRUE;
    }
}

static gboolean
cairo_is_whole (double number)
{
  return fabs (number - round (number)) < 1e-3;
}

/* Whether the clip is a rectangle of whole pixels. */
static gboolean
clip_is_box (const LcCairoCanvas *canvas)
{
  cairo_rectangle_list_t *list = cairo_copy_clip_rectangle_list (canvas->cairo);
  gboolean is_box = list->status == CAIRO_STATUS_SUCCESS && list->num_rectangles <= 1;

  for (int i = 0; is_box && i < list->num_rectangles; i++)
    {
      const cairo_rectangle_t *clip = &list->rectangles[i];

      is_box = cairo_is_whole (lc_cairo_pixel_x (canvas, clip->x)) &&
               cairo_is_whole (lc_cairo_pixel_x (canvas, clip->x + clip->width)) &&
               cairo_is_whole (lc_cairo_pixel_y (canvas, clip->y)) &&
               cairo_is_whole (lc_cairo_pixel_y (canvas, clip->y + clip->height));
    }
  cairo_rectangle_list_destroy (list);
  return is_box;
}

static void
find_pixels (LcCairoCanvas *canvas, cairo_surface_t *surface)
{
  cairo_matrix_t device;
  double scale_x, scale_y, x0, y0, x1, y1;

  cairo_surface_get_device_scale (surface, &scale_x, &scale_y);
  cairo_surface_get_device_offset (surface, &x0, &y0);
  cairo_matrix_init (&device, scale_x, 0, 0, scale_y, x0, y0);
  cairo_matrix_multiply (&canvas->to_pixels, &canvas->matrix, &device);
  canvas->scale =
      sqrt (fabs (canvas->to_pixels.xx * canvas->to_pixels.yy - canvas->to_pixels.xy * canvas->to_pixels.yx));
  canvas->pixel_matrix = device;
  canvas->has_pixels = surface_has_pixels (surface) && canvas->to_pixels.xy == 0 && canvas->to_pixels.yx == 0 &&
                       canvas->scale > 0 && cairo_matrix_invert (&canvas->pixel_matrix) == CAIRO_STATUS_SUCCESS;
  if (!canvas->has_pixels)
    return;
  cairo_set_matrix (canvas->cairo, &canvas->pixel_matrix);
  cairo_clip_extents (canvas->cairo, &x0, &y0, &x1, &y1);
  cairo_set_matrix (canvas->cairo, &canvas->matrix);
  canvas->box = (LcPixelBox){(int)floor (x0), (int)floor (y0), (int)ceil (x1), (int)ceil (y1)};
  canvas->pixels = clip_is_box (canvas) ? lc_pixels_new (surface) : NULL;
}

LcCanvas *
lc_canvas_new_cairo (cairo_t *cairo, LcTheme theme)
{
  static const LcCanvasBackend backend = {
      .rectangles = lc_cairo_rectangles,
      .polygon = cairo_polygon,
      .polyline = lc_cairo_polyline,
      .lines = lc_cairo_lines,
      .markers = cairo_markers,
      .cells = lc_cairo_cells,
      .clip = cairo_canvas_clip,
      .unclip = cairo_canvas_unclip,
      .begin = cairo_begin,
      .end = cairo_end,
      .text = cairo_text,
      .free = cairo_free,
  };

  g_return_val_if_fail (cairo != NULL && theme < LC_THEMES, NULL);

  LcCairoCanvas *canvas = g_new0 (LcCairoCanvas, 1);
  double x0, y0, x1, y1;

  canvas->cairo = cairo_reference (cairo);
  canvas->boxes = g_array_new (FALSE, FALSE, sizeof (LcPixelBox));
  canvas->batch = g_array_new (FALSE, FALSE, sizeof (LcPixelBox));
  cairo_new_path (cairo);
  cairo_get_matrix (cairo, &canvas->matrix);
  cairo_clip_extents (cairo, &x0, &y0, &x1, &y1);
  find_pixels (canvas, cairo_get_group_target (cairo));
  lc_canvas_init (&canvas->parent, &backend, theme, (LcRectangle){x0, y0, x1 - x0, y1 - y0});
  return &canvas->parent;
}
