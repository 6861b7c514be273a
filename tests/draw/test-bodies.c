/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies: events and summaries have the same shares by colour, and what is highlighted is seen at each zoom. */
#include <math.h>
#include <string.h>

#include "../analysis/case.h"
#include "draw/canvas/canvas-private.h"
#include "draw/diagram/diagram-legend.h"
#include "draw/diagram/diagram-private.h"
#include "lightcone/causality.h"

#define LENGTH 400 /* pixels along the axis */
#define ACROSS 320
#define EDGE (0.3 * LENGTH)
#define FINER 4 /* points of the map in a pixel, along each axis */
#define BANDS 20
#define PROCESSES 4

/* --- A canvas that remembers what each point was filled with last ----------------------------------------------- */

typedef enum
{
  SEEN_NOTHING,
  SEEN_RUNNING,
  SEEN_WAITING,
  SEEN_WOKEN,
  SEEN_OUTSIDE,
  SEEN_PREEMPTED,
  SEEN_PAST,
  SEEN_FUTURE,
  SEEN_OTHER,
  SEENS,
} Seen;

typedef struct
{
  LcCanvas parent;
  guint width, height; /* points */
  guint8 *points;
  double edges[2]; /* pixels: of what is looked at */
  guint n_texts, n_cut;
} Map;

static gboolean
is_color (LcColor color, LcColor other)
{
  return fabs (color.red - other.red) + fabs (color.green - other.green) + fabs (color.blue - other.blue) < 1e-6;
}

static Seen
map_find_seen (LcFill fill)
{
  static const LcInk inks[SEENS] = {
      [SEEN_WAITING] = LC_INK_WAITING,     [SEEN_WOKEN] = LC_INK_WOKEN, [SEEN_OUTSIDE] = LC_INK_OUTSIDE,
      [SEEN_PREEMPTED] = LC_INK_PREEMPTED, [SEEN_PAST] = LC_INK_PAST,   [SEEN_FUTURE] = LC_INK_FUTURE};

  if (is_color (fill.color, lc_palette_get_color (LC_THEME_LIGHT, LC_INK_PANEL)))
    return SEEN_NOTHING;
  if (is_color (fill.color, lc_diagram_get_running_color (LC_THEME_LIGHT)))
    return SEEN_RUNNING;
  for (Seen seen = SEEN_WAITING; seen < SEEN_OTHER; seen++)
    if (is_color (fill.color, lc_palette_get_color (LC_THEME_LIGHT, inks[seen])))
      return seen;
  return SEEN_OTHER;
}

static void
map_rectangles (LcCanvas *canvas, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles)
{
  Map *map = (Map *)canvas;
  Seen seen = map_find_seen (fill);

  for (gsize i = 0; i < n_rectangles && seen != SEEN_OTHER; i++)
    {
      double right = (rectangles[i].x + rectangles[i].width) * FINER;
      double bottom = (rectangles[i].y + rectangles[i].height) * FINER;

      for (double y = MAX (ceil (rectangles[i].y * FINER - 0.5), 0); y + 0.5 < bottom && y < map->height; y++)
        for (double x = MAX (ceil (rectangles[i].x * FINER - 0.5), 0); x + 0.5 < right && x < map->width; x++)
          map->points[(gsize)y * map->width + (gsize)x] = (guint8)seen;
    }
}

static void
map_ignore_polygon (LcCanvas *canvas, LcFill fill, const LcPlace *places, gsize n_places)
{
}

static void
map_ignore_polyline (LcCanvas *canvas, LcStroke stroke, const LcPlace *places, gsize n_places, gboolean closed)
{
}

static void
map_ignore_lines (LcCanvas *canvas, LcStroke stroke, const LcLine *lines, gsize n_lines)
{
}

static void
map_ignore_markers (LcCanvas *canvas, LcMarker marker, LcFill fill, double size, const LcPlace *places, gsize n_places)
{
}

static void
map_ignore_cells (LcCanvas *canvas, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows)
{
}

static void
map_ignore_clip (LcCanvas *canvas, LcRectangle rectangle)
{
}

static void
map_ignore_group (LcCanvas *canvas, const char *name, const char *title)
{
}

static void
map_ignore_end (LcCanvas *canvas)
{
}

/* Counts what is cut at an edge. */
static void
map_count_text (LcCanvas *canvas, const LcTextStyle *style, LcPlace place, const LcLabel *label)
{
  Map *map = (Map *)canvas;
  double width;

  lc_canvas_measure (canvas, style, label->text, &width, NULL);
  map->n_texts++;
  for (guint i = 0; i < G_N_ELEMENTS (map->edges); i++)
    map->n_cut += fabs (place.x - map->edges[i]) < width / 2 - 1;
}

static void
map_free (LcCanvas *canvas)
{
  g_free (((Map *)canvas)->points);
  g_free (canvas);
}

static Map *
map_new (const LcScene *scene, const LcDiagramView *view)
{
  static const LcCanvasBackend backend = {
      .rectangles = map_rectangles,
      .polygon = map_ignore_polygon,
      .polyline = map_ignore_polyline,
      .lines = map_ignore_lines,
      .markers = map_ignore_markers,
      .cells = map_ignore_cells,
      .clip = map_ignore_clip,
      .unclip = map_ignore_end,
      .begin = map_ignore_group,
      .end = map_ignore_end,
      .text = map_count_text,
      .free = map_free,
  };
  Map *map = g_new0 (Map, 1);

  map->width = (guint)view->area.width * FINER;
  map->height = (guint)view->area.height * FINER;
  map->points = g_malloc0 ((gsize)map->width * map->height);
  lc_canvas_init (&map->parent, &backend, LC_THEME_LIGHT, view->area);
  map->edges[0] = EDGE;
  map->edges[1] = LENGTH - EDGE;
  lc_diagram_paint (scene, view, &map->parent);
  return map;
}

static Seen
map_get (const Map *map, const LcDiagramView *view, guint along, guint across)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;

  return map->points[(gsize)(down ? along : across) * map->width + (down ? across : along)];
}

/* --- Scenes ------------------------------------------------------------------------------------------------------- */

static Case *
new_case (guint32 seed)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, PROCESSES, 3000);

  return case_new_random (random, 0, seed);
}

static LcScene *
new_scene (LcHistory *history, gsize most_marks, const LcHighlight *highlight)
{
  LcSceneQuery query;
  g_autoptr (GError) error = NULL;
  LcScene *scene;

  lc_scene_query_init (&query);
  query.length = LENGTH;
  query.breadth = ACROSS;
  query.most_marks = most_marks;
  query.selection.hide_arcs = query.selection.hide_holding = TRUE;
  if (highlight != NULL)
    query.selection.highlight = *highlight;
  scene = lc_scene_new (history, &query, NULL, &error);
  g_assert_no_error (error);
  return scene;
}

static void
init_view (LcDiagramView *view, const LcScene *scene, LcOrientation orientation)
{
  gboolean down = orientation == LC_ORIENTATION_DOWN;

  lc_diagram_view_init (view, scene, (LcRectangle){0, 0, down ? ACROSS : LENGTH, down ? LENGTH : ACROSS}, orientation);
}

/* --- Shares by colour --------------------------------------------------------------------------------------------- */

/* How much of each band of each row is seen in each colour, as shares of what is coloured there. */
typedef double Shares[PROCESSES][BANDS][SEENS];

static void
measure (LcScene *scene, LcOrientation orientation, Shares shares)
{
  LcDiagramView view;
  Map *map;

  init_view (&view, scene, orientation);
  map = map_new (scene, &view);
  memset (shares, 0, sizeof (Shares));
  for (guint along = 0; along < LENGTH * FINER; along++)
    for (guint across = 0; across < ACROSS * FINER; across++)
      shares[across * PROCESSES / (ACROSS * FINER)][along * BANDS / (LENGTH * FINER)]
            [map_get (map, &view, along, across)]++;
  for (guint row = 0; row < PROCESSES; row++)
    for (guint band = 0; band < BANDS; band++)
      {
        double sum = 0;

        for (Seen seen = SEEN_RUNNING; seen < SEEN_PAST; seen++)
          sum += shares[row][band][seen];
        for (Seen seen = SEEN_RUNNING; seen < SEEN_PAST; seen++)
          shares[row][band][seen] = sum > 0 ? shares[row][band][seen] / sum : 0;
      }
  lc_canvas_free (&map->parent);
}

/* Sums up what the marks of a row say, and compares it with what is seen. */
static void
assert_true_shares (const LcScene *scene, const Shares shares)
{
  for (guint row = 0; row < PROCESSES; row++)
    {
      double amounts[SEENS] = {0}, whole = 0, seen_all[SEENS] = {0};
      gsize n_marks;
      const LcMark *marks = lc_scene_get_marks (scene, &n_marks);

      for (gsize i = 0; i < n_marks; i++)
        if (marks[i].row == row && marks[i].kind != LC_MARK_ABSENT && marks[i].kind != LC_MARK_HOLDING)
          {
            amounts[SEEN_RUNNING] += (double)marks[i].running;
            amounts[SEEN_WAITING] += (double)marks[i].waiting;
            amounts[SEEN_WOKEN] += (double)marks[i].woken;
            amounts[SEEN_OUTSIDE] += (double)marks[i].outside;
            amounts[SEEN_PREEMPTED] += (double)marks[i].preempted;
          }
      for (Seen seen = SEEN_RUNNING; seen < SEEN_PAST; seen++)
        whole += amounts[seen];
      for (guint band = 0; band < BANDS; band++)
        for (Seen seen = SEEN_RUNNING; seen < SEEN_PAST; seen++)
          seen_all[seen] += shares[row][band][seen] / BANDS;
      for (Seen seen = SEEN_RUNNING; seen < SEEN_PAST; seen++)
        g_assert_cmpfloat_with_epsilon (seen_all[seen], amounts[seen] / whole, 0.05);
    }
}

static void
test_shares (void)
{
  double worst = 0;
  guint n_summaries = 0;

  for (guint32 seed = 1; seed <= random_trials (8); seed++)
    {
      g_autoptr (Case) trial = new_case (seed);
      g_autoptr (LcScene) events = new_scene (trial->history, 1000000, NULL);
      g_autoptr (LcScene) summaries = new_scene (trial->history, 1700, NULL);
      g_autofree Shares *of_events = g_new (Shares, 1), *of_summaries = g_new (Shares, 1);

      g_assert_false (lc_scene_is_summary (events));
      n_summaries += lc_scene_is_summary (summaries);
      measure (events, seed % 2, *of_events);
      measure (summaries, seed % 2, *of_summaries);
      assert_true_shares (events, *of_events);
      assert_true_shares (summaries, *of_summaries);
      for (guint row = 0; row < PROCESSES; row++)
        for (guint band = 1; band + 1 < BANDS; band++)
          for (Seen seen = SEEN_RUNNING; seen < SEEN_PAST; seen++)
            worst = MAX (worst, fabs ((*of_events)[row][band][seen] - (*of_summaries)[row][band][seen]));
    }
  g_test_message ("worst difference in a band: %.3f", worst);
  g_assert_cmpuint (n_summaries, >, 0);
  g_assert_cmpfloat (worst, <, 0.1);
}

/* --- What is highlighted is seen ---------------------------------------------------------------------------------- */

/* Whether a colour is in a row, at most three pixels from a place along the axis. */
static gboolean
is_seen_at (const Map *map, const LcDiagramView *view, guint row, double along, Seen seen)
{
  guint first = (guint)MAX ((along - 3) * FINER, 0), last = (guint)MIN ((along + 3) * FINER, LENGTH * FINER);

  for (guint i = first; i < last; i++)
    for (guint across = row * ACROSS * FINER / PROCESSES; across < (row + 1) * ACROSS * FINER / PROCESSES; across++)
      if (map_get (map, view, i, across) == seen)
        return TRUE;
  return FALSE;
}

/* The longest that a mark is, in pixels: an event may be seen at the other end of its summary. */
static double
get_longest (const LcScene *scene, const LcDiagramView *view)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_marks);

  return n_marks > 0 ? (double)(marks[0].to - marks[0].from) * lc_diagram_get_scale (view) : 0;
}

static void
check_cone (Case *trial, gsize most_marks, LcOrientation orientation, const LcHighlight *highlight)
{
  g_autoptr (LcScene) scene = new_scene (trial->history, most_marks, highlight);
  g_autofree guint64 *past = lc_causality_past (trial->history, highlight->process, highlight->ordinal, NULL, NULL);
  g_autofree guint64 *future = lc_causality_future (trial->history, highlight->process, highlight->ordinal, NULL, NULL);
  LcDiagramView view;
  Map *map;

  init_view (&view, scene, orientation);
  g_assert_cmpfloat (get_longest (scene, &view), <, 3);
  map = map_new (scene, &view);
  for (guint32 process = 0; process < PROCESSES; process++)
    for (guint64 ordinal = 0; ordinal < lc_history_get_process (trial->history, process)->events; ordinal += 37)
      {
        LcHistoryEvent event;
        double along;

        g_assert_true (lc_history_get_event (trial->history, LC_TIMELINE_MEASURED, process, ordinal, &event, NULL));
        along = ((double)event.end - view.from) * lc_diagram_get_scale (&view);
        if (ordinal < past[process])
          g_assert_true (is_seen_at (map, &view, process, along, SEEN_PAST));
        if (future[process] != LC_CAUSALITY_NEVER && ordinal >= future[process])
          g_assert_true (is_seen_at (map, &view, process, along, SEEN_FUTURE));
      }
  lc_canvas_free (&map->parent);
}

static void
test_highlight (void)
{
  for (guint32 seed = 21; seed < 21 + random_trials (4); seed++)
    {
      g_autoptr (Case) trial = new_case (seed);
      guint32 process = seed % PROCESSES;
      LcHighlight highlight = {.kind = LC_HIGHLIGHT_CONE, .process = process};

      highlight.ordinal = lc_history_get_process (trial->history, process)->events / 2;
      check_cone (trial, 1000000, seed % 2, &highlight);
      check_cone (trial, 1700, seed % 2, &highlight);
    }
}

/* --- Arcs --------------------------------------------------------------------------------------------------------- */

/* What cost most waiting has its arc where everything is summed up, too. */
static void
test_arcs (void)
{
  for (guint32 seed = 41; seed < 41 + random_trials (6); seed++)
    {
      g_autoptr (Case) trial = new_case (seed);
      LcSceneQuery query;
      gsize n_all, n_few;
      const LcSceneArc *all, *few;
      gboolean found = FALSE;

      lc_scene_query_init (&query);
      query.most_marks = 1000000;
      query.most_arcs = 100000;

      g_autoptr (LcScene) events = lc_scene_new (trial->history, &query, NULL, NULL);

      query.most_marks = 1700;
      query.length = LENGTH;

      g_autoptr (LcScene) summaries = lc_scene_new (trial->history, &query, NULL, NULL);

      all = lc_scene_get_arcs (events, &n_all);
      few = lc_scene_get_arcs (summaries, &n_few);
      g_assert_true (lc_scene_is_summary (summaries));
      g_assert_cmpuint (n_all, >, 0);
      g_assert_cmpuint (all[0].waited, >, 0);
      for (gsize i = 0; i < n_few && !found; i++)
        found = few[i].to_process == all[0].to_process && few[i].to_ordinal == all[0].to_ordinal &&
                few[i].from_process == all[0].from_process && few[i].waited == all[0].waited;
      g_assert_true (found);
      for (gsize i = 1; i < n_all; i++)
        g_assert_cmpuint (all[i - 1].waited, >=, all[i].waited);
    }
}

/* --- The critical path ---------------------------------------------------------------------------------------------
 */

/* Counts the points of each colour. */
static void
count_seen (const LcScene *scene, const LcDiagramView *view, gsize counts[SEENS])
{
  Map *map = map_new (scene, view);

  memset (counts, 0, SEENS * sizeof *counts);
  for (gsize i = 0; i < (gsize)map->width * map->height; i++)
    counts[map->points[i]]++;
  lc_canvas_free (&map->parent);
}

static const LcHighlight critical_path = {.kind = LC_HIGHLIGHT_CRITICAL_PATH};

static void
look_at_path (const Case *trial, const LcHighlight *highlight, LcOrientation orientation, gsize counts[SEENS])
{
  g_autoptr (LcScene) scene = new_scene (trial->history, 1000, highlight);
  LcDiagramView view;

  init_view (&view, scene, orientation);
  count_seen (scene, &view, counts);
}

/* The path is on a up to 900, and on b from 920 on, which then goes on: the wait before is not on it, nor is what a
 * does after it. What waits for a clock is on the path. */
static void
test_path (void)
{
  static const char *const handover[] = {"a", "0 10 lock m 1\n890 900 unlock m 1\n1900 1900 tag\n", "b",
                                         "20 920 lock m 2\n1400 1600 wait-failed s - timed-out=1\n2000 2000 tag\n",
                                         NULL};
  g_autoptr (Case) trial = case_new (handover, NULL);

  for (LcOrientation orientation = 0; orientation < 2; orientation++)
    {
      gsize all[SEENS], path[SEENS];
      double running, waiting;

      look_at_path (trial, NULL, orientation, all);
      look_at_path (trial, &critical_path, orientation, path);
      waiting = (double)path[SEEN_WAITING] / (double)all[SEEN_WAITING];
      running = (double)path[SEEN_RUNNING] / (double)all[SEEN_RUNNING];
      g_assert_cmpfloat_with_epsilon (waiting, 200. / (880 + 200), 0.02);
      g_assert_cmpfloat_with_epsilon (running, (900. + 880) / (1900 + 20 + 880), 0.04);
    }
}

static gboolean
has_entry (const LcScene *scene, LcDiagramKind kind)
{
  g_autoptr (GArray) entries = NULL;
  gboolean found = FALSE;
  LcDiagramView view;
  Map *map;

  init_view (&view, scene, LC_ORIENTATION_DOWN);
  map = map_new (scene, &view);
  entries = lc_diagram_list_entries (scene, &view, &map->parent);
  for (guint i = 0; i < entries->len; i++)
    found |= g_array_index (entries, LcDiagramEntry, i).kind == kind;
  lc_canvas_free (&map->parent);
  return found;
}

/* It is a line on its process, which needs no arc. */
static void
test_path_in_legend (void)
{
  static const char *const alone[] = {"a", "0 10 tag\n900 1000 tag\n", NULL};
  g_autoptr (Case) trial = case_new (alone, NULL);
  g_autoptr (LcScene) plain = new_scene (trial->history, 1000, NULL);
  g_autoptr (LcScene) highlighted = new_scene (trial->history, 1000, &critical_path);

  g_assert_false (has_entry (plain, LC_DIAGRAM_CRITICAL));
  g_assert_true (has_entry (highlighted, LC_DIAGRAM_CRITICAL));
}

/* --- What the legend leaves out ----------------------------------------------------------------------------------- */

/* Where a state is left out is nothing, not even running; the others stay as they are. */
static void
check_left_out (const LcScene *scene, LcOrientation orientation)
{
  static const LcDiagramKind kinds[SEEN_PAST] = {
      [SEEN_RUNNING] = LC_DIAGRAM_RUNNING, [SEEN_WAITING] = LC_DIAGRAM_WAITING,     [SEEN_WOKEN] = LC_DIAGRAM_WOKEN,
      [SEEN_OUTSIDE] = LC_DIAGRAM_OUTSIDE, [SEEN_PREEMPTED] = LC_DIAGRAM_PREEMPTED,
  };
  LcDiagramView view;
  gsize all[SEENS], less[SEENS];

  init_view (&view, scene, orientation);
  count_seen (scene, &view, all);
  g_assert_cmpuint (all[SEEN_WAITING], >, 0);
  for (Seen left_out = SEEN_RUNNING; left_out < SEEN_PAST; left_out++)
    {
      view.hidden = 1u << kinds[left_out];
      count_seen (scene, &view, less);
      g_assert_cmpuint (less[left_out], ==, 0);
      g_assert_cmpuint (less[SEEN_NOTHING], ==, all[SEEN_NOTHING] + all[left_out]);
      for (Seen seen = SEEN_RUNNING; seen < SEEN_PAST; seen++)
        if (seen != left_out)
          g_assert_cmpuint (less[seen], ==, all[seen]);
    }
}

static void
test_left_out (void)
{
  for (guint32 seed = 61; seed < 61 + random_trials (2); seed++)
    {
      g_autoptr (Case) trial = new_case (seed);
      g_autoptr (LcScene) events = new_scene (trial->history, 1000000, NULL);
      g_autoptr (LcScene) summaries = new_scene (trial->history, 1700, NULL);

      check_left_out (events, seed % 2);
      g_assert_true (lc_scene_is_summary (summaries));
      check_left_out (summaries, seed % 2);
    }
}

/* --- Labels ------------------------------------------------------------------------------------------------------- */

/* The picture is larger than what is looked at: labels stand within or beside that. */
static void
test_labels (void)
{
  guint n_cut = 0, n_texts = 0;

  for (guint32 seed = 1; seed <= 20; seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, PROCESSES, 30);
      g_autoptr (Case) made = case_new_random (random, 0, seed);
      g_autoptr (LcScene) scene = new_scene (made->history, 10000, NULL);
      LcDiagramView view;
      Map *map;

      init_view (&view, scene, LC_ORIENTATION_RIGHT);
      map = map_new (scene, &view);
      n_cut += map->n_cut;
      lc_canvas_free (&map->parent);
      view.looked_from = view.from + (view.to - view.from) * EDGE / LENGTH;
      view.looked_to = view.to - (view.to - view.from) * EDGE / LENGTH;
      map = map_new (scene, &view);
      n_texts += map->n_texts;
      g_assert_cmpuint (map->n_cut, ==, 0);
      lc_canvas_free (&map->parent);
    }
  g_assert_cmpuint (n_cut, >, 0);
  g_assert_cmpuint (n_texts, >, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bodies/shares", test_shares);
  g_test_add_func ("/bodies/highlight", test_highlight);
  g_test_add_func ("/bodies/arcs", test_arcs);
  g_test_add_func ("/bodies/path", test_path);
  g_test_add_func ("/bodies/path-in-legend", test_path_in_legend);
  g_test_add_func ("/bodies/left-out", test_left_out);
  g_test_add_func ("/bodies/labels", test_labels);
  return g_test_run ();
}
