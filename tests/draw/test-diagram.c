/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram: what is painted is where the geometry says, and the hit test finds what is seen. */
#include <math.h>
#include <string.h>

#include "../analysis/case.h"
#include "draw/diagram/diagram-private.h"

#define WIDTH 900
#define HEIGHT 700

/* Two workers and a lock that both want, one after the other, and a barrier. */
static const char *const lock_files[] = {
    "worker-1",
    "%process a\n"
    "100 150 lock L 1\n"
    "400 420 unlock L 1\n"
    "700 1000 barrier B 1\n",
    "worker-2",
    "%process b\n"
    "200 450 lock L 2\n"
    "600 620 unlock L 2\n"
    "900 1000 barrier B 1\n",
    NULL,
};

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

typedef struct
{
  cairo_surface_t *surface;
  const guint8 *bytes;
  int stride;
} Picture;

static Picture
paint (const LcScene *scene, const LcDiagramView *view, guint width, guint height)
{
  Picture picture = {.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)width, (int)height)};
  cairo_t *cairo = cairo_create (picture.surface);
  LcCanvas *canvas = lc_canvas_new_cairo (cairo, LC_THEME_LIGHT);
  LcColor panel = lc_palette_get_color (LC_THEME_LIGHT, LC_INK_PANEL);

  cairo_set_source_rgb (cairo, panel.red, panel.green, panel.blue);
  cairo_paint (cairo);
  lc_diagram_paint (scene, view, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (picture.surface);
  picture.bytes = cairo_image_surface_get_data (picture.surface);
  picture.stride = cairo_image_surface_get_stride (picture.surface);
  return picture;
}

static guint32
pixel_at (const Picture *picture, int x, int y)
{
  return ((const guint32 *)(const void *)(picture->bytes + (gsize)y * (gsize)picture->stride))[x] & 0xffffff;
}

static guint32
pixel_of_color (LcColor color)
{
  return (guint32)round (color.red * 255) << 16 | (guint32)round (color.green * 255) << 8 |
         (guint32)round (color.blue * 255);
}

static guint32
pixel_of (LcInk ink)
{
  return pixel_of_color (lc_palette_get_color (LC_THEME_LIGHT, ink));
}

static guint32
pixel_of_running (void)
{
  return pixel_of_color (lc_diagram_get_running_color (LC_THEME_LIGHT));
}

static LcScene *
make_scene (LcHistory *history, const LcSceneQuery *query)
{
  g_autoptr (GError) error = NULL;
  LcScene *scene = lc_scene_new (history, query, NULL, &error);

  g_assert_no_error (error);
  return scene;
}

static Case *
make_random (guint32 seed, guint n_processes, guint n_steps)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, n_processes, n_steps);

  return case_new_random (random, 0, seed);
}

/* --- Places --------------------------------------------------------------------------------------------------------
 */

static void
test_places (void)
{
  GRand *random = g_rand_new_with_seed (3);

  for (guint i = 0; i < 5000; i++)
    {
      LcDiagramView view = {.area = {g_rand_double_range (random, -50, 50), g_rand_double_range (random, -50, 50),
                                     g_rand_double_range (random, 1, 2000), g_rand_double_range (random, 1, 2000)},
                            .orientation = i % 2 == 0 ? LC_ORIENTATION_DOWN : LC_ORIENTATION_RIGHT,
                            .from = g_rand_double_range (random, 0, 1e12),
                            .first_row = g_rand_double_range (random, 0, 1000),
                            .n_tracks = 1};
      double row = g_rand_double_range (random, 0, 2000), position = g_rand_double_range (random, 0, 2e12);
      double its_row, its_position;
      LcPlace corner, end;

      view.to = view.from + g_rand_double_range (random, 1, 1e12);
      view.last_row = view.first_row + g_rand_double_range (random, 0.1, 1000);
      lc_diagram_get_position (&view, lc_diagram_get_place (&view, row, position), &its_row, &its_position);
      g_assert_cmpfloat_with_epsilon (its_row, row, 1e-6);
      g_assert_cmpfloat_with_epsilon (its_position, position, 1);
      corner = lc_diagram_get_place (&view, view.first_row, view.from);
      end = lc_diagram_get_place (&view, view.last_row, view.to);
      g_assert_cmpfloat_with_epsilon (corner.x, view.area.x, 1e-6);
      g_assert_cmpfloat_with_epsilon (corner.y, view.area.y, 1e-6);
      g_assert_cmpfloat_with_epsilon (end.x, view.area.x + view.area.width, 1e-6);
      g_assert_cmpfloat_with_epsilon (end.y, view.area.y + view.area.height, 1e-6);
    }
  g_rand_free (random);
}

static void
check_transposed (const LcScene *scene)
{
  LcDiagramView down, right;
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks (scene, &n_marks);

  lc_diagram_view_init (&down, scene, (LcRectangle){20, 30, WIDTH, HEIGHT}, LC_ORIENTATION_DOWN);
  lc_diagram_view_init (&right, scene, (LcRectangle){30, 20, HEIGHT, WIDTH}, LC_ORIENTATION_RIGHT);
  g_assert_cmpuint (n_marks, >, 0);
  for (gsize i = 0; i < n_marks; i++)
    {
      LcRectangle one = lc_diagram_get_rectangle (&down, &marks[i]),
                  other = lc_diagram_get_rectangle (&right, &marks[i]);

      g_assert_cmpfloat_with_epsilon (one.x, other.y, 1e-6);
      g_assert_cmpfloat_with_epsilon (one.y, other.x, 1e-6);
      g_assert_cmpfloat_with_epsilon (one.width, other.height, 1e-6);
      g_assert_cmpfloat_with_epsilon (one.height, other.width, 1e-6);
    }
}

static void
test_transposed (void)
{
  g_autoptr (Case) trial = make_random (11, 6, 60);
  LcSceneQuery query;

  lc_scene_query_init (&query);
  for (guint time = LC_SCENE_PHYSICAL; time <= LC_SCENE_LOGICAL; time++)
    {
      query.selection.time = time;

      g_autoptr (LcScene) scene = make_scene (trial->history, &query);

      check_transposed (scene);
    }
  query.selection.time = LC_SCENE_PHYSICAL;
  query.most_marks = 20;

  g_autoptr (LcScene) summary = make_scene (trial->history, &query);

  g_assert_true (lc_scene_is_summary (summary));
  check_transposed (summary);
}

/* --- What is painted is where the geometry says ----------------------------------------------------------------------
 */

static const LcMark *
find_event (const LcScene *scene, guint32 row, guint64 ordinal)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, row, &n_marks);

  for (gsize i = 0; i < n_marks; i++)
    if (marks[i].ordinal == ordinal)
      return &marks[i];
  g_assert_not_reached ();
}

static guint
count_in (const Picture *picture, LcRectangle box, guint32 pixel)
{
  guint count = 0;

  for (int y = (int)ceil (box.y); y < (int)floor (box.y + box.height); y++)
    for (int x = (int)ceil (box.x); x < (int)floor (box.x + box.width); x++)
      count += pixel_at (picture, x, y) == pixel;
  return count;
}

/* A lock that was waited for is hatched up to the release, and then solid. */
static void
test_boxes (void)
{
  g_autoptr (Case) trial = case_new (lock_files, NULL);
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.selection.hide_arcs = TRUE;

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  for (guint orientation = LC_ORIENTATION_DOWN; orientation <= LC_ORIENTATION_RIGHT; orientation++)
    {
      LcDiagramView view;
      Picture picture;
      const LcMark *lock = find_event (scene, 1, 0);
      LcRectangle waited, rest;
      double share;

      lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, WIDTH, HEIGHT}, orientation);
      picture = paint (scene, &view, WIDTH, HEIGHT);
      waited = rest = lc_diagram_get_rectangle (&view, lock);
      g_assert_cmpuint (lock->released, ==, 420);
      share = 220.0 / 250;
      if (orientation == LC_ORIENTATION_DOWN)
        {
          waited.height *= share;
          rest.y += waited.height;
          rest.height -= waited.height;
        }
      else
        {
          waited.width *= share;
          rest.x += waited.width;
          rest.width -= waited.width;
        }
      /* What is after the release is not filled as an event either: it is woken, to the end. */
      g_assert_cmpuint (lock->went_on, ==, 450);
      g_assert_cmpuint (count_in (&picture, rest, pixel_of (LC_INK_EVENT)), ==, 0);
      g_assert_cmpuint (count_in (&picture, rest, pixel_of (LC_INK_WOKEN)), >, 0);
      g_assert_cmpuint (count_in (&picture, waited, pixel_of (LC_INK_EVENT)), ==, 0);
      g_assert_cmpuint (count_in (&picture, waited, pixel_of (LC_INK_PANEL)), ==, 0);
      cairo_surface_destroy (picture.surface);
    }
}

/* --- The hit test
 * ------------------------------------------------------------------------------------------------------- */

static gboolean
is_inside (LcRectangle box, LcPlace place, double margin)
{
  return place.x >= box.x - margin && place.x <= box.x + box.width + margin && place.y >= box.y - margin &&
         place.y <= box.y + box.height + margin;
}

/* At the middle of a pixel. */
static guint
check_pick (const LcScene *scene, const LcDiagramView *view, const Picture *picture, int x, int y)
{
  guint32 of_event = pixel_of (lc_diagram_has_bodies (view) ? LC_INK_WAITING : LC_INK_EVENT);
  LcPlace place = {x + 0.5, y + 0.5};
  guint32 pixel = pixel_at (picture, x, y);
  gboolean is_event, found;
  LcRectangle box = {0};
  LcPick pick;

  found = lc_diagram_pick (scene, view, place, 1, &pick);
  is_event = found && pick.mark != NULL && (pick.mark->kind == LC_MARK_EVENT || pick.mark->kind == LC_MARK_SUMMARY);
  if (is_event)
    box = lc_diagram_get_rectangle (view, pick.mark);
  if (pixel == of_event)
    {
      g_assert_true (is_event);
      g_assert_true (is_inside (box, place, 2));
    }
  else if (pixel == pixel_of (LC_INK_PANEL))
    g_assert_false (is_event && pick.mark->kind == LC_MARK_EVENT && is_inside (box, place, -1.5));
  else if (pixel == pixel_of (LC_INK_RUNNING) || pixel == pixel_of (LC_INK_HOLDING))
    g_assert_true (found);
  return pixel == of_event;
}

static void
check_picks (const LcScene *scene, LcOrientation orientation, LcDiagramStyle style, guint least)
{
  GRand *random = g_rand_new_with_seed (8);
  LcDiagramView view;
  Picture picture;
  guint n_events = 0;

  lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, WIDTH, HEIGHT}, orientation);
  view.style = style;
  picture = paint (scene, &view, WIDTH, HEIGHT);
  for (guint i = 0; i < 5000; i++)
    n_events +=
        check_pick (scene, &view, &picture, g_rand_int_range (random, 0, WIDTH), g_rand_int_range (random, 0, HEIGHT));
  g_assert_cmpuint (n_events, >=, least);
  cairo_surface_destroy (picture.surface);
  g_rand_free (random);
}

static void
test_pick (void)
{
  g_autoptr (Case) trial = make_random (21, 12, 200);
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.selection.hide_arcs = TRUE;
  for (guint time = LC_SCENE_PHYSICAL; time <= LC_SCENE_LOGICAL; time++)
    for (guint orientation = LC_ORIENTATION_DOWN; orientation <= LC_ORIENTATION_RIGHT; orientation++)
      {
        query.selection.time = time;

        g_autoptr (LcScene) scene = make_scene (trial->history, &query);

        for (guint style = LC_DIAGRAM_BODIES; style <= LC_DIAGRAM_BOXES; style++)
          check_picks (scene, orientation, style, 20);
      }
}

/* A scene of summaries: wherever the colour of running is, a summary is found. */
static void
test_pick_summaries (void)
{
  g_autoptr (Case) trial = make_random (22, 8, 4000);
  LcSceneQuery query;
  LcDiagramView view;
  GRand *random = g_rand_new_with_seed (9);
  guint n_found = 0;

  lc_scene_query_init (&query);
  query.length = WIDTH;
  query.breadth = HEIGHT;
  query.most_marks = 2000;
  query.selection.hide_arcs = TRUE;

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  g_assert_true (lc_scene_is_summary (scene));
  lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, WIDTH, HEIGHT}, LC_ORIENTATION_RIGHT);

  Picture picture = paint (scene, &view, WIDTH, HEIGHT);

  for (guint i = 0; i < 5000; i++)
    {
      int x = g_rand_int_range (random, 0, WIDTH), y = g_rand_int_range (random, 0, HEIGHT);
      LcPick pick;

      if (pixel_at (&picture, x, y) != pixel_of_running ())
        continue;
      g_assert_true (lc_diagram_pick (scene, &view, (LcPlace){x + 0.5, y + 0.5}, 1, &pick));
      g_assert_nonnull (pick.mark);
      g_assert_cmpint (pick.mark->kind, ==, LC_MARK_SUMMARY);
      g_assert_cmpuint (pick.mark->running, >, 0);
      n_found++;
    }
  g_assert_cmpuint (n_found, >, 100);
  cairo_surface_destroy (picture.surface);
  g_rand_free (random);
}

static guint
difference (guint32 one, guint32 other)
{
  guint most = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    most = MAX (most, (guint)ABS ((int)(one >> shift & 0xff) - (int)(other >> shift & 0xff)));
  return most;
}

/* How much the pixels around a place stand out. */
static guint
contrast_at (const Picture *picture, LcPlace place)
{
  guint most = 0;

  for (int y = (int)place.y - 1; y <= (int)place.y + 1; y++)
    for (int x = (int)place.x - 1; x <= (int)place.x + 1; x++)
      if (x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT)
        most = MAX (most, difference (pixel_at (picture, x, y), pixel_of (LC_INK_PANEL)));
  return most;
}

/* All along an arc something is painted, and the hit test says what: an arc, or a mark that it crosses. */
static guint
check_arc (const LcScene *scene, const LcDiagramView *view, const Picture *picture, const LcSceneArc *arc)
{
  LcLine line = lc_diagram_get_arc_line (view, arc);
  guint n_found = 0;

  for (guint i = 1; i < 40; i++)
    {
      LcPlace place = {line.x0 + (line.x1 - line.x0) * i / 40, line.y0 + (line.y1 - line.y0) * i / 40};
      LcPick pick;

      if (!is_inside (view->area, place, -2))
        continue;
      if (arc->kind == LC_SCENE_ARC_DATA)
        g_assert_cmpuint (contrast_at (picture, place), >, 20);
      g_assert_true (lc_diagram_pick (scene, view, place, 2, &pick));
      g_assert_true (pick.arc != NULL || pick.mark->kind != LC_MARK_LIFE);
      n_found += pick.arc == arc;
    }
  return n_found;
}

static void
test_pick_arcs (void)
{
  g_autoptr (Case) trial = make_random (25, 5, 80);
  LcSceneQuery query;

  lc_scene_query_init (&query);

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  for (guint orientation = LC_ORIENTATION_DOWN; orientation <= LC_ORIENTATION_RIGHT; orientation++)
    {
      LcDiagramView view;
      Picture picture;
      gsize n_arcs, n_checked = 0;
      const LcSceneArc *arcs = lc_scene_get_arcs (scene, &n_arcs);
      guint n_found = 0;

      lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, WIDTH, HEIGHT}, orientation);
      picture = paint (scene, &view, WIDTH, HEIGHT);
      for (gsize i = 0; i < n_arcs; i++)
        if (arcs[i].from_row != arcs[i].to_row)
          {
            n_found += check_arc (scene, &view, &picture, &arcs[i]);
            n_checked++;
          }
      g_assert_cmpuint (n_checked, >, 10);
      g_assert_cmpuint (n_found, >, n_checked * 5);
      cairo_surface_destroy (picture.surface);
    }
}

/* --- Relations
 * ------------------------------------------------------------------------------------------------------------ */

/* A part of the diagram, painted for itself, is what is cut out of the whole. Where it begins hatches begin anew. */
static void
check_part (const LcScene *scene, LcOrientation orientation)
{
  LcDiagramView whole, part;
  Picture all, some;
  guint different = 0;
  const int left = 204, top = 150, width = 400, height = 300;
  double row, position, last_row, last_position;

  lc_diagram_view_init (&whole, scene, (LcRectangle){0, 0, WIDTH, HEIGHT}, orientation);
  part = whole;
  part.area = (LcRectangle){0, 0, width, height};
  lc_diagram_get_position (&whole, (LcPlace){left, top}, &row, &position);
  lc_diagram_get_position (&whole, (LcPlace){left + width, top + height}, &last_row, &last_position);
  part.first_row = row;
  part.last_row = last_row;
  part.from = position;
  part.to = last_position;
  all = paint (scene, &whole, WIDTH, HEIGHT);
  some = paint (scene, &part, (guint)width, (guint)height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      different += difference (pixel_at (&all, left + x, top + y), pixel_at (&some, x, y)) > 64;
  /* Words, which name objects too, are where there is room for them. */
  g_assert_cmpuint (different, <, (guint)(width * height) * 3 / 100);
  cairo_surface_destroy (all.surface);
  cairo_surface_destroy (some.surface);
}

static void
test_part (void)
{
  g_autoptr (Case) trial = make_random (31, 30, 150);
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.selection.hide_arcs = TRUE; /* those that have no end in the part are only in the whole */
  for (guint time = LC_SCENE_PHYSICAL; time <= LC_SCENE_LOGICAL; time++)
    {
      query.selection.time = time;

      g_autoptr (LcScene) scene = make_scene (trial->history, &query);

      check_part (scene, LC_ORIENTATION_DOWN);
      check_part (scene, LC_ORIENTATION_RIGHT);
    }
}

/* Nothing is painted outside of the area. */
static void
test_clip (void)
{
  g_autoptr (Case) trial = make_random (32, 5, 100);
  LcSceneQuery query;
  LcDiagramView view;

  lc_scene_query_init (&query);

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  lc_diagram_view_init (&view, scene, (LcRectangle){100, 120, 500, 400}, LC_ORIENTATION_DOWN);
  view.from += (view.to - view.from) / 3;
  view.last_row -= 1.5;

  Picture picture = paint (scene, &view, WIDTH, HEIGHT);

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if (!is_inside (view.area, (LcPlace){x + 0.5, y + 0.5}, 0))
        g_assert_cmphex (pixel_at (&picture, x, y), ==, pixel_of (LC_INK_PANEL));
  cairo_surface_destroy (picture.surface);
}

/* --- Shares
 * ------------------------------------------------------------------------------------------------------------------ */

/* The area in the colour of running is the share of running. */
static void
test_shares (void)
{
  g_autoptr (Case) trial = make_random (41, 8, 4000);
  LcSceneQuery query;
  LcDiagramView view;
  LcSceneTotals totals;
  guint64 running = 0, waiting = 0, panel = 0;

  lc_scene_query_init (&query);
  query.length = WIDTH;
  query.breadth = HEIGHT;
  query.most_marks = 3000;
  query.selection.hide_arcs = TRUE;
  query.selection.hide_holding = TRUE;

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, WIDTH, HEIGHT}, LC_ORIENTATION_RIGHT);

  Picture picture = paint (scene, &view, WIDTH, HEIGHT);

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        guint32 pixel = pixel_at (&picture, x, y);

        running += pixel == pixel_of_running ();
        panel += pixel == pixel_of (LC_INK_PANEL);
        waiting += pixel != pixel_of_running () && pixel != pixel_of (LC_INK_PANEL);
      }
  lc_scene_get_totals (scene, &totals);
  g_assert_cmpuint (totals.events, ==, lc_history_get_n_events (trial->history));
  g_assert_cmpuint (panel, >, 0);
  g_assert_cmpfloat_with_epsilon ((double)running / (double)(running + waiting),
                                  (double)totals.running / (double)(totals.running + totals.waiting), 0.04);
  cairo_surface_destroy (picture.surface);
}

/* --- What is unusual
 * ------------------------------------------------------------------------------------------------------------ */

static void
paint_all (LcHistory *history, double width, double height)
{
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.length = (guint)MAX (width, 1);
  query.breadth = (guint)MAX (height, 1);
  for (guint i = 0; i < 4; i++)
    {
      LcDiagramView view;

      query.selection.time = i / 2 == 0 ? LC_SCENE_PHYSICAL : LC_SCENE_LOGICAL;

      g_autoptr (LcScene) scene = make_scene (history, &query);

      lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, width, height},
                            i % 2 == 0 ? LC_ORIENTATION_DOWN : LC_ORIENTATION_RIGHT);

      Picture picture = paint (scene, &view, WIDTH, HEIGHT);

      if (width > 50)
        {
          guint painted = 0;

          for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
              painted += pixel_at (&picture, x, y) != pixel_of (LC_INK_PANEL);
          g_assert_cmpuint (painted, >, 0);
        }
      cairo_surface_destroy (picture.surface);
    }
}

static void
test_unusual (void)
{
  static const char *const one[] = {"only", "5 5 tag value=1\n", NULL};
  static const char *const long_name[] = {
      "a",
      "%process \u05e9\u05dc\u05d5\u05dd \u65e5\u672c\u8a9e "
      "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\n"
      "0 9000000000000000000 tag value=1\n",
      NULL};
  g_autoptr (Case) single = case_new (one, NULL), odd = case_new (long_name, NULL);
  const double sizes[][2] = {{0, 0}, {1, 1}, {2, 500}, {WIDTH, HEIGHT}};

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      paint_all (single->history, sizes[i][0], sizes[i][1]);
      paint_all (odd->history, sizes[i][0], sizes[i][1]);
    }
}

/* More processes than pixels: each is in a cell, and names are some pixels apart. */
static void
test_many_processes (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  LcSceneQuery query;
  LcSceneTotals totals;
  guint n = 3000;

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (files, g_strdup_printf ("p%u", i));
      g_ptr_array_add (files, g_strdup_printf ("0 10 tag value=1\n%u %u tag value=1\n", 20 + i, 30 + i));
    }
  g_ptr_array_add (files, NULL);

  g_autoptr (Case) trial = case_new ((const char *const *)files->pdata, NULL);

  paint_all (trial->history, WIDTH, HEIGHT);
  lc_scene_query_init (&query);
  query.length = WIDTH;
  query.breadth = HEIGHT;

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  lc_scene_get_totals (scene, &totals);
  g_assert_cmpuint (totals.events, ==, 2 * n);
}

/* Every name that there is room for is there, at the side or turned at the top, and none lies on another one. */
static void
test_names (void)
{
  g_autoptr (Case) trial = make_random (51, 40, 60);
  LcSceneQuery query;

  lc_scene_query_init (&query);

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  for (guint i = 0; i < 4; i++)
    {
      LcOrientation orientation = i % 2 == 0 ? LC_ORIENTATION_DOWN : LC_ORIENTATION_RIGHT;
      double across = i < 2 ? 200 : 640, room;
      LcDiagramView view;
      LcRectangle area = {100, 100, orientation == LC_ORIENTATION_DOWN ? across : 500,
                          orientation == LC_ORIENTATION_DOWN ? 500 : across};
      LcCanvas *canvas = lc_canvas_new_svg (WIDTH, WIDTH, LC_THEME_LIGHT, NULL, NULL);
      g_autofree char *svg = NULL;
      guint n_names = 0;

      lc_diagram_view_init (&view, scene, area, orientation);
      room = lc_diagram_measure_names (scene, &view, canvas, 90);
      g_assert_cmpfloat (room, >, 8);
      g_assert_cmpfloat (room, <=, 90);
      if (orientation == LC_ORIENTATION_DOWN)
        lc_diagram_paint_names (scene, &view, canvas, (LcRectangle){100, 100 - room, across, room});
      else
        lc_diagram_paint_names (scene, &view, canvas, (LcRectangle){100 - room, 100, room, across});
      svg = lc_canvas_finish_svg (canvas, NULL);
      for (const char *text = svg; (text = strstr (text, "<text")) != NULL; text++)
        n_names++;
      /* 5 pixels for each are too few, 16 are enough. */
      if (i < 2)
        {
          g_assert_cmpuint (n_names, >=, 8);
          g_assert_cmpuint (n_names, <=, 200 / 10);
        }
      else
        g_assert_cmpuint (n_names, ==, 40);
      lc_canvas_free (canvas);
    }
}

/* One long name does not turn the others, nor take their room. */
static void
test_long_name (void)
{
  static const char *const files[] = {
      "a", "%process nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\n0 10 tag value=1\n", "b",
      "0 10 tag value=1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  LcCanvas *canvas = lc_canvas_new_svg (WIDTH, HEIGHT, LC_THEME_LIGHT, NULL, NULL);
  g_autofree char *svg = NULL;
  LcSceneQuery query;
  LcDiagramView view;

  lc_scene_query_init (&query);

  g_autoptr (LcScene) scene = make_scene (trial->history, &query);

  lc_diagram_view_init (&view, scene, (LcRectangle){0, 100, 240, 500}, LC_ORIENTATION_DOWN);
  g_assert_cmpfloat (lc_diagram_measure_names (scene, &view, canvas, 90), <, 25);
  lc_diagram_paint_names (scene, &view, canvas, (LcRectangle){0, 80, 240, 20});
  svg = lc_canvas_finish_svg (canvas, NULL);
  g_assert_nonnull (strstr (svg, ">b</text>"));
  g_assert_nonnull (strstr (svg, "nnnnn\u2026"));
  g_assert_null (strstr (svg, "rotate"));
  lc_canvas_free (canvas);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/places", test_places);
  g_test_add_func ("/diagram/transposed", test_transposed);
  g_test_add_func ("/diagram/boxes", test_boxes);
  g_test_add_func ("/diagram/pick", test_pick);
  g_test_add_func ("/diagram/pick summaries", test_pick_summaries);
  g_test_add_func ("/diagram/pick arcs", test_pick_arcs);
  g_test_add_func ("/diagram/part", test_part);
  g_test_add_func ("/diagram/clip", test_clip);
  g_test_add_func ("/diagram/shares", test_shares);
  g_test_add_func ("/diagram/unusual", test_unusual);
  g_test_add_func ("/diagram/many processes", test_many_processes);
  g_test_add_func ("/diagram/names", test_names);
  g_test_add_func ("/diagram/long name", test_long_name);
  return g_test_run ();
}
