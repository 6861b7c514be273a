/* SPDX-License-Identifier: Apache-2.0 */
/* draw-history FILE FOLDER ROUNDS: draws a history, and prints what it took.
 *
 * One "KIND FIGURE" a line, and times as "KIND NS NS": by the clock, and of the processor.
 *
 *   open, png, svg       from an open history to the file, which is left in FOLDER; ROUNDS of each
 *   whole, window, close a frame on a screen: all of it, 1 % and 0.01 % of it somewhere, 50 of each
 *   marks, rectangles    how many marks the whole run has, and what Cairo needs for as many rectangles
 *   events               that the picture of the whole run stands for
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lightcone/picture.h"

enum
{
  WIDTH = 1600,
  HEIGHT = 1000,
  WINDOWS = 50,
  MOST_ARCS = 250, /* as in a picture */
  MOST_MARKS = 30000,
  NARROWEST = 5, /* pixels of a row that has marks, not cells */
};

typedef struct
{
  guint64 clock;
  guint64 processor;
} Moment;

static guint64
ask_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (guint64)time.tv_sec * 1000000000 + (guint64)time.tv_nsec;
}

static Moment
now (void)
{
  return (Moment){ask_clock (CLOCK_MONOTONIC), ask_clock (CLOCK_PROCESS_CPUTIME_ID)};
}

static void
tell (const char *kind, guint64 figure)
{
  printf ("%s %" G_GUINT64_FORMAT "\n", kind, figure);
}

static void
tell_since (const char *kind, Moment begin)
{
  Moment end = now ();

  printf ("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", kind, end.clock - begin.clock,
          end.processor - begin.processor);
}

static void
fail (const GError *error)
{
  g_printerr ("draw-history: %s\n", error->message);
  exit (2);
}

/* --- Files ---------------------------------------------------------------------------------------------------------
 */

static void
draw_file (LcHistory *history, const char *folder, LcFileKind kind)
{
  const char *name = kind == LC_FILE_PNG ? "png" : "svg";
  g_autofree char *file = g_strconcat ("whole.", name, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autoptr (GError) error = NULL;
  LcPictureOptions options;
  Moment begin = now ();

  lc_picture_options_init (&options);
  options.width = WIDTH;
  options.height = HEIGHT;
  options.orientation = LC_ORIENTATION_RIGHT;

  g_autoptr (LcPicture) picture = lc_picture_new (history, &options, NULL, &error);

  if (picture == NULL || !lc_picture_write (picture, path, kind, 1, &error))
    fail (error);
  tell_since (name, begin);
}

/* --- Frames --------------------------------------------------------------------------------------------------------
 */

static LcScene *
draw_frame (LcHistory *history, cairo_surface_t *surface, guint64 from, guint64 to)
{
  g_autoptr (GError) error = NULL;
  LcSceneQuery query;
  LcDiagramView view;
  cairo_t *cairo = cairo_create (surface);
  LcCanvas *canvas = lc_canvas_new_cairo (cairo, LC_THEME_LIGHT);
  LcScene *scene;

  lc_scene_query_init (&query);
  query.from = from;
  query.to = to;
  query.length = WIDTH;
  query.breadth = HEIGHT;
  query.most_arcs = MOST_ARCS;
  if (lc_history_get_n_processes (history) * NARROWEST <= HEIGHT)
    query.most_marks = MOST_MARKS;
  scene = lc_scene_new (history, &query, NULL, &error);
  if (scene == NULL)
    fail (error);
  lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, WIDTH, HEIGHT}, LC_ORIENTATION_RIGHT);
  lc_diagram_paint (scene, &view, canvas);
  lc_canvas_free (canvas);
  cairo_surface_flush (surface);
  cairo_destroy (cairo);
  return scene;
}

/* As many rectangles as there are marks, in one colour, aligned to pixels: as fast as Cairo is. */
static void
draw_rectangles (cairo_surface_t *surface, gsize n)
{
  cairo_t *cairo = cairo_create (surface);
  Moment begin = now ();

  cairo_set_antialias (cairo, CAIRO_ANTIALIAS_NONE);
  cairo_set_source_rgb (cairo, 0.2, 0.4, 0.6);
  for (gsize i = 0; i < n; i++)
    {
      cairo_rectangle (cairo, (double)(i * 7 % WIDTH), (double)(i * 13 % HEIGHT), 2 + i % 3, 8);
      if (i % 4096 == 4095)
        cairo_fill (cairo);
    }
  cairo_fill (cairo);
  cairo_surface_flush (surface);
  cairo_destroy (cairo);
  tell_since ("rectangles", begin);
}

static void
draw_frames (LcHistory *history)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  GRand *random = g_rand_new_with_seed (1);
  guint64 begin, end;
  LcSceneTotals totals;
  gsize n_marks;

  lc_history_get_span (history, &begin, &end);
  for (guint i = 0; i < WINDOWS; i++)
    {
      const struct
      {
        const char *kind;
        double share;
      } windows[] = {{"whole", 1}, {"window", 0.01}, {"close", 0.0001}};

      for (guint k = 0; k < G_N_ELEMENTS (windows); k++)
        {
          double length = (double)(end - begin) * windows[k].share;
          guint64 from = begin + (guint64)(g_rand_double (random) * ((double)(end - begin) - length));
          Moment start = now ();
          g_autoptr (LcScene) scene = draw_frame (history, surface, from, from + (guint64)length + 1);

          tell_since (windows[k].kind, start);
          if (i > 0 || k > 0)
            continue;
          lc_scene_get_marks (scene, &n_marks);
          lc_scene_get_totals (scene, &totals);
          tell ("marks", n_marks);
          tell ("events", totals.events);
        }
      draw_rectangles (surface, n_marks);
    }
  g_rand_free (random);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  LcHistory *history;
  Moment begin = now ();

  if (argc != 4)
    {
      g_printerr ("Usage: draw-history FILE FOLDER ROUNDS\n");
      return 2;
    }
  history = lc_history_open (argv[1], &error);
  if (history == NULL)
    fail (error);
  tell_since ("open", begin);
  for (int i = 0; i < atoi (argv[3]); i++)
    {
      draw_file (history, argv[2], LC_FILE_PNG);
      draw_file (history, argv[2], LC_FILE_SVG);
    }
  draw_frames (history);
  lc_history_free (history);
  return 0;
}
