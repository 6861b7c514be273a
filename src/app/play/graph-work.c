/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of the process graph: the input of the thread, and its result. */
#include "app/play/graph-work.h"

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

static LcScene *
graph_work_make_scene (const LcGraphWork *work, GCancellable *cancellable, GError **error)
{
  LcSceneQuery query;

  lc_shown_fill_query (work->shown, &query);
  query.from = work->from;
  query.to = work->to;
  return lc_process_graph_new_scene (work->shown->opened->history, &query, cancellable, error);
}

static GdkTexture *
graph_work_paint (const LcGraphWork *work, const LcProcessGraph *graph, const LcScene *scene)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, work->width * work->scale, work->height * work->scale);
  LcRectangle area = {.width = work->width, .height = work->height};
  g_autoptr (GBytes) bytes = NULL;
  LcCanvas *canvas;
  cairo_t *cairo;
  gsize stride;

  cairo_surface_set_device_scale (surface, work->scale, work->scale);
  cairo = cairo_create (surface);
  canvas = lc_canvas_new_cairo (cairo, work->theme);
  lc_canvas_set_text_scale (canvas, work->text_scale);
  lc_process_graph_paint (graph, scene, work->chosen, area, canvas);
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

  picture->graph = work->graph != NULL
                       ? lc_process_graph_ref (work->graph)
                       : lc_process_graph_new_of_rows (work->shown->opened->history, work->shown->timeline,
                                                       &work->shown->selection, work->layout, cancellable, error);
  if (picture->graph != NULL)
    scene = graph_work_make_scene (work, cancellable, error);
  if (scene == NULL)
    return NULL;
  picture->texture = graph_work_paint (work, picture->graph, scene);
  lc_process_graph_count (picture->graph, scene, &picture->counts);
  return g_steal_pointer (&picture);
}
