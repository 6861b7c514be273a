/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas: pixels where they belong, text that fits. */
#include <math.h>

#include "canvas-case.h"
#include "../history/random-trials.h"

static LcFill
opaque (guint32 rgb)
{
  return lc_canvas_color_fill (
      (LcColor){(rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0, (rgb & 0xff) / 255.0, 1});
}

/* --- Pixels ------------------------------------------------------------------------------------------------------ */

/* The edges of what is not white; the number of its pixels. */
static int
find_painted (const Image *image, int *x0, int *y0, int *x1, int *y1)
{
  int n = 0;

  *x0 = *y0 = G_MAXINT;
  *x1 = *y1 = 0;
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      if (image_get (image, x, y) != PAPER)
        {
          *x0 = MIN (*x0, x);
          *y0 = MIN (*y0, y);
          *x1 = MAX (*x1, x + 1);
          *y1 = MAX (*y1, y + 1);
          n++;
        }
  return n;
}

static int
edge (double at, double scale)
{
  return (int)floor (at * scale + 0.5);
}

/* Its edges are the nearest ones between pixels, and it is never nothing. */
static void
test_rectangle (void)
{
  for (guint round = 0; round < random_trials (400); round++)
    {
      double scale = (double[]){1, 2, 1.5, 0.7}[round % 4], widest = round % 3 == 0 ? 0.6 : 9;
      LcRectangle box = {g_test_rand_double_range (1, 20), g_test_rand_double_range (1, 20),
                         g_test_rand_double_range (0, widest), g_test_rand_double_range (0, widest)};
      int x0, y0, x1, y1, n, left = edge (box.x, scale), right = edge (box.x + box.width, scale);
      Image image;

      image_init (&image, 64, 64, scale, round % 2);
      lc_canvas_rectangles (image.canvas, opaque (0x123456), &box, 1);
      image_finish (&image);
      n = find_painted (&image, &x0, &y0, &x1, &y1);
      g_assert_cmpint (n, ==, (x1 - x0) * (y1 - y0));
      g_assert_cmpint (n, >=, 1);
      g_assert_cmphex (image_get (&image, x0, y0), ==, 0xff123456);
      if (right > left)
        {
          g_assert_cmpint (x0, ==, left);
          g_assert_cmpint (x1, ==, right);
        }
      else
        {
          g_assert_cmpint (x0, ==, (int)floor ((box.x + box.width / 2) * scale));
          g_assert_cmpint (x1, ==, x0 + 1);
        }
      image_clear (&image);
    }
}

static void
draw_batches (LcCanvas *canvas, guint32 seed, gboolean translucent)
{
  GRand *random = g_rand_new_with_seed (seed);

  for (guint batch = 0; batch < 12; batch++)
    {
      LcFill fill = lc_canvas_fill (canvas, LC_INK_RUNNING + batch, translucent && batch % 2 == 0 ? 0.4 : 1);
      LcRectangle boxes[300];

      for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
        boxes[i] = (LcRectangle){g_rand_double_range (random, -10, 100), g_rand_double_range (random, -10, 80),
                                 g_rand_double_range (random, 0, 12), g_rand_double_range (random, 0, 12)};
      fill.pattern = batch % LC_PATTERNS;
      if (batch == 5)
        lc_canvas_clip (canvas, (LcRectangle){5.5, 7.3, 70, 60});
      lc_canvas_rectangles (canvas, fill, boxes, G_N_ELEMENTS (boxes));
    }
  lc_canvas_unclip (canvas);
  g_rand_free (random);
}

/* Whether we write the pixels or Cairo does. */
static void
test_direct (void)
{
  for (guint round = 0; round < 12; round++)
    {
      double scale = round % 3 == 0 ? 1.3 : 1;
      gboolean translucent = round % 2 == 0;
      Image direct, indirect;

      image_init (&direct, 90, 70, scale, FALSE);
      image_init (&indirect, 90, 70, scale, TRUE);
      draw_batches (direct.canvas, round, translucent);
      draw_batches (indirect.canvas, round, translucent);
      image_finish (&direct);
      image_finish (&indirect);
      g_assert_cmpuint (image_distance (&direct, &indirect), <=, translucent ? 12 : 0);
      image_clear (&direct);
      image_clear (&indirect);
    }
}

/* A batch is one shape: what overlaps in it is no darker. Two batches are two. */
static void
test_overlap (void)
{
  const LcRectangle boxes[] = {{2, 2, 10, 10}, {6, 6, 10, 10}};
  LcFill half = opaque (0x000000);
  Image image;

  half.color.alpha = 0.5;
  image_init (&image, 20, 20, 1, FALSE);
  lc_canvas_rectangles (image.canvas, half, boxes, 2);
  g_assert_cmphex (image_get (&image, 3, 3), ==, image_get (&image, 8, 8));
  lc_canvas_rectangles (image.canvas, half, boxes, 1);
  image_finish (&image);
  g_assert_cmphex (image_get (&image, 3, 3) & 0xff, <=, 0x41);
  g_assert_cmphex (image_get (&image, 15, 15) & 0xff, >=, 0x7e);
  image_clear (&image);
}

/* Rectangles side by side are one rectangle, patterns and all, wherever the picture begins. */
static void
test_neighbours (void)
{
  for (guint pattern = 0; pattern < LC_PATTERNS; pattern++)
    for (guint indirect = 0; indirect < 2; indirect++)
      {
        LcRectangle whole = {3.2, 4.7, 50, 30}, parts[] = {{3.2, 4.7, 11.1, 30}, {14.3, 4.7, 38.9, 30}};
        Image one, two;
        LcFill fill;

        image_init (&one, 70, 50, 1.25, indirect);
        image_init (&two, 70, 50, 1.25, indirect);
        fill = lc_canvas_fill (one.canvas, LC_INK_EVENT, 1);
        fill.pattern = pattern;
        lc_canvas_rectangles (one.canvas, fill, &whole, 1);
        lc_canvas_rectangles (two.canvas, fill, &parts[0], 1);
        lc_canvas_rectangles (two.canvas, fill, &parts[1], 1);
        image_finish (&one);
        image_finish (&two);
        g_assert_cmpuint (image_distance (&one, &two), ==, 0);
        image_clear (&one);
        image_clear (&two);
      }
}

/* A picture that begins elsewhere on its surface is the same, patterns and all. */
static void
test_moved (void)
{
  for (guint indirect = 0; indirect < 2; indirect++)
    {
      Image here, there;

      image_init (&here, 160, 130, 1, indirect);
      draw_some_of_everything (here.canvas);
      image_finish (&here);
      image_init (&there, 160, 130, 1, indirect);
      g_clear_pointer (&there.canvas, lc_canvas_free);
      cairo_translate (there.cairo, 7, 3);
      there.canvas = lc_canvas_new_cairo (there.cairo, LC_THEME_LIGHT);
      draw_some_of_everything (there.canvas);
      image_finish (&there);
      for (int y = 0; y < DRAWING_HEIGHT; y++)
        for (int x = 0; x < DRAWING_WIDTH; x++)
          g_assert_cmphex (image_get (&here, x, y), ==, image_get (&there, x + 7, y + 3));
      image_clear (&here);
      image_clear (&there);
    }
}

/* Each pattern can be told from the others and from a plain area, on its own and in a small box. */
static void
test_patterns (void)
{
  Image images[LC_PATTERNS];

  for (guint pattern = 0; pattern < LC_PATTERNS; pattern++)
    {
      LcFill fill;

      image_init (&images[pattern], 18, 18, 1, FALSE);
      fill = lc_canvas_fill (images[pattern].canvas, LC_INK_EVENT, 1);
      fill.pattern = pattern;
      lc_canvas_rectangles (images[pattern].canvas, fill, &(LcRectangle){0, 0, 18, 18}, 1);
      image_finish (&images[pattern]);
      for (guint other = 0; other < pattern; other++)
        g_assert_cmpuint (image_distance (&images[pattern], &images[other]), >, 80);
    }
  for (guint pattern = 0; pattern < LC_PATTERNS; pattern++)
    image_clear (&images[pattern]);
}

/* No pixel is half covered. */
static void
test_upright_lines (void)
{
  for (guint round = 0; round < random_trials (100); round++)
    {
      double x = g_test_rand_double_range (5, 30), y = g_test_rand_double_range (5, 30);
      const LcPlace steps[] = {{x, y}, {x + 8.3, y}, {x + 8.3, y + 9.1}, {x, y + 9.1}, {x, y}};
      LcStroke stroke = {opaque (0x204060).color, (double[]){1, 2, 3}[round % 3], FALSE};
      int x0, y0, x1, y1;
      Image image;

      image_init (&image, 60, 60, 1, round % 2);
      lc_canvas_lines (image.canvas, stroke, &(LcLine){x, 2, x, 50}, 1);
      lc_canvas_polyline (image.canvas, stroke, steps, G_N_ELEMENTS (steps) - round % 2);
      image_finish (&image);
      for (int i = 0; i < 60 * 60; i++)
        {
          guint32 pixel = image_get (&image, i % 60, i / 60);

          g_assert_true (pixel == PAPER || pixel == 0xff204060);
        }
      find_painted (&image, &x0, &y0, &x1, &y1);
      g_assert_cmpint (y0, ==, 2);
      image_clear (&image);
    }
}

/* As wide as they should be, around where they should be. */
static void
test_upright_line_places (void)
{
  for (guint round = 0; round < random_trials (60); round++)
    {
      double at = g_test_rand_double_range (5, 30);
      int width = 1 + (int)(round % 4), x0, y0, x1, y1;
      LcStroke stroke = {opaque (0x204060).color, width, FALSE};
      gboolean level = round % 2;
      Image image;

      image_init (&image, 40, 40, 1, round % 3 == 0);
      lc_canvas_lines (image.canvas, stroke, level ? &(LcLine){3, at, 30, at} : &(LcLine){at, 3, at, 30}, 1);
      image_finish (&image);
      g_assert_cmpint (find_painted (&image, &x0, &y0, &x1, &y1), ==, 27 * width);
      g_assert_cmpint (level ? x0 : y0, ==, 3);
      g_assert_cmpint (level ? y1 - y0 : x1 - x0, ==, width);
      g_assert_cmpfloat (fabs ((level ? y0 + y1 : x0 + x1) / 2.0 - at), <=, 0.5);
      image_clear (&image);
    }
}

/* What goes on far beyond the picture goes on in the same direction. */
static void
test_far_lines (void)
{
  for (guint round = 0; round < random_trials (60); round++)
    {
      double x = g_test_rand_double_range (5, 55), y = g_test_rand_double_range (5, 55);
      double dx = g_test_rand_double_range (-1, 1), dy = g_test_rand_double_range (-1, 1);
      LcStroke stroke = {opaque (0x000000).color, 1.5, FALSE};
      const LcPlace near_ends[] = {{x, y}, {x + 90 * dx, y + 90 * dy}},
                    far_ends[] = {{x, y}, {x + 9e8 * dx, y + 9e8 * dy}};
      double seen = MIN (fabs (dx) > 0 ? 60 / fabs (dx) : 1e9, fabs (dy) > 0 ? 60 / fabs (dy) : 1e9);
      LcLine near_line = {x, y, x + seen * dx, y + seen * dy}, far_line = {x, y, x + 9e8 * dx, y + 9e8 * dy};
      Image one, other;

      image_init (&one, 60, 60, 1, round % 2);
      image_init (&other, 60, 60, 1, round % 2);
      lc_canvas_lines (one.canvas, stroke, &near_line, 1);
      lc_canvas_lines (other.canvas, stroke, &far_line, 1);
      if (fabs (dx) > 0.7 || fabs (dy) > 0.7)
        {
          lc_canvas_polyline (one.canvas, stroke, near_ends, 2);
          lc_canvas_polyline (other.canvas, stroke, far_ends, 2);
        }
      image_finish (&one);
      image_finish (&other);
      g_assert_cmpuint (image_distance (&one, &other), <=, 32);
      image_clear (&one);
      image_clear (&other);
    }
}

static void
add_band (LcCanvas *canvas, double reach)
{
  const LcPlace band[] = {{30 - reach, 25 - reach / 2},
                          {30 + reach, 25 + reach / 2},
                          {30 + reach, 40 + reach / 2},
                          {30 - reach, 40 - reach / 2}};

  lc_canvas_polygon (canvas, opaque (0x000000), band, G_N_ELEMENTS (band));
}

static void
test_far_polygon (void)
{
  Image one, other;

  image_init (&one, 60, 60, 1, FALSE);
  image_init (&other, 60, 60, 1, FALSE);
  add_band (one.canvas, 40);
  add_band (other.canvas, 4e7);
  image_finish (&one);
  image_finish (&other);
  g_assert_cmphex (image_get (&one, 30, 32), ==, 0xff000000);
  g_assert_cmpuint (image_distance (&one, &other), <=, 16);
  image_clear (&one);
  image_clear (&other);
}

/* Lines that we draw are where Cairo would draw them. */
static void
test_slanted_lines (void)
{
  for (guint round = 0; round < random_trials (60); round++)
    {
      LcLine line = {g_test_rand_double_range (-30, 90), g_test_rand_double_range (-30, 90),
                     g_test_rand_double_range (-30, 90), g_test_rand_double_range (-30, 90)};
      LcStroke stroke = {opaque (0x000000).color, 1 + round % 3 / 2.0, FALSE};
      guint64 direct_ink = 0, indirect_ink = 0, apart = 0;
      Image direct, indirect;

      image_init (&direct, 60, 60, 1, FALSE);
      image_init (&indirect, 60, 60, 1, TRUE);
      lc_canvas_lines (direct.canvas, stroke, &line, 1);
      lc_canvas_lines (indirect.canvas, stroke, &line, 1);
      image_finish (&direct);
      image_finish (&indirect);
      for (int i = 0; i < 60 * 60; i++)
        {
          int a = 255 - (image_get (&direct, i % 60, i / 60) & 0xff);
          int b = 255 - (image_get (&indirect, i % 60, i / 60) & 0xff);

          direct_ink += (guint64)a;
          indirect_ink += (guint64)b;
          apart += (guint64)ABS (a - b);
        }
      g_assert_cmpuint (apart, <=, indirect_ink / 5 + 400);
      g_assert_cmpuint (direct_ink, <=, indirect_ink + indirect_ink / 10 + 400);
      image_clear (&direct);
      image_clear (&indirect);
    }
}

/* Nothing outside of all of the clips that are open, whatever is drawn; all of it inside, once they are closed. */
static void
test_clip (void)
{
  for (guint round = 0; round < random_trials (60); round++)
    {
      LcRectangle outer = {10, 12, 50, 40}, inner = {g_test_rand_double_range (0, 40), 20.4, 30, 25};
      int x0, y0, x1, y1;
      Image image;

      image_init (&image, 80, 80, 1, round % 2);
      lc_canvas_clip (image.canvas, outer);
      lc_canvas_clip (image.canvas, inner);
      draw_anything (image.canvas, 40);
      lc_canvas_rectangles (image.canvas, opaque (0xff0000), &(LcRectangle){-10, -10, 500, 500}, 1);
      lc_canvas_unclip (image.canvas);
      lc_canvas_unclip (image.canvas);
      image_finish (&image);
      find_painted (&image, &x0, &y0, &x1, &y1);
      g_assert_cmpint (x0, ==, MAX (10, edge (inner.x, 1)));
      g_assert_cmpint (x1, ==, MIN (60, edge (inner.x + 30, 1)));
      g_assert_cmpint (y0, ==, 20);
      g_assert_cmpint (y1, ==, 45);
      image_clear (&image);
    }
}

static void
test_nothing_visible (void)
{
  Image image;
  int x0, y0, x1, y1;

  image_init (&image, 40, 40, 1, FALSE);
  lc_canvas_clip (image.canvas, (LcRectangle){10, 10, 5, 5});
  lc_canvas_clip (image.canvas, (LcRectangle){20, 20, 5, 5});
  draw_anything (image.canvas, 100);
  lc_canvas_unclip (image.canvas);
  lc_canvas_unclip (image.canvas);
  image_finish (&image);
  g_assert_cmpint (find_painted (&image, &x0, &y0, &x1, &y1), ==, 0);
  image_clear (&image);
}

/* --- Cells ------------------------------------------------------------------------------------------------------- */

/* A pixel has the colour of the cell that its middle lies in. */
static void
test_cells (void)
{
  for (guint round = 0; round < random_trials (60); round++)
    {
      guint columns = (guint)g_test_rand_int_range (1, 9), rows = (guint)g_test_rand_int_range (1, 9);
      LcRectangle area = {g_test_rand_double_range (0, 8), g_test_rand_double_range (0, 8), 40.3, 31.9};
      guint32 colors[81];
      Image image;

      for (guint i = 0; i < columns * rows; i++)
        colors[i] = 0xff000000 | (guint32)g_test_rand_int_range (0, 0xffffff);
      image_init (&image, 60, 60, 1, round % 2);
      lc_canvas_cells (image.canvas, area, colors, columns, rows);
      image_finish (&image);
      for (int y = edge (area.y, 1); y < edge (area.y + area.height, 1); y++)
        for (int x = edge (area.x, 1); x < edge (area.x + area.width, 1); x++)
          {
            double across = CLAMP ((x + 0.5 - area.x) / area.width * columns, 0, columns - 1e-9);
            double down = CLAMP ((y + 0.5 - area.y) / area.height * rows, 0, rows - 1e-9);

            g_assert_cmphex (image_get (&image, x, y), ==, colors[(guint)down * columns + (guint)across]);
          }
      image_clear (&image);
    }
}

/* Cells that are smaller than a pixel are averaged: none is lost. */
static void
test_small_cells (void)
{
  guint32 *colors = g_new (guint32, 400 * 8);
  guint64 sum = 0;
  Image image;

  for (guint i = 0; i < 400 * 8; i++)
    colors[i] = i % 400 == 211 ? 0xffffffff : 0xff000000;
  image_init (&image, 40, 8, 1, FALSE);
  lc_canvas_cells (image.canvas, (LcRectangle){0, 0, 40, 8}, colors, 400, 8);
  image_finish (&image);
  for (int x = 0; x < 40; x++)
    sum += image_get (&image, x, 3) & 0xff;
  g_assert_cmphex (image_get (&image, 21, 3) & 0xff, ==, 26); /* a tenth */
  g_assert_cmpuint (sum, ==, 26);
  image_clear (&image);
  g_free (colors);
}

/* --- Text -------------------------------------------------------------------------------------------------------- */

static void
test_text_fits (void)
{
  Image image;

  image_init (&image, 400, 400, 1, FALSE);
  for (guint round = 0; round < random_trials (600); round++)
    {
      g_autofree char *text = any_text ();
      LcTextStyle style = {.font = round % LC_FONTS, .ink = LC_INK_TEXT, .room = g_test_rand_double_range (0.1, 120)};
      LcTextStyle roomy = style;
      LcRectangle area;
      double width, height, whole;

      style.align_x = g_test_rand_double ();
      style.align_y = g_test_rand_double ();
      style.upwards = g_test_rand_bit ();
      roomy.room = 0;
      lc_canvas_measure (image.canvas, &style, text, &width, &height);
      lc_canvas_measure (image.canvas, &roomy, text, &whole, NULL);
      area = lc_canvas_text (image.canvas, &style, (LcPlace){200, 200}, text);
      g_assert_cmpfloat (width, <=, style.room);
      g_assert_cmpfloat (height, >, 0);
      g_assert_cmpfloat (style.upwards ? area.height : area.width, ==, width);
      if (whole <= style.room)
        g_assert_cmpfloat (width, ==, whole);
      if (width > 0 && text[0] != '\0')
        {
          double align_x = style.upwards ? (200 - area.x) / area.width : (200 - area.x) / area.width;
          double across = style.upwards ? 1 - (200 - area.y) / area.height : (200 - area.y) / area.height;

          g_assert_cmpfloat_with_epsilon (style.upwards ? align_x : across, style.align_y, 1e-6);
          g_assert_cmpfloat_with_epsilon (style.upwards ? across : align_x, style.align_x, 1e-6);
        }
    }
  image_clear (&image);
}

/* Ink where the text says that it is, give or take a letter that moves to whole pixels. */
static void
test_text_area (void)
{
  for (guint round = 0; round < 24; round++)
    {
      LcTextStyle style = {.font = round % LC_FONTS,
                           .ink = LC_INK_TEXT,
                           .align_x = round % 4 / 3.0,
                           .align_y = 0.5,
                           .room = round % 5 == 0 ? 50 : 0,
                           .upwards = round % 2};
      int x0, y0, x1, y1;
      LcRectangle area;
      Image image;

      image_init (&image, 300, 300, 1, FALSE);
      area = lc_canvas_text (image.canvas, &style, (LcPlace){150, 150}, "Text of some length");
      image_finish (&image);
      g_assert_cmpint (find_painted (&image, &x0, &y0, &x1, &y1), >, 20);
      g_assert_cmpfloat (x0, >=, area.x - 2);
      g_assert_cmpfloat (y0, >=, area.y - 2);
      g_assert_cmpfloat (x1, <=, area.x + area.width + 2);
      g_assert_cmpfloat (y1, <=, area.y + area.height + 2);
      g_assert_cmpint (style.upwards ? y1 - y0 : x1 - x0, >, style.upwards ? x1 - x0 : y1 - y0);
      image_clear (&image);
    }
}

static gpointer
draw_in_thread (gpointer data G_GNUC_UNUSED)
{
  gsize length;
  LcCanvas *canvas = lc_canvas_new_svg (DRAWING_WIDTH, DRAWING_HEIGHT, LC_THEME_LIGHT, NULL, NULL);
  char *svg;

  draw_some_of_everything (canvas);
  svg = lc_canvas_finish_svg (canvas, &length);
  lc_canvas_free (canvas);
  return svg;
}

static void
test_threads (void)
{
  g_autofree char *expected = draw_in_thread (NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("drawing", draw_in_thread, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree char *svg = g_thread_join (threads[i]);

      g_assert_cmpstr (svg, ==, expected);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/canvas/a rectangle is at least a pixel, between pixels", test_rectangle);
  g_test_add_func ("/canvas/pixels are the same whoever writes them", test_direct);
  g_test_add_func ("/canvas/a batch is one shape", test_overlap);
  g_test_add_func ("/canvas/neighbours join", test_neighbours);
  g_test_add_func ("/canvas/a picture can begin anywhere", test_moved);
  g_test_add_func ("/canvas/patterns differ", test_patterns);
  g_test_add_func ("/canvas/upright lines are sharp", test_upright_lines);
  g_test_add_func ("/canvas/upright lines are where they should be", test_upright_line_places);
  g_test_add_func ("/canvas/lines go on beyond the picture", test_far_lines);
  g_test_add_func ("/canvas/areas go on beyond the picture", test_far_polygon);
  g_test_add_func ("/canvas/slanted lines are where Cairo has them", test_slanted_lines);
  g_test_add_func ("/canvas/clips cut off", test_clip);
  g_test_add_func ("/canvas/clips that have nothing in common leave nothing", test_nothing_visible);
  g_test_add_func ("/canvas/cells are exact", test_cells);
  g_test_add_func ("/canvas/small cells are averaged", test_small_cells);
  g_test_add_func ("/canvas/text never exceeds its room", test_text_fits);
  g_test_add_func ("/canvas/text is where it says", test_text_area);
  g_test_add_func ("/canvas/threads draw the same", test_threads);
  return g_test_run ();
}
