/* SPDX-License-Identifier: Apache-2.0 */
/* The view `parallelism-histogram`: the share of the time during which exactly so many processes run. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "parallelism.h"
#include "trace/quantities.h"

#define HEADROOM 1.08   /* for the texts above the bars */
#define LEAST_SLOT 4.0  /* pixels for a degree; with less, several share a bar */
#define SLOT_SHARE 0.78 /* share of a degree's room that its bars take */
#define TEXT_SLOT 38.0  /* pixels: bars at least this wide have their share written above them */

typedef struct
{
  const LcViewContext *context;
  GPtrArray *curves; /* LcCurve */
  guint32 n_levels;  /* degrees that are shown */
} Model;

static void
view_histogram_free_model (gpointer data)
{
  Model *model = data;

  g_ptr_array_unref (model->curves);
  g_free (model);
}

static gpointer
view_histogram_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  GPtrArray *curves = lc_curves_new (context, &lc_curves_of_running, 1, 0, cancellable, error);
  Model *model;

  if (curves == NULL)
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->curves = curves;
  model->n_levels = (guint32)lc_curves_get_top (context, curves) + 1;
  return model;
}

static char *
view_histogram_tell (gpointer data)
{
  return lc_curves_tell (((const Model *)data)->curves);
}

/* The number of degrees in one bar. */
static guint32
view_histogram_get_group (const Model *model, LcRectangle area)
{
  return (guint32)MAX (1, ceil (model->n_levels * LEAST_SLOT / MAX (area.width, LEAST_SLOT)));
}

/* The share of the time in which one of `n` degrees is reached. */
static double
view_histogram_get_share (const LcCurve *curve, guint32 first, guint32 n)
{
  guint64 time = 0;

  for (guint32 i = first; i < MIN (first + n, curve->n_levels); i++)
    time += curve->levels[i];
  return curve->to > curve->from ? (double)time / (double)(curve->to - curve->from) : 0;
}

static double
get_largest (const Model *model, guint32 group)
{
  double largest = 0;

  for (guint i = 0; i < model->curves->len; i++)
    for (guint32 k = 0; k < model->n_levels; k += group)
      largest = MAX (largest, view_histogram_get_share (model->curves->pdata[i], k, group));
  return largest > 0 ? largest : 1;
}

static LcFill
view_histogram_get_fill (const Model *model, LcCanvas *canvas, guint number)
{
  LcFill fill = lc_curves_get_fill (model->curves, number, canvas);

  fill.color.alpha = 1;
  return fill;
}

static void
view_histogram_describe_notes (const Model *model, LcFrame *frame, guint32 group)
{
  g_autofree char *together = lc_format_count (group);
  g_autofree char *note =
      g_strdup_printf (_ ("Each bar stands for %s degrees of parallelism that follow each other."), together);
  g_autofree char *most = lc_format_count (model->n_levels - 1), *all = NULL, *cut = NULL;

  if (group > 1)
    lc_frame_add_note (frame, note);
  all = lc_format_count (model->context->options.selection.n_processes);
  cut = g_strdup_printf (_ ("Never more than %s of the %s processes ran at the same time."), most, all);
  if (model->n_levels <= model->context->options.selection.n_processes)
    lc_frame_add_note (frame, cut);
}

static void
view_histogram_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const LcAxisScale x = {.title = _ ("Processes running at the same time"),
                         .kind = LC_SCALE_COUNT,
                         .from = -0.5,
                         .to = model->n_levels - 0.5};
  LcAxisScale y = {.title = _ ("Share of the time"), .kind = LC_SCALE_PERCENT, .to = HEADROOM, .grid = TRUE};
  guint32 group;

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  lc_curves_describe (model->curves, frame, canvas);
  group = view_histogram_get_group (model, lc_frame_measure (frame, canvas, model->context->whole));
  y.to = HEADROOM * get_largest (model, group);
  lc_frame_set_y (frame, &y);
  view_histogram_describe_notes (model, frame, group);
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

static LcRectangle
view_histogram_get_bar (const Model *model, const LcFrame *frame, guint number, guint32 first, guint32 group)
{
  double left = lc_frame_get_x (frame, first - 0.5), right = lc_frame_get_x (frame, first + group - 0.5);
  double share = right - left >= 2 * LEAST_SLOT ? SLOT_SHARE : 1;
  double width = (right - left) * share / model->curves->len;
  double top = lc_frame_get_y (frame, view_histogram_get_share (model->curves->pdata[number], first, group));

  return (LcRectangle){left + (right - left) * (1 - share) / 2 + number * width, top, width,
                       lc_frame_get_y (frame, 0) - top};
}

static void
view_histogram_paint_shares (const Model *model, guint number, LcCanvas *canvas, const LcRectangle *bars,
                             const guint32 *levels, guint n_bars, guint32 group)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT, .align_x = 0.5, .align_y = 1};

  for (guint i = 0; i < n_bars; i++)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("%.1f %%"), 100 * view_histogram_get_share (model->curves->pdata[number], levels[i], group));

      if (bars[i].width >= TEXT_SLOT)
        lc_canvas_text (canvas, &style, (LcPlace){bars[i].x + bars[i].width / 2, bars[i].y - 2}, text);
    }
}

static void
view_histogram_paint_curve (const Model *model, guint number, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const LcCurve *curve = model->curves->pdata[number];
  guint32 group = view_histogram_get_group (model, area), n_bars = 0;
  g_autofree LcRectangle *bars = g_new (LcRectangle, model->n_levels);
  g_autofree guint32 *levels = g_new (guint32, model->n_levels);

  for (guint32 i = 0; i < model->n_levels; i += group)
    if (view_histogram_get_share (curve, i, group) > 0)
      {
        bars[n_bars] = view_histogram_get_bar (model, frame, number, i, group);
        levels[n_bars++] = i;
      }
  lc_canvas_rectangles (canvas, view_histogram_get_fill (model, canvas, number), bars, n_bars);
  view_histogram_paint_shares (model, number, canvas, bars, levels, n_bars, group);
}

static void
view_histogram_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  for (guint i = 0; i < model->curves->len; i++)
    {
      double x = lc_frame_get_x (frame, lc_curve_get_average (model->curves->pdata[i]));
      const LcLine line = {x, area.y, x, area.y + area.height};

      lc_canvas_begin (canvas, "timeline", ((const LcCurve *)model->curves->pdata[i])->name);
      view_histogram_paint_curve (model, i, frame, canvas, area);
      lc_canvas_lines (canvas, lc_curves_get_average_stroke (model->curves, i, canvas), &line, 1);
      lc_canvas_end (canvas);
    }
}

static char *
view_histogram_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  double share = (place.x - area.x) / area.width;
  guint32 group = view_histogram_get_group (model, area), first, last;
  GString *text;

  if (share < 0 || share >= 1 || place.y < area.y - margin || place.y > area.y + area.height + margin)
    return NULL;
  first = (guint32)(share * model->n_levels) / group * group;
  last = MIN (first + group, model->n_levels) - 1;
  text = g_string_new (NULL);
  if (first == last)
    g_string_append_printf (text, ngettext ("%u process runs", "%u processes run", first), first);
  else
    g_string_append_printf (text, _ ("From %u to %u processes run"), first, last);
  for (guint i = 0; i < model->curves->len; i++)
    {
      const LcCurve *curve = model->curves->pdata[i];
      double of_time = view_histogram_get_share (curve, first, group);
      g_autofree char *time = lc_format_duration ((guint64)round (of_time * (double)(curve->to - curve->from)));

      g_string_append_c (text, '\n');
      if (model->curves->len > 1)
        g_string_append_printf (text, _ ("%s: "), curve->name);
      g_string_append_printf (text, _ ("%s (%.1f %%)"), time, 100 * of_time);
    }
  return g_string_free (text, FALSE);
}

const LcView lc_view_parallelism_histogram = {
    .info = {.name = "parallelism-histogram",
             .title = N_ ("Degrees of parallelism"),
             .summary = N_ ("For how much of the time exactly so many processes run."),
             .traits = LC_VIEW_TIMELINES | LC_VIEW_SPAN},
    .gather = view_histogram_gather,
    .describe = view_histogram_describe,
    .paint = view_histogram_paint,
    .text_at = view_histogram_text_at,
    .tell = view_histogram_tell,
    .free = view_histogram_free_model,
};
