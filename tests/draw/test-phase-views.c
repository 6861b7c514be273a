/* SPDX-License-Identifier: Apache-2.0 */
/* The views of communication and of phases: what is painted, and told, are the amounts of the trace. */
#include <math.h>
#include <string.h>

#include "../analysis/case.h"
#include "lightcone/picture.h"

#define WIDTH 900
#define HEIGHT 600

static const char *const views[] = {"communication", "phases", "phase-map", "phase-surface"};

/* In phase n, of 100 ns, a holds its lock 10 n ns long, and b 20 ns; c has nothing but a tag in phase 1. */
static const char *const rounds[] = {
    "a",
    "0 0 tag value=1\n0 10 lock m 1\n100 100 tag value=2\n100 120 lock m 2\n200 200 tag value=3\n200 230 lock m 3\n"
    "300 300 tag value=4\n300 340 lock m 4\n400 400 tag value=5\n",
    "b",
    "0 0 tag value=1\n0 20 lock n 1\n100 100 tag value=2\n100 120 lock n 2\n200 200 tag value=3\n200 220 lock n 3\n"
    "300 300 tag value=4\n300 320 lock n 4\n400 400 tag value=5\n",
    "c",
    "0 0 tag value=1\n",
    NULL};

/* Nobody is held up by locks that are never given back. */
static const char never_held[] = "[class mutex]\nsummary=Locks\n";

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

typedef struct
{
  LcPicture *picture;
  cairo_surface_t *surface;
} Painted;

static LcPicture *
make (const Case *trial, const char *view, const char *measure, GError **error)
{
  LcPictureOptions options;

  lc_picture_options_init (&options);
  options.view = view;
  options.measure = measure;
  options.width = WIDTH;
  options.height = HEIGHT;
  return lc_picture_new (trial->history, &options, NULL, error);
}

static Painted
paint (const Case *trial, const char *view, const char *measure)
{
  g_autoptr (GError) error = NULL;
  Painted painted = {make (trial, view, measure, &error), NULL};
  g_autoptr (LcCanvas) canvas = NULL;
  cairo_t *cairo;

  g_assert_no_error (error);
  painted.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo = cairo_create (painted.surface);
  canvas = lc_canvas_new_cairo (cairo, LC_THEME_LIGHT);
  lc_picture_paint (painted.picture, canvas);
  g_clear_pointer (&canvas, lc_canvas_free);
  cairo_destroy (cairo);
  cairo_surface_flush (painted.surface);
  return painted;
}

static void
clear (Painted *painted)
{
  lc_picture_free (painted->picture);
  cairo_surface_destroy (painted->surface);
}

static guint32
pixel_at (const Painted *painted, int x, int y)
{
  const guint8 *bytes = cairo_image_surface_get_data (painted->surface);
  gsize stride = (gsize)cairo_image_surface_get_stride (painted->surface);

  return ((const guint32 *)(const void *)(bytes + (gsize)y * stride))[x] & 0xffffff;
}

static guint32
pixel_of (LcColor color)
{
  return (guint32)(color.red * 255 + 0.5) << 16 | (guint32)(color.green * 255 + 0.5) << 8 |
         (guint32)(color.blue * 255 + 0.5);
}

/* Where the tooltip begins like that: the middle of all such places on a line across, or down. */
static LcPlace
find_place (const Painted *painted, const char *text)
{
  double left = HUGE_VAL, right = 0, top = HUGE_VAL, bottom = 0;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x += 2)
      {
        g_autofree char *found = lc_picture_dup_text_at (painted->picture, (LcPlace){x + 0.5, y + 0.5}, 0);

        if (found == NULL || !g_str_has_prefix (found, text))
          continue;
        left = MIN (left, x);
        right = MAX (right, x);
        top = MIN (top, y);
        bottom = MAX (bottom, y);
      }
  if (right == 0)
    g_error ("nothing in the picture is '%s'", text);
  return (LcPlace){(left + right) / 2, (top + bottom) / 2};
}

static void
check_text (const Painted *painted, LcPlace place, const char *expected)
{
  g_autofree char *text = lc_picture_dup_text_at (painted->picture, place, 2);

  g_assert_cmpstr (text, ==, expected);
}

static char *
write_svg (LcPicture *picture)
{
  g_autoptr (LcCanvas) canvas = lc_canvas_new_svg (WIDTH, HEIGHT, LC_THEME_LIGHT, NULL, NULL);

  lc_picture_paint (picture, canvas);
  return lc_canvas_finish_svg (canvas, NULL);
}

/* --- What is painted ------------------------------------------------------------------------------------------------
 */

/* How many pixels of the area's line are not of its ground: the length of a bar. */
static int
measure_bar (const Painted *painted, LcPlace at, gboolean across)
{
  guint32 color = pixel_of (lc_palette_get_color (LC_THEME_LIGHT, LC_INK_COMMUNICATION));
  int first = G_MAXINT, last = 0;

  for (int i = 0; i < (across ? WIDTH : HEIGHT); i++)
    for (int beside = -3; beside <= 3; beside++)
      {
        int x = across ? i : (int)at.x + beside, y = across ? (int)at.y + beside : i;
        g_autofree char *inside = NULL;

        if (pixel_at (painted, x, y) != color)
          continue;
        inside = lc_picture_dup_text_at (painted->picture, (LcPlace){x + 0.5, y + 0.5}, 0);
        if (inside == NULL)
          continue;
        first = MIN (first, i);
        last = MAX (last, i);
      }
  return last >= first ? last - first + 1 : 0;
}

static void
test_communication (void)
{
  g_autoptr (Case) trial = case_new (rounds, never_held);
  Painted painted = paint (trial, "communication", NULL);
  LcPlace a = find_place (&painted, "a\n"), b = find_place (&painted, "b\n"), c = find_place (&painted, "c\n");
  int of_a, of_b;

  check_text (&painted, a,
              "a\nComputing: 300 ns\nCommunication: 100 ns (25.0 %)\nWaiting: 0 ns\nTransfer: 100 ns\nPreempted: 0 "
              "ns\nOutside: 0 ns");
  check_text (&painted, b,
              "b\nComputing: 320 ns\nCommunication: 80 ns (20.0 %)\nWaiting: 0 ns\nTransfer: 80 ns\nPreempted: 0 "
              "ns\nOutside: 0 ns");
  check_text (
      &painted, c,
      "c\nComputing: 0 ns\nCommunication: 0 ns (0.0 %)\nWaiting: 0 ns\nTransfer: 0 ns\nPreempted: 0 ns\nOutside: 0 ns");
  of_a = measure_bar (&painted, a, TRUE);
  of_b = measure_bar (&painted, b, TRUE);
  g_assert_cmpint (of_a, >, 200);
  g_assert_cmpint (abs (of_a * 4 - of_b * 5), <=, 60); /* dots are some pixels apart */
  g_assert_cmpint (measure_bar (&painted, c, TRUE), ==, 0);
  clear (&painted);
  painted = paint (trial, "communication", "ratio");
  a = find_place (&painted, "a\n");
  check_text (&painted, a,
              "a\nComputing: 300 ns\nCommunication: 100 ns (33.3 %)\nWaiting: 0 ns\nTransfer: 100 ns\nPreempted: 0 "
              "ns\nOutside: 0 ns");
  clear (&painted);
}

static void
test_phases (void)
{
  g_autoptr (Case) trial = case_new (rounds, never_held);
  Painted painted = paint (trial, "phases", "transfer");
  int heights[5];

  for (int i = 1; i <= 4; i++)
    {
      g_autofree char *start = g_strdup_printf ("a, phase %d\n", i);
      g_autofree char *text = g_strdup_printf (
          "a, phase %d\nComputing: %d ns\nWaiting: 0 ns\nTransfer: %d ns\nPreempted: 0 ns\nOutside: 0 ns\nEvents: 2", i,
          i == 1 ? 0 : 100 - 10 * (i - 1), 10 * i);
      LcPlace place = find_place (&painted, start);

      check_text (&painted, place, text);
      heights[i] = measure_bar (&painted, place, FALSE);
    }
  g_assert_cmpint (heights[1], >, 50);
  for (int i = 2; i <= 4; i++)
    g_assert_cmpint (abs (heights[i] - i * heights[1]), <=, 4 * i + 8);
  clear (&painted);
}

static void
test_map (void)
{
  g_autoptr (Case) trial = case_new (rounds, never_held);
  Painted painted = paint (trial, "phase-map", NULL);

  for (int i = 1; i <= 4; i++)
    {
      g_autofree char *of_a = g_strdup_printf ("a, phase %d\n", i), *of_b = g_strdup_printf ("b, phase %d\n", i);
      LcPlace a = find_place (&painted, of_a), b = find_place (&painted, of_b);

      g_assert_cmphex (pixel_at (&painted, (int)a.x, (int)a.y), ==,
                       pixel_of (lc_palette_get_amount (LC_THEME_LIGHT, i / 4.0)));
      g_assert_cmphex (pixel_at (&painted, (int)b.x, (int)b.y), ==,
                       pixel_of (lc_palette_get_amount (LC_THEME_LIGHT, 0.5)));
    }
  clear (&painted);
}

/* Each point of the net is found where it is painted, in the colour of what is around it or of the net itself. */
static void
test_surface (void)
{
  g_autoptr (Case) trial = case_new (rounds, never_held);
  Painted painted = paint (trial, "phase-surface", NULL);
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *told = lc_picture_dup_description (painted.picture);

  for (int y = 0; y < HEIGHT; y += 2)
    for (int x = 0; x < WIDTH; x += 2)
      {
        char *text = lc_picture_dup_text_at (painted.picture, (LcPlace){x, y}, 4);

        if (text != NULL)
          g_hash_table_add (found, text);
      }
  g_assert_cmpuint (g_hash_table_size (found), ==, 10); /* a and b, five phases */
  g_assert_true (g_hash_table_contains (
      found,
      "a, phase 4\nComputing: 70 ns\nWaiting: 0 ns\nTransfer: 40 ns\nPreempted: 0 ns\nOutside: 0 ns\nEvents: 2"));
  g_assert_nonnull (strstr (told, "Transfer took 180 ns in 5 phases, at most 40 ns: of a in phase 4."));
  clear (&painted);
}

/* --- Much, little, odd ----------------------------------------------------------------------------------------------
 */

enum
{
  WORKERS = 36,
  ROUNDS = 900,
};

static void
test_large (void)
{
  g_auto (GStrv) files = g_new0 (char *, 2 * WORKERS + 1);
  g_autoptr (Case) trial = NULL;

  for (guint i = 0; i < WORKERS; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; k < ROUNDS; k++)
        g_string_append_printf (text, "%u %u tag value=%u\n%u %u lock m%u %u\n", k * 1000, k * 1000, k, k * 1000 + 1,
                                k * 1000 + 100 + i * 7 + k * 37 % 101, i, k + 1);
      files[2 * i] = g_strdup_printf ("worker %02u", i + 1);
      files[2 * i + 1] = g_string_free (g_steal_pointer (&text), FALSE);
    }
  trial = case_new ((const char *const *)files, never_held);
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LcPicture) picture = make (trial, views[i], NULL, &error);
      g_autofree char *svg = NULL;

      g_assert_no_error (error);
      svg = write_svg (picture);
      g_assert_cmpuint (strlen (svg), >, 2000);
      g_assert_cmpuint (strlen (svg), <, 2000000);
      if (strcmp (views[i], "phase-surface") == 0)
        g_assert_nonnull (strstr (svg, "Each point is the average of 6 phases that follow each other."));
    }
}

/* Whatever it is: a picture, or an error that says what to do. */
static void
check_any (const char *const *files)
{
  g_autoptr (Case) trial = case_new (files, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    for (double size = 40; size <= 2560; size *= 4)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (LcPicture) picture = NULL;
        g_autoptr (LcCanvas) canvas = lc_canvas_new_svg (size, size / 2, LC_THEME_PRINT, NULL, NULL);
        g_autofree char *svg = NULL;
        LcPictureOptions options;

        lc_picture_options_init (&options);
        options.view = views[i];
        options.width = size;
        options.height = size / 2;
        picture = lc_picture_new (trial->history, &options, NULL, &error);
        if (picture == NULL)
          {
            g_assert_true (error->domain == LC_PICTURE_ERROR || error->domain == LC_PHASES_ERROR);
            g_assert_cmpuint (strlen (error->message), >, 20);
            continue;
          }
        lc_picture_paint (picture, canvas);
        for (double at = 0; at < size; at += 7)
          g_free (lc_picture_dup_text_at (picture, (LcPlace){at, at / 2}, 3));
        svg = lc_canvas_finish_svg (canvas, NULL);
        g_assert_null (strstr (svg, "nan"));
        g_assert_null (strstr (svg, "inf"));
      }
}

static void
test_odd (void)
{
  g_autofree char *name = g_strnfill (200, 'x');
  g_autofree char *long_name = g_strconcat ("%process ", name, "\n0 0 tag value=-9000000000\n5 9 tag value=7\n", NULL);
  const char *const none[] = {"a", "", NULL};
  const char *const one[] = {"a", "5 5 tag value=1\n", NULL};
  const char *const waits[] = {"a", "0 9 await X 1\n9 9 barrier B 0\n", "b", "9 9 advance X 1\n9 9 barrier B 0\n",
                               NULL};
  const char *const names[] = {"a", long_name,
                               "b", "%process שלום עולם\n0 0 tag value=3\n0 4 lock m 1\n",
                               "c", "%process <名前>&\n0 0 tag value=3\n4 4 tag value=4\n",
                               NULL};

  check_any (none);
  check_any (one);
  check_any (waits);
  check_any (names);
}

static void
check_refused (const Case *trial, const char *view, const char *measure, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (make (trial, view, measure, &error));
  g_assert_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refused (void)
{
  g_autoptr (Case) trial = case_new (rounds, NULL);

  check_refused (trial, "communication", "bytes", "“share”");
  check_refused (trial, "phases", "bytes", "only: transfer, waiting, communication, computing");
  check_refused (trial, "phase-map", "share", "only: transfer");
  check_refused (trial, "phase-surface", "", "only: transfer");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phase-views/communication", test_communication);
  g_test_add_func ("/phase-views/phases", test_phases);
  g_test_add_func ("/phase-views/map", test_map);
  g_test_add_func ("/phase-views/surface", test_surface);
  g_test_add_func ("/phase-views/large", test_large);
  g_test_add_func ("/phase-views/odd", test_odd);
  g_test_add_func ("/phase-views/refused", test_refused);
  return g_test_run ();
}
