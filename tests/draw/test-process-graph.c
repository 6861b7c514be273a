/* SPDX-License-Identifier: Apache-2.0 */
/* Process graphs: where their nodes are, and what they say of one moment of a run. */
#include <math.h>
#include <string.h>

#include "../analysis/case.h"
#include "lightcone/process-graph.h"

static double
distance (const LcProcessGraph *graph, guint32 a, guint32 b)
{
  LcPlace one = lc_process_graph_get_place (graph, a), other = lc_process_graph_get_place (graph, b);

  return hypot (one.x - other.x, one.y - other.y);
}

/* All within the square, which they fill, and no two at one place. */
static void
check_places (const LcProcessGraph *graph)
{
  guint32 n = lc_process_graph_get_n (graph);
  double low = 1, high = 0;

  for (guint32 i = 0; i < n; i++)
    {
      LcPlace place = lc_process_graph_get_place (graph, i);

      g_assert_cmpfloat (MIN (place.x, place.y), >=, -1e-9);
      g_assert_cmpfloat (MAX (place.x, place.y), <=, 1 + 1e-9);
      low = MIN (low, MIN (place.x, place.y));
      high = MAX (high, MAX (place.x, place.y));
      for (guint32 k = 0; k < i; k++)
        g_assert_cmpfloat (distance (graph, i, k), >, 1e-4);
    }
  if (n > 1)
    g_assert_cmpfloat_with_epsilon (high - low, 1, 1e-9);
}

static void
test_layouts (void)
{
  static const guint32 sizes[] = {1, 2, 3, 8, 9, 64, 100, 1024};

  for (guint layout = 0; layout < LC_GRAPH_LAYOUTS; layout++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autoptr (LcProcessGraph) graph = lc_process_graph_new (sizes[i], layout, NULL, 0, NULL);

        g_assert_cmpuint (lc_process_graph_get_n (graph), ==, sizes[i]);
        check_places (graph);
      }
}

/* In a hypercube an edge has the same length wherever it is. */
static void
test_hypercube (void)
{
  g_autoptr (LcProcessGraph) graph = lc_process_graph_new (32, LC_GRAPH_HYPERCUBE, NULL, 0, NULL);

  for (guint bit = 0; bit < 5; bit++)
    for (guint32 i = 0; i < 32; i++)
      g_assert_cmpfloat_with_epsilon (distance (graph, i, i ^ 1u << bit), distance (graph, 0, 1u << bit), 1e-9);
}

/* Two groups of four, with one edge between them. */
static void
test_force (void)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (LcGraphEdge));
  g_autoptr (LcProcessGraph) graph = NULL;
  g_autoptr (LcProcessGraph) again = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  LcGraphEdge bridge = {0, 1, 1};

  for (guint32 a = 0; a < 8; a++)
    for (guint32 b = a + 2; b < 8; b += 2)
      g_array_append_val (edges, ((LcGraphEdge){a, b, 100}));
  g_array_append_val (edges, bridge);
  graph = lc_process_graph_new (8, LC_GRAPH_FORCE, (LcGraphEdge *)(gpointer)edges->data, edges->len, NULL);
  again = lc_process_graph_new (8, LC_GRAPH_FORCE, (LcGraphEdge *)(gpointer)edges->data, edges->len, NULL);
  check_places (graph);
  for (guint32 a = 0; a < 8; a++)
    for (guint32 b = 0; b < 8; b++)
      {
        g_assert_cmpfloat (distance (graph, a, b), ==, distance (again, a, b));
        if (a != b && a % 2 == b % 2)
          for (guint32 c = 1 - a % 2; c < 8; c += 2)
            g_assert_cmpfloat (distance (graph, a, b), <, distance (graph, a, c) + 0.15);
      }
  g_cancellable_cancel (cancelled);
  g_assert_null (lc_process_graph_new (8, LC_GRAPH_FORCE, (LcGraphEdge *)(gpointer)edges->data, edges->len, cancelled));
  g_array_unref (edges);
}

/* b waits for the lock of a from 20 to 50. */
static const char *const handover[] = {"a", "0 10 lock queue 1\n50 60 unlock queue 1\n90 90 tag value=7\n", "b",
                                       "20 55 lock queue 2\n70 80 unlock queue 2\n", NULL};

static void
check_counts (const Case *trial, LcSceneTime time, guint64 from, guint64 to, LcGraphCounts expected)
{
  g_autoptr (LcProcessGraph) graph = lc_process_graph_new (2, LC_GRAPH_RING, NULL, 0, NULL);
  g_autoptr (LcScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  LcGraphCounts counts;
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.selection.time = time;
  query.from = from;
  query.to = to;
  scene = lc_scene_new (trial->history, &query, NULL, &error);
  g_assert_no_error (error);
  lc_process_graph_count (graph, scene, &counts);
  g_assert_cmpuint (counts.running, ==, expected.running);
  g_assert_cmpuint (counts.inside, ==, expected.inside);
  g_assert_cmpuint (counts.waiting, ==, expected.waiting);
  g_assert_cmpuint (counts.woken, ==, expected.woken);
  g_assert_cmpuint (counts.preempted, ==, expected.preempted);
  g_assert_cmpuint (counts.outside, ==, expected.outside);
  g_assert_cmpuint (counts.idle, ==, expected.idle);
  g_assert_cmpuint (counts.arcs, ==, expected.arcs);
}

static void
test_moments (void)
{
  g_autoptr (Case) trial = case_new (handover, NULL);

  check_counts (trial, LC_SCENE_PHYSICAL, 2, 8, (LcGraphCounts){.inside = 1, .idle = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 25, 35, (LcGraphCounts){.running = 1, .waiting = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 56, 59, (LcGraphCounts){.running = 1, .inside = 1, .arcs = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 62, 68, (LcGraphCounts){.running = 2});
  check_counts (trial, LC_SCENE_LOGICAL, 1, 2, (LcGraphCounts){.inside = 1, .idle = 1});
}

/* b is preempted from 30 to 40 in its `advance`, blocked from 60 to 70 between its events, and waits from 80 to 100 and
 * goes on at 110. */
static const char *const crowd[] = {
    "a", "0 10 tag\n90 100 advance A 1\n200 201 tag\n", "b",
    "20 50 advance A 0\n%absent 30 40 preempted\n%absent 60 70 blocked\n80 120 await A 1\n%absent 85 110 blocked\n",
    NULL};

static void
test_off (void)
{
  g_autoptr (Case) trial = case_new (crowd, NULL);

  check_counts (trial, LC_SCENE_PHYSICAL, 22, 28, (LcGraphCounts){.running = 1, .inside = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 31, 39, (LcGraphCounts){.running = 1, .preempted = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 41, 49, (LcGraphCounts){.running = 1, .inside = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 52, 58, (LcGraphCounts){.running = 2});
  check_counts (trial, LC_SCENE_PHYSICAL, 61, 69, (LcGraphCounts){.running = 1, .outside = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 86, 89, (LcGraphCounts){.running = 1, .waiting = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 101, 109, (LcGraphCounts){.running = 1, .woken = 1, .arcs = 1});
  check_counts (trial, LC_SCENE_PHYSICAL, 111, 119, (LcGraphCounts){.running = 1, .inside = 1, .arcs = 1});
}

static void
test_pick (void)
{
  g_autoptr (LcProcessGraph) graph = lc_process_graph_new (4, LC_GRAPH_GRID, NULL, 0, NULL);
  LcRectangle area = {.x = 10, .y = 20, .width = 200, .height = 200};
  guint32 node = 9;

  g_assert_true (lc_process_graph_pick (graph, area, (LcPlace){.x = 10 + 24, .y = 20 + 24}, &node));
  g_assert_cmpuint (node, ==, 0);
  g_assert_true (lc_process_graph_pick (graph, area, (LcPlace){.x = 10 + 176, .y = 20 + 176}, &node));
  g_assert_cmpuint (node, ==, 3);
  g_assert_false (lc_process_graph_pick (graph, area, (LcPlace){.x = 110, .y = 120}, &node));
}

/* Where names do not fit their numbers stand, so that each can still be told from the others. */
static void
test_names (void)
{
  static const guint32 processes[] = {0, 1}, row_ends[] = {1, 2};
  static const char *const names[] = {"rank 0 of the world", "rank of the world 1"};
  static const double widths[] = {400, 110};
  g_autoptr (Case) trial = case_new (handover, NULL);
  g_autoptr (LcProcessGraph) graph = lc_process_graph_new (2, LC_GRAPH_RING, NULL, 0, NULL);
  g_autoptr (LcScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.selection.processes = processes;
  query.selection.row_ends = row_ends;
  query.selection.n_processes = query.selection.n_row_ends = 2;
  query.selection.row_names = names;
  scene = lc_scene_new (trial->history, &query, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (LcCanvas) canvas = lc_canvas_new_svg (widths[i], 400, LC_THEME_LIGHT, "graph", NULL);
      g_autofree char *svg = NULL;

      lc_process_graph_paint (graph, scene, 0, (LcRectangle){0, 0, widths[i], 400}, canvas);
      svg = lc_canvas_finish_svg (canvas, NULL);
      g_assert_cmpint (strstr (svg, ">rank of the world 1<") != NULL, ==, i == 0);
      g_assert_cmpint (strstr (svg, ">1<") != NULL, ==, i == 1);
    }
}

/* The lowest node and its name are within the area, however small it is. */
static void
test_room (void)
{
  static const double heights[] = {110, 150, 200, 300, 600};
  g_autoptr (Case) trial = case_new (handover, NULL);
  g_autoptr (LcProcessGraph) graph = lc_process_graph_new (2, LC_GRAPH_RING, NULL, 0, NULL);
  g_autoptr (LcScene) scene = NULL;
  LcSceneQuery query;

  lc_scene_query_init (&query);
  scene = lc_scene_new (trial->history, &query, NULL, NULL);
  g_assert_nonnull (scene);
  for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
    {
      g_autoptr (LcCanvas) canvas = lc_canvas_new_svg (400, heights[i], LC_THEME_LIGHT, "graph", NULL);
      g_autofree char *svg = NULL;
      guint n_names = 0;

      lc_process_graph_paint (graph, scene, 0, (LcRectangle){0, 0, 400, heights[i]}, canvas);
      svg = lc_canvas_finish_svg (canvas, NULL);
      for (const char *at = svg; (at = strstr (at, "<text")) != NULL; at++, n_names++)
        g_assert_cmpfloat (g_ascii_strtod (strstr (at, " y=\"") + 4, NULL), <=, heights[i] - 2);
      g_assert_cmpuint (n_names, ==, 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/process-graph/layouts", test_layouts);
  g_test_add_func ("/process-graph/hypercube", test_hypercube);
  g_test_add_func ("/process-graph/force", test_force);
  g_test_add_func ("/process-graph/moments", test_moments);
  g_test_add_func ("/process-graph/off", test_off);
  g_test_add_func ("/process-graph/pick", test_pick);
  g_test_add_func ("/process-graph/names", test_names);
  g_test_add_func ("/process-graph/room", test_room);
  return g_test_run ();
}
