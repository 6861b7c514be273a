/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of a process graph: the places of its nodes. */
#include <math.h>
#include <string.h>

#include "process-graph-private.h"

enum
{
  ROUNDS = 200,         /* rounds of the forces, for few nodes */
  MOST_WORK = 60000000, /* pairs of nodes that are looked at in all rounds, for many nodes */
};

/* --- Layouts ----------------------------------------------------------------------------------------------------- */

static void
place_on_ring (LcProcessGraph *graph)
{
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      double angle = 2 * G_PI * i / graph->n_nodes - G_PI / 2;

      graph->places[i] = (LcPlace){.x = cos (angle), .y = sin (angle)};
    }
}

static void
place_on_grid (LcProcessGraph *graph)
{
  guint32 columns = (guint32)ceil (sqrt (graph->n_nodes));

  for (guint32 i = 0; i < graph->n_nodes; i++)
    graph->places[i] = (LcPlace){.x = i % columns, .y = (double)(i / columns)};
}

/* Each bit of a node's number moves it in a direction of its own. Each pair of bits moves it further than all lower
 * bits together, and the directions are turned a little, so that no two nodes are at one place and no edge hides
 * another. */
static void
place_on_hypercube (LcProcessGraph *graph)
{
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      LcPlace place = {0};

      for (guint bit = 0; bit < 32; bit++)
        if ((i >> bit & 1) != 0)
          {
            double length = pow (2.4, bit / 2), angle = (bit % 2) * G_PI / 2 + (bit / 2) * 0.35;

            place.x += length * cos (angle);
            place.y -= length * sin (angle);
          }
      graph->places[i] = place;
    }
}

/* --- Forces ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  LcProcessGraph *graph;
  LcPlace *moves;
  double heaviest;
  double apart; /* the distance that nodes without any weight tend to */
} Forces;

static void
push_apart (const Forces *forces, guint32 a, guint32 b)
{
  const LcPlace *places = forces->graph->places;
  double x = places[a].x - places[b].x, y = places[a].y - places[b].y, square = MAX (x * x + y * y, 1e-9);
  double force = forces->apart * forces->apart / square;

  forces->moves[a].x += x * force;
  forces->moves[a].y += y * force;
  forces->moves[b].x -= x * force;
  forces->moves[b].y -= y * force;
}

static void
pull_together (const Forces *forces, const LcGraphEdge *edge)
{
  const LcPlace *places = forces->graph->places;
  double x = places[edge->from].x - places[edge->to].x, y = places[edge->from].y - places[edge->to].y;
  /* The root lets nodes with little weight between them still be nearer than nodes with none. */
  double force = hypot (x, y) / forces->apart * sqrt (edge->weight / forces->heaviest);

  forces->moves[edge->from].x -= x * force;
  forces->moves[edge->from].y -= y * force;
  forces->moves[edge->to].x += x * force;
  forces->moves[edge->to].y += y * force;
}

/* Moves each node by at most `most`, which shrinks from round to round, so that the nodes come to rest. */
static void
move_nodes (const Forces *forces, double most)
{
  for (guint32 i = 0; i < forces->graph->n_nodes; i++)
    {
      LcPlace move = forces->moves[i];
      double length = hypot (move.x, move.y), part = length > most ? most / length : 1;

      forces->graph->places[i].x += move.x * part;
      forces->graph->places[i].y += move.y * part;
    }
}

/* A spiral like the seeds of a sunflower has no symmetry that the forces could stop at. */
static void
place_on_spiral (LcProcessGraph *graph)
{
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      double angle = i * 2.399963, radius = sqrt ((i + 0.5) / graph->n_nodes);

      graph->places[i] = (LcPlace){.x = radius * cos (angle), .y = radius * sin (angle)};
    }
}

static gboolean
place_by_forces (LcProcessGraph *graph, GCancellable *cancellable)
{
  guint32 n = graph->n_nodes;
  double pairs = MAX ((double)n * n / 2, 1);
  guint rounds = (guint)CLAMP (MOST_WORK / pairs, 10, ROUNDS);
  g_autofree LcPlace *moves = g_new (LcPlace, MAX (n, 1));
  Forces forces = {.graph = graph, .moves = moves, .apart = 1 / sqrt (MAX (n, 1))};

  place_on_spiral (graph);
  for (gsize i = 0; i < graph->n_edges; i++)
    forces.heaviest = MAX (forces.heaviest, graph->edges[i].weight);
  for (guint round = 0; round < rounds; round++)
    {
      memset (moves, 0, sizeof *moves * n);
      for (guint32 a = 0; a < n; a++)
        for (guint32 b = 0; b < a; b++)
          push_apart (&forces, a, b);
      for (gsize i = 0; i < graph->n_edges; i++)
        pull_together (&forces, &graph->edges[i]);
      move_nodes (&forces, 0.2 * (1 - (double)round / rounds));
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
    }
  return TRUE;
}

/* --- The graph --------------------------------------------------------------------------------------------------- */

/* Fits all nodes between (0, 0) and (1, 1), with the same scale on both axes. */
static void
fit_into_unit (LcProcessGraph *graph)
{
  LcPlace low = {.x = G_MAXDOUBLE, .y = G_MAXDOUBLE}, high = {.x = -G_MAXDOUBLE, .y = -G_MAXDOUBLE};
  double size;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      low.x = MIN (low.x, graph->places[i].x);
      low.y = MIN (low.y, graph->places[i].y);
      high.x = MAX (high.x, graph->places[i].x);
      high.y = MAX (high.y, graph->places[i].y);
    }
  size = MAX (MAX (high.x - low.x, high.y - low.y), 1e-9);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      graph->places[i].x = 0.5 + (graph->places[i].x - (low.x + high.x) / 2) / size;
      graph->places[i].y = 0.5 + (graph->places[i].y - (low.y + high.y) / 2) / size;
    }
}

static int
compare_by_x (gconstpointer a, gconstpointer b)
{
  const LcPlace *one = a, *other = b;

  return one->x < other->x ? -1 : one->x > other->x;
}

/* Finds the distance of the two nearest nodes, which limits the size of nodes. */
static double
find_nearest (const LcProcessGraph *graph)
{
  g_autofree LcPlace *sorted = g_memdup2 (graph->places, sizeof *graph->places * MAX (graph->n_nodes, 1));
  double nearest = 1;

  qsort (sorted, graph->n_nodes, sizeof *sorted, compare_by_x);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    for (guint32 k = i + 1; k < graph->n_nodes && sorted[k].x - sorted[i].x < nearest; k++)
      nearest = MIN (nearest, hypot (sorted[k].x - sorted[i].x, sorted[k].y - sorted[i].y));
  return nearest;
}

static void
process_graph_clear (LcProcessGraph *graph)
{
  g_free (graph->places);
  g_free (graph->edges);
}

LcProcessGraph *
lc_process_graph_new (guint32 n_nodes, LcGraphLayout layout, const LcGraphEdge *edges, gsize n_edges,
                      GCancellable *cancellable)
{
  g_autoptr (LcProcessGraph) graph = g_atomic_rc_box_new0 (LcProcessGraph);

  graph->n_nodes = n_nodes;
  graph->layout = layout;
  graph->places = g_new0 (LcPlace, MAX (n_nodes, 1));
  graph->edges = g_memdup2 (edges, sizeof *edges * n_edges);
  graph->n_edges = n_edges;
  switch (layout)
    {
    case LC_GRAPH_GRID:
      place_on_grid (graph);
      break;
    case LC_GRAPH_HYPERCUBE:
      place_on_hypercube (graph);
      break;
    case LC_GRAPH_FORCE:
      if (!place_by_forces (graph, cancellable))
        return NULL;
      break;
    case LC_GRAPH_RING:
    case LC_GRAPH_LAYOUTS:
    default:
      place_on_ring (graph);
      break;
    }
  fit_into_unit (graph);
  graph->nearest = find_nearest (graph);
  return g_steal_pointer (&graph);
}

LcProcessGraph *
lc_process_graph_ref (LcProcessGraph *graph)
{
  return g_atomic_rc_box_acquire (graph);
}

void
lc_process_graph_unref (LcProcessGraph *graph)
{
  g_atomic_rc_box_release_full (graph, (GDestroyNotify)process_graph_clear);
}

guint32
lc_process_graph_get_n (const LcProcessGraph *graph)
{
  return graph->n_nodes;
}

LcPlace
lc_process_graph_get_place (const LcProcessGraph *graph, guint32 node)
{
  return graph->places[node];
}
