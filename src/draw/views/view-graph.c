/* SPDX-License-Identifier: Apache-2.0 */
/* The view `graph`: processes as the nodes of a graph, with what each did in a part of the run. */
#include <glib/gi18n-lib.h>

#include "grid.h"
#include "lightcone/process-graph.h"
#include "view.h"

#define BAR 5.0   /* height of the strip that shows where the part is in the run */
#define SPACE 8.0 /* between the graph and the strip */

/* In the order of LcGraphLayout. */
static const LcAmount layouts[LC_GRAPH_LAYOUTS] = {
    [LC_GRAPH_RING] = {"ring", N_ ("Ring"), LC_AMOUNT_COUNT},
    [LC_GRAPH_GRID] = {"grid", N_ ("Grid"), LC_AMOUNT_COUNT},
    [LC_GRAPH_HYPERCUBE] = {"hypercube", N_ ("Hypercube"), LC_AMOUNT_COUNT},
    [LC_GRAPH_FORCE] = {"force", N_ ("By what they have to do with each other"), LC_AMOUNT_COUNT},
};

typedef struct
{
  const LcViewContext *context;
  LcProcessGraph *graph;
  LcScene *scene;
  LcGraphCounts counts;
  guint64 from; /* the whole run */
  guint64 to;
  gboolean has_pending; /* operations that never ended */
} Model;

static void
view_graph_free_model (gpointer data)
{
  Model *model = data;

  g_clear_pointer (&model->graph, lc_process_graph_unref);
  lc_scene_free (model->scene);
  g_free (model);
}

/* --- Query -------------------------------------------------------------------------------------------------------- */

static gboolean
view_graph_move (gpointer data, GCancellable *cancellable, GError **error)
{
  Model *model = data;
  const LcPictureOptions *options = &model->context->options;
  LcSceneQuery query;
  LcScene *scene;

  lc_scene_query_init (&query);
  query.timeline = options->timelines[0];
  query.phases = model->context->phases;
  query.from = options->from;
  query.to = options->to;
  query.selection = options->selection;
  scene = lc_process_graph_new_scene (model->context->history, &query, cancellable, error);
  if (scene == NULL)
    return FALSE;
  lc_scene_free (model->scene);
  model->scene = scene;
  lc_process_graph_count (model->graph, scene, &model->counts);
  return TRUE;
}

static gboolean
view_graph_fill (Model *model, LcGraphLayout layout, GCancellable *cancellable, GError **error)
{
  const LcViewContext *context = model->context;

  if (!lc_picture_find_span (context->history, &context->options, &model->from, &model->to, cancellable, error))
    return FALSE;
  model->has_pending = lc_view_has_pending (context->history);
  model->graph = lc_process_graph_new_of_rows (context->history, context->options.timelines[0],
                                               &context->options.selection, layout, cancellable, error);
  return model->graph != NULL && view_graph_move (model, cancellable, error);
}

static gpointer
view_graph_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  Model *model;
  guint layout;

  if (!lc_grid_find_amount (context->options.measure, layouts, LC_GRAPH_LAYOUTS, &layout, error))
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  if (view_graph_fill (model, (LcGraphLayout)layout, cancellable, error))
    return model;
  view_graph_free_model (model);
  return NULL;
}

/* --- Frame ----------------------------------------------------------------------------------------------------------
 */

static LcRectangle
view_graph_get_place (LcRectangle area)
{
  area.height = MAX (area.height - BAR - SPACE, 1);
  return area;
}

/* The legend has what can appear, not what does, so that the pictures of an animation are alike. */
static void
view_graph_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const LcAxisScale none = {.kind = LC_SCALE_NONE, .to = 1};
  const LcSceneTime time = model->context->options.selection.time;
  g_autofree char *counts = lc_graph_counts_dup_text (&model->counts, time, " · ");
  const struct
  {
    const char *text;
    LcInk ink;
    double alpha;
  } states[] = {{_ ("Running"), LC_INK_RUNNING, 0.5},
                {_ ("Inside operations"), LC_INK_EVENT, 1},
                {_ ("Waiting"), LC_INK_WAITING, 1},
                {_ ("Woken, not yet going on"), LC_INK_WOKEN, 1},
                {_ ("Without a processor"), LC_INK_PREEMPTED, 1},
                {_ ("Outside, or blocked unseen"), LC_INK_OUTSIDE, 1}};

  lc_frame_set_x (frame, &none);
  lc_frame_set_y (frame, &none);
  for (gsize i = time == LC_SCENE_PHYSICAL ? 0 : 1; i < G_N_ELEMENTS (states); i++)
    lc_frame_add_fill (frame, states[i].text, lc_canvas_fill (canvas, states[i].ink, states[i].alpha));
  lc_frame_add_line (frame, _ ("Data arc"), lc_canvas_stroke (canvas, LC_INK_DATA_ARC, 1.5));
  lc_frame_add_line (frame, _ ("Order arc"), lc_canvas_stroke (canvas, LC_INK_ORDER_ARC, 1.5));
  if (model->has_pending)
    lc_frame_add_line (frame, _ ("Waits in vain for"), lc_canvas_stroke (canvas, LC_INK_PENDING, 1.5));
  lc_frame_add_note (frame, counts);
  if (lc_process_graph_is_crowded (model->graph,
                                   view_graph_get_place (lc_frame_measure (frame, canvas, model->context->whole))))
    lc_frame_add_note (frame, _ ("The processes are so many that they lie over each other: another layout may have "
                                 "room for them."));
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

/* Paints the whole run as a strip in which the part that is shown is filled. */
static void
view_graph_paint_strip (const Model *model, LcCanvas *canvas, LcRectangle area)
{
  const LcSceneQuery *query = lc_scene_get_query (model->scene);
  const double unit = area.width / (double)MAX (model->to - model->from, 1);
  const LcRectangle strip = {area.x, area.y + area.height - BAR, area.width, BAR};
  const double begin = (double)(MAX (query->from, model->from) - model->from) * unit;
  const double end = (double)(CLAMP (query->to, model->from, model->to) - model->from) * unit;
  const LcRectangle part = {strip.x + begin, strip.y, MAX (end - begin, 1), BAR};

  lc_canvas_begin (canvas, "part", NULL);
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_GRID, 1), &strip, 1);
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_SELECTION, 1), &part, 1);
  lc_canvas_end (canvas);
}

static void
view_graph_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  const LcColor background = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_BACKGROUND);

  lc_canvas_rectangles (canvas, lc_canvas_color_fill (background), &area, 1);
  lc_process_graph_paint (model->graph, model->scene, LC_TRACE_NONE, view_graph_get_place (area), canvas);
  view_graph_paint_strip (model, canvas, area);
}

/* --- Places ---------------------------------------------------------------------------------------------------------
 */

static char *
view_graph_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  guint32 node;

  return lc_process_graph_pick (model->graph, view_graph_get_place (area), place, &node)
             ? lc_process_graph_dup_text (model->graph, model->scene, node)
             : NULL;
}

static gboolean
view_graph_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  guint32 node;

  if (!lc_process_graph_pick (model->graph, view_graph_get_place (area), place, &node))
    return FALSE;
  spot->process = lc_scene_get_process (model->scene, node);
  return TRUE;
}

static char *
view_graph_tell (gpointer data)
{
  const Model *model = data;
  g_autofree char *counts = lc_graph_counts_dup_text (&model->counts, model->context->options.selection.time, " · ");

  return g_strdup_printf (_ ("%s."), counts);
}

const LcView lc_view_graph = {
    .info = {.name = "graph",
             .title = N_ ("Process graph"),
             .summary = N_ ("What each process does and what goes between them, as a graph; it can move (--frames)."),
             .traits = LC_VIEW_TIMES | LC_VIEW_FILTERS | LC_VIEW_SPAN | LC_VIEW_MEASURE | LC_VIEW_LAYOUT |
                       LC_VIEW_ROWS | LC_VIEW_FRAMES,
             .amounts = layouts,
             .n_amounts = LC_GRAPH_LAYOUTS},
    .gather = view_graph_gather,
    .move = view_graph_move,
    .describe = view_graph_describe,
    .paint = view_graph_paint,
    .text_at = view_graph_text_at,
    .find = view_graph_find,
    .tell = view_graph_tell,
    .free = view_graph_free_model,
};
