/* SPDX-License-Identifier: Apache-2.0 */
/* Canvases to test with: images, a drawing that has some of everything, calls at random. */
#include "canvas-case.h"

#include <math.h>

void
image_init (Image *image, int width, int height, double scale, gboolean indirect)
{
  image->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  image->cairo = cairo_create (image->surface);
  image->width = width;
  image->height = height;
  cairo_set_source_rgb (image->cairo, 1, 1, 1);
  cairo_paint (image->cairo);
  if (indirect)
    {
      cairo_arc (image->cairo, width / 2.0, height / 2.0, width + height, 0, 2 * G_PI);
      cairo_clip (image->cairo);
    }
  cairo_scale (image->cairo, scale, scale);
  image->canvas = lc_canvas_new_cairo (image->cairo, LC_THEME_LIGHT);
}

void
image_finish (Image *image)
{
  g_clear_pointer (&image->canvas, lc_canvas_free);
  g_clear_pointer (&image->cairo, cairo_destroy);
  cairo_surface_flush (image->surface);
}

void
image_clear (Image *image)
{
  image_finish (image);
  g_clear_pointer (&image->surface, cairo_surface_destroy);
}

guint32
image_get (const Image *image, int x, int y)
{
  const guchar *data = cairo_image_surface_get_data (image->surface);
  gsize stride = (gsize)cairo_image_surface_get_stride (image->surface);

  return ((const guint32 *)(const void *)(data + (gsize)y * stride))[x];
}

guint
image_distance (const Image *one, const Image *other)
{
  guint most = 0;

  for (int y = 0; y < one->height; y++)
    for (int x = 0; x < one->width; x++)
      for (guint shift = 0; shift < 32; shift += 8)
        {
          int a = image_get (one, x, y) >> shift & 0xff, b = image_get (other, x, y) >> shift & 0xff;

          most = MAX (most, (guint)ABS (a - b));
        }
  return most;
}

static void
draw_texts (LcCanvas *canvas)
{
  LcTextStyle style = {.font = LC_FONT_NORMAL, .ink = LC_INK_TEXT};

  lc_canvas_text (canvas, &style, (LcPlace){24, 62}, "<a & b>");
  style.align_x = 1;
  style.room = 40;
  lc_canvas_text (canvas, &style, (LcPlace){116, 62}, "right, and too long");
  style = (LcTextStyle){.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT, .align_x = 0.5, .upwards = TRUE};
  lc_canvas_text (canvas, &style, (LcPlace){2, 70}, "upwards");
  style = (LcTextStyle){.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .backdrop = TRUE};
  lc_canvas_text (canvas, &style, (LcPlace){24, 80}, "שלום  12");
}

void
draw_some_of_everything (LcCanvas *canvas)
{
  const LcRectangle boxes[] = {{10.25, 10, 20, 8}, {30.25, 10, 0.1, 8}, {31.5, 14, 12.125, 8}, {200, 10, 5, 5}};
  const LcPlace steps[] = {{50, 30}, {60, 30}, {60, 20}, {75.3, 20}}, wave[] = {{80, 30}, {90, 14}, {100, 27}};
  const LcPlace corners[] = {{50, 36}, {70, 36}, {60, 50}}, places[] = {{80, 40}, {88.5, 44}};
  const LcLine lines[] = {{8, 5, 8, 55}, {8, 32.4, 44, 32.4}, {12, 36, 44, 54}};
  const guint32 cells[] = {0xff336699, 0xff336699, 0xffcc0000, 0xffcc0000, 0x80404040, 0};
  LcStroke dashed = lc_canvas_stroke (canvas, LC_INK_CRITICAL, 1.5);
  LcRectangle all = {0, 0, DRAWING_WIDTH, DRAWING_HEIGHT};

  dashed.dashed = TRUE;
  lc_canvas_rectangles (canvas, lc_canvas_color_fill (lc_palette_get_color (LC_THEME_LIGHT, LC_INK_BACKGROUND)), &all,
                        1);
  lc_canvas_begin (canvas, "events", "Events: 3 < 4");
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_EVENT, 1), boxes, G_N_ELEMENTS (boxes));
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_WAITING, 0.5), &boxes[2], 1);
  lc_canvas_end (canvas);
  lc_canvas_begin (canvas, "events", NULL);
  lc_canvas_frame (canvas, dashed, (LcRectangle){46, 4, 70, 50});
  lc_canvas_clip (canvas, (LcRectangle){48, 8, 50.3, 50});
  lc_canvas_polyline (canvas, lc_canvas_stroke (canvas, LC_INK_RUNNING, 1), steps, G_N_ELEMENTS (steps));
  lc_canvas_polyline (canvas, lc_canvas_stroke (canvas, LC_INK_ACTUAL, 2), wave, G_N_ELEMENTS (wave));
  lc_canvas_unclip (canvas);
  lc_canvas_polygon (canvas, lc_canvas_series_fill (canvas, 10), corners, G_N_ELEMENTS (corners));
  for (guint marker = 0; marker < LC_MARKERS; marker++)
    lc_canvas_markers (canvas, marker, lc_canvas_fill (canvas, LC_INK_SELECTION, marker == 0 ? 0.4 : 1), 5 + marker,
                       places, G_N_ELEMENTS (places));
  lc_canvas_end (canvas);
  lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_DATA_ARC, 1), lines, G_N_ELEMENTS (lines));
  lc_canvas_cells (canvas, (LcRectangle){90, 76, 24, 20}, cells, 3, 2);
  draw_texts (canvas);
}

/* --- At random --------------------------------------------------------------------------------------------------- */

static double
any_number (void)
{
  static const double odd[] = {0, -1, NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-300, 1e9, -1e9, 32767, 1e6};

  if (g_test_rand_int_range (0, 12) == 0)
    return odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))];
  return g_test_rand_double_range (-30, 150);
}

static LcRectangle
any_rectangle (void)
{
  return (LcRectangle){any_number (), any_number (), any_number (), any_number ()};
}

static LcFill
any_fill (const LcCanvas *canvas)
{
  LcFill fill = lc_canvas_fill (canvas, g_test_rand_int_range (0, LC_INKS), g_test_rand_double_range (-0.2, 1.5));

  fill.pattern = g_test_rand_int_range (0, LC_PATTERNS);
  return fill;
}

static LcStroke
any_stroke (const LcCanvas *canvas)
{
  LcStroke stroke = lc_canvas_stroke (canvas, g_test_rand_int_range (0, LC_INKS), any_number () / 20);

  stroke.dashed = g_test_rand_bit ();
  return stroke;
}

char *
any_text (void)
{
  static const char *const parts[] = {
      "a",        "Wide ",  "iiii",   "進程",         "الخيط ",   "ไทย",   "é",      "e\u0301\u0302\u0323",
      "👩\u200d💻", "\n",     "\t",     "\x01",         "\xff\xc3", "<&\">", "\u202e", "שלום",
      "  ",       "\u2028", "\ufffe", "x\u0338\u0338"};
  GString *text = g_string_new (NULL);

  for (int n = g_test_rand_int_range (0, g_test_rand_bit () ? 6 : 60); n > 0; n--)
    g_string_append (text, parts[g_test_rand_int_range (0, G_N_ELEMENTS (parts))]);
  if (g_test_rand_int_range (0, 40) == 0)
    for (guint n = 0; n < 5000; n++)
      g_string_append (text, parts[n % 4]);
  return g_string_free (text, FALSE);
}

static void
draw_any_text (LcCanvas *canvas)
{
  g_autofree char *text = any_text ();
  LcTextStyle style = {.font = g_test_rand_int_range (0, LC_FONTS),
                       .ink = g_test_rand_int_range (0, LC_INKS),
                       .align_x = g_test_rand_double (),
                       .align_y = g_test_rand_int_range (0, 3) / 2.0,
                       .room = g_test_rand_bit () ? any_number () : 0,
                       .upwards = g_test_rand_bit (),
                       .backdrop = g_test_rand_bit ()};

  lc_canvas_text (canvas, &style, (LcPlace){any_number (), any_number ()}, text);
}

static void
draw_any_cells (LcCanvas *canvas)
{
  guint columns = (guint)g_test_rand_int_range (0, 40), rows = (guint)g_test_rand_int_range (0, 40);
  g_autofree guint32 *cells = g_new0 (guint32, columns * rows + 1);

  for (guint i = 0; i < columns * rows; i++)
    cells[i] = g_test_rand_bit () ? 0xff000000 | (guint32)g_test_rand_int_range (0, 4) * 0x3f : 0;
  lc_canvas_cells (canvas, any_rectangle (), cells, columns, rows);
}

static void
draw_any_shape (LcCanvas *canvas)
{
  gsize n = (gsize)g_test_rand_int_range (0, 20);
  g_autofree LcPlace *places = g_new0 (LcPlace, n);
  g_autofree LcLine *lines = g_new0 (LcLine, n);
  g_autofree LcRectangle *rectangles = g_new0 (LcRectangle, n);

  for (gsize i = 0; i < n; i++)
    {
      places[i] = (LcPlace){any_number (), any_number ()};
      lines[i] = (LcLine){any_number (), any_number (), any_number (), any_number ()};
      if (g_test_rand_bit ())
        lines[i].y1 = lines[i].y0;
      rectangles[i] = any_rectangle ();
    }
  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      lc_canvas_polygon (canvas, any_fill (canvas), places, n);
      break;
    case 1:
      lc_canvas_polyline (canvas, any_stroke (canvas), places, n);
      break;
    case 2:
      lc_canvas_lines (canvas, any_stroke (canvas), lines, n);
      break;
    case 3:
      lc_canvas_markers (canvas, g_test_rand_int_range (0, LC_MARKERS), any_fill (canvas), any_number (), places, n);
      break;
    case 4:
      lc_canvas_frame (canvas, any_stroke (canvas), any_rectangle ());
      break;
    default:
      lc_canvas_rectangles (canvas, any_fill (canvas), rectangles, n);
      break;
    }
}

static void
open_any_level (LcCanvas *canvas, GString *open)
{
  g_autofree char *name = any_text (), *title = any_text ();
  gboolean is_clip = g_test_rand_bit ();

  if (is_clip)
    lc_canvas_clip (canvas, any_rectangle ());
  else
    lc_canvas_begin (canvas, name, title);
  g_string_append_c (open, is_clip ? 'c' : 'g');
}

static void
close_level (LcCanvas *canvas, GString *open)
{
  if (open->str[open->len - 1] == 'c')
    lc_canvas_unclip (canvas);
  else
    lc_canvas_end (canvas);
  g_string_truncate (open, open->len - 1);
}

void
draw_anything (LcCanvas *canvas, guint n_calls)
{
  g_autoptr (GString) open = g_string_new (NULL);

  for (guint i = 0; i < n_calls; i++)
    {
      int what = g_test_rand_int_range (0, 10);

      if (what == 0)
        open_any_level (canvas, open);
      else if (what == 1 && open->len > 0)
        close_level (canvas, open);
      else if (what < 4)
        draw_any_text (canvas);
      else if (what == 4)
        draw_any_cells (canvas);
      else
        draw_any_shape (canvas);
    }
  while (open->len > 0)
    close_level (canvas, open);
}
