/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the process graph know of each other. */
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
  double nearest; /* between two nodes, in the unit square */
};

#endif
