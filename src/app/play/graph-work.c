/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of the process graph: the input of the thread, and its result. */
#include "app/play/graph-work.h"

#include "history/names.h"
#include "lightcone/statistics.h"

enum
{
  MOST_ARROWS = 400,
  MOST_EVENTS = 20000000, /* up to which edges are found even if the layout does not need them */
};

void
lc_graph_work_free (LcGraphWork *work)
{
  lc_shown_unref (work->shown);
  g_clear_pointer (&work->graph, lc_process_graph_unref);
  g_free (work);
}

void
lc_graph_picture_free (LcGraphPicture *picture)
{
  g_clear_pointer (&picture->graph, lc_process_graph_unref);
  g_clear_object (&picture->texture);
  g_free (picture);
}

/* --- The graph --------------------------------------------------------------------------------------------------- */

static guint32 *
graph_work_find_rows (const LcShown *shown)
{
  guint32 n = lc_history_get_n_processes (shown->opened->history), n_rows = lc_shown_get_n_rows (shown);
  guint32 *rows = g_new (guint32, MAX (n, 1));

  for (guint32 process = 0; process < n; process++)
    rows[process] = LC_TRACE_NONE;
  for (guint32 row = 0; row < n_rows; row++)
    {
      guint32 n_here;
      const guint32 *processes = lc_shown_get_row (shown, row, &n_here);

      for (guint32 i = 0; i < n_here; i++)
        rows[processes[i]] = row;
    }
  return rows;
}

/* Finds the edges between rows, each pair once. */
static GArray *
find_edges (const LcShown *shown, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) cells = lc_statistics_matrix (shown->opened->history, shown->timeline, 0, 0, cancellable, error);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (LcGraphEdge));
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autofree guint32 *rows = NULL;

  if (cells == NULL)
    return NULL;
  rows = graph_work_find_rows (shown);
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

static LcProcessGraph *
make_graph (const LcGraphWork *work, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) edges = NULL;
  LcProcessGraph *graph;

  if (work->layout == LC_GRAPH_FORCE || lc_history_get_n_events (work->shown->opened->history) <= MOST_EVENTS)
    {
      edges = find_edges (work->shown, cancellable, error);
      if (edges == NULL)
        return NULL;
    }
  graph = lc_process_graph_new (lc_shown_get_n_rows (work->shown), work->layout,
                                edges != NULL ? (const LcGraphEdge *)(gpointer)edges->data : NULL,
                                edges != NULL ? edges->len : 0, cancellable);
  if (graph == NULL)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return graph;
}

/* --- The picture -----------------------------------------------------------------------------------------------------
 */

static LcScene *
graph_work_make_scene (const LcGraphWork *work, GCancellable *cancellable, GError **error)
{
  LcSceneQuery query;

  lc_shown_fill_query (work->shown, &query);
  query.beside = query.selection.lowest = query.selection.highest = LC_TRACE_NONE;
  query.selection.highlight = (LcHighlight){.kind = LC_HIGHLIGHT_NONE};
  query.selection.hide_holding = TRUE;
  query.from = work->from;
  query.to = work->to;
  query.length = 1;
  query.most_arcs = MOST_ARROWS;
  return lc_scene_new (work->shown->opened->history, &query, cancellable, error);
}

static const char **
find_names (const LcShown *shown, LcNames *names)
{
  guint32 n = lc_shown_get_n_rows (shown);
  const char **texts = g_new0 (const char *, MAX (n, 1));

  for (guint32 row = 0; row < n; row++)
    {
      guint32 n_here;
      const guint32 *processes = lc_shown_get_row (shown, row, &n_here);

      if (n_here > 0)
        texts[row] = lc_names_process (names, processes[0]);
    }
  return texts;
}

static GdkTexture *
graph_work_paint (const LcGraphWork *work, const LcProcessGraph *graph, const LcScene *scene)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, work->width * work->scale, work->height * work->scale);
  LcRectangle area = {.width = work->width, .height = work->height};
  g_autoptr (LcNames) names = lc_names_new (work->shown->opened->history);
  g_autofree const char **texts = find_names (work->shown, names);
  g_autoptr (GBytes) bytes = NULL;
  LcCanvas *canvas;
  cairo_t *cairo;
  gsize stride;

  cairo_surface_set_device_scale (surface, work->scale, work->scale);
  cairo = cairo_create (surface);
  canvas = lc_canvas_new_cairo (cairo, work->theme);
  lc_canvas_set_text_scale (canvas, work->text_scale);
  lc_process_graph_paint (graph, scene, texts, work->chosen, area, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  stride = (gsize)cairo_image_surface_get_stride (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * work->height * work->scale,
                                      (GDestroyNotify)cairo_surface_destroy, surface);
  return gdk_memory_texture_new (work->width * work->scale, work->height * work->scale, GDK_MEMORY_DEFAULT, bytes,
                                 stride);
}

gpointer
lc_graph_work_run (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcGraphWork *work = data;
  g_autoptr (LcGraphPicture) picture = g_new0 (LcGraphPicture, 1);
  g_autoptr (LcScene) scene = NULL;

  picture->graph = work->graph != NULL ? lc_process_graph_ref (work->graph) : make_graph (work, cancellable, error);
  if (picture->graph != NULL)
    scene = graph_work_make_scene (work, cancellable, error);
  if (scene == NULL)
    return NULL;
  picture->texture = graph_work_paint (work, picture->graph, scene);
  lc_process_graph_count (picture->graph, scene, &picture->counts);
  return g_steal_pointer (&picture);
}
