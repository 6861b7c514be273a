/* SPDX-License-Identifier: Apache-2.0 */
/* The process graph: processes as places in a plane, and what they do at one moment, to play a run over. */
#ifndef LIGHTCONE_PROCESS_GRAPH_H
#define LIGHTCONE_PROCESS_GRAPH_H

#include "lightcone/canvas.h"
#include "lightcone/scene.h"

G_BEGIN_DECLS

typedef enum
{
  LC_GRAPH_RING,
  LC_GRAPH_GRID,      /* row by row */
  LC_GRAPH_HYPERCUBE, /* neighbours differ in one bit of their number */
  LC_GRAPH_FORCE,     /* who has more to do with whom is nearer */
  LC_GRAPH_LAYOUTS,
} LcGraphLayout;

/* Not translated: "ring", "grid", "hypercube", "force"; and back. FALSE: there is none. */
const char *lc_graph_layout_get_name (LcGraphLayout layout);
gboolean lc_graph_layout_parse (const char *name, LcGraphLayout *layout);

/* How much two nodes have to do with each other. */
typedef struct
{
  guint32 from;
  guint32 to;
  double weight; /* more than 0 */
} LcGraphEdge;

/* It is never changed; any thread may hold it. */
typedef struct _LcProcessGraph LcProcessGraph;

/* The edges are copied; of `force` they decide the places, of all they are drawn faintly. The same nodes and edges
 * always give the same places. NULL if it was cancelled. */
LcProcessGraph *lc_process_graph_new (guint32 n_nodes, LcGraphLayout layout, const LcGraphEdge *edges, gsize n_edges,
                                      GCancellable *cancellable);
LcProcessGraph *lc_process_graph_ref (LcProcessGraph *graph);
void lc_process_graph_unref (LcProcessGraph *graph);

guint32 lc_process_graph_get_n (const LcProcessGraph *graph);

/* Where a node is: within (0, 0) to (1, 1). */
LcPlace lc_process_graph_get_place (const LcProcessGraph *graph, guint32 node);

/* How large a node is painted in an area: its diameter. */
double lc_process_graph_get_size (const LcProcessGraph *graph, LcRectangle area);

/* The node at a place of the area. FALSE: there is none. */
gboolean lc_process_graph_pick (const LcProcessGraph *graph, LcRectangle area, LcPlace place, guint32 *node);

/*
 * Node n is row n of the scene, which is one of a short span: a layer, a phase, some time. Each node shows how it spent
 * that span (running, inside operations, waiting), and is hollow if it does nothing or is not alive then; members of a
 * group have a ring; arcs are arrows. `chosen` is the node of the selection, or LC_TRACE_NONE. `names` are those of the
 * nodes, or NULL.
 */
void lc_process_graph_paint (const LcProcessGraph *graph, const LcScene *scene, const char *const *names,
                             guint32 chosen, LcRectangle area, LcCanvas *canvas);

/* How many nodes do what: for a line of text beside it. */
typedef struct
{
  guint32 running; /* most of the span they compute, or do nothing that is known */
  guint32 inside;  /* ... are inside operations */
  guint32 waiting;
  guint32 idle; /* no event on this layer, or not alive */
  guint32 arcs; /* that are drawn */
} LcGraphCounts;

void lc_process_graph_count (const LcProcessGraph *graph, const LcScene *scene, LcGraphCounts *counts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcProcessGraph, lc_process_graph_unref)

G_END_DECLS

#endif
