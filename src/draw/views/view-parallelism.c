/* SPDX-License-Identifier: Apache-2.0 */
/* The views `parallelism` and `messages`: how many processes run, or messages are on their way, at each time, with
 * every change. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "over-time.h"
#include "parallelism.h"
#include "trace/quantities.h"

#define HEADROOM 1.04 /* times the highest degree */
#define BAND_STRENGTH 0.55
#define MARGIN 80.0 /* pixels that axes take, about */

typedef struct
{
  const LcViewContext *context;
  GPtrArray *curves; /* LcCurve */
  gboolean summed_up;
} Model;

static void
view_parallelism_free_model (gpointer data)
{
  Model *model = data;

  g_ptr_array_unref (model->curves);
  g_free (model);
}

static gpointer
view_parallelism_count (const LcViewContext *context, const LcCurveKind *kind, GCancellable *cancellable,
                        GError **error)
{
  guint columns = (guint)CLAMP (lc_over_time_get_length (context) - MARGIN, 1, 100000);
  GPtrArray *curves = lc_curves_new (context, kind, columns, columns, cancellable, error);
  Model *model;

  if (curves == NULL)
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->curves = curves;
  for (guint i = 0; i < curves->len; i++)
    model->summed_up |= ((const LcCurve *)curves->pdata[i])->degrees == NULL;
  for (guint i = 0; i < curves->len && model->summed_up; i++) /* all are summed up then, so that they can be compared */
    g_clear_pointer (&((LcCurve *)curves->pdata[i])->degrees, g_array_unref);
  return model;
}

static gpointer
view_parallelism_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  return view_parallelism_count (context, &lc_curves_of_running, cancellable, error);
}

static gpointer
view_messages_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  return view_parallelism_count (context, &lc_curves_of_messages, cancellable, error);
}

static char *
view_parallelism_tell (gpointer data)
{
  return lc_curves_tell (((const Model *)data)->curves);
}

static const LcCurve *
get_busiest (const Model *model)
{
  const LcCurve *busiest = model->curves->pdata[0];

  for (guint i = 1; i < model->curves->len; i++)
    if (((const LcCurve *)model->curves->pdata[i])->n_degrees > busiest->n_degrees)
      busiest = model->curves->pdata[i];
  return busiest;
}

static void
describe_summary (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = get_busiest (model);
  const LcDegreeInterval *first = &g_array_index (curve->intervals, LcDegreeInterval, 0);
  g_autofree char *length = lc_format_duration (first->end - first->begin);
  double density = (double)curve->n_degrees / MAX (curve->intervals->len, 1);
  g_autofree char *changes = density < 10 ? g_strdup_printf ("%.1f", density) : lc_format_count ((guint64)density);
  g_autofree char *note = g_strdup_printf (
      _ ("There are more changes than pixels: each stands for %s, with %s changes on average. The band is "
         "from the lowest to the highest number in it, the line is the average."),
      length, changes);
  LcColor color = lc_curves_get_fill (model->curves, model->curves->len - 1, canvas).color;

  color.alpha *= BAND_STRENGTH;
  lc_frame_add_fill (frame, _ ("from lowest to highest"), lc_canvas_color_fill (color));
  lc_frame_add_note (frame, note);
}

static void
view_parallelism_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const LcCurveKind *kind = get_busiest (model)->kind;
  const LcAxisScale y = {.title = _ (kind->title),
                         .brief = _ (kind->brief),
                         .kind = LC_SCALE_COUNT,
                         .to = HEADROOM * lc_curves_get_top (model->context, model->curves),
                         .grid = TRUE};

  lc_frame_set_time (frame, model->context->options.from, model->context->options.to);
  lc_frame_set_y (frame, &y);
  lc_curves_describe (model->curves, frame, canvas);
  if (kind == &lc_curves_of_messages)
    lc_frame_add_note (frame, _ ("Messages that nobody received, and of a process to itself, are not counted."));
  if (model->summed_up)
    describe_summary (model, frame, canvas);
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

static LcPlace
place_at (const LcFrame *frame, guint64 time, double count)
{
  return lc_over_time_place (frame, (double)time, count);
}

static void
add_place (GArray *places, LcPlace place)
{
  g_array_append_val (places, place);
}

static const LcPlace *
get_places (const GArray *places)
{
  return (const LcPlace *)(const void *)places->data;
}

/* Paints steps, with the area below them. */
static void
paint_degrees (const Model *model, guint number, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = model->curves->pdata[number];
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (LcPlace));

  add_place (places, place_at (frame, curve->from, 0));
  for (guint i = 0; i < curve->degrees->len; i++)
    {
      const LcDegree *degree = &g_array_index (curve->degrees, LcDegree, i);

      add_place (places, place_at (frame, degree->begin, degree->count));
      add_place (places, place_at (frame, degree->end, degree->count));
    }
  add_place (places, place_at (frame, curve->to, 0));
  lc_canvas_polygon (canvas, lc_curves_get_fill (model->curves, number, canvas), get_places (places), places->len);
  lc_canvas_polyline (canvas, lc_curves_get_stroke (model->curves, number, canvas, 1.2), get_places (places),
                      places->len);
}

static LcPlace
view_parallelism_middle_of (const LcFrame *frame, const LcDegreeInterval *interval, double count)
{
  return lc_over_time_place (frame, ((double)interval->begin + (double)interval->end) / 2, count);
}

/* Paints the intervals: a line for the averages, a band from the lowest to the highest degree, and the area below the
 * lowest. */
static void
paint_intervals (const Model *model, guint number, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = model->curves->pdata[number];
  g_autoptr (GArray) band = g_array_new (FALSE, FALSE, sizeof (LcPlace));
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (LcPlace));
  g_autoptr (GArray) below = g_array_new (FALSE, FALSE, sizeof (LcPlace));
  LcFill fill = lc_curves_get_fill (model->curves, number, canvas);

  add_place (below, place_at (frame, curve->to, 0));
  add_place (below, place_at (frame, curve->from, 0));
  for (guint i = 0; i < curve->intervals->len; i++)
    {
      const LcDegreeInterval *interval = &g_array_index (curve->intervals, LcDegreeInterval, i);

      if (interval->known == 0)
        continue;
      add_place (line, view_parallelism_middle_of (frame, interval, lc_degree_interval_get_average (interval)));
      add_place (band, view_parallelism_middle_of (frame, interval, interval->highest));
      add_place (below, view_parallelism_middle_of (frame, interval, interval->lowest));
    }
  for (guint i = below->len; i-- > 2;)
    add_place (band, get_places (below)[i]);
  lc_canvas_polygon (canvas, fill, get_places (below), below->len);
  fill.color.alpha *= BAND_STRENGTH;
  lc_canvas_polygon (canvas, fill, get_places (band), band->len);
  lc_canvas_polyline (canvas, lc_curves_get_stroke (model->curves, number, canvas, 1.2), get_places (line), line->len);
}

static void
view_parallelism_paint_average (const Model *model, guint number, LcFrame *frame, LcCanvas *canvas)
{
  const LcCurve *curve = model->curves->pdata[number];
  LcLine line = lc_over_time_line (frame, curve->from, curve->to, lc_curve_get_average (curve));

  lc_canvas_lines (canvas, lc_curves_get_average_stroke (model->curves, number, canvas), &line, 1);
}

static void
view_parallelism_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  lc_canvas_clip (canvas, area);
  for (guint i = 0; i < model->curves->len; i++)
    {
      const LcCurve *curve = model->curves->pdata[i];

      lc_canvas_begin (canvas, "timeline", curve->name);
      if (curve->degrees != NULL)
        paint_degrees (model, i, frame, canvas);
      else
        paint_intervals (model, i, frame, canvas);
      view_parallelism_paint_average (model, i, frame, canvas);
      lc_canvas_end (canvas);
    }
  lc_canvas_unclip (canvas);
}

/* --- Hit test ----------------------------------------------------------------------------------------------------- */

static const LcDegree *
find_degree (const LcCurve *curve, guint64 time)
{
  guint below = 0, above = curve->degrees->len;

  while (below < above)
    {
      guint middle = below + (above - below) / 2;
      const LcDegree *degree = &g_array_index (curve->degrees, LcDegree, middle);

      if (time < degree->begin)
        above = middle;
      else if (time >= degree->end)
        below = middle + 1;
      else
        return degree;
    }
  return NULL;
}

static void
add_exact (GString *text, const LcCurveKind *kind, const LcDegree *degree)
{
  g_autofree char *begin = lc_format_moment (degree->begin, degree->end - degree->begin);
  g_autofree char *end = lc_format_moment (degree->end, degree->end - degree->begin);
  g_autofree char *told = kind->dup_degree (degree->count, begin, end);

  g_string_append (text, told);
}

static void
view_parallelism_add_summary (GString *text, const LcCurveKind *kind, const LcDegreeInterval *interval)
{
  g_autofree char *begin = lc_format_moment (interval->begin, interval->end - interval->begin);
  g_autofree char *end = lc_format_moment (interval->end, interval->end - interval->begin);
  g_autofree char *told =
      kind->dup_summary (lc_degree_interval_get_average (interval), interval->lowest, interval->highest, begin, end);

  g_string_append (text, told);
}

static char *
view_parallelism_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 time;

  if (!lc_curves_find_time (frame, area, place, margin, &time))
    return NULL;
  for (guint i = 0; i < model->curves->len; i++)
    {
      const LcCurve *curve = model->curves->pdata[i];
      const LcDegree *degree = curve->degrees != NULL ? find_degree (curve, time) : NULL;
      const LcDegreeInterval *interval = lc_curve_find_interval (curve, time);

      if (degree == NULL && (curve->degrees != NULL || interval == NULL || interval->known == 0))
        continue;
      g_string_append (text, text->len > 0 ? "\n" : "");
      if (model->curves->len > 1)
        g_string_append_printf (text, _ ("%s: "), curve->name);
      if (degree != NULL)
        add_exact (text, curve->kind, degree);
      else
        view_parallelism_add_summary (text, curve->kind, interval);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static gboolean
view_parallelism_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  spot->has_time = lc_curves_find_time (frame, area, place, 0, &spot->time);
  return spot->has_time;
}

const LcView lc_view_parallelism = {
    .info = {.name = "parallelism",
             .title = N_ ("Parallelism over time"),
             .summary = N_ ("How many processes run at each time."),
             .traits = LC_VIEW_TIMELINES | LC_VIEW_SPAN | LC_VIEW_OVER_TIME},
    .gather = view_parallelism_gather,
    .describe = view_parallelism_describe,
    .paint = view_parallelism_paint,
    .text_at = view_parallelism_text_at,
    .find = view_parallelism_find,
    .tell = view_parallelism_tell,
    .free = view_parallelism_free_model,
};

const LcView lc_view_messages = {
    .info = {.name = "messages",
             .title = N_ ("Messages over time"),
             .summary = N_ ("How many messages were sent and not received yet, at each time."),
             .traits = LC_VIEW_TIMELINES | LC_VIEW_SPAN | LC_VIEW_OVER_TIME},
    .gather = view_messages_gather,
    .describe = view_parallelism_describe,
    .paint = view_parallelism_paint,
    .text_at = view_parallelism_text_at,
    .find = view_parallelism_find,
    .tell = view_parallelism_tell,
    .free = view_parallelism_free_model,
};
