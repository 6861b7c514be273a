/* SPDX-License-Identifier: Apache-2.0 */
/* Prints pictures of a trace as few colours: draw-scene DIR [TIMELINE [BESIDE [LOWEST HIGHEST]]]. Each is a grid of the
 * mean colours of its parts, three hexadecimal digits each, so that letters and edges may be painted a little
 * otherwise. Before them it prints the totals of a scene of all events, and of one of summaries. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "lightcone/merge.h"
#include "lightcone/picture.h"
#include "lightcone/scene.h"

#define WIDTH 480
#define HEIGHT 360
#define COLUMNS 24
#define ROWS 18

static void
fail_with (const GError *error)
{
  if (error == NULL)
    return;
  fprintf (stderr, "draw-scene: %s\n", error->message);
  exit (1);
}

/* --- Totals ------------------------------------------------------------------------------------------------------ */

static void
print_totals (LcHistory *history, const char *name, gsize most_marks)
{
  LcSceneQuery query;
  LcSceneTotals totals;
  GError *error = NULL;
  LcScene *scene;

  lc_scene_query_init (&query);
  query.most_marks = most_marks;
  query.length = 300;
  query.selection.hide_arcs = TRUE;
  scene = lc_scene_new (history, &query, NULL, &error);
  fail_with (error);
  lc_scene_get_totals (scene, &totals);
  printf ("totals %s %d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", name, lc_scene_is_summary (scene),
          totals.running, totals.waiting);
  lc_scene_free (scene);
}

/* --- Pictures ---------------------------------------------------------------------------------------------------- */

static void
print_part (cairo_surface_t *surface, guint column, guint row)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  const guint width = WIDTH / COLUMNS, height = HEIGHT / ROWS, n = width * height;
  guint64 sums[3] = {0};

  for (guint y = row * height; y < (row + 1) * height; y++)
    for (guint x = column * width; x < (column + 1) * width; x++)
      {
        guint32 pixel = ((const guint32 *)(const void *)(data + (gsize)y * (gsize)stride))[x];

        for (guint i = 0; i < 3; i++)
          sums[i] += pixel >> (16 - 8 * i) & 0xff;
      }
  for (guint i = 0; i < 3; i++)
    printf ("%02x", (guint)((sums[i] + n / 2) / n));
}

static void
print_picture (LcHistory *history, const LcPictureOptions *options, const char *name)
{
  GError *error = NULL;
  LcPicture *picture = lc_picture_new (history, options, NULL, &error);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cairo = cairo_create (surface);
  LcCanvas *canvas;

  fail_with (error);
  canvas = lc_canvas_new_cairo (cairo, options->theme);
  lc_picture_paint (picture, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  printf ("picture %s\n", name);
  for (guint row = 0; row < ROWS; row++)
    {
      for (guint column = 0; column < COLUMNS; column++)
        print_part (surface, column, row);
      printf ("\n");
    }
  cairo_surface_destroy (surface);
  lc_picture_free (picture);
}

/* Prints the whole run, a fifth of it and a fiftieth, in each theme and both orientations. */
static void
print_pictures (LcHistory *history, LcPictureOptions *options)
{
  static const char *const themes[LC_THEMES] = {
      [LC_THEME_LIGHT] = "light", [LC_THEME_DARK] = "dark", [LC_THEME_CONTRAST] = "high-contrast"};
  static const char *const directions[] = {"down", "right"};
  static const guint64 zooms[] = {1, 5, 50};
  GError *error = NULL;
  guint64 from, to;

  lc_picture_find_span (history, options, &from, &to, NULL, &error);
  fail_with (error);
  for (guint theme = 0; theme < LC_THEMES; theme++)
    for (guint i = 0; themes[theme] != NULL && i < 2 * G_N_ELEMENTS (zooms); i++)
      {
        guint64 length = (to - from) / zooms[i / 2];
        g_autofree char *name = g_strdup_printf ("%s %s 1/%u", themes[theme], directions[i % 2], (guint)zooms[i / 2]);

        options->theme = (LcTheme)theme;
        options->orientation = (LcOrientation)(i % 2);
        options->from = zooms[i / 2] == 1 ? 0 : from + (to - from - length) / 2;
        options->to = zooms[i / 2] == 1 ? 0 : options->from + length;
        print_picture (history, options, name);
      }
}

int
main (int argc, char **argv)
{
  guint32 timelines[4] = {LC_TIMELINE_MEASURED, LC_TRACE_NONE, LC_TRACE_NONE, LC_TRACE_NONE};
  const LcMergeOptions merge = {0};
  LcPictureOptions options;
  GError *error = NULL;
  LcHistory *history;

  setlocale (LC_ALL, "C.UTF-8");
  if (argc < 2 || argc > 6)
    return 2;
  history = lc_merge_open (argv[1], &merge, &error);
  fail_with (error);
  for (int i = 2; i < argc; i++)
    {
      lc_history_find_timeline (history, argv[i], &timelines[i - 2], &error);
      fail_with (error);
    }
  lc_picture_options_init (&options);
  options.directory = argv[1];
  options.width = WIDTH;
  options.height = HEIGHT;
  options.timelines = timelines;
  options.n_timelines = timelines[1] == LC_TRACE_NONE ? 1 : 2;
  options.selection.lowest = timelines[2];
  options.selection.highest = timelines[3];
  print_totals (history, "events", 1000000);
  print_totals (history, "summaries", 200);
  print_pictures (history, &options);
  lc_history_free (history);
  return 0;
}
