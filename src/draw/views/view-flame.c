/* SPDX-License-Identifier: Apache-2.0 */
/* The view `flame`: the stacks that waited, and those that made them wait, as wide as the time that it took. */
#include "view-flame.h"

#include <glib/gi18n-lib.h>

#include "grid.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

#define LOW 320.0

static const LcAmount amounts[] = {
    [LC_FLAME_ENDS_BOTH] = {"both", N_ ("Both ends"), LC_AMOUNT_TIME},
    [LC_FLAME_ENDS_WAITER] = {"waiter", N_ ("Who waited"), LC_AMOUNT_TIME},
    [LC_FLAME_ENDS_BLAMED] = {"blamed", N_ ("Who made wait"), LC_AMOUNT_TIME},
};

char *
lc_flame_dup_share (guint64 part, guint64 whole)
{
  return g_strdup_printf (_ ("%.1f %%"), whole > 0 ? 100.0 * (double)part / (double)whole : 0);
}

static void
view_flame_free (gpointer data)
{
  LcFlameModel *model = data;

  g_clear_pointer (&model->graph, lc_flame_graph_free);
  g_free (model);
}

static GArray *
view_flame_find_blame (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  LcWaitsAsked asked = lc_selection_get_asked (&options->selection);

  asked.from = options->from;
  asked.to = options->to;
  if (!lc_history_read_places (context->history, error))
    return NULL;
  if (lc_history_get_n_stacks (context->history) > 0 && options->blame != NULL &&
      options->timelines[0] == LC_TIMELINE_MEASURED)
    return lc_kept_blame_find (options->blame, context->history, &asked, cancellable, error);
  if (lc_history_get_n_stacks (context->history) > 0)
    return lc_statistics_blame (context->history, options->timelines[0], &asked, NULL, cancellable, error);
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
               _ ("the trace does not say where in the program its events are: record the program once more, with "
                  "lightcone record and without --no-sites"));
  return NULL;
}

static gpointer
view_flame_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) blame = NULL;
  LcFlameModel *model;
  guint ends;

  if (!lc_grid_find_amount (context->options.measure, amounts, G_N_ELEMENTS (amounts), &ends, error))
    return NULL;
  blame = view_flame_find_blame (context, cancellable, error);
  if (blame == NULL)
    return NULL;
  if (blame->len == 0)
    {
      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
                   _ ("nothing was waited for here: choose other processes, filters, or another part of the run"));
      return NULL;
    }
  model = g_new0 (LcFlameModel, 1);
  model->context = context;
  model->ends = ends;
  model->graph = lc_flame_graph_new (context->history, context->names, blame, ends);
  model->graph->zoomed = lc_flame_graph_find (model->graph, context->options.frame, &model->found);
  return model;
}

/* --- What is shown ------------------------------------------------------------------------------------------------ */

static char *
view_flame_tell (gpointer data)
{
  const LcFlameModel *model = data;
  const LcFlameFrame *all = lc_flame_graph_get (model->graph, 0);
  const LcFlameFrame *most = lc_flame_graph_get (model->graph, model->graph->order[all->children]);
  g_autofree char *time = lc_format_duration (all->time), *its_time = lc_format_duration (most->time);
  g_autofree char *share = lc_flame_dup_share (most->time, all->time);

  return g_strdup_printf (model->ends == LC_FLAME_ENDS_BLAMED ? _ ("Waiting: %s in all; %s of it (%s) made by %s.")
                                                              : _ ("Waiting: %s in all; %s of it (%s) in %s."),
                          time, its_time, share, most->name);
}

static void
view_flame_note_unknown (const LcFlameModel *model, LcFrame *frame, gboolean is_blamed)
{
  guint64 unknown = is_blamed ? model->graph->unknown_blamed : model->graph->unknown_waiter;
  g_autofree char *time = lc_format_duration (unknown);
  g_autofree char *share = lc_flame_dup_share (unknown, lc_flame_graph_get (model->graph, 0)->time);
  g_autofree char *note =
      g_strdup_printf (is_blamed ? _ ("Of %s (%s) the stack of who made others wait was not recorded.")
                                 : _ ("Of %s (%s) the stack of who waited was not recorded."),
                       time, share);

  if (unknown > 0)
    lc_frame_add_note (frame, note);
}

static void
view_flame_note_zoom (const LcFlameModel *model, LcFrame *frame)
{
  const LcFlameFrame *zoomed = lc_flame_graph_get (model->graph, model->graph->zoomed);
  guint64 all = lc_flame_graph_get (model->graph, 0)->time;
  g_autofree char *time = lc_format_duration (zoomed->time), *share = lc_flame_dup_share (zoomed->time, all);
  g_autofree char *note = g_strdup_printf (_ ("Zoomed to %s: %s, %s of all waiting here."), zoomed->name, time, share);

  if (model->graph->zoomed != 0)
    lc_frame_add_note (frame, note);
  if (!model->found)
    lc_frame_add_note (frame, _ ("The frame to zoom to has no waiting here: what is below it is shown."));
}

static void
view_flame_note_merged (const LcFlameModel *model, LcFrame *frame)
{
  guint64 n_merged = 0;
  g_autofree char *count = NULL, *note = NULL;

  for (guint i = 0; i < model->graph->boxes->len; i++)
    n_merged += g_array_index (model->graph->boxes, LcFlameBox, i).n_merged;
  if (n_merged == 0)
    return;
  count = lc_format_count (n_merged);
  note =
      g_strdup_printf (ngettext ("%s frame, narrower than a pixel, shares a box with its neighbours.",
                                 "%s frames, narrower than a pixel each, share boxes with their neighbours.", n_merged),
                       count);
  lc_frame_add_note (frame, note);
}

static void
view_flame_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  LcFlameModel *model = data;
  LcFlameGraph *graph = model->graph;
  const char *const titles[] = {
      [LC_FLAME_ENDS_BOTH] = _ ("Waiting, by the stack that waited, and upside down the one that made it wait"),
      [LC_FLAME_ENDS_WAITER] = _ ("Waiting, by the stack that waited"),
      [LC_FLAME_ENDS_BLAMED] = _ ("Waiting, by the stack that made others wait"),
  };
  guint64 time = lc_flame_graph_get (graph, graph->zoomed)->time;
  gboolean is_low = model->context->whole.height < LOW; /* then names of frames need the room of the axis */
  const LcAxisScale x = {.title = is_low ? NULL : titles[model->ends],
                         .brief = is_low ? NULL : _ ("Waiting"),
                         .kind = is_low ? LC_SCALE_NONE : LC_SCALE_TIME,
                         .to = (double)time};
  const LcAxisScale y = {.kind = LC_SCALE_NONE, .to = 1};
  g_autofree char *told = view_flame_tell (model);
  LcRectangle area;

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  lc_flame_add_legend (model, frame, canvas);
  lc_frame_add_note (frame, told);
  view_flame_note_unknown (model, frame, FALSE);
  view_flame_note_unknown (model, frame, TRUE);
  view_flame_note_zoom (model, frame);
  area = lc_frame_measure (frame, canvas, model->context->whole);
  lc_flame_graph_lay_out (graph, graph->zoomed, (double)time / MAX (area.width, 1));
  view_flame_note_merged (model, frame);
  if (!lc_flame_fits (model, lc_frame_measure (frame, canvas, model->context->whole)))
    lc_frame_add_note (frame, _ ("The highest frames have no room here: a larger picture shows them, and zooming in."));
}

static void
view_flame_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  lc_flame_paint (data, frame, canvas, area);
}

/* --- Boxes -------------------------------------------------------------------------------------------------------- */

static const LcFlameGraph *
view_flame_get_graph (gpointer data)
{
  return ((const LcFlameModel *)data)->graph;
}

static LcRectangle
view_flame_get_box (gpointer data, const LcFrame *frame, LcRectangle area, guint box)
{
  return lc_flame_get_box (data, frame, area, box);
}

static char *
view_flame_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const LcFlameModel *model = data;

  for (guint i = 0; i < model->graph->boxes->len; i++)
    {
      LcRectangle box = lc_flame_get_box (model, frame, area, i);

      if (place.x >= box.x && place.x < box.x + box.width && place.y >= MAX (box.y, area.y) &&
          place.y < box.y + box.height)
        return lc_flame_dup_box_text (model, i);
    }
  return NULL;
}

static char *
view_flame_dup_box_text (gpointer data, guint box)
{
  return lc_flame_dup_box_text (data, box);
}

const LcView lc_view_flame = {
    .info = {.name = "flame",
             .title = N_ ("Flame graph of waiting"),
             .summary = N_ ("Which stacks waited, and which made them wait: the wider, the longer (--by)."),
             .traits = LC_VIEW_SPAN | LC_VIEW_FILTERS | LC_VIEW_MEASURE | LC_VIEW_FRAME,
             .amounts = amounts,
             .n_amounts = G_N_ELEMENTS (amounts)},
    .gather = view_flame_gather,
    .describe = view_flame_describe,
    .paint = view_flame_paint,
    .text_at = view_flame_text_at,
    .get_graph = view_flame_get_graph,
    .get_box = view_flame_get_box,
    .dup_box_text = view_flame_dup_box_text,
    .tell = view_flame_tell,
    .free = view_flame_free,
};
