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
  LC_GRAPH_FORCE,     /* processes that have more to do with each other are nearer */
  LC_GRAPH_LAYOUTS,
} LcGraphLayout;

/* The strength of the tie between two nodes. */
typedef struct
{
  guint32 from;
  guint32 to;
  double weight; /* more than 0 */
} LcGraphEdge;

/* A graph is never changed; any thread may hold it. */
typedef struct _LcProcessGraph LcProcessGraph;

/* Places the nodes. The edges are copied; they decide the places of the layout `force`, and are drawn faintly in all
 * layouts. The same nodes and edges always give the same places. NULL if cancelled. */
LcProcessGraph *lc_process_graph_new (guint32 n_nodes, LcGraphLayout layout, const LcGraphEdge *edges, gsize n_edges,
                                      GCancellable *cancellable);

/* Makes the graph of the rows of a selection, whose processes are set; edges are what goes between them in the whole
 * run. NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
LcProcessGraph *lc_process_graph_new_of_rows (LcHistory *history, guint32 timeline, const LcSelection *selection,
                                              LcGraphLayout layout, GCancellable *cancellable, GError **error);

/* Makes the scene of a part of the run for such a graph: timeline, phases, span and selection of the query count.
 * Errors and lives are those of lc_scene_new. */
LcScene *lc_process_graph_new_scene (LcHistory *history, const LcSceneQuery *query, GCancellable *cancellable,
                                     GError **error);
LcProcessGraph *lc_process_graph_ref (LcProcessGraph *graph);
void lc_process_graph_unref (LcProcessGraph *graph);

guint32 lc_process_graph_get_n (const LcProcessGraph *graph);

/* The place of a node, within (0, 0) to (1, 1). */
LcPlace lc_process_graph_get_place (const LcProcessGraph *graph, guint32 node);

/* The diameter of a node painted in an area. */
double lc_process_graph_get_size (const LcProcessGraph *graph, LcRectangle area);

/* Whether nodes lie over each other in an area. */
gboolean lc_process_graph_is_crowded (const LcProcessGraph *graph, LcRectangle area);

/* Finds the node at a place of the area. FALSE if there is none. */
gboolean lc_process_graph_pick (const LcProcessGraph *graph, LcRectangle area, LcPlace place, guint32 *node);

/*
 * Paints the graph. Node n is row n of the scene, whose span is short: a layer, a phase, some time. Each node shows how
 * it spent the span (running, inside operations or not, and the other states of states.h), and is hollow if it did
 * nothing or was not alive. Members of a group have a ring; arcs are arrows. `chosen` is the selected node, or
 * LC_TRACE_NONE. Nodes have the names of their rows where there is room.
 */
void lc_process_graph_paint (const LcProcessGraph *graph, const LcScene *scene, guint32 chosen, LcRectangle area,
                             LcCanvas *canvas);

/* Gives a node's name, and how it spent the span. Free with g_free. */
char *lc_process_graph_dup_text (const LcProcessGraph *graph, const LcScene *scene, guint32 node);

/* Numbers of nodes by what they did for most of the span, for a line of text beside the graph. */
typedef struct
{
  guint32 running; /* compute, or do nothing that is known */
  guint32 inside;  /* run inside operations */
  guint32 waiting;
  guint32 woken;
  guint32 preempted;
  guint32 outside; /* with what is unseen */
  guint32 idle;    /* have no event on this layer, or are not alive */
  guint32 arcs;    /* arcs that are drawn */
} LcGraphCounts;

void lc_process_graph_count (const LcProcessGraph *graph, const LcScene *scene, LcGraphCounts *counts);

/* Gives the counts in words, as two or three parts with `between` between them. Free with g_free. */
char *lc_graph_counts_dup_text (const LcGraphCounts *counts, LcSceneTime time, const char *between);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcProcessGraph, lc_process_graph_unref)

G_END_DECLS

#endif
