/* SPDX-License-Identifier: Apache-2.0 */
/* The process graph's struct, shared by the files that make it. */
#ifndef LC_DRAW_PROCESS_GRAPH_PRIVATE_H
#define LC_DRAW_PROCESS_GRAPH_PRIVATE_H

#include "lightcone/process-graph.h"

struct _LcProcessGraph
{
  guint32 n_nodes;
  LcGraphLayout layout;
  LcPlace *places;
  LcGraphEdge *edges;
  gsize n_edges;
  double nearest; /* distance of the two nearest nodes, in the unit square */
};

#endif
