/* SPDX-License-Identifier: Apache-2.0 */
/* The view `ratio`: the length of the run, measured and approximated, in proportion to its length without
 * measurement. */
#include <glib/gi18n-lib.h>

#include "lightcone/statistics.h"
#include "trace/quantities.h"
#include "draw/picture-private.h"

#define HIGHEST_BAR 56.0
#define BAR_SHARE 0.6  /* share of a row that its bar takes */
#define LEAST_ROW 10.0 /* lower rows have no text beside their bars */
#define TEXT_ROOM 1.25 /* the axis is this much longer than the longest bar, for the texts */

typedef struct
{
  const LcViewContext *context;
  guint n_rows;
  guint64 *totals; /* by timeline */
  char **names;
  guint64 reference; /* the time that all are compared with; 0: none */
} Model;

static void
view_ratio_free_model (gpointer data)
{
  Model *model = data;

  g_strfreev (model->names);
  g_free (model->totals);
  g_free (model);
}

static gpointer
view_ratio_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  Model *model = g_new0 (Model, 1);

  model->context = context;
  model->n_rows = options->n_timelines;
  model->totals = g_new0 (guint64, model->n_rows);
  model->names = g_new0 (char *, model->n_rows + 1);
  for (guint i = 0; i < model->n_rows; i++)
    {
      model->names[i] = lc_picture_dup_timeline (context->timelines, options->timelines[i]);
      if (!lc_statistics_total (context->history, options->timelines[i], &model->totals[i], error))
        {
          view_ratio_free_model (model);
          return NULL;
        }
    }
  model->reference = options->actual;
  if (model->reference == 0 && !lc_statistics_total (context->history, LC_TIMELINE_MEASURED, &model->reference, error))
    {
      view_ratio_free_model (model);
      return NULL;
    }
  if (model->reference > 0)
    return model;
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
               _ ("the run took no time, so there is nothing to compare it with: record a longer one"));
  view_ratio_free_model (model);
  return NULL;
}

/* Gives the stroke of the line at the reference. */
static LcStroke
get_stroke (const Model *model, const LcCanvas *canvas)
{
  LcStroke stroke =
      lc_canvas_stroke (canvas, model->context->options.actual > 0 ? LC_INK_ACTUAL : LC_INK_FAINT_TEXT, 1.5);

  stroke.dashed = TRUE;
  return stroke;
}

static double
view_ratio_get_ratio (const Model *model, guint row)
{
  return (double)model->totals[row] / (double)model->reference;
}

static void
view_ratio_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  gboolean actual = model->context->options.actual > 0, approximated = FALSE;
  g_autofree char *reference = lc_format_duration (model->reference);
  g_autofree char *line =
      g_strdup_printf (actual ? _ ("Without the measurement it takes %s") : _ ("Measured: %s"), reference);
  LcAxisScale x = {
      .title = actual ? _ ("Total / actual") : _ ("Total / measured"), .kind = LC_SCALE_NUMBER, .grid = TRUE};
  const LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = model->n_rows, .names = (const char *const *)model->names};

  x.to = 1;
  for (guint i = 0; i < model->n_rows; i++)
    {
      x.to = MAX (x.to, view_ratio_get_ratio (model, i));
      approximated |= model->context->options.timelines[i] != LC_TIMELINE_MEASURED;
    }
  x.to *= TEXT_ROOM;
  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  lc_frame_add_fill (frame, _ ("Measured"), lc_canvas_fill (canvas, LC_INK_MEASURED, 1));
  if (approximated)
    lc_frame_add_fill (frame, _ ("Approximated"), lc_canvas_fill (canvas, LC_INK_APPROXIMATED, 1));
  lc_frame_add_line (frame, line, get_stroke (model, canvas));
  if (!approximated)
    lc_frame_add_note (frame, _ ("Nothing is approximated yet: lightcone approximate does it."));
  if (!actual)
    lc_frame_add_note (frame, _ ("How long the run takes without the measurement is not known: --actual tells it."));
}

static char *
dup_value (const Model *model, guint row)
{
  g_autofree char *total = lc_format_duration (model->totals[row]);

  return g_strdup_printf (_ ("%.3f (%s)"), view_ratio_get_ratio (model, row), total);
}

static void
view_ratio_paint_row (const Model *model, LcFrame *frame, LcCanvas *canvas, LcRectangle area, guint row)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_y = 0.5, .backdrop = TRUE};
  gboolean measured = model->context->options.timelines[row] == LC_TIMELINE_MEASURED;
  double top = lc_frame_get_y (frame, row), room = lc_frame_get_y (frame, row + 1) - top;
  double height = MIN (BAR_SHARE * room, HIGHEST_BAR), end = lc_frame_get_x (frame, view_ratio_get_ratio (model, row));
  const LcRectangle bar = {area.x, top + (room - height) / 2, end - area.x, height};
  g_autofree char *value = dup_value (model, row);
  double width, line;

  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, measured ? LC_INK_MEASURED : LC_INK_APPROXIMATED, 1), &bar, 1);
  lc_canvas_measure (canvas, &style, value, &width, &line);
  if (room >= MAX (line, LEAST_ROW) && end + 6 + width <= area.x + area.width)
    lc_canvas_text (canvas, &style, (LcPlace){end + 6, top + room / 2}, value);
}

static void
view_ratio_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  double one = lc_frame_get_x (frame, 1);
  const LcLine line = {one, area.y, one, area.y + area.height};
  LcStroke below =
      lc_canvas_stroke (canvas, LC_INK_PANEL, 4); /* a wider line below lets the line stand out on the bars */

  for (guint i = 0; i < model->n_rows; i++)
    view_ratio_paint_row (model, frame, canvas, area, i);
  lc_canvas_lines (canvas, below, &line, 1);
  lc_canvas_lines (canvas, get_stroke (model, canvas), &line, 1);
}

static char *
view_ratio_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  double share = (place.y - area.y) / area.height;
  g_autofree char *value = NULL;
  guint row;

  if (share < 0 || share >= 1 || place.x < area.x - margin || place.x > area.x + area.width)
    return NULL;
  row = (guint)(share * model->n_rows);
  value = dup_value (model, row);
  return g_strdup_printf ("%s\n%s", model->names[row], value);
}

static char *
view_ratio_tell (gpointer data)
{
  const Model *model = data;
  GString *text = g_string_new (model->context->options.actual > 0 ? _ ("In proportion to the actual time:")
                                                                   : _ ("In proportion to the measured time:"));

  for (guint i = 0; i < model->n_rows; i++)
    g_string_append_printf (text, "%s %s %.3f", i > 0 ? ";" : "", model->names[i], view_ratio_get_ratio (model, i));
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

const LcView lc_view_ratio = {
    .info = {.name = "ratio",
             .title = N_ ("Measured and approximated"),
             .summary = N_ ("How long the run took on each timeline, in proportion to how long it really takes."),
             .traits = LC_VIEW_TIMELINES | LC_VIEW_ALL_TIMELINES | LC_VIEW_ALL_PROCESSES | LC_VIEW_ACTUAL},
    .gather = view_ratio_gather,
    .describe = view_ratio_describe,
    .paint = view_ratio_paint,
    .text_at = view_ratio_text_at,
    .tell = view_ratio_tell,
    .free = view_ratio_free_model,
};
