/* SPDX-License-Identifier: Apache-2.0 */
/* The process graph of a history: its nodes are the rows of a selection, its edges what goes between them. */
#include <glib/gi18n-lib.h>

#include "lightcone/process-graph.h"
#include "lightcone/statistics.h"

enum
{
  MOST_ARROWS = 400,
  MOST_EVENTS = 20000000, /* up to which edges are found even if the layout does not need them */
};

/* Lists the row of each process of the history, or LC_TRACE_NONE. */
static guint32 *
process_graph_list_rows (LcHistory *history, const LcSelection *selection)
{
  guint32 n = lc_history_get_n_processes (history), row = 0;
  guint32 *rows = g_new (guint32, MAX (n, 1));

  for (guint32 process = 0; process < n; process++)
    rows[process] = LC_TRACE_NONE;
  for (guint32 i = 0; i < selection->n_processes; i++)
    {
      while (selection->row_ends != NULL && i >= selection->row_ends[row])
        row++;
      rows[selection->processes[i]] = selection->row_ends != NULL ? row : i;
    }
  return rows;
}

/* Finds the edges between rows, each pair once. */
static GArray *
process_graph_find_edges (LcHistory *history, guint32 timeline, const LcSelection *selection, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GArray) cells = lc_statistics_matrix (history, timeline, 0, 0, cancellable, error);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (LcGraphEdge));
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autofree guint32 *rows = NULL;

  if (cells == NULL)
    return NULL;
  rows = process_graph_list_rows (history, selection);
  for (guint i = 0; i < cells->len; i++)
    {
      const LcMatrixCell *cell = &g_array_index (cells, LcMatrixCell, i);
      LcGraphEdge edge = {rows[cell->from_process], rows[cell->to_process], (double)cell->arcs};
      guint64 key = (guint64)MIN (edge.from, edge.to) << 32 | MAX (edge.from, edge.to);
      guint place;

      if (edge.from == LC_TRACE_NONE || edge.to == LC_TRACE_NONE || edge.from == edge.to)
        continue;
      place = GPOINTER_TO_UINT (g_hash_table_lookup (places, &key));
      if (place > 0)
        {
          g_array_index (edges, LcGraphEdge, place - 1).weight += edge.weight;
          continue;
        }
      g_array_append_val (edges, edge);
      g_hash_table_insert (places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (edges->len));
    }
  return g_steal_pointer (&edges);
}

LcProcessGraph *
lc_process_graph_new_of_rows (LcHistory *history, guint32 timeline, const LcSelection *selection, LcGraphLayout layout,
                              GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) edges = NULL;
  LcProcessGraph *graph;

  g_return_val_if_fail (selection->processes != NULL, NULL);

  if (layout == LC_GRAPH_FORCE || lc_history_get_n_events (history) <= MOST_EVENTS)
    {
      edges = process_graph_find_edges (history, timeline, selection, cancellable, error);
      if (edges == NULL)
        return NULL;
    }
  graph = lc_process_graph_new (lc_selection_count_rows (selection), layout,
                                edges != NULL ? (const LcGraphEdge *)(gpointer)edges->data : NULL,
                                edges != NULL ? edges->len : 0, cancellable);
  if (graph == NULL)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return graph;
}

LcScene *
lc_process_graph_new_scene (LcHistory *history, const LcSceneQuery *query, GCancellable *cancellable, GError **error)
{
  LcSceneQuery own = *query;

  own.beside = own.selection.lowest = own.selection.highest = LC_TRACE_NONE;
  own.selection.highlight = (LcHighlight){.kind = LC_HIGHLIGHT_NONE};
  own.selection.hide_holding = TRUE;
  own.length = 1;
  own.most_arcs = MOST_ARROWS;
  return lc_scene_new (history, &own, cancellable, error);
}

char *
lc_graph_counts_dup_text (const LcGraphCounts *counts, LcSceneTime time, const char *between)
{
  const guint32 n_off = counts->woken + counts->preempted + counts->outside;
  g_autofree char *first = NULL, *second = NULL, *off = NULL;

  if (time == LC_SCENE_PHYSICAL)
    {
      first = g_strdup_printf (_ ("%u running · %u inside operations"), counts->running, counts->inside);
      second = g_strdup_printf (_ ("%u waiting · %u idle · %u arcs"), counts->waiting, counts->idle, counts->arcs);
    }
  else
    {
      first = g_strdup_printf (_ ("%u inside operations · %u waiting"), counts->inside, counts->waiting);
      second = g_strdup_printf (_ ("%u without an event · %u arcs"), counts->idle, counts->arcs);
    }
  if (n_off > 0)
    off = g_strdup_printf (_ ("%u woken · %u without a processor · %u outside"), counts->woken, counts->preempted,
                           counts->outside);
  return g_strjoin (between, first, second, off, NULL);
}
