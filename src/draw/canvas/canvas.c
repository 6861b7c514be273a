/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas: checks each request, cuts shapes to the visible part and passes them to the backend. */
#include "draw/canvas/canvas-private.h"

/* The share of an ink's colour in the ground of its pattern. On a dark panel a little light is already much. */
static const double grounds[LC_THEMES] = {[LC_THEME_LIGHT] = 0.2, [LC_THEME_DARK] = 0.08, [LC_THEME_PRINT] = 0.2};

/* How much thicker lines are in themes of high contrast. */
#define THICKER 1.6

void
lc_canvas_init (LcCanvas *canvas, const LcCanvasBackend *backend, LcTheme theme, LcRectangle visible)
{
  canvas->backend = backend;
  canvas->theme = theme;
  canvas->text_scale = 1;
  canvas->visible = visible;
  canvas->levels = g_array_new (FALSE, FALSE, sizeof (LcCanvasLevel));
}

void
lc_canvas_free (LcCanvas *canvas)
{
  if (canvas == NULL)
    return;
  g_array_unref (canvas->levels);
  canvas->backend->free (canvas);
}

LcTheme
lc_canvas_get_theme (const LcCanvas *canvas)
{
  g_return_val_if_fail (canvas != NULL, LC_THEME_LIGHT);

  return canvas->theme;
}

void
lc_canvas_set_text_scale (LcCanvas *canvas, double scale)
{
  g_return_if_fail (canvas != NULL && isfinite (scale) && scale > 0);

  canvas->text_scale = scale;
}

double
lc_canvas_get_text_scale (const LcCanvas *canvas)
{
  g_return_val_if_fail (canvas != NULL, 1);

  return canvas->text_scale;
}

/* --- Fills and strokes ----------------------------------------------------------------------------------------- */

/* The ground of a pattern hides what is below it, as the solid colour would. */
static LcFill
canvas_fill_of (LcTheme theme, LcColor color, LcPattern pattern, double strength)
{
  LcColor ground = lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), color, grounds[theme]);

  strength = CLAMP (strength, 0, 1);
  color.alpha *= strength;
  ground.alpha *= strength;
  return (LcFill){color, ground, pattern};
}

LcFill
lc_canvas_fill (const LcCanvas *canvas, LcInk ink, double strength)
{
  g_return_val_if_fail (canvas != NULL && ink < LC_INKS, (LcFill){0});

  return canvas_fill_of (canvas->theme, lc_palette_get_color (canvas->theme, ink), lc_palette_get_pattern (ink),
                         strength);
}

LcFill
lc_canvas_series_fill (const LcCanvas *canvas, guint n)
{
  g_return_val_if_fail (canvas != NULL, (LcFill){0});

  return canvas_fill_of (canvas->theme, lc_palette_get_series (canvas->theme, n), lc_palette_get_series_pattern (n), 1);
}

LcFill
lc_canvas_color_fill (LcColor color)
{
  return (LcFill){color, {0}, LC_PATTERN_SOLID};
}

LcStroke
lc_canvas_stroke (const LcCanvas *canvas, LcInk ink, double width)
{
  g_return_val_if_fail (canvas != NULL && ink < LC_INKS, (LcStroke){0});

  if (lc_theme_has_contrast (canvas->theme) && ink != LC_INK_GRID)
    width *= THICKER;
  return (LcStroke){lc_palette_get_color (canvas->theme, ink), width, FALSE};
}

static gboolean
fill_shows (const LcFill *fill)
{
  return fill->color.alpha > 0 || (fill->pattern != LC_PATTERN_SOLID && fill->ground.alpha > 0);
}

/* Wider than any picture; Cairo's numbers do not reach much further. */
#define WIDEST 1e4

static gboolean
stroke_shows (LcStroke *stroke)
{
  stroke->width = MIN (stroke->width, WIDEST);
  return stroke->color.alpha > 0 && stroke->width > 0;
}

/* --- Shapes ---------------------------------------------------------------------------------------------------- */

/* The visible part and a margin around it, wide enough that the end of a line that was cut is not seen. */
static LcRectangle
bounds_for (const LcCanvas *canvas, double width)
{
  double margin = 16 + 4 * width;
  const LcRectangle *visible = &canvas->visible;

  return (LcRectangle){visible->x - margin, visible->y - margin, visible->width + 2 * margin,
                       visible->height + 2 * margin};
}

static gboolean
canvas_holds (const LcRectangle *bounds, const LcPlace *place)
{
  return place->x >= bounds->x && place->x <= bounds->x + bounds->width && place->y >= bounds->y &&
         place->y <= bounds->y + bounds->height;
}

static gboolean
holds_all (const LcRectangle *bounds, const LcPlace *places, gsize n_places)
{
  for (gsize i = 0; i < n_places; i++)
    if (!canvas_holds (bounds, &places[i]))
      return FALSE;
  return TRUE;
}

void
lc_canvas_rectangles (LcCanvas *canvas, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles)
{
  g_return_if_fail (canvas != NULL && !canvas->finished && fill.pattern < LC_PATTERNS);
  g_return_if_fail (rectangles != NULL || n_rectangles == 0);

  if (n_rectangles > 0 && fill_shows (&fill))
    canvas->backend->rectangles (canvas, fill, rectangles, n_rectangles);
}

void
lc_canvas_frame (LcCanvas *canvas, LcStroke stroke, LcRectangle rectangle)
{
  double right = rectangle.x + rectangle.width, bottom = rectangle.y + rectangle.height;
  const LcPlace places[] = {
      {rectangle.x, rectangle.y}, {right, rectangle.y},       {right, bottom},
      {rectangle.x, bottom},      {rectangle.x, rectangle.y},
  };

  lc_canvas_polyline (canvas, stroke, places, G_N_ELEMENTS (places));
}

void
lc_canvas_polygon (LcCanvas *canvas, LcFill fill, const LcPlace *places, gsize n_places)
{
  g_return_if_fail (canvas != NULL && !canvas->finished && fill.pattern < LC_PATTERNS);
  g_return_if_fail (places != NULL || n_places == 0);

  LcRectangle bounds = bounds_for (canvas, 0);

  if (n_places < 3 || !fill_shows (&fill))
    return;
  if (holds_all (&bounds, places, n_places))
    canvas->backend->polygon (canvas, fill, places, n_places);
  else
    {
      g_autoptr (GArray) rest = lc_polygon_cut (places, n_places, &bounds);

      if (rest->len >= 3)
        canvas->backend->polygon (canvas, fill, (const LcPlace *)(const void *)rest->data, rest->len);
    }
}

static void
polyline_part (LcCanvas *canvas, LcStroke stroke, const LcPlace *places, gsize n_places)
{
  gboolean closed = n_places > 2 && places[0].x == places[n_places - 1].x && places[0].y == places[n_places - 1].y;

  if (n_places > 1)
    canvas->backend->polyline (canvas, stroke, places, n_places - closed, closed);
}

void
lc_canvas_polyline (LcCanvas *canvas, LcStroke stroke, const LcPlace *places, gsize n_places)
{
  g_return_if_fail (canvas != NULL && !canvas->finished);
  g_return_if_fail (places != NULL || n_places == 0);

  if (!stroke_shows (&stroke))
    return;

  LcRectangle bounds = bounds_for (canvas, stroke.width);
  if (holds_all (&bounds, places, n_places))
    {
      polyline_part (canvas, stroke, places, n_places);
      return;
    }

  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (LcPlace));

  for (gsize i = 1; i < n_places; i++)
    {
      LcLine line = {places[i - 1].x, places[i - 1].y, places[i].x, places[i].y};
      const LcPlace *last = part->len > 0 ? &g_array_index (part, LcPlace, part->len - 1) : NULL;

      if (!lc_line_cut (&line, &bounds))
        continue;
      if (last == NULL || last->x != line.x0 || last->y != line.y0)
        {
          polyline_part (canvas, stroke, (const LcPlace *)(const void *)part->data, part->len);
          g_array_set_size (part, 0);
          g_array_append_val (part, ((LcPlace){line.x0, line.y0}));
        }
      g_array_append_val (part, ((LcPlace){line.x1, line.y1}));
    }
  polyline_part (canvas, stroke, (const LcPlace *)(const void *)part->data, part->len);
}

/* Moves the start of a line that was cut back to where a dash begins, so that dashes fit together in pictures painted
 * in parts. */
static void
keep_dashes (const LcStroke *stroke, const LcLine *whole, LcLine *part)
{
  double x = part->x0 - whole->x0, y = part->y0 - whole->y0, length = hypot (x, y);
  double more = fmod (length, (LC_DASH + LC_GAP) * MAX (stroke->width, 1));

  if (!stroke->dashed || length <= 0)
    return;
  part->x0 -= x / length * more;
  part->y0 -= y / length * more;
}

void
lc_canvas_lines (LcCanvas *canvas, LcStroke stroke, const LcLine *lines, gsize n_lines)
{
  g_return_if_fail (canvas != NULL && !canvas->finished);
  g_return_if_fail (lines != NULL || n_lines == 0);

  if (!stroke_shows (&stroke))
    return;

  LcRectangle bounds = bounds_for (canvas, stroke.width);

  g_autoptr (GArray) seen = g_array_sized_new (FALSE, FALSE, sizeof (LcLine), n_lines);

  for (gsize i = 0; i < n_lines; i++)
    {
      LcLine line = lines[i];

      if (!lc_line_cut (&line, &bounds))
        continue;
      keep_dashes (&stroke, &lines[i], &line);
      g_array_append_val (seen, line);
    }
  if (seen->len > 0)
    canvas->backend->lines (canvas, stroke, (const LcLine *)(const void *)seen->data, seen->len);
}

void
lc_canvas_markers (LcCanvas *canvas, LcMarker marker, LcFill fill, double size, const LcPlace *places, gsize n_places)
{
  g_return_if_fail (canvas != NULL && !canvas->finished && marker < LC_MARKERS && fill.pattern < LC_PATTERNS);
  g_return_if_fail (places != NULL || n_places == 0);

  if (!(size > 0) || !fill_shows (&fill))
    return;
  size = MIN (size, WIDEST);

  LcRectangle bounds = bounds_for (canvas, size);

  g_autoptr (GArray) seen = g_array_sized_new (FALSE, FALSE, sizeof (LcPlace), n_places);

  for (gsize i = 0; i < n_places; i++)
    if (canvas_holds (&bounds, &places[i]))
      g_array_append_val (seen, places[i]);
  if (seen->len > 0)
    canvas->backend->markers (canvas, marker, fill, size, (const LcPlace *)(const void *)seen->data, seen->len);
}

void
lc_canvas_cells (LcCanvas *canvas, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows)
{
  g_return_if_fail (canvas != NULL && !canvas->finished);
  g_return_if_fail (colors != NULL || columns == 0 || rows == 0);

  LcRectangle part;

  if (columns > 0 && rows > 0 && rectangle.width > 0 && rectangle.height > 0 && isfinite (rectangle.x) &&
      isfinite (rectangle.y) && isfinite (rectangle.width) && isfinite (rectangle.height) &&
      lc_rectangle_intersect (&rectangle, &canvas->visible, &part))
    canvas->backend->cells (canvas, rectangle, colors, columns, rows);
}

/* --- Clips and groups ------------------------------------------------------------------------------------------ */

static gboolean
top_is_clip (const LcCanvas *canvas, gboolean is_clip)
{
  guint n = canvas->levels->len;

  return n > 0 && g_array_index (canvas->levels, LcCanvasLevel, n - 1).is_clip == is_clip;
}

static void
canvas_push (LcCanvas *canvas, gboolean is_clip)
{
  LcCanvasLevel level = {is_clip, canvas->visible};

  g_array_append_val (canvas->levels, level);
}

static void
canvas_pop (LcCanvas *canvas)
{
  guint last = canvas->levels->len - 1;

  canvas->visible = g_array_index (canvas->levels, LcCanvasLevel, last).visible;
  g_array_set_size (canvas->levels, last);
}

void
lc_canvas_clip (LcCanvas *canvas, LcRectangle rectangle)
{
  g_return_if_fail (canvas != NULL && !canvas->finished);

  canvas_push (canvas, TRUE);
  if (!lc_rectangle_prepare (&rectangle, &canvas->visible, 0))
    rectangle = (LcRectangle){canvas->visible.x, canvas->visible.y, 0, 0};
  lc_rectangle_intersect (&rectangle, &canvas->visible, &canvas->visible);
  canvas->backend->clip (canvas, rectangle);
}

void
lc_canvas_unclip (LcCanvas *canvas)
{
  g_return_if_fail (canvas != NULL && !canvas->finished && top_is_clip (canvas, TRUE));

  canvas_pop (canvas);
  canvas->backend->unclip (canvas);
}

void
lc_canvas_begin (LcCanvas *canvas, const char *name, const char *title)
{
  g_return_if_fail (canvas != NULL && !canvas->finished && name != NULL);

  canvas_push (canvas, FALSE);
  canvas->backend->begin (canvas, name, title);
}

void
lc_canvas_begin_frame (LcCanvas *canvas, guint number, guint n_frames, double seconds)
{
  g_return_if_fail (canvas != NULL && !canvas->finished && number < n_frames && seconds > 0);

  canvas_push (canvas, FALSE);
  if (canvas->backend->begin_frame != NULL)
    canvas->backend->begin_frame (canvas, number, n_frames, seconds);
}

void
lc_canvas_end (LcCanvas *canvas)
{
  g_return_if_fail (canvas != NULL && !canvas->finished && top_is_clip (canvas, FALSE));

  canvas_pop (canvas);
  canvas->backend->end (canvas);
}

/* --- Text ------------------------------------------------------------------------------------------------------ */

void
lc_canvas_measure (LcCanvas *canvas, const LcTextStyle *style, const char *text, double *width, double *height)
{
  g_return_if_fail (canvas != NULL && style != NULL && style->font < LC_FONTS && text != NULL);

  const LcLabel *label = lc_label_get (style->font, canvas->text_scale, style->room, text);

  if (width != NULL)
    *width = label->fits ? label->width : 0;
  if (height != NULL)
    *height = label->height;
}

/* The area of a label at `place`, after it is turned. */
static LcRectangle
area_of (const LcTextStyle *style, LcPlace place, const LcLabel *label)
{
  double left = -style->align_x * label->width, top = -style->align_y * label->height;

  if (style->upwards)
    return (LcRectangle){place.x + top, place.y - left - label->width, label->height, label->width};
  return (LcRectangle){place.x + left, place.y + top, label->width, label->height};
}

LcRectangle
lc_canvas_text (LcCanvas *canvas, const LcTextStyle *style, LcPlace place, const char *text)
{
  LcRectangle none = {place.x, place.y, 0, 0}, seen;

  g_return_val_if_fail (canvas != NULL && !canvas->finished, none);
  g_return_val_if_fail (style != NULL && style->font < LC_FONTS && style->ink < LC_INKS && text != NULL, none);

  const LcLabel *label = lc_label_get (style->font, canvas->text_scale, style->room, text);

  if (!label->fits || label->text[0] == '\0' || !isfinite (place.x) || !isfinite (place.y))
    return none;

  LcRectangle area = area_of (style, place, label), around = {area.x - 2, area.y, area.width + 4, area.height};

  if (!lc_rectangle_intersect (&around, &canvas->visible, &seen))
    return area;
  if (style->backdrop)
    {
      LcColor patch = lc_palette_get_color (canvas->theme, LC_INK_BACKGROUND);

      patch.alpha = 0.85;
      canvas->backend->rectangles (canvas, lc_canvas_color_fill (patch), &around, 1);
    }
  canvas->backend->text (canvas, style, place, label);
  return area;
}
