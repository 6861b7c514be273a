/* SPDX-License-Identifier: Apache-2.0 */
/* What is highlighted is seen at every zoom, from the whole run to one event, in rows of any breadth. */
#include <math.h>

#include "../analysis/case.h"
#include "draw/diagram/diagram-hits.h"
#include "lightcone/critical-path.h"

#define LENGTH 500 /* pixels along the axis */
#define PROCESSES 5
#define NEAR 4 /* pixels between what is highlighted and where it is seen */

/* --- Pictures ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcScene *scene;
  LcDiagramView view;
  cairo_surface_t *surface;

} Shot;

static void
shot_init (Shot *shot, LcHistory *history, const LcSceneQuery *query, LcOrientation orientation, double across,
           const LcDiagramHits *hits)
{
  static const guint32 rows[PROCESSES] = {0, 1, 2, 3, 4};
  gboolean down = orientation == LC_ORIENTATION_DOWN;
  LcRectangle area = {0, 0, down ? across : LENGTH, down ? LENGTH : across};
  g_autoptr (GError) error = NULL;
  cairo_t *cairo;
  LcCanvas *canvas;

  shot->scene = lc_scene_new (history, query, NULL, &error);
  g_assert_no_error (error);
  lc_diagram_view_init (&shot->view, shot->scene, area, orientation);
  shot->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)area.width, (int)area.height);
  cairo = cairo_create (shot->surface);
  canvas = lc_canvas_new_cairo (cairo, LC_THEME_LIGHT);
  lc_diagram_paint (shot->scene, &shot->view, canvas);
  if (hits != NULL)
    lc_diagram_hits_paint (hits, rows, &shot->view, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (shot->surface);
}

static void
shot_clear (Shot *shot)
{
  cairo_surface_destroy (shot->surface);
  lc_scene_free (shot->scene);
}

static gboolean
has_color (const Shot *shot, int x, int y, LcInk ink)
{
  const guint8 *row =
      cairo_image_surface_get_data (shot->surface) + (gsize)y * (gsize)cairo_image_surface_get_stride (shot->surface);
  guint32 pixel = ((const guint32 *)(const void *)row)[x];
  LcColor color = lc_palette_get_color (LC_THEME_LIGHT, ink);

  return fabs ((pixel >> 16 & 0xff) / 255.0 - color.red) + fabs ((pixel >> 8 & 0xff) / 255.0 - color.green) +
             fabs ((pixel & 0xff) / 255.0 - color.blue) <
         0.12;
}

/* Whether an ink is near a range of positions, in one row or (LC_TRACE_NONE) in any. */
static gboolean
shot_has_ink (const Shot *shot, guint32 row, double from, double to, LcInk ink)
{
  const LcDiagramView *view = &shot->view;
  double first_row = row == LC_TRACE_NONE ? view->first_row : row, rows = row == LC_TRACE_NONE ? PROCESSES : 1;
  LcPlace start = lc_diagram_get_place (view, first_row, MAX (from, view->from));
  LcPlace end = lc_diagram_get_place (view, first_row + rows, MIN (to, view->to));

  double across = lc_diagram_get_row_size (view) > 30 ? -1 : NEAR; /* other rows are no part of this one */
  double near_x = view->orientation == LC_ORIENTATION_DOWN ? across : NEAR;
  double near_y = view->orientation == LC_ORIENTATION_DOWN ? NEAR : across;

  for (double y = MAX (floor (start.y) - near_y, 0); y < MIN (end.y + near_y, view->area.height); y++)
    for (double x = MAX (floor (start.x) - near_x, 0); x < MIN (end.x + near_x, view->area.width); x++)
      if (has_color (shot, (int)x, (int)y, ink))
        return TRUE;
  return FALSE;
}

/* --- Zooms ------------------------------------------------------------------------------------------------------- */

static const double breadths[] = {PROCESSES * 64, PROCESSES * 12, PROCESSES * 4, PROCESSES * 2};

static Case *
zooms_new_case (guint32 seed)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, PROCESSES, 3000);

  return case_new_random (random, 0, seed);
}

/* Visits zooms from the whole run to less than the event, around it. */
typedef void (*ZoomCheck) (LcHistory *history, const LcSceneQuery *query, LcOrientation orientation, double across,
                           const LcHistoryEvent *event);

static void
visit_zooms (LcHistory *history, LcSceneQuery *query, const LcHistoryEvent *event, guint seed, ZoomCheck check)
{
  guint64 from, to, middle = event->begin + (event->end - event->begin) / 2, length;

  g_assert_true (lc_scene_find_whole (history, query, &from, &to, NULL, NULL, NULL));
  query->length = LENGTH;
  for (guint i = 0; i < G_N_ELEMENTS (breadths); i++)
    {
      query->breadth = (guint)breadths[i];
      for (length = to - from; length > MAX ((event->end - event->begin) / 2, 100); length /= 6)
        {
          query->from = from + (middle - from) / length * length;
          query->to = MIN (query->from + length, to);
          check (history, query, (seed + i) % 2, breadths[i], event);
        }
    }
}

static void
get_middle_event (LcHistory *history, guint32 process, LcHistoryEvent *event)
{
  g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, process,
                                       lc_history_get_process (history, process)->events / 2, event, NULL));
}

/* --- The chosen event -------------------------------------------------------------------------------------------- */

static void
check_chosen (LcHistory *history, const LcSceneQuery *query, LcOrientation orientation, double across,
              const LcHistoryEvent *event)
{
  Shot shot;

  shot_init (&shot, history, query, orientation, across, NULL);
  g_assert_true (shot_has_ink (&shot, event->process, (double)event->begin, (double)event->end, LC_INK_SELECTION));
  shot_clear (&shot);
}

static void
test_chosen (void)
{
  for (guint32 seed = 3; seed < 3 + random_trials (3); seed++)
    {
      g_autoptr (Case) trial = zooms_new_case (seed);
      LcSceneQuery query;
      LcHistoryEvent event;

      get_middle_event (trial->history, seed % PROCESSES, &event);
      lc_scene_query_init (&query);
      query.most_marks = 1700;
      query.selection.highlight =
          (LcHighlight){.kind = LC_HIGHLIGHT_CONE, .process = event.process, .ordinal = event.ordinal};
      visit_zooms (trial->history, &query, &event, seed, check_chosen);
    }
}

/* --- The critical path ------------------------------------------------------------------------------------------- */

/* The path is somewhere at any time, and on the row of a stay that can be seen. */
static void
check_path (LcHistory *history, const LcSceneQuery *query, LcOrientation orientation, double across,
            const LcHistoryEvent *event)
{
  double pixel = (double)(query->to - query->from) / LENGTH;
  const LcCriticalStay *stays;
  gsize n_stays;
  Shot shot;

  shot_init (&shot, history, query, orientation, across, NULL);
  stays = lc_critical_path_get_stays (query->selection.highlight.path, &n_stays);
  for (double at = (double)query->from; at < (double)query->to; at += pixel * 10)
    if (at < (double)stays[n_stays - 1].end)
      g_assert_true (shot_has_ink (&shot, LC_TRACE_NONE, at, at + pixel, LC_INK_CRITICAL));
  for (gsize i = 0; i < n_stays; i++)
    if ((double)(stays[i].end - stays[i].begin) > 20 * pixel && stays[i].begin >= query->from &&
        stays[i].end <= query->to)
      g_assert_true (
          shot_has_ink (&shot, stays[i].process, (double)stays[i].begin, (double)stays[i].end, LC_INK_CRITICAL));
  shot_clear (&shot);
}

static void
test_path (void)
{
  for (guint32 seed = 13; seed < 13 + random_trials (3); seed++)
    {
      g_autoptr (Case) trial = zooms_new_case (seed);
      g_autoptr (LcCriticalPath) path = lc_critical_path_find (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
      LcSceneQuery query;
      LcHistoryEvent event;

      g_assert_nonnull (path);
      get_middle_event (trial->history, seed % PROCESSES, &event);
      lc_scene_query_init (&query);
      query.most_marks = 1700;
      query.selection.highlight = (LcHighlight){.kind = LC_HIGHLIGHT_CRITICAL_PATH, .path = path};
      visit_zooms (trial->history, &query, &event, seed, check_path);
    }
}

/* --- Hits of a search -------------------------------------------------------------------------------------------- */

#define EVERY 97 /* so many events are between two hits */

static LcDiagramHits *
new_hits (LcHistory *history)
{
  LcDiagramHits *hits = lc_diagram_hits_new (PROCESSES);

  for (guint32 process = 0; process < PROCESSES; process++)
    for (guint64 ordinal = process; ordinal < lc_history_get_process (history, process)->events; ordinal += EVERY)
      {
        LcHistoryEvent event;

        g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, process, ordinal, &event, NULL));
        lc_diagram_hits_add (hits, process, event.begin, event.end);
      }
  return hits;
}

static gboolean
is_hit (const LcHistoryEvent *event)
{
  return event->ordinal % EVERY == event->process;
}

/* Each hit has a mark, and what is far from all hits has none. */
static void
check_hits (LcHistory *history, const LcSceneQuery *query, LcOrientation orientation, double across,
            const LcHistoryEvent *event)
{
  g_autoptr (LcDiagramHits) hits = new_hits (history);
  double pixel = (double)(query->to - query->from) / LENGTH;
  Shot shot;

  shot_init (&shot, history, query, orientation, across, hits);
  for (guint32 process = 0; process < PROCESSES; process++)
    {
      double last = -1e18;

      for (guint64 ordinal = 0; ordinal < lc_history_get_process (history, process)->events; ordinal++)
        {
          LcHistoryEvent one;
          gboolean seen;

          g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, process, ordinal, &one, NULL));
          if (!is_hit (&one))
            continue;
          seen = one.end >= query->from && one.begin < query->to;
          if (seen)
            g_assert_true (shot_has_ink (&shot, process, (double)one.begin, (double)one.end, LC_INK_SELECTION));
          /* The marks of other rows are near only where rows are narrow. */
          if (across > PROCESSES * 30 && last >= (double)query->from && (double)one.begin - last > 30 * pixel &&
              one.begin < query->to)
            g_assert_false (
                shot_has_ink (&shot, process, last + 10 * pixel, (double)one.begin - 10 * pixel, LC_INK_SELECTION));
          last = (double)one.end;
        }
    }
  shot_clear (&shot);
}

static void
test_hits (void)
{
  for (guint32 seed = 23; seed < 23 + random_trials (2); seed++)
    {
      g_autoptr (Case) trial = zooms_new_case (seed);
      LcSceneQuery query;
      LcHistoryEvent event;

      g_assert_true (lc_history_get_event (trial->history, LC_TIMELINE_MEASURED, 1, 1 + EVERY, &event, NULL));
      lc_scene_query_init (&query);
      query.most_marks = 1700;
      visit_zooms (trial->history, &query, &event, seed, check_hits);
    }
}

/* The strip of the whole run has the parts in which a hit is, and no other. */
static void
test_parts (void)
{
  static const guint32 rows[] = {0, LC_TRACE_NONE, 1};
  g_autoptr (LcDiagramHits) hits = lc_diagram_hits_new (3);
  gboolean parts[10] = {FALSE}, none[10] = {FALSE};

  lc_diagram_hits_add (hits, 0, 100, 100);
  lc_diagram_hits_add (hits, 0, 320, 510);
  lc_diagram_hits_add (hits, 0, 515, 516);
  lc_diagram_hits_add (hits, 1, 750, 760);
  lc_diagram_hits_add (hits, 2, 999, 1000);
  lc_diagram_hits_find_parts (hits, rows, 0, 1000, 10, parts);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpint (parts[i], ==, i == 1 || (i >= 3 && i <= 5) || i == 9);
  lc_diagram_hits_find_parts (hits, (const guint32[]){LC_TRACE_NONE, LC_TRACE_NONE, LC_TRACE_NONE}, 0, 1000, 10, none);
  for (guint i = 0; i < 10; i++)
    g_assert_false (none[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zooms/chosen", test_chosen);
  g_test_add_func ("/zooms/path", test_path);
  g_test_add_func ("/zooms/hits", test_hits);
  g_test_add_func ("/zooms/parts", test_parts);
  return g_test_run ();
}
