/* SPDX-License-Identifier: Apache-2.0 */
/* The view `phases`: the time that one process communicated in each phase, and the part of it that was transfer. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "phase-table.h"
#include "trace/quantities.h"

#define LEAST_BAR 2.0 /* pixels; phases with less are combined into one bar */
#define GAP_ROOM 6.0  /* pixels; wider bars have a gap between them */
#define GAP 1.0
#define NARROW 12.0

typedef struct
{
  const LcViewContext *context;
  LcPhaseTable *table;
  guint row;       /* the row of the process */
  gboolean chosen; /* chosen by this view, not by the user */
  gboolean both;   /* transfer and waiting, one upon the other; else only `measure` */
  LcPhaseMeasure measure;
  guint64 limit; /* end of the scale */
  guint64 highest;
  guint n_above;
} Model;

static void
view_phases_free_model (gpointer data)
{
  Model *model = data;

  g_clear_pointer (&model->table, lc_phase_table_free);
  g_free (model);
}

/* Chooses the process that communicates most, of those that have events in most phases. */
static guint
choose_row (const LcPhaseTable *table)
{
  guint n_phases = lc_phase_table_get_n_phases (table), chosen = 0, most_phases = 0;
  guint64 most = 0;

  for (guint round = 0; round < 2; round++)
    for (guint row = 0; row < lc_phase_table_get_n_rows (table); row++)
      {
        guint64 sum = 0;
        guint n = 0;

        for (guint phase = 0; phase < n_phases; phase++)
          {
            n += lc_phase_table_get_events (table, row, phase) > 0;
            sum += lc_phase_table_get (table, LC_PHASE_COMMUNICATION, row, phase);
          }
        if (round == 0)
          most_phases = MAX (most_phases, n);
        else if (2 * n >= most_phases && sum > most)
          {
            most = sum;
            chosen = row;
          }
      }
  return chosen;
}

static void
view_phases_find_limit (Model *model)
{
  g_autoptr (GArray) amounts = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint phase = 0; phase < lc_phase_table_get_n_phases (model->table); phase++)
    {
      guint64 amount = lc_phase_table_get (model->table, model->measure, model->row, phase);

      g_array_append_val (amounts, amount);
    }
  model->limit = lc_phase_limit_find (amounts, &model->highest, &model->n_above);
}

static gpointer
view_phases_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  LcPhaseMeasure measure;
  Model *model;

  if (!lc_phase_measure_parse (context->options.measure, &measure, error))
    return NULL;
  if (context->options.selection.n_processes == 0)
    {
      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY, _ ("there are no processes that could be shown"));
      return NULL;
    }
  model = g_new0 (Model, 1);
  model->context = context;
  model->both = context->options.measure == NULL || measure == LC_PHASE_COMMUNICATION;
  model->measure = model->both ? LC_PHASE_COMMUNICATION : measure;
  model->table = lc_phase_table_new (context, cancellable, error);
  if (model->table == NULL)
    {
      view_phases_free_model (model);
      return NULL;
    }
  model->chosen = context->options.selection.n_processes > 1;
  model->row = model->chosen ? choose_row (model->table) : 0;
  view_phases_find_limit (model);
  return model;
}

static guint
view_phases_get_group (const Model *model, double width)
{
  return MAX (1, (guint)ceil (lc_phase_table_get_n_phases (model->table) * LEAST_BAR / MAX (width, LEAST_BAR)));
}

static LcInk
get_ink (LcPhaseMeasure measure)
{
  return measure == LC_PHASE_WAITING     ? LC_INK_WAITING
         : measure == LC_PHASE_COMPUTING ? LC_INK_RUNNING
                                         : LC_INK_COMMUNICATION;
}

/* Narrow bars are solid, since dots would be too few to be seen; waiting is hatched everywhere. */
static LcFill
view_phases_get_fill (const Model *model, LcCanvas *canvas, LcPhaseMeasure measure, double width)
{
  guint n_bars = MAX (1, lc_phase_table_get_n_phases (model->table) / view_phases_get_group (model, width));
  LcInk ink = get_ink (measure);

  if (ink != LC_INK_WAITING && width / n_bars < NARROW)
    return lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (canvas), ink));
  return lc_canvas_fill (canvas, ink, 1);
}

static const char *
view_phases_get_name (const Model *model)
{
  return lc_phase_table_get_row_names (model->table)[model->row];
}

static void
view_phases_add_notes (const Model *model, LcFrame *frame, guint group)
{
  if (model->chosen)
    {
      g_autofree char *note =
          g_strdup_printf (_ ("%s is the process that communicates most, of those that are there in most phases."),
                           view_phases_get_name (model));

      lc_frame_add_note (frame, note);
    }
  if (group > 1)
    {
      g_autofree char *count = lc_format_count (group);
      g_autofree char *note =
          g_strdup_printf (_ ("Each bar is the average of %s phases that follow each other."), count);

      lc_frame_add_note (frame, note);
    }
  lc_phase_limit_add_note (frame, model->highest, model->n_above);
  lc_phase_table_add_notes (model->table, frame);
}

static void
view_phases_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  g_autofree char *title = lc_phase_table_dup_title (model->table);
  guint n = lc_phase_table_get_n_phases (model->table);
  const LcAxisScale x = {
      .title = title, .kind = LC_SCALE_NAMES, .to = n, .names = lc_phase_table_get_phase_names (model->table)};
  const LcAxisScale y = {.title = lc_phase_measure_get_title (model->measure),
                         .kind = LC_SCALE_TIME,
                         .to = (double)model->limit * 1.03,
                         .grid = TRUE};
  double width;

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  width = lc_frame_measure (frame, canvas, model->context->whole).width;
  if (model->both)
    {
      lc_frame_add_fill (frame, _ ("Transfer"), view_phases_get_fill (model, canvas, LC_PHASE_TRANSFER, width));
      lc_frame_add_fill (frame, _ ("Waiting"), view_phases_get_fill (model, canvas, LC_PHASE_WAITING, width));
    }
  else
    lc_frame_add_fill (frame, lc_phase_measure_get_title (model->measure),
                       view_phases_get_fill (model, canvas, model->measure, width));
  view_phases_add_notes (model, frame, view_phases_get_group (model, width));
}

static double
view_phases_get_average (const Model *model, LcPhaseMeasure measure, guint first, guint n)
{
  guint64 sum = 0;

  for (guint i = first; i < first + n; i++)
    sum += lc_phase_table_get (model->table, measure, model->row, i);
  return (double)sum / n;
}

/* Paints the bars of one measure, upon those of another one (LC_PHASE_MEASURES: none). */
static void
paint_bars (const Model *model, LcFrame *frame, LcCanvas *canvas, LcRectangle area, LcPhaseMeasure measure,
            LcPhaseMeasure below)
{
  guint n_phases = lc_phase_table_get_n_phases (model->table), group = view_phases_get_group (model, area.width),
        n_bars = 0;
  g_autofree LcRectangle *bars = g_new (LcRectangle, n_phases / group + 1);

  for (guint first = 0; first < n_phases; first += group)
    {
      guint n = MIN (group, n_phases - first);
      double left = lc_frame_get_x (frame, first), right = lc_frame_get_x (frame, first + n);
      double base = below == LC_PHASE_MEASURES ? 0 : view_phases_get_average (model, below, first, n);
      double amount = view_phases_get_average (model, measure, first, n);
      double bottom = MAX (lc_frame_get_y (frame, base), area.y),
             top = MAX (lc_frame_get_y (frame, base + amount), area.y);

      if (bottom > top)
        bars[n_bars++] = (LcRectangle){left, top, right - left - (right - left > GAP_ROOM ? GAP : 0), bottom - top};
    }
  lc_canvas_rectangles (canvas, view_phases_get_fill (model, canvas, measure, area.width), bars, n_bars);
}

static void
view_phases_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  lc_canvas_begin (canvas, "bars", NULL);
  if (model->both)
    {
      paint_bars (model, frame, canvas, area, LC_PHASE_TRANSFER, LC_PHASE_MEASURES);
      paint_bars (model, frame, canvas, area, LC_PHASE_WAITING, LC_PHASE_TRANSFER);
    }
  else
    paint_bars (model, frame, canvas, area, model->measure, LC_PHASE_MEASURES);
  lc_canvas_end (canvas);
}

static char *
view_phases_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  double share = (place.x - area.x) / area.width;

  if (share < 0 || share >= 1 || place.y < area.y || place.y > area.y + area.height + margin)
    return NULL;
  return lc_phase_table_dup_text (model->table, model->row,
                                  (guint)(share * lc_phase_table_get_n_phases (model->table)));
}

static char *
view_phases_tell (gpointer data)
{
  const Model *model = data;
  guint64 sum = 0;
  guint n = lc_phase_table_get_n_phases (model->table);
  g_autofree char *total = NULL, *highest = lc_format_duration (model->highest), *count = lc_format_count (n);

  for (guint i = 0; i < n; i++)
    sum += lc_phase_table_get (model->table, model->measure, model->row, i);
  total = lc_format_duration (sum);
  return g_strdup_printf (_ ("%s of %s took %s in %s phases, at most %s in one."),
                          lc_phase_measure_get_title (model->measure), view_phases_get_name (model), total, count,
                          highest);
}

static guint32
view_phases_get_process (gpointer data)
{
  const Model *model = data;

  return model->context->options.selection.processes[model->row];
}

/* The default is waiting and transfer, one upon the other. */
static const LcAmount amounts[] = {
    {"communication", N_ ("Communication"), LC_AMOUNT_TIME},
    {"transfer", N_ ("Transfer"), LC_AMOUNT_TIME},
    {"waiting", N_ ("Waiting"), LC_AMOUNT_TIME},
    {"computing", N_ ("Computing"), LC_AMOUNT_TIME},
};

const LcView lc_view_phases = {
    .info = {.name = "phases",
             .title = N_ ("Communication per phase"),
             .summary = N_ ("How long one process waited and transferred in each phase."),
             .traits = LC_VIEW_PHASES | LC_VIEW_PROCESS | LC_VIEW_MEASURE,
             .amounts = amounts,
             .n_amounts = G_N_ELEMENTS (amounts)},
    .gather = view_phases_gather,
    .describe = view_phases_describe,
    .paint = view_phases_paint,
    .text_at = view_phases_text_at,
    .tell = view_phases_tell,
    .free = view_phases_free_model,
    .get_process = view_phases_get_process,
};
