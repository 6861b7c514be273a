/* SPDX-License-Identifier: Apache-2.0 */
/* One scene, painted in tiles by several threads at once while another one asks what is where: every tile is as it is
 * in the picture that one thread painted whole, and the texts are the same. */
#include <string.h>

#include "../analysis/case.h"
#include "lightcone/diagram.h"

enum
{
  WIDTH = 640,
  HEIGHT = 700,
  TILE = 100, /* no multiple of a pattern */
  THREADS = 4,
  ROUNDS = 3,
  MOST_OFF = 3, /* of a colour, of 255: where a long line is cut */
  PICKS = 400,
};

#define MOST_WRONG (ROUNDS * WIDTH * HEIGHT * 4 / 10000) /* where dashes end */

typedef struct
{
  const LcScene *scene;
  LcDiagramView view;
  LcTheme theme;
  cairo_surface_t *whole;
  int next; /* atomic: the tile that nobody paints yet */
  int wrong;
} Picture;

static cairo_surface_t *
paint (const Picture *picture, int x, int y, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cairo = cairo_create (surface);
  LcFill panel = lc_canvas_color_fill (lc_palette_get_color (picture->theme, LC_INK_PANEL));
  LcCanvas *canvas;

  cairo_translate (cairo, -x, -y);
  canvas = lc_canvas_new_cairo (cairo, picture->theme);
  lc_canvas_rectangles (canvas, panel, &picture->view.area, 1);
  lc_diagram_paint (picture->scene, &picture->view, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  return surface;
}

static const guint8 *
get_row (cairo_surface_t *surface, int y)
{
  return cairo_image_surface_get_data (surface) + (gsize)y * (gsize)cairo_image_surface_get_stride (surface);
}

static int
count_wrong (const Picture *picture, cairo_surface_t *tile, int x, int y, int width, int height)
{
  int wrong = 0;

  for (int row = 0; row < height; row++)
    {
      const guint8 *expected = get_row (picture->whole, y + row) + (gsize)x * 4, *painted = get_row (tile, row);

      for (int i = 0; i < width * 4; i++)
        wrong += ABS ((int)expected[i] - (int)painted[i]) > MOST_OFF;
    }
  return wrong;
}

static gpointer
work (gpointer data)
{
  Picture *picture = data;
  int columns = (WIDTH + TILE - 1) / TILE, rows = (HEIGHT + TILE - 1) / TILE, number;

  while ((number = g_atomic_int_add (&picture->next, 1)) < columns * rows * ROUNDS)
    {
      int at = number % (columns * rows), x = at % columns * TILE, y = at / columns * TILE;
      int width = MIN (TILE, WIDTH - x), height = MIN (TILE, HEIGHT - y);
      cairo_surface_t *tile = paint (picture, x, y, width, height);

      g_atomic_int_add (&picture->wrong, count_wrong (picture, tile, x, y, width, height));
      cairo_surface_destroy (tile);
    }
  return NULL;
}

/* What a pointer that runs over the picture is told. */
static char *
read_texts (const Picture *picture)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  GString *texts = g_string_new (NULL);

  for (guint i = 0; i < PICKS; i++)
    {
      LcPlace place = {g_rand_double_range (random, 0, WIDTH), g_rand_double_range (random, 0, HEIGHT)};
      LcPick pick;

      if (lc_diagram_pick (picture->scene, &picture->view, place, 4, &pick))
        {
          g_autofree char *text = lc_scene_dup_text (picture->scene, &pick);

          g_string_append_printf (texts, "%u: %s\n", i, text);
        }
    }
  return g_string_free (texts, FALSE);
}

static LcScene *
make_scene (LcHistory *history, const LcSceneQuery *query)
{
  g_autoptr (GError) error = NULL;
  LcScene *scene = lc_scene_new (history, query, NULL, &error);

  g_assert_no_error (error);
  return scene;
}

/* The threads are given a scene that nobody has asked for anything yet. */
static void
check (LcHistory *history, const LcSceneQuery *query, LcOrientation orientation, LcTheme theme)
{
  g_autoptr (LcScene) quiet = make_scene (history, query), scene = make_scene (history, query);
  Picture picture = {.scene = quiet, .theme = theme};
  g_autofree char *expected = NULL, *texts = NULL;
  GThread *threads[THREADS];

  lc_diagram_view_init (&picture.view, quiet, (LcRectangle){0, 0, WIDTH, HEIGHT}, orientation);
  expected = read_texts (&picture);
  g_assert_cmpuint (strlen (expected), >, 0);
  picture.whole = paint (&picture, 0, 0, WIDTH, HEIGHT);
  picture.scene = scene;
  for (guint i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("painter", work, &picture);
  texts = read_texts (&picture);
  for (guint i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpstr (texts, ==, expected);
  g_assert_cmpint (picture.wrong, <, MOST_WRONG);
  cairo_surface_destroy (picture.whole);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < random_trials (8); seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 3 + seed % 5, 150);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);
      LcSceneQuery query;

      lc_scene_query_init (&query);
      query.selection.time = seed % 2 == 0 ? LC_SCENE_PHYSICAL : LC_SCENE_LOGICAL;
      query.most_marks = seed % 3 == 2 ? 40 : 0; /* summaries */
      query.length = HEIGHT;
      check (trial->history, &query, seed % 4 < 2 ? LC_ORIENTATION_DOWN : LC_ORIENTATION_RIGHT,
             seed % 2 == 0 ? LC_THEME_LIGHT : LC_THEME_DARK);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/random", test_random);
  return g_test_run ();
}
