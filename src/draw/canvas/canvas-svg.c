/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas as SVG: one path for each batch, real text, groups with titles. */
#include <string.h>

#include "draw/canvas/canvas-private.h"
#include "draw/canvas/svg-text.h"

typedef struct
{
  LcCanvas parent;
  GString *head; /* the part before the definitions */
  GString *definitions;
  GString *body;
  GHashTable *ids;     /* char * id -> guint: how often it was wanted */
  GHashTable *defined; /* char * content of a definition -> char * id */
} Canvas;

/* --- Ids and definitions --------------------------------------------------------------------------------------- */

/* Makes an id of `wanted`: characters that an id cannot have are replaced, and an id that is taken gets a number. */
static char *
new_id (Canvas *canvas, const char *wanted)
{
  g_autofree char *id = g_str_to_ascii (wanted, "C");
  guint n;

  g_strcanon (id, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.", '-');
  if (!g_ascii_isalpha (id[0]))
    {
      char *longer = g_strconcat ("group-", id, NULL);

      g_free (id);
      id = longer;
    }
  n = GPOINTER_TO_UINT (g_hash_table_lookup (canvas->ids, id)) + 1;
  g_hash_table_insert (canvas->ids, g_strdup (id), GUINT_TO_POINTER (n));
  return n == 1 ? g_steal_pointer (&id) : g_strdup_printf ("%s:%u", id, n);
}

/* Gives the id of an `element` with `content`, which is written to the definitions only the first time. */
static const char *
svg_define (Canvas *canvas, const char *element, const char *attributes, const char *content)
{
  const char *known = g_hash_table_lookup (canvas->defined, content);

  if (known != NULL)
    return known;

  char *id = new_id (canvas, element);

  g_string_append_printf (canvas->definitions, "<%s id=\"%s\"%s>%s</%s>\n", element, id, attributes, content, element);
  g_hash_table_insert (canvas->defined, g_strdup (content), id);
  return id;
}

static void
add_pattern_content (GString *content, const LcFill *fill)
{
  const LcPatternShape *shape = lc_pattern_get_shape (fill->pattern);
  LcSvgPath path;

  if (fill->ground.alpha > 0)
    {
      g_string_append (content, "<path");
      lc_svg_add_color (content, "fill", fill->ground);
      g_string_append (content, " d=\"M0 0h6v6h-6z\"/>");
    }
  lc_svg_path_init (&path);
  for (guint i = 0; i < shape->n_lines; i++)
    {
      lc_svg_path_move_to (&path, shape->lines[i].x0, shape->lines[i].y0);
      lc_svg_path_line_to (&path, shape->lines[i].x1, shape->lines[i].y1);
    }
  g_string_append (content, "<path");
  if (shape->n_dots == 0)
    {
      lc_svg_add_color (content, "stroke", fill->color);
      lc_svg_add_attribute (content, "stroke-width", shape->width);
    }
  else
    lc_svg_add_color (content, "fill", fill->color);
  for (guint i = 0; i < shape->n_dots; i++)
    lc_svg_path_circle (&path, shape->dots[i].x, shape->dots[i].y, shape->width);
  g_string_append_printf (content, " d=\"%s\"/>", path.data->str);
  lc_svg_path_clear (&path);
}

static void
add_fill (Canvas *canvas, const LcFill *fill)
{
  if (fill->pattern == LC_PATTERN_SOLID)
    lc_svg_add_color (canvas->body, "fill", fill->color);
  else
    {
      g_autoptr (GString) content = g_string_new (NULL);

      G_STATIC_ASSERT ((int)LC_PATTERN_PERIOD == 6);
      add_pattern_content (content, fill);
      g_string_append_printf (
          canvas->body, " fill=\"url(#%s)\"",
          svg_define (canvas, "pattern", " width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"", content->str));
    }
}

static void
add_stroke (Canvas *canvas, const LcStroke *stroke)
{
  double step = MAX (stroke->width, 1);

  g_string_append (canvas->body, " fill=\"none\"");
  lc_svg_add_color (canvas->body, "stroke", stroke->color);
  if (stroke->width != 1)
    lc_svg_add_attribute (canvas->body, "stroke-width", stroke->width);
  if (stroke->dashed)
    {
      g_string_append (canvas->body, " stroke-dasharray=\"");
      lc_svg_add_number (canvas->body, LC_DASH * step);
      g_string_append_c (canvas->body, ' ');
      lc_svg_add_number (canvas->body, LC_GAP * step);
      g_string_append_c (canvas->body, '"');
    }
}

static void
add_data (Canvas *canvas, LcSvgPath *path)
{
  g_string_append (canvas->body, " d=\"");
  g_string_append_len (canvas->body, path->data->str, path->data->len);
  g_string_append (canvas->body, "\"/>\n");
  lc_svg_path_clear (path);
}

/* --- Shapes ---------------------------------------------------------------------------------------------------- */

/* Edges are sharp, or the ground would show between rectangles that touch. */
static void
svg_rectangles (LcCanvas *parent, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles)
{
  Canvas *canvas = (Canvas *)parent;
  LcSvgPath path;

  lc_svg_path_init (&path);
  for (gsize i = 0; i < n_rectangles; i++)
    {
      LcRectangle rectangle = rectangles[i];

      if (lc_rectangle_prepare (&rectangle, &parent->visible, 1))
        lc_svg_path_rectangle (&path, rectangle.x, rectangle.y, rectangle.x + rectangle.width,
                               rectangle.y + rectangle.height);
    }
  if (path.data->len == 0)
    {
      lc_svg_path_clear (&path);
      return;
    }
  g_string_append (canvas->body, "<path shape-rendering=\"crispEdges\"");
  add_fill (canvas, &fill);
  add_data (canvas, &path);
}

static void
svg_polygon (LcCanvas *parent, LcFill fill, const LcPlace *places, gsize n_places)
{
  Canvas *canvas = (Canvas *)parent;
  LcSvgPath path;

  lc_svg_path_init (&path);
  lc_svg_path_polygon (&path, 0, 0, places, n_places);
  g_string_append (canvas->body, "<path");
  add_fill (canvas, &fill);
  add_data (canvas, &path);
}

/* Aligns a place to pixels, which helps when the picture is shown at its own size. */
static LcPlace
svg_sharpen (LcPlace place, double width)
{
  width = MAX (round (width), 1);
  return (LcPlace){lc_snap (place.x, width), lc_snap (place.y, width)};
}

static void
svg_polyline (LcCanvas *parent, LcStroke stroke, const LcPlace *places, gsize n_places, gboolean closed)
{
  Canvas *canvas = (Canvas *)parent;
  gboolean upright = lc_polyline_is_upright (places, n_places);
  LcSvgPath path;

  lc_svg_path_init (&path);
  for (gsize i = 0; i < n_places; i++)
    {
      LcPlace place = upright ? svg_sharpen (places[i], stroke.width) : places[i];

      if (i == 0)
        lc_svg_path_move_to (&path, place.x, place.y);
      else
        lc_svg_path_line_to (&path, place.x, place.y);
    }
  if (closed)
    g_string_append_c (path.data, 'z');
  g_string_append (canvas->body, "<path");
  add_stroke (canvas, &stroke);
  if (!upright)
    g_string_append (canvas->body, " stroke-linejoin=\"round\"");
  else if (!stroke.dashed)
    g_string_append (canvas->body, " stroke-linecap=\"square\"");
  add_data (canvas, &path);
}

/* Two translucent shapes must look darker where they overlap, but a path that overlaps itself does not. With `each`,
 * every shape is a path of its own. */
static void
add_shapes (Canvas *canvas, gboolean each, gsize n_shapes, void (*add) (LcSvgPath *path, gconstpointer data, gsize i),
            gconstpointer data)
{
  LcSvgPath path;

  if (each)
    g_string_append (canvas->body, ">\n");
  else
    lc_svg_path_init (&path);
  for (gsize i = 0; i < n_shapes; i++)
    {
      if (each)
        {
          lc_svg_path_init (&path);
          g_string_append (canvas->body, "<path");
        }
      add (&path, data, i);
      if (each)
        add_data (canvas, &path);
    }
  if (each)
    g_string_append (canvas->body, "</g>\n");
  else
    add_data (canvas, &path);
}

typedef struct
{
  const LcLine *lines;
  double width;
} Lines;

/* A line is at least one pixel long, as on canvases that have pixels. */
static void
svg_lengthen (double *from, double *to)
{
  double middle = (*from + *to) / 2;

  if (fabs (*to - *from) < 1)
    {
      *from = middle - 0.5;
      *to = middle + 0.5;
    }
}

static void
svg_add_line (LcSvgPath *path, gconstpointer data, gsize i)
{
  const Lines *lines = data;
  const LcLine *line = &lines->lines[i];
  LcPlace from = {line->x0, line->y0}, to = {line->x1, line->y1};

  if (line->y0 == line->y1)
    {
      from.y = to.y = svg_sharpen (from, lines->width).y;
      svg_lengthen (&from.x, &to.x);
    }
  else if (line->x0 == line->x1)
    {
      from.x = to.x = svg_sharpen (from, lines->width).x;
      svg_lengthen (&from.y, &to.y);
    }
  lc_svg_path_move_to (path, from.x, from.y);
  lc_svg_path_line_to (path, to.x, to.y);
}

static void
svg_lines (LcCanvas *parent, LcStroke stroke, const LcLine *lines, gsize n_lines)
{
  Canvas *canvas = (Canvas *)parent;
  gboolean each = stroke.color.alpha < 1 && n_lines > 1;

  g_string_append (canvas->body, each ? "<g" : "<path");
  add_stroke (canvas, &stroke);
  add_shapes (canvas, each, n_lines, svg_add_line, &(Lines){lines, stroke.width});
}

typedef struct
{
  const LcPlace *places;
  LcPlace outline[LC_MARKER_MOST];
  guint n_outline;
  double size;
} Markers;

static void
add_marker (LcSvgPath *path, gconstpointer data, gsize i)
{
  const Markers *markers = data;
  const LcPlace *place = &markers->places[i];

  if (markers->n_outline > 0)
    lc_svg_path_polygon (path, place->x, place->y, markers->outline, markers->n_outline);
  else
    lc_svg_path_circle (path, place->x, place->y, markers->size);
}

static void
svg_markers (LcCanvas *parent, LcMarker marker, LcFill fill, double size, const LcPlace *places, gsize n_places)
{
  Canvas *canvas = (Canvas *)parent;
  gboolean each = n_places > 1 && (fill.color.alpha < 1 || (fill.pattern != LC_PATTERN_SOLID && fill.ground.alpha < 1));
  Markers markers = {.places = places, .size = size};

  markers.n_outline = lc_marker_outline (marker, size, markers.outline);
  g_string_append (canvas->body, each ? "<g" : "<path");
  add_fill (canvas, &fill);
  add_shapes (canvas, each, n_places, add_marker, &markers);
}

/* --- Cells ----------------------------------------------------------------------------------------------------- */

static LcColor
svg_color_of (guint32 pixel)
{
  double alpha = (pixel >> 24) / 255.0, full = MAX (alpha, 1 / 255.0) * 255;

  return (LcColor){(pixel >> 16 & 0xff) / full, (pixel >> 8 & 0xff) / full, (pixel & 0xff) / full, alpha};
}

static cairo_status_t
take_bytes (void *bytes, const guchar *data, guint length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
add_picture (GString *svg, const LcRectangle *rectangle, const guint32 *pixels, guint columns, guint rows)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)columns, (int)rows);
  gsize stride = (gsize)cairo_image_surface_get_stride (surface);
  guchar *to = cairo_image_surface_get_data (surface);

  for (guint row = 0; row < rows && to != NULL; row++)
    memcpy (to + row * stride, pixels + (gsize)row * columns, columns * sizeof *pixels);
  cairo_surface_mark_dirty (surface);
  cairo_surface_write_to_png_stream (surface, take_bytes, bytes);
  cairo_surface_destroy (surface);

  g_autofree char *text = g_base64_encode (bytes->data, bytes->len);

  g_string_append (svg, "<image preserveAspectRatio=\"none\" image-rendering=\"pixelated\"");
  lc_svg_add_attribute (svg, "x", rectangle->x);
  lc_svg_add_attribute (svg, "y", rectangle->y);
  lc_svg_add_attribute (svg, "width", rectangle->width);
  lc_svg_add_attribute (svg, "height", rectangle->height);
  g_string_append_printf (svg, " href=\"data:image/png;base64,%s\"/>\n", text);
}

typedef struct
{
  guint32 color;
  LcSvgPath path;
} ColorPath;

static void
color_path_clear (gpointer data)
{
  lc_svg_path_clear (&((ColorPath *)data)->path);
}

static LcSvgPath *
path_of_color (GArray *paths, GHashTable *numbers, guint32 color)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, GUINT_TO_POINTER (color)));

  if (number == 0)
    {
      ColorPath path = {.color = color};

      lc_svg_path_init (&path.path);
      g_array_append_val (paths, path);
      number = paths->len;
      g_hash_table_insert (numbers, GUINT_TO_POINTER (color), GUINT_TO_POINTER (number));
    }
  return &g_array_index (paths, ColorPath, number - 1).path;
}

/* Grids whose paths would take more bytes than this become images. */
#define MOST_AS_PATHS 32000

/* Makes a path for each colour, from runs of equal cells in a row. NULL: the paths would take too many bytes. */
static char *
paths_of_cells (const LcRectangle *rectangle, const guint32 *colors, guint columns, guint rows)
{
  g_autoptr (GArray) paths = g_array_new (FALSE, FALSE, sizeof (ColorPath));
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  GString *svg = g_string_new (NULL);
  gsize runs = 0;

  g_array_set_clear_func (paths, color_path_clear);
  for (guint row = 0; row < rows && runs * 8 <= MOST_AS_PATHS; row++)
    for (guint column = 0, end; column < columns; column = end, runs++)
      {
        const guint32 *line = colors + (gsize)row * columns;

        for (end = column + 1; end < columns && line[end] == line[column];)
          end++;
        if (line[column] >> 24 != 0)
          lc_svg_path_rectangle (
              path_of_color (paths, numbers, line[column]), rectangle->x + rectangle->width * column / columns,
              rectangle->y + rectangle->height * row / rows, rectangle->x + rectangle->width * end / columns,
              rectangle->y + rectangle->height * (row + 1) / rows);
      }
  g_string_append (svg, "<g shape-rendering=\"crispEdges\">\n");
  for (guint i = 0; i < paths->len && svg->len <= MOST_AS_PATHS; i++)
    {
      const ColorPath *path = &g_array_index (paths, ColorPath, i);

      g_string_append (svg, "<path");
      lc_svg_add_color (svg, "fill", svg_color_of (path->color));
      g_string_append_printf (svg, " d=\"%s\"/>\n", path->path.data->str);
    }
  g_string_append (svg, "</g>\n");
  return g_string_free (svg, svg->len > MOST_AS_PATHS || runs * 8 > MOST_AS_PATHS);
}

/* The visible part, with edges at whole numbers. */
static LcRectangle
whole_part (const LcRectangle *rectangle, const LcRectangle *visible)
{
  LcRectangle seen;

  lc_rectangle_intersect (rectangle, visible, &seen);

  double left = floor (seen.x + 0.5), top = floor (seen.y + 0.5);
  double right = floor (seen.x + seen.width + 0.5), bottom = floor (seen.y + seen.height + 0.5);

  return (LcRectangle){left, top, MAX (right - left, 1), MAX (bottom - top, 1)};
}

static void
add_picture_of_cells (GString *svg, LcRectangle rectangle, const LcRectangle *visible, const guint32 *colors,
                      guint columns, guint rows)
{
  LcRectangle whole = whole_part (&rectangle, visible);
  LcRectangle part = {(whole.x - rectangle.x) / rectangle.width * columns,
                      (whole.y - rectangle.y) / rectangle.height * rows, whole.width / rectangle.width * columns,
                      whole.height / rectangle.height * rows};
  guint new_columns = (guint)MIN (whole.width, LC_CELLS_MOST), new_rows = (guint)MIN (whole.height, LC_CELLS_MOST);
  g_autofree guint32 *pixels = lc_cells_resize (colors, columns, rows, &part, new_columns, new_rows);

  add_picture (svg, &whole, pixels, new_columns, new_rows);
}

/* Viewers leave out cells that are smaller than a pixel, and many viewers smooth the larger ones; so images have one
 * cell for each pixel. */
static void
svg_cells (LcCanvas *parent, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows)
{
  Canvas *canvas = (Canvas *)parent;
  g_autofree char *paths = NULL;

  if (rectangle.width >= columns && rectangle.height >= rows)
    paths = paths_of_cells (&rectangle, colors, columns, rows);
  if (paths != NULL)
    g_string_append (canvas->body, paths);
  else
    add_picture_of_cells (canvas->body, rectangle, &parent->visible, colors, columns, rows);
}

/* --- Clips and groups ------------------------------------------------------------------------------------------ */

/* Clips have edges at whole numbers, as on canvases that have pixels. */
static void
svg_clip (LcCanvas *parent, LcRectangle rectangle)
{
  Canvas *canvas = (Canvas *)parent;
  g_autoptr (GString) content = g_string_new ("<path d=\"");
  LcSvgPath path;

  lc_svg_path_init (&path);
  lc_svg_path_rectangle (&path, floor (rectangle.x + 0.5), floor (rectangle.y + 0.5),
                         floor (rectangle.x + rectangle.width + 0.5), floor (rectangle.y + rectangle.height + 0.5));
  g_string_append_printf (content, "%s\"/>", path.data->str);
  lc_svg_path_clear (&path);
  g_string_append_printf (canvas->body, "<g clip-path=\"url(#%s)\">\n",
                          svg_define (canvas, "clipPath", "", content->str));
}

static void
svg_begin (LcCanvas *parent, const char *name, const char *title)
{
  Canvas *canvas = (Canvas *)parent;
  g_autofree char *id = new_id (canvas, name);

  g_string_append_printf (canvas->body, "<g id=\"%s\">\n", id);
  if (title != NULL && title[0] != '\0')
    {
      g_string_append (canvas->body, "<title>");
      lc_svg_add_text (canvas->body, title);
      g_string_append (canvas->body, "</title>\n");
    }
}

static void
svg_add_seconds (GString *svg, double seconds)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (svg, g_ascii_formatd (text, sizeof text, "%.6g", seconds));
}

/* Each picture is seen in its own part of the time that all take, and hidden before its turn. Who draws no animations
 * sees the first one. */
static void
svg_add_style (Canvas *canvas, guint n_frames, double seconds)
{
  g_string_append (canvas->head, "<style>.frame{visibility:hidden;animation:frame ");
  svg_add_seconds (canvas->head, n_frames * seconds);
  g_string_append (canvas->head,
                   "s step-end infinite}.first{visibility:visible}@keyframes frame{0%{visibility:visible}");
  svg_add_seconds (canvas->head, 100.0 / n_frames);
  g_string_append (canvas->head, "%,100%{visibility:hidden}}"
                                 "@media (prefers-reduced-motion:reduce){.frame{animation:none}}</style>\n");
}

static void
svg_begin_frame (LcCanvas *parent, guint number, guint n_frames, double seconds)
{
  Canvas *canvas = (Canvas *)parent;

  if (n_frames == 1)
    {
      g_string_append (canvas->body, "<g>\n");
      return;
    }
  if (number == 0)
    svg_add_style (canvas, n_frames, seconds);
  g_string_append (canvas->body, number == 0 ? "<g class=\"frame first\"" : "<g class=\"frame\"");
  g_string_append (canvas->body, " style=\"animation-delay:");
  svg_add_seconds (canvas->body, number * seconds);
  g_string_append (canvas->body, "s\">\n");
}

static void
svg_end (LcCanvas *parent)
{
  g_string_append (((Canvas *)parent)->body, "</g>\n");
}

/* --- Text ------------------------------------------------------------------------------------------------------ */

/* A text that fills more than this share of its room has a fixed length, or another font could make it overlap its
 * neighbour. */
#define TIGHT 0.85

static void
add_anchor (GString *svg, const LcTextStyle *style, const LcLabel *label)
{
  if (label->right_to_left)
    g_string_append (svg, " direction=\"rtl\"");
  if (style->align_x == 0.5)
    g_string_append (svg, " text-anchor=\"middle\"");
  else if ((style->align_x == 1) != label->right_to_left)
    g_string_append (svg, " text-anchor=\"end\"");
}

static void
svg_text (LcCanvas *parent, const LcTextStyle *style, LcPlace place, const LcLabel *label)
{
  GString *svg = ((Canvas *)parent)->body;
  gboolean anchored = style->align_x == 0 || style->align_x == 0.5 || style->align_x == 1;
  LcTextStyle anchor = *style;

  if (!anchored)
    anchor.align_x = 0;

  double x = place.x - (anchored ? 0 : style->align_x * label->width);
  double y = place.y - style->align_y * label->height + label->baseline;

  g_string_append (svg, "<text");
  lc_svg_add_attribute (svg, "x", x);
  lc_svg_add_attribute (svg, "y", y);
  if (style->font != LC_FONT_NORMAL)
    lc_svg_add_attribute (svg, "font-size", lc_font_get_size (style->font));
  if (style->font == LC_FONT_TITLE)
    g_string_append (svg, " font-weight=\"bold\"");
  add_anchor (svg, &anchor, label);
  lc_svg_add_color (svg, "fill", lc_palette_get_color (parent->theme, style->ink));
  if (style->backdrop || (style->room > 0 && label->width > TIGHT * style->room))
    {
      lc_svg_add_attribute (svg, "textLength", label->width);
      g_string_append (svg, " lengthAdjust=\"spacingAndGlyphs\"");
    }
  if (style->upwards)
    {
      g_string_append (svg, " transform=\"rotate(-90 ");
      lc_svg_add_number (svg, place.x);
      g_string_append_c (svg, ' ');
      lc_svg_add_number (svg, place.y);
      g_string_append (svg, ")\"");
    }
  if (strstr (label->text, "  ") != NULL || g_str_has_prefix (label->text, " ") || g_str_has_suffix (label->text, " "))
    g_string_append (svg, " xml:space=\"preserve\"");
  g_string_append_c (svg, '>');
  lc_svg_add_text (svg, label->text);
  g_string_append (svg, "</text>\n");
}

/* --- Life --------------------------------------------------------------------------------------------------------- */

static void
svg_free (LcCanvas *parent)
{
  Canvas *canvas = (Canvas *)parent;

  g_string_free (canvas->head, TRUE);
  g_string_free (canvas->definitions, TRUE);
  g_string_free (canvas->body, TRUE);
  g_hash_table_unref (canvas->ids);
  g_hash_table_unref (canvas->defined);
  g_free (canvas);
}

static const LcCanvasBackend svg_backend = {
    .rectangles = svg_rectangles,
    .polygon = svg_polygon,
    .polyline = svg_polyline,
    .lines = svg_lines,
    .markers = svg_markers,
    .cells = svg_cells,
    .clip = svg_clip,
    .unclip = svg_end,
    .begin = svg_begin,
    .begin_frame = svg_begin_frame,
    .end = svg_end,
    .text = svg_text,
    .free = svg_free,
};

static void
svg_add_element (GString *svg, const char *element, const char *text)
{
  if (text == NULL || text[0] == '\0')
    return;
  g_string_append_printf (svg, "<%s>", element);
  lc_svg_add_text (svg, text);
  g_string_append_printf (svg, "</%s>\n", element);
}

LcCanvas *
lc_canvas_new_svg (double width, double height, LcTheme theme, const char *title, const char *description)
{
  g_return_val_if_fail (width > 0 && isfinite (width) && height > 0 && isfinite (height) && theme < LC_THEMES, NULL);

  Canvas *canvas = g_new0 (Canvas, 1);

  canvas->head = g_string_new ("<svg xmlns=\"http://www.w3.org/2000/svg\"");
  canvas->definitions = g_string_new (NULL);
  canvas->body = g_string_new (NULL);
  canvas->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  canvas->defined = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  lc_svg_add_attribute (canvas->head, "width", width);
  lc_svg_add_attribute (canvas->head, "height", height);
  g_string_append (canvas->head, " viewBox=\"0 0 ");
  lc_svg_add_number (canvas->head, width);
  g_string_append_c (canvas->head, ' ');
  lc_svg_add_number (canvas->head, height);
  g_string_append (canvas->head, "\" role=\"img\" font-family=\"" LC_LABEL_FAMILY ", sans-serif\"");
  lc_svg_add_attribute (canvas->head, "font-size", lc_font_get_size (LC_FONT_NORMAL));
  g_string_append (canvas->head, ">\n");
  svg_add_element (canvas->head, "title", title);
  svg_add_element (canvas->head, "desc", description);
  lc_canvas_init (&canvas->parent, &svg_backend, theme, (LcRectangle){0, 0, width, height});
  return &canvas->parent;
}

char *
lc_canvas_finish_svg (LcCanvas *parent, gsize *length)
{
  g_return_val_if_fail (parent != NULL && !parent->finished && parent->levels->len == 0, NULL);

  Canvas *canvas = (Canvas *)parent;

  if (parent->backend != &svg_backend)
    return NULL;
  parent->finished = TRUE;
  if (canvas->definitions->len > 0)
    g_string_append_printf (canvas->head, "<defs>\n%s</defs>\n", canvas->definitions->str);
  g_string_append_len (canvas->head, canvas->body->str, canvas->body->len);
  g_string_append (canvas->head, "</svg>\n");
  if (length != NULL)
    *length = canvas->head->len;

  char *svg = g_string_free (canvas->head, FALSE);

  canvas->head = g_string_new (NULL);
  return svg;
}
