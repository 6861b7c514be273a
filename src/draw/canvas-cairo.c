/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas on Cairo: pixels, PDF, whatever has a cairo_t. */
#include "draw/canvas-pixels.h"
#include "draw/canvas-private.h"

/* Narrower ones would not be seen on paper. */
#define LEAST_ON_PAPER 0.4

/* More in one path take Cairo longer each. */
#define BOXES_IN_A_PATH 256

/* Different fills of which the patterns are kept. */
#define KEPT_PATTERNS 16

typedef struct
{
  LcFill fill;
  cairo_surface_t *surface;
} Pattern;

typedef struct
{
  LcCanvas parent;
  cairo_t *cairo;
  cairo_matrix_t matrix; /* as it was */

  /* A surface that has pixels, which what is upright can be aligned to. */
  gboolean has_pixels;
  cairo_matrix_t to_pixels;
  cairo_matrix_t pixel_matrix; /* with it, Cairo counts in pixels */
  double scale;                /* pixels in a unit */
  LcPixelBox box;              /* what is not clipped */
  GArray *boxes;               /* of LcPixelBox: before the clips that are open */
  GArray *batch;               /* of LcPixelBox: what is being filled */
  LcPixels *pixels;            /* NULL: only Cairo can write them */

  Pattern patterns[KEPT_PATTERNS];
  guint next_pattern;
} Canvas;

/* --- Colours and patterns -------------------------------------------------------------------------------------- */

static void
set_color (cairo_t *cairo, LcColor color)
{
  cairo_set_source_rgba (cairo, color.red, color.green, color.blue, color.alpha);
}

static guint32
pixel_of (LcColor color)
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

  set_color (cairo, fill->ground);
  cairo_paint (cairo);
  set_color (cairo, fill->color);
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

/* As whole pixels where there are pixels, so that it can be repeated without seams; else as lines. */
static cairo_surface_t *
new_pattern (const Canvas *canvas, const LcFill *fill)
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

static cairo_surface_t *
get_pattern (Canvas *canvas, const LcFill *fill)
{
  for (guint i = 0; i < KEPT_PATTERNS; i++)
    {
      const Pattern *kept = &canvas->patterns[i];

      if (kept->surface != NULL && kept->fill.pattern == fill->pattern &&
          same_color (&kept->fill.color, &fill->color) && same_color (&kept->fill.ground, &fill->ground))
        return kept->surface;
    }

  Pattern *pattern = &canvas->patterns[canvas->next_pattern++ % KEPT_PATTERNS];

  g_clear_pointer (&pattern->surface, cairo_surface_destroy);
  *pattern = (Pattern){*fill, new_pattern (canvas, fill)};
  return pattern->surface;
}

/* Patterns begin at the picture's origin, so that they go on from one shape to the next. */
static void
set_fill (Canvas *canvas, const LcFill *fill)
{
  if (fill->pattern == LC_PATTERN_SOLID)
    {
      set_color (canvas->cairo, fill->color);
      return;
    }

  cairo_pattern_t *source = cairo_pattern_create_for_surface (get_pattern (canvas, fill));

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

/* --- Boxes of pixels ------------------------------------------------------------------------------------------- */

static double
pixel_x (const Canvas *canvas, double x)
{
  return canvas->to_pixels.xx * x + canvas->to_pixels.x0;
}

static double
pixel_y (const Canvas *canvas, double y)
{
  return canvas->to_pixels.yy * y + canvas->to_pixels.y0;
}

static void
snap (double one, double other, int *start, int *end)
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

/* `rectangle` was prepared: it fits into an int. */
static LcPixelBox
box_of (const Canvas *canvas, const LcRectangle *rectangle)
{
  LcPixelBox box;

  snap (pixel_x (canvas, rectangle->x), pixel_x (canvas, rectangle->x + rectangle->width), &box.x0, &box.x1);
  snap (pixel_y (canvas, rectangle->y), pixel_y (canvas, rectangle->y + rectangle->height), &box.y0, &box.y1);
  return box;
}

static void
add_box (Canvas *canvas, const LcPixelBox *box)
{
  LcPixelBox seen;

  if (lc_pixel_box_intersect (box, &canvas->box, &seen))
    g_array_append_val (canvas->batch, seen);
}

static void
fill_by_cairo (Canvas *canvas, const LcFill *fill)
{
  cairo_t *cairo = canvas->cairo;
  gboolean opaque = fill->color.alpha == 1 && (fill->pattern == LC_PATTERN_SOLID || fill->ground.alpha == 1);
  guint most = opaque ? BOXES_IN_A_PATH : G_MAXUINT;

  cairo_save (cairo);
  set_fill (canvas, fill);
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

static void
fill_batch (Canvas *canvas, const LcFill *fill)
{
  guint32 pixel = pixel_of (fill->color);
  LcTile tile = {0, 0, 1, pixel >> 24 == 0xff, &pixel};

  if (canvas->batch->len > 0 && canvas->pixels == NULL)
    fill_by_cairo (canvas, fill);
  else if (canvas->batch->len > 0)
    {
      if (fill->pattern != LC_PATTERN_SOLID)
        {
          cairo_surface_t *surface = get_pattern (canvas, fill);

          tile.x = (int)round (canvas->to_pixels.x0);
          tile.y = (int)round (canvas->to_pixels.y0);
          tile.size = cairo_image_surface_get_width (surface);
          tile.opaque = pixel_of (fill->ground) >> 24 == 0xff;
          tile.pixels = (const guint32 *)(const void *)cairo_image_surface_get_data (surface);
        }
      lc_pixels_fill (canvas->pixels, &tile, (const LcPixelBox *)(const void *)canvas->batch->data, canvas->batch->len);
    }
  g_array_set_size (canvas->batch, 0);
}

static void
cairo_rectangles (LcCanvas *parent, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles)
{
  Canvas *canvas = (Canvas *)parent;
  double least = canvas->has_pixels ? 0 : LEAST_ON_PAPER;

  if (!canvas->has_pixels)
    {
      cairo_save (canvas->cairo);
      set_fill (canvas, &fill);
    }
  for (gsize i = 0; i < n_rectangles; i++)
    {
      LcRectangle rectangle = rectangles[i];
      LcPixelBox box;

      if (!lc_rectangle_prepare (&rectangle, &parent->visible, least))
        continue;
      if (canvas->has_pixels)
        {
          box = box_of (canvas, &rectangle);
          add_box (canvas, &box);
        }
      else
        cairo_rectangle (canvas->cairo, rectangle.x, rectangle.y, rectangle.width, rectangle.height);
    }
  if (canvas->has_pixels)
    fill_batch (canvas, &fill);
  else
    {
      cairo_fill (canvas->cairo);
      cairo_restore (canvas->cairo);
    }
}

/* --- Lines ----------------------------------------------------------------------------------------------------- */

static int
pixels_across (const Canvas *canvas, double width)
{
  return (int)MAX (lround (width * canvas->scale), 1);
}

/* What is thinner than a pixel is paler instead. */
static LcFill
fill_of_stroke (const Canvas *canvas, const LcStroke *stroke)
{
  LcColor color = stroke->color;

  color.alpha *= MIN (stroke->width * canvas->scale, 1);
  return lc_canvas_color_fill (color);
}

/* An upright line that is `width` pixels wide, and reaches `beyond` pixels further than its ends. */
static LcPixelBox
box_of_line (const Canvas *canvas, const LcLine *line, int width, double beyond)
{
  double x0 = pixel_x (canvas, line->x0), x1 = pixel_x (canvas, line->x1);
  double y0 = pixel_y (canvas, line->y0), y1 = pixel_y (canvas, line->y1);
  gboolean is_level = y0 == y1;
  LcPixelBox box;

  if (is_level)
    {
      snap (MIN (x0, x1) - beyond, MAX (x0, x1) + beyond, &box.x0, &box.x1);
      box.y0 = (int)floor (y0 - width / 2.0 + 0.5);
      box.y1 = box.y0 + width;
    }
  else
    {
      snap (MIN (y0, y1) - beyond, MAX (y0, y1) + beyond, &box.y0, &box.y1);
      box.x0 = (int)floor (x0 - width / 2.0 + 0.5);
      box.x1 = box.x0 + width;
    }
  return box;
}

static void
set_stroke (cairo_t *cairo, const LcStroke *stroke)
{
  double step = MAX (stroke->width, 1);

  set_color (cairo, stroke->color);
  cairo_set_line_width (cairo, stroke->width);
  if (stroke->dashed)
    cairo_set_dash (cairo, (double[]){LC_DASH * step, LC_GAP * step}, 2, 0);
  else
    cairo_set_dash (cairo, NULL, 0, 0);
}

/* So that a line that is drawn by Cairo is as sharp as one that is filled. */
static LcPlace
sharpen (const Canvas *canvas, const LcStroke *stroke, LcPlace place)
{
  int width = pixels_across (canvas, stroke->width);

  if (!canvas->has_pixels)
    return place;
  return (LcPlace){(lc_snap (pixel_x (canvas, place.x), width) - canvas->to_pixels.x0) / canvas->to_pixels.xx,
                   (lc_snap (pixel_y (canvas, place.y), width) - canvas->to_pixels.y0) / canvas->to_pixels.yy};
}

/* Some ten times as fast as Cairo's. */
static void
draw_line (Canvas *canvas, const LcStroke *stroke, const LcLine *line)
{
  double step = MAX (stroke->width, 1) * canvas->scale;
  LcPixelLine pixels = {.x0 = line->x0,
                        .y0 = line->y0,
                        .x1 = line->x1,
                        .y1 = line->y1,
                        .width = stroke->width * canvas->scale,
                        .color = pixel_of (stroke->color),
                        .dash = stroke->dashed ? LC_DASH * step : 0,
                        .gap = stroke->dashed ? LC_GAP * step : 0};

  cairo_matrix_transform_point (&canvas->to_pixels, &pixels.x0, &pixels.y0);
  cairo_matrix_transform_point (&canvas->to_pixels, &pixels.x1, &pixels.y1);
  lc_pixels_line (canvas->pixels, &pixels, &canvas->box);
}

static void
stroke_line (Canvas *canvas, const LcStroke *stroke, const LcLine *line)
{
  if (canvas->pixels != NULL && !lc_is_upright (line))
    {
      draw_line (canvas, stroke, line);
      return;
    }

  LcPlace from = {line->x0, line->y0}, to = {line->x1, line->y1};

  if (lc_is_upright (line))
    {
      from = sharpen (canvas, stroke, from);
      to = sharpen (canvas, stroke, to);
    }
  cairo_move_to (canvas->cairo, from.x, from.y);
  cairo_line_to (canvas->cairo, to.x, to.y);
  cairo_stroke (canvas->cairo);
}

/* One by one: a path of many takes Cairo longer than many paths. */
static void
cairo_lines (LcCanvas *parent, LcStroke stroke, const LcLine *lines, gsize n_lines)
{
  Canvas *canvas = (Canvas *)parent;
  LcFill fill = fill_of_stroke (canvas, &stroke);
  int width = pixels_across (canvas, stroke.width);

  cairo_save (canvas->cairo);
  set_stroke (canvas->cairo, &stroke);
  for (gsize i = 0; i < n_lines; i++)
    if (canvas->has_pixels && !stroke.dashed && lc_is_upright (&lines[i]))
      {
        LcPixelBox box = box_of_line (canvas, &lines[i], width, 0);

        add_box (canvas, &box);
        if (fill.color.alpha < 1)
          fill_batch (canvas, &fill);
      }
    else
      stroke_line (canvas, &stroke, &lines[i]);
  cairo_restore (canvas->cairo);
  fill_batch (canvas, &fill);
}

static void
cairo_polyline (LcCanvas *parent, LcStroke stroke, const LcPlace *places, gsize n_places, gboolean closed)
{
  Canvas *canvas = (Canvas *)parent;
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

          add_box (canvas, &box);
        }
      fill_batch (canvas, &fill);
      return;
    }
  cairo_save (cairo);
  set_stroke (cairo, &stroke);
  cairo_set_line_join (cairo, upright ? CAIRO_LINE_JOIN_MITER : CAIRO_LINE_JOIN_ROUND);
  for (gsize i = 0; i < n_places; i++)
    {
      LcPlace place = upright ? sharpen (canvas, &stroke, places[i]) : places[i];

      cairo_line_to (cairo, place.x, place.y);
    }
  if (closed)
    cairo_close_path (cairo);
  cairo_stroke (cairo);
  cairo_restore (cairo);
}

/* --- Other shapes ---------------------------------------------------------------------------------------------- */

static void
add_outline (cairo_t *cairo, double x, double y, const LcPlace *places, gsize n_places)
{
  for (gsize i = 0; i < n_places; i++)
    cairo_line_to (cairo, x + places[i].x, y + places[i].y);
  cairo_close_path (cairo);
}

static void
cairo_polygon (LcCanvas *parent, LcFill fill, const LcPlace *places, gsize n_places)
{
  Canvas *canvas = (Canvas *)parent;

  cairo_save (canvas->cairo);
  set_fill (canvas, &fill);
  add_outline (canvas->cairo, 0, 0, places, n_places);
  cairo_fill (canvas->cairo);
  cairo_restore (canvas->cairo);
}

static void
cairo_markers (LcCanvas *parent, LcMarker marker, LcFill fill, double size, const LcPlace *places, gsize n_places)
{
  Canvas *canvas = (Canvas *)parent;
  cairo_t *cairo = canvas->cairo;
  LcPlace outline[LC_MARKER_MOST];
  guint n_outline = lc_marker_outline (marker, size, outline);

  cairo_save (cairo);
  set_fill (canvas, &fill);
  cairo_new_path (cairo); /* a text leaves a point */
  for (gsize i = 0; i < n_places; i++)
    {
      if (n_outline == 0)
        cairo_arc (cairo, places[i].x, places[i].y, size / 2, 0, 2 * G_PI);
      else
        add_outline (cairo, places[i].x, places[i].y, outline, n_outline);
      cairo_fill (cairo);
    }
  cairo_restore (cairo);
}

/* --- Cells ----------------------------------------------------------------------------------------------------- */

static cairo_surface_t *
surface_of (guint32 *colors, guint columns, guint rows)
{
  return cairo_image_surface_create_for_data ((guchar *)colors, CAIRO_FORMAT_ARGB32, (int)columns, (int)rows,
                                              (int)(columns * sizeof *colors));
}

/* Every pixel's colour is found here, since Cairo would smooth what is made smaller. */
static void
paint_pixels (Canvas *canvas, const LcRectangle *rectangle, const guint32 *colors, guint columns, guint rows)
{
  double x0 = pixel_x (canvas, rectangle->x), x1 = pixel_x (canvas, rectangle->x + rectangle->width);
  double y0 = pixel_y (canvas, rectangle->y), y1 = pixel_y (canvas, rectangle->y + rectangle->height);
  LcRectangle cut_to = *rectangle;
  LcPixelBox box;

  if (!lc_rectangle_prepare (&cut_to, &canvas->parent.visible, 0))
    return;
  box = box_of (canvas, &cut_to);
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

static void
cairo_cells (LcCanvas *parent, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows)
{
  Canvas *canvas = (Canvas *)parent;
  cairo_t *cairo = canvas->cairo;
  guint new_columns = MIN (columns, LC_CELLS_MOST), new_rows = MIN (rows, LC_CELLS_MOST);
  LcRectangle all = {0, 0, columns, rows};

  if (canvas->has_pixels)
    {
      paint_pixels (canvas, &rectangle, colors, columns, rows);
      return;
    }

  g_autofree guint32 *copy = lc_cells_resize (colors, columns, rows, &all, new_columns, new_rows);
  cairo_surface_t *surface = surface_of (copy, new_columns, new_rows);

  cairo_save (cairo);
  cairo_rectangle (cairo, rectangle.x, rectangle.y, rectangle.width, rectangle.height);
  cairo_clip (cairo);
  cairo_translate (cairo, rectangle.x, rectangle.y);
  cairo_scale (cairo, rectangle.width / new_columns, rectangle.height / new_rows);
  cairo_set_source_surface (cairo, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cairo), CAIRO_FILTER_NEAREST);
  cairo_paint (cairo);
  cairo_restore (cairo);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
}

/* --- Clips, groups, text --------------------------------------------------------------------------------------- */

static void
cairo_canvas_clip (LcCanvas *parent, LcRectangle rectangle)
{
  Canvas *canvas = (Canvas *)parent;
  cairo_t *cairo = canvas->cairo;

  cairo_save (cairo);
  if (canvas->has_pixels)
    {
      LcPixelBox box = box_of (canvas, &rectangle);

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
  Canvas *canvas = (Canvas *)parent;

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
  cairo_t *cairo = ((Canvas *)parent)->cairo;

  cairo_save (cairo);
  set_color (cairo, lc_palette_get_color (parent->theme, style->ink));
  cairo_translate (cairo, place.x, place.y);
  if (style->upwards)
    cairo_rotate (cairo, -G_PI / 2);
  cairo_move_to (cairo, -style->align_x * label->width, label->baseline - style->align_y * label->height);
  pango_cairo_show_layout_line (cairo, pango_layout_get_line_readonly (label->layout, 0));
  cairo_new_path (cairo); /* the next shape must not begin where the text is */
  cairo_restore (cairo);
}

/* --- Making one ------------------------------------------------------------------------------------------------ */

static void
cairo_free (LcCanvas *parent)
{
  Canvas *canvas = (Canvas *)parent;

  for (guint i = 0; i < KEPT_PATTERNS; i++)
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
is_whole (double number)
{
  return fabs (number - round (number)) < 1e-3;
}

/* All that is not clipped is a rectangle of whole pixels. */
static gboolean
clip_is_box (const Canvas *canvas)
{
  cairo_rectangle_list_t *list = cairo_copy_clip_rectangle_list (canvas->cairo);
  gboolean is_box = list->status == CAIRO_STATUS_SUCCESS && list->num_rectangles <= 1;

  for (int i = 0; is_box && i < list->num_rectangles; i++)
    {
      const cairo_rectangle_t *clip = &list->rectangles[i];

      is_box = is_whole (pixel_x (canvas, clip->x)) && is_whole (pixel_x (canvas, clip->x + clip->width)) &&
               is_whole (pixel_y (canvas, clip->y)) && is_whole (pixel_y (canvas, clip->y + clip->height));
    }
  cairo_rectangle_list_destroy (list);
  return is_box;
}

static void
find_pixels (Canvas *canvas, cairo_surface_t *surface)
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
      .rectangles = cairo_rectangles,
      .polygon = cairo_polygon,
      .polyline = cairo_polyline,
      .lines = cairo_lines,
      .markers = cairo_markers,
      .cells = cairo_cells,
      .clip = cairo_canvas_clip,
      .unclip = cairo_canvas_unclip,
      .begin = cairo_begin,
      .end = cairo_end,
      .text = cairo_text,
      .free = cairo_free,
  };

  g_return_val_if_fail (cairo != NULL && theme < LC_THEMES, NULL);

  Canvas *canvas = g_new0 (Canvas, 1);
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
