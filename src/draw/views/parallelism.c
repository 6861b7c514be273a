/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of processes that run, or of messages that are on their way, at the same time. */
#include "parallelism.h"

#include <glib/gi18n-lib.h>

#include "draw/picture-private.h"
#include "lightcone/statistics.h"
#include "over-time.h"
#include "state-looks.h"

#define AREA_STRENGTH 0.45
#define BESIDE_STRENGTH 0.3
#define LINE_STRENGTH 0.3 /* share of the text's colour in the colour of a line */
#define AVERAGE_STRENGTH 0.65

typedef struct
{
  LcCurve *curve;
  guint at; /* the interval that the last degree ended in */
  guint64 most_degrees;
  guint64 before; /* time that processes ran before the parallel part */
} Gathering;

static void
curve_free (gpointer data)
{
  LcCurve *curve = data;

  g_clear_pointer (&curve->degrees, g_array_unref);
  g_clear_pointer (&curve->intervals, g_array_unref);
  g_free (curve->levels);
  g_free (curve->name);
  g_free (curve);
}

static void
add_to_intervals (Gathering *gathering, guint64 from, guint64 to, guint32 count)
{
  GArray *intervals = gathering->curve->intervals;

  while (from < to && gathering->at < intervals->len)
    {
      LcDegreeInterval *interval = &g_array_index (intervals, LcDegreeInterval, gathering->at);
      guint64 first = MAX (from, interval->begin), last = MIN (to, interval->end);

      if (last > first)
        {
          interval->lowest = interval->known > 0 ? MIN (interval->lowest, count) : count;
          interval->highest = MAX (interval->highest, count);
          interval->known += last - first;
          interval->sum += (last - first) * count;
        }
      from = last;
      if (interval->end > to)
        break;
      gathering->at++;
    }
}

static void
curve_add_running (Gathering *gathering, guint64 from, guint64 to, guint32 count)
{
  LcCurve *curve = gathering->curve;

  if (count >= 2 && curve->parallel_end == 0)
    {
      curve->parallel_begin = from;
      gathering->before = curve->sum;
    }
  if (count >= 2)
    {
      curve->parallel_end = to;
      curve->parallel_running = curve->sum + (to - from) * count - gathering->before;
    }
  curve->levels[MIN (count, curve->n_levels - 1)] += to - from;
}

static gboolean
draw_parallelism_add_degree (guint64 from, guint64 to, guint32 count, gpointer data)
{
  Gathering *gathering = data;
  LcCurve *curve = gathering->curve;
  const LcDegree degree = {from, to, count};

  if (curve->n_degrees++ == 0)
    {
      curve->from = from;
      curve->lowest = count;
    }
  curve->to = to;
  curve->lowest = MIN (curve->lowest, count);
  curve->highest = MAX (curve->highest, count);
  if (curve->kind->of_processes)
    curve_add_running (gathering, from, to, count);
  curve->sum += (to - from) * count;
  if (curve->degrees != NULL && curve->n_degrees > gathering->most_degrees)
    g_clear_pointer (&curve->degrees, g_array_unref);
  if (curve->degrees != NULL)
    g_array_append_val (curve->degrees, degree);
  add_to_intervals (gathering, from, to, count);
  return TRUE;
}

/* Makes intervals of equal length, to the nanosecond. */
static GArray *
make_intervals (guint64 from, guint64 to, guint most)
{
  guint64 length = to - from, n = MIN (length, most);
  GArray *intervals = g_array_new (FALSE, TRUE, sizeof (LcDegreeInterval));

  for (guint64 i = 0; i < n; i++)
    {
      const LcDegreeInterval interval = {.begin = from + length / n * i + length % n * i / n,
                                         .end = from + length / n * (i + 1) + length % n * (i + 1) / n};

      g_array_append_val (intervals, interval);
    }
  return intervals;
}

static LcCurve *
curve_new (const LcViewContext *context, const LcCurveKind *kind, guint32 timeline, guint n_intervals,
           guint64 most_degrees, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  const LcParallelismPart part = {options->selection.processes, options->selection.n_processes, options->from,
                                  options->to};
  LcCurve *curve = g_new0 (LcCurve, 1);
  Gathering gathering = {curve, 0, most_degrees, 0};

  curve->kind = kind;
  curve->timeline = timeline;
  curve->name = lc_picture_dup_timeline (context->timelines, timeline);
  curve->n_levels = options->selection.n_processes + 1;
  curve->levels = g_new0 (guint64, curve->n_levels);
  curve->intervals = make_intervals (options->from, options->to, n_intervals);
  if (most_degrees > 0)
    curve->degrees = g_array_new (FALSE, FALSE, sizeof (LcDegree));
  if (kind->visit (context->history, timeline, &part, draw_parallelism_add_degree, &gathering, cancellable, error))
    return curve;
  curve_free (curve);
  return NULL;
}

GPtrArray *
lc_curves_new (const LcViewContext *context, const LcCurveKind *kind, guint n_intervals, guint64 most_degrees,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) curves = g_ptr_array_new_with_free_func (curve_free);
  gboolean any = FALSE;

  for (guint i = 0; i < context->options.n_timelines; i++)
    {
      LcCurve *curve =
          curve_new (context, kind, context->options.timelines[i], n_intervals, most_degrees, cancellable, error);

      if (curve == NULL)
        return NULL;
      any |= curve->n_degrees > 0;
      g_ptr_array_add (curves, curve);
    }
  if (any)
    return g_steal_pointer (&curves);
  kind->fail_empty (error);
  return NULL;
}

/* --- Results ------------------------------------------------------------------------------------------------------ */

static double
parallelism_divide (guint64 sum, guint64 length)
{
  return length > 0 ? (double)sum / (double)length : 0;
}

double
lc_curve_get_average (const LcCurve *curve)
{
  return parallelism_divide (curve->sum, curve->to - curve->from);
}

double
lc_curve_get_parallel_average (const LcCurve *curve)
{
  return parallelism_divide (curve->parallel_running, curve->parallel_end - curve->parallel_begin);
}

double
lc_degree_interval_get_average (const LcDegreeInterval *interval)
{
  return parallelism_divide (interval->sum, interval->known);
}

gboolean
lc_curves_find_time (const LcFrame *frame, LcRectangle area, LcPlace place, double margin, guint64 *time)
{
  gboolean within = lc_over_time_find (frame, area, place, time, NULL);

  if (lc_frame_is_turned (frame))
    return within && place.x >= area.x - margin && place.x <= area.x + area.width + margin;
  return within && place.y >= area.y - margin && place.y <= area.y + area.height + margin;
}

const LcDegreeInterval *
lc_curve_find_interval (const LcCurve *curve, guint64 time)
{
  guint below = 0, above = curve->intervals->len;

  while (below < above)
    {
      guint middle = below + (above - below) / 2;
      const LcDegreeInterval *interval = &g_array_index (curve->intervals, LcDegreeInterval, middle);

      if (time < interval->begin)
        above = middle;
      else if (time >= interval->end)
        below = middle + 1;
      else
        return interval;
    }
  return NULL;
}

/* The axis shows all processes, unless most of them never run at the same time; of what is not processes, what there
 * is. */
double
lc_curves_get_top (const LcViewContext *context, const GPtrArray *curves)
{
  guint32 highest = 1, n = MAX (context->options.selection.n_processes, 1);

  for (guint i = 0; i < curves->len; i++)
    highest = MAX (highest, ((const LcCurve *)curves->pdata[i])->highest);
  if (!((const LcCurve *)curves->pdata[0])->kind->of_processes)
    return highest;
  return n <= 8 || highest > n / 2 ? n : highest;
}

/* --- Look --------------------------------------------------------------------------------------------------------- */

/* The number of approximated timelines before the n-th curve. */
static guint
count_approximated (const GPtrArray *curves, guint n)
{
  guint number = 0;

  for (guint i = 0; i < n; i++)
    number += ((const LcCurve *)curves->pdata[i])->timeline != LC_TIMELINE_MEASURED;
  return number;
}

static LcColor
parallelism_get_color (const GPtrArray *curves, guint n, LcCanvas *canvas)
{
  const LcCurve *curve = curves->pdata[n];
  LcTheme theme = lc_canvas_get_theme (canvas);
  guint number = count_approximated (curves, n);

  if (curve->timeline == LC_TIMELINE_MEASURED)
    return lc_palette_get_color (theme, curves->len > 1 ? LC_INK_MEASURED : curve->kind->ink);
  return number == 0 ? lc_palette_get_color (theme, LC_INK_APPROXIMATED) : lc_palette_get_series (theme, number);
}

LcFill
lc_curves_get_fill (const GPtrArray *curves, guint n, LcCanvas *canvas)
{
  LcColor color = parallelism_get_color (curves, n, canvas);

  if (curves->len > 1 && n > 0)
    color.alpha = BESIDE_STRENGTH;
  else if (!lc_theme_has_contrast (lc_canvas_get_theme (canvas)))
    color.alpha = AREA_STRENGTH;
  return lc_canvas_color_fill (color);
}

LcStroke
lc_curves_get_stroke (const GPtrArray *curves, guint n, LcCanvas *canvas, double width)
{
  LcColor text = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_TEXT);

  return (LcStroke){.color = lc_color_mix (parallelism_get_color (curves, n, canvas), text, LINE_STRENGTH),
                    .width = width};
}

/* The stroke must stand out on the area of its own colour, too. */
LcStroke
lc_curves_get_average_stroke (const GPtrArray *curves, guint n, LcCanvas *canvas)
{
  LcColor text = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_TEXT);

  return (LcStroke){.color = lc_color_mix (parallelism_get_color (curves, n, canvas), text, AVERAGE_STRENGTH),
                    .width = 1.2,
                    .dashed = TRUE};
}

void
lc_curves_describe (const GPtrArray *curves, LcFrame *frame, LcCanvas *canvas)
{
  LcStroke stroke = lc_curves_get_average_stroke (curves, 0, canvas);

  for (guint i = 0; i < curves->len; i++)
    {
      const LcCurve *curve = curves->pdata[i];
      double average = lc_curve_get_average (curve);
      g_autofree char *alone = g_strdup_printf (_ ("on average %.2f"), average);
      g_autofree char *beside = g_strdup_printf (_ ("%s, on average %.2f"), curve->name, average);

      if (curves->len > 1)
        lc_frame_add_fill (frame, beside, lc_canvas_color_fill (parallelism_get_color (curves, i, canvas)));
      else
        lc_frame_add_line (frame, alone, stroke);
    }
  if (curves->len > 1)
    lc_frame_add_line (frame, _ ("average"), stroke);
}

char *
lc_curves_tell (const GPtrArray *curves)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < curves->len; i++)
    {
      const LcCurve *curve = curves->pdata[i];
      g_autofree char *average = curve->n_degrees > 0 ? curve->kind->dup_average (curve) : NULL;

      if (average == NULL)
        continue;
      g_string_append (text, text->len > 0 ? " " : "");
      if (curves->len > 1)
        g_string_append_printf (text, _ ("%s: "), curve->name);
      g_string_append (text, average);
    }
  return g_string_free (text, FALSE);
}

/* --- Processes that run ------------------------------------------------------------------------------------------- */

static char *
running_dup_average (const LcCurve *curve)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ ("%.2f processes run on average, at least %u and at most %u."),
                          lc_curve_get_average (curve), curve->lowest, curve->highest);
  if (curve->parallel_end > curve->parallel_begin && curve->parallel_running < curve->sum)
    g_string_append_printf (text, _ (" Without the sequential parts it is %.2f."),
                            lc_curve_get_parallel_average (curve));
  return g_string_free (text, FALSE);
}

static char *
running_dup_degree (guint32 count, const char *begin, const char *end)
{
  return g_strdup_printf (ngettext ("%u process runs from %s to %s", "%u processes run from %s to %s", count), count,
                          begin, end);
}

static char *
running_dup_summary (double average, guint32 lowest, guint32 highest, const char *begin, const char *end)
{
  return g_strdup_printf (_ ("%.2f processes on average, from %u to %u, from %s to %s"), average, lowest, highest,
                          begin, end);
}

const LcCurveKind lc_curves_of_running = {
    .visit = lc_statistics_visit_parallelism,
    .of_processes = TRUE,
    .ink = LC_INK_RUNNING,
    .title = N_ ("Running processes"),
    .brief = N_ ("Running"),
    .dup_average = running_dup_average,
    .dup_degree = running_dup_degree,
    .dup_summary = running_dup_summary,
    .fail_empty = lc_state_looks_fail_idle,
};

/* --- Messages on their way ---------------------------------------------------------------------------------------- */

static char *
messages_dup_average (const LcCurve *curve)
{
  return g_strdup_printf (_ ("%.2f messages are on their way on average, at least %u and at most %u."),
                          lc_curve_get_average (curve), curve->lowest, curve->highest);
}

static char *
messages_dup_degree (guint32 count, const char *begin, const char *end)
{
  return g_strdup_printf (
      ngettext ("%u message is on its way from %s to %s", "%u messages are on their way from %s to %s", count), count,
      begin, end);
}

static char *
messages_dup_summary (double average, guint32 lowest, guint32 highest, const char *begin, const char *end)
{
  return g_strdup_printf (_ ("%.2f messages on average, from %u to %u, from %s to %s"), average, lowest, highest, begin,
                          end);
}

static gboolean
messages_fail_empty (GError **error)
{
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
               _ ("no message went from or to these processes here (collective operations, one-sided communication, "
                  "pipes and messages of a process to itself are not counted): choose other processes, or another part "
                  "of the run"));
  return FALSE;
}

const LcCurveKind lc_curves_of_messages = {
    .visit = lc_statistics_visit_messages,
    .ink = LC_INK_MESSAGE,
    .title = N_ ("Messages on their way"),
    .brief = N_ ("Messages"),
    .dup_average = messages_dup_average,
    .dup_degree = messages_dup_degree,
    .dup_summary = messages_dup_summary,
    .fail_empty = messages_fail_empty,
};
