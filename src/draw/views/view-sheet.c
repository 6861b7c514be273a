/* SPDX-License-Identifier: Apache-2.0 */
/* The views that are added while the program runs: each is a sheet that somebody else makes. */
#include "view-sheet.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "history/names.h"
#include "over-time.h"
#include "sheet-paint.h"
#include "trace/quantities.h"

#define ROOM 0.03 /* share of an axis beyond the marks */
#define REACH 6.0 /* pixels around a place in which a click finds a mark */

/* One for the whole program, set before there are threads that draw. */
static struct
{
  LcSheetMake make;
  gpointer data;
} maker;

typedef struct
{
  GVariant *data;
  LcSheet *sheet;
  char **names[2]; /* of the axes x, y, without characters that are not to be shown */
  char *titles[2];
} Model;

void
lc_sheets_set_maker (LcSheetMake make, gpointer data)
{
  maker.make = make;
  maker.data = data;
}

static void
view_sheet_free_model (gpointer data)
{
  Model *model = data;

  lc_sheet_free (model->sheet);
  g_variant_unref (model->data);
  for (guint i = 0; i < 2; i++)
    {
      g_strfreev (model->names[i]);
      g_free (model->titles[i]);
    }
  g_free (model);
}

static char **
view_sheet_dup_names (const LcSheetAxis *axis)
{
  char **names = g_new0 (char *, axis->n_names + 1);

  for (guint i = 0; i < axis->n_names; i++)
    names[i] = lc_format_text (axis->names[i]);
  return names;
}

static const char *
view_sheet_get_timeline (const LcViewContext *context)
{
  for (guint i = 0; i < context->timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = context->timelines->pdata[i];

      if (timeline->id == context->options.timelines[0])
        return timeline->name;
    }
  return "measured";
}

static GVariant *
view_sheet_ask (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  g_autofree char *folder = g_path_get_dirname (lc_history_get_path (context->history));
  const LcSheetRequest request = {.name = options->view,
                                  .directory = options->directory != NULL ? options->directory : folder,
                                  .timeline = view_sheet_get_timeline (context),
                                  .from = options->from,
                                  .to = options->to,
                                  .processes = options->selection.processes,
                                  .n_processes = options->selection.n_processes,
                                  .width = options->width,
                                  .height = options->height};

  g_return_val_if_fail (maker.make != NULL, NULL);
  return maker.make (&request, maker.data, cancellable, error);
}

static gpointer
view_sheet_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  g_autoptr (GVariant) data = view_sheet_ask (context, cancellable, error);
  g_autoptr (LcSheet) sheet = data != NULL ? lc_sheet_new (data, error) : NULL;
  gsize n_marks;
  Model *model;

  if (sheet == NULL)
    {
      if (data != NULL)
        g_prefix_error (error, _ ("view %s: "), context->options.view);
      return NULL;
    }
  lc_sheet_get_marks (sheet, &n_marks);
  if (n_marks == 0)
    {
      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
                   _ ("the view %s shows nothing here: choose another part of the run, or other processes"),
                   context->options.view);
      return NULL;
    }
  model = g_new0 (Model, 1);
  model->data = g_variant_ref (data);
  model->sheet = g_steal_pointer (&sheet);
  for (guint i = 0; i < 2; i++)
    {
      const LcSheetAxis *axis = lc_sheet_get_axis (model->sheet, i == 1);

      model->names[i] = view_sheet_dup_names (axis);
      model->titles[i] = lc_format_text (axis->title);
    }
  return model;
}

/* --- Axes and legend ---------------------------------------------------------------------------------------------- */

static void
view_sheet_find_reach (const LcSheet *sheet, gboolean upright, double *from, double *to)
{
  gsize n_marks;
  const LcSheetMark *marks = lc_sheet_get_marks (sheet, &n_marks);

  double room;

  *from = INFINITY;
  *to = -INFINITY;
  for (gsize i = 0; i < n_marks; i++)
    for (gsize k = 0; k < marks[i].n_places; k++)
      {
        LcPlace place = lc_sheet_get_places (sheet, &marks[i])[k];
        double value = upright ? place.y : place.x;

        *from = MIN (*from, value);
        *to = MAX (*to, value);
      }
  /* What stands on zero begins there. */
  room = (*to - *from) * ROOM;
  *from = *from == 0 ? 0 : *from - room;
  *to += room;
}

static void
view_sheet_set_span (const LcSheet *sheet, const LcSheetAxis *axis, gboolean upright, LcAxisScale *scale)
{
  scale->from = axis->from;
  scale->to = axis->to;
  if (axis->scale == LC_SHEET_NAMES)
    {
      /* Names are read from the top to the bottom. */
      scale->from = upright ? axis->n_names : 0;
      scale->to = upright ? 0 : axis->n_names;
    }
  else if (axis->from == axis->to)
    view_sheet_find_reach (sheet, upright, &scale->from, &scale->to);
  if (scale->from == scale->to)
    {
      double room = MAX (fabs (scale->from) * 0.1, 1);

      scale->from = axis->scale == LC_SHEET_TIMES ? MAX (scale->from - room, 0) : scale->from - room;
      scale->to += room;
    }
}

static void
view_sheet_describe_axis (const Model *model, gboolean upright, LcFrame *frame)
{
  static const LcAxisScaleKind kinds[LC_SHEET_SCALES] = {
      [LC_SHEET_NUMBERS] = LC_SCALE_NUMBER, [LC_SHEET_TIMES] = LC_SCALE_TIME,     [LC_SHEET_DURATIONS] = LC_SCALE_TIME,
      [LC_SHEET_COUNTS] = LC_SCALE_COUNT,   [LC_SHEET_SHARES] = LC_SCALE_PERCENT, [LC_SHEET_BYTES] = LC_SCALE_BYTES,
      [LC_SHEET_NAMES] = LC_SCALE_NAMES,    [LC_SHEET_BARE] = LC_SCALE_NONE};
  const LcSheetAxis *axis = lc_sheet_get_axis (model->sheet, upright);
  LcAxisScale scale = {.title = model->titles[upright][0] != '\0' ? model->titles[upright] : NULL,
                       .kind = kinds[axis->scale],
                       .grid = axis->scale != LC_SHEET_NAMES && axis->scale != LC_SHEET_BARE,
                       .names = (const char *const *)model->names[upright]};

  view_sheet_set_span (model->sheet, axis, upright, &scale);
  if (!upright && axis->scale == LC_SHEET_TIMES && scale.from >= 0 && scale.to > scale.from && scale.to < 1e19)
    lc_frame_set_time (frame, (guint64)scale.from, (guint64)MAX (scale.to, scale.from + 1));
  else if (upright)
    lc_frame_set_y (frame, &scale);
  else
    lc_frame_set_x (frame, &scale);
}

static void
view_sheet_add_series (const LcSheetSeries *series, guint32 number, LcFrame *frame, LcCanvas *canvas)
{
  g_autofree char *name = lc_format_text (series->name);

  if (name[0] == '\0' || series->shape == LC_SHEET_TEXT)
    return;
  if (series->shape == LC_SHEET_LINE)
    lc_frame_add_line (frame, name, lc_sheet_get_stroke (canvas, number, 2));
  else if (series->shape == LC_SHEET_POINT)
    lc_frame_add_marker (frame, name, (LcMarker)(number % LC_MARKERS), lc_sheet_get_fill (canvas, number));
  else
    lc_frame_add_fill (frame, name, lc_sheet_get_fill (canvas, number));
}

static void
view_sheet_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const char *const *notes = lc_sheet_get_notes (model->sheet);
  const char *title, *lowest, *highest;
  guint n_series;
  const LcSheetSeries *series = lc_sheet_get_series (model->sheet, &n_series);

  view_sheet_describe_axis (model, FALSE, frame);
  view_sheet_describe_axis (model, TRUE, frame);
  for (guint i = 0; i < n_series; i++)
    view_sheet_add_series (&series[i], i, frame, canvas);
  if (lc_sheet_get_ramp (model->sheet, &title, &lowest, &highest))
    {
      g_autofree char *visible = lc_format_text (title);
      g_autofree char *low = lc_format_text (lowest);
      g_autofree char *high = lc_format_text (highest);

      lc_frame_add_ramp (frame, visible, low, high);
    }
  for (gsize i = 0; notes[i] != NULL; i++)
    {
      g_autofree char *note = lc_format_text (notes[i]);

      lc_frame_add_note (frame, note);
    }
}

static void
view_sheet_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  lc_sheet_paint (((const Model *)data)->sheet, frame, canvas, area);
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static char *
view_sheet_dup_value (const Model *model, gboolean upright, double value)
{
  const LcSheetAxis *axis = lc_sheet_get_axis (model->sheet, upright);
  guint64 whole = (guint64)CLAMP (value, 0, 1.8e19);

  switch (axis->scale)
    {
    case LC_SHEET_TIMES:
    case LC_SHEET_DURATIONS:
      return lc_format_duration (whole);
    case LC_SHEET_BYTES:
      return lc_format_bytes (whole);
    case LC_SHEET_SHARES:
      return g_strdup_printf (_ ("%.1f %%"), value * 100);
    case LC_SHEET_NAMES:
      return g_strdup (value >= 0 && value < axis->n_names ? model->names[upright][(guint)value] : "");
    case LC_SHEET_NUMBERS:
    case LC_SHEET_COUNTS:
    case LC_SHEET_BARE:
    case LC_SHEET_SCALES:
    default:
      return g_strdup_printf ("%g", value);
    }
}

static void
view_sheet_add_value (const Model *model, gboolean upright, double value, GString *text)
{
  g_autofree char *shown = view_sheet_dup_value (model, upright, value);

  if (lc_sheet_get_axis (model->sheet, upright)->scale == LC_SHEET_BARE || shown[0] == '\0')
    return;
  if (text->len > 0)
    g_string_append_c (text, '\n');
  if (model->titles[upright][0] != '\0')
    g_string_append_printf (text, _ ("%s: %s"), model->titles[upright], shown);
  else
    g_string_append (text, shown);
}

/* Gives the mark's own text, or the values at the place of it that is nearest. */
static char *
view_sheet_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  gsize vertex;
  const LcSheetMark *mark = lc_sheet_find_mark (model->sheet, frame, place, margin, &vertex);
  guint n_series;
  const LcSheetSeries *series = lc_sheet_get_series (model->sheet, &n_series);
  LcPlace value;
  GString *text;

  if (mark == NULL)
    return NULL;
  if (mark->text[0] != '\0')
    return lc_format_lines (mark->text);
  text = g_string_new (NULL);
  if (mark->series != LC_SHEET_NO_SERIES)
    {
      g_autofree char *name = lc_format_text (series[mark->series].name);

      g_string_append (text, name);
    }
  value = lc_sheet_get_places (model->sheet, mark)[vertex];
  view_sheet_add_value (model, FALSE, value.x, text);
  view_sheet_add_value (model, TRUE, value.y, text);
  return g_string_free (text, FALSE);
}

static gboolean
view_sheet_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  gsize vertex;
  const LcSheetMark *mark = lc_sheet_find_mark (model->sheet, frame, place, REACH, &vertex);
  guint64 from, to;

  if (mark != NULL)
    {
      spot->process = mark->process;
      spot->ordinal = mark->ordinal;
    }
  spot->has_time = lc_frame_get_time (frame, &from, &to);
  if (spot->has_time)
    lc_over_time_find (frame, area, place, &spot->time, NULL);
  return (mark != NULL && mark->process != LC_TRACE_NONE) || spot->has_time;
}

static char *
view_sheet_tell (gpointer data)
{
  const Model *model = data;
  const char *description = lc_sheet_get_description (model->sheet);
  g_autofree char *count = NULL;
  gsize n_marks;

  if (description[0] != '\0')
    return lc_format_text (description);
  lc_sheet_get_marks (model->sheet, &n_marks);
  count = lc_format_count (n_marks);
  return g_strdup_printf (ngettext ("It has %s mark.", "It has %s marks.", n_marks), count);
}

static GVariant *
view_sheet_get_data (gpointer data)
{
  return ((const Model *)data)->data;
}

LcView *
lc_view_sheet_new (const char *name, const char *title, const char *summary)
{
  static const LcView common = {
      .gather = view_sheet_gather,
      .describe = view_sheet_describe,
      .paint = view_sheet_paint,
      .text_at = view_sheet_text_at,
      .find = view_sheet_find,
      .tell = view_sheet_tell,
      .free = view_sheet_free_model,
      .get_sheet = view_sheet_get_data,
  };
  LcView *view = g_new (LcView, 1);

  *view = common;
  view->info = (LcViewInfo){.name = g_intern_string (name),
                            .title = g_intern_string (title),
                            .summary = g_intern_string (summary),
                            .traits = LC_VIEW_SPAN | LC_VIEW_SHEET | LC_VIEW_OVER_TIME};
  return view;
}
