/* SPDX-License-Identifier: Apache-2.0 */
/* The view `parallelism-average`: how many processes run on average, in intervals, and which parts are sequential. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "over-time.h"
#include "parallelism.h"
#include "trace/quantities.h"

#define HEADROOM 1.04

enum
{
  INTERVALS = 40, /* as in the paper that this view comes from */
};

typedef struct
{
  const LcViewContext *context;
  GPtrArray *curves; /* LcCurve */
} Model;

static void
view_average_free_model (gpointer data)
{
  Model *model = data;

  g_ptr_array_unref (model->curves);
  g_free (model);
}

static gpointer
view_average_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  guint n = context->options.intervals > 0 ? context->options.intervals : INTERVALS;
  GPtrArray *curves = lc_curves_new (context, &lc_curves_of_running, n, 0, cancellable, error);
  Model *model;

  if (curves == NULL)
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->curves = curves;
  return model;
}

static char *
view_average_tell (gpointer data)
{
  return lc_curves_tell (((const Model *)data)->curves);
}

/* Sequential parts are shown for the last timeline, since users put the one that they ask about last. */
static const LcCurve *
get_main (const Model *model)
{
  return model->curves->pdata[model->curves->len - 1];
}

static gboolean
has_parallel_part (const LcCurve *curve)
{
  return curve->parallel_begin < curve->parallel_end;
}

static gboolean
has_sequential_parts (const LcCurve *curve)
{
  return has_parallel_part (curve) && (curve->parallel_begin > curve->from || curve->parallel_end < curve->to);
}

static LcStroke
get_parallel_stroke (const Model *model, LcCanvas *canvas)
{
  LcStroke stroke = lc_curves_get_average_stroke (model->curves, model->curves->len - 1, canvas);

  stroke.dashed = FALSE;
  stroke.width = 1.8;
  return stroke;
}

static LcFill
get_sequential_fill (LcCanvas *canvas)
{
  return (LcFill){.color = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_GRID),
                  .pattern = LC_PATTERN_BACK_HATCH};
}

static void
describe_averages (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = get_main (model);
  g_autofree char *parallel =
      g_strdup_printf (_ ("without the sequential parts %.2f"), lc_curve_get_parallel_average (curve));

  if (!has_sequential_parts (curve))
    return;
  lc_frame_add_line (frame, parallel, get_parallel_stroke (model, canvas));
  lc_frame_add_fill (frame, _ ("sequential: before the first and after the last time that two run"),
                     get_sequential_fill (canvas));
}

static void
view_average_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const LcAxisScale y = {.title = _ ("Running processes, on average"),
                         .brief = _ ("Running"),
                         .kind = LC_SCALE_NUMBER,
                         .to = HEADROOM * lc_curves_get_top (model->context, model->curves),
                         .grid = TRUE};
  const GArray *intervals = get_main (model)->intervals;
  const LcDegreeInterval *first = &g_array_index (intervals, LcDegreeInterval, 0);
  g_autofree char *count = lc_format_count (intervals->len);
  g_autofree char *length = lc_format_duration (first->end - first->begin);
  g_autofree char *note = g_strdup_printf (ngettext ("The average is over %s interval of %s.",
                                                     "The averages are over %s intervals of %s each.", intervals->len),
                                           count, length);

  lc_frame_set_time (frame, model->context->options.from, model->context->options.to);
  lc_frame_set_y (frame, &y);
  lc_curves_describe (model->curves, frame, canvas);
  describe_averages (model, frame, canvas);
  lc_frame_add_note (frame, note);
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

static void
view_average_paint_curve (const Model *model, guint number, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = model->curves->pdata[number];
  g_autofree LcPlace *places = g_new (LcPlace, 2 * (gsize)curve->intervals->len + 2);
  double last = 0;
  guint n = 0;

  for (guint i = 0; i < curve->intervals->len; i++)
    {
      const LcDegreeInterval *interval = &g_array_index (curve->intervals, LcDegreeInterval, i);
      double from = (double)MAX (interval->begin, curve->from), to = (double)MIN (interval->end, curve->to);
      double average = lc_degree_interval_get_average (interval);

      if (interval->known == 0)
        continue;
      if (n == 0)
        places[n++] = lc_over_time_place (frame, from, 0);
      places[n++] = lc_over_time_place (frame, from, average);
      places[n++] = lc_over_time_place (frame, to, average);
      last = to;
    }
  if (n == 0)
    return;
  places[n++] = lc_over_time_place (frame, last, 0);
  lc_canvas_polygon (canvas, lc_curves_get_fill (model->curves, number, canvas), places, n);
  lc_canvas_polyline (canvas, lc_curves_get_stroke (model->curves, number, canvas, 1.2), places, n);
}

static void
paint_sequential (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = get_main (model);
  double top = HEADROOM * lc_curves_get_top (model->context, model->curves);
  const LcRectangle boxes[] = {
      lc_over_time_box (frame, (double)curve->from, (double)curve->parallel_begin, 0, top),
      lc_over_time_box (frame, (double)curve->parallel_end, (double)curve->to, 0, top),
  };

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    if (MIN (boxes[i].width, boxes[i].height) >= 1)
      lc_canvas_rectangles (canvas, get_sequential_fill (canvas), &boxes[i], 1);
}

static void
paint_averages (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = get_main (model);
  LcLine parallel =
      lc_over_time_line (frame, curve->parallel_begin, curve->parallel_end, lc_curve_get_parallel_average (curve));

  for (guint i = 0; i < model->curves->len; i++)
    {
      const LcCurve *own = model->curves->pdata[i];
      LcLine all = lc_over_time_line (frame, own->from, own->to, lc_curve_get_average (own));

      lc_canvas_lines (canvas, lc_curves_get_average_stroke (model->curves, i, canvas), &all, 1);
    }
  if (has_sequential_parts (curve))
    lc_canvas_lines (canvas, get_parallel_stroke (model, canvas), &parallel, 1);
}

static void
view_average_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  lc_canvas_clip (canvas, area);
  if (has_sequential_parts (get_main (model)))
    paint_sequential (model, frame, canvas);
  for (guint i = 0; i < model->curves->len; i++)
    {
      lc_canvas_begin (canvas, "timeline", ((const LcCurve *)model->curves->pdata[i])->name);
      view_average_paint_curve (model, i, frame, canvas);
      lc_canvas_end (canvas);
    }
  paint_averages (model, frame, canvas);
  lc_canvas_unclip (canvas);
}

static char *
view_average_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 time;

  if (!lc_curves_find_time (frame, area, place, margin, &time))
    return NULL;
  for (guint i = 0; i < model->curves->len; i++)
    {
      const LcCurve *curve = model->curves->pdata[i];
      const LcDegreeInterval *interval = lc_curve_find_interval (curve, time);

      if (interval == NULL || interval->known == 0)
        continue;

      g_autofree char *begin = lc_format_moment (interval->begin, interval->end - interval->begin);
      g_autofree char *end = lc_format_moment (interval->end, interval->end - interval->begin);

      if (text->len == 0)
        g_string_append_printf (text, _ ("From %s to %s"), begin, end);
      g_string_append_c (text, '\n');
      if (model->curves->len > 1)
        g_string_append_printf (text, _ ("%s: "), curve->name);
      g_string_append_printf (text, _ ("%.2f processes on average, from %u to %u"),
                              lc_degree_interval_get_average (interval), interval->lowest, interval->highest);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static gboolean
view_average_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  spot->has_time = lc_curves_find_time (frame, area, place, 0, &spot->time);
  return spot->has_time;
}

const LcView lc_view_parallelism_average = {
    .info = {.name = "parallelism-average",
             .title = N_ ("Average parallelism"),
             .summary = N_ ("How many processes run on average in each of some intervals, with the sequential parts."),
             .traits = LC_VIEW_TIMELINES | LC_VIEW_SPAN | LC_VIEW_INTERVALS | LC_VIEW_OVER_TIME},
    .gather = view_average_gather,
    .describe = view_average_describe,
    .paint = view_average_paint,
    .text_at = view_average_text_at,
    .find = view_average_find,
    .tell = view_average_tell,
    .free = view_average_free_model,
};
