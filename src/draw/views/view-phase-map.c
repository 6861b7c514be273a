/* SPDX-License-Identifier: Apache-2.0 */
/* The view `phase-map`: an amount of time of all processes in all phases, as colours. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "phase-table.h"
#include "trace/quantities.h"

typedef struct
{
  const LcViewContext *context;
  LcPhaseTable *table;
  LcPhaseMeasure measure;
  guint64 limit;
  guint64 highest;
  guint n_above;
} Model;

static void
view_phase_map_free_model (gpointer data)
{
  Model *model = data;

  g_clear_pointer (&model->table, lc_phase_table_free);
  g_free (model);
}

static gpointer
view_phase_map_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  LcPhaseMeasure measure;
  Model *model;

  if (!lc_phase_measure_parse (context->options.measure, &measure, error))
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->measure = measure;
  model->table = lc_phase_table_new (context, cancellable, error);
  if (model->table == NULL)
    {
      view_phase_map_free_model (model);
      return NULL;
    }
  model->limit = lc_phase_table_find_limit (model->table, measure, &model->highest, &model->n_above);
  return model;
}

/* The number of phases, or of processes, in one cell. */
static guint
view_phase_map_get_group (guint n, double pixels)
{
  return MAX (1, (guint)ceil (n / MAX (pixels, 1)));
}

static void
add_group_note (LcFrame *frame, guint phases, guint processes)
{
  g_autofree char *n_phases = lc_format_count (phases), *n_processes = lc_format_count (processes);
  g_autofree char *note = NULL;

  if (phases > 1 && processes > 1)
    note = g_strdup_printf (_ ("Each cell is the largest amount of %s processes in %s phases."), n_processes, n_phases);
  else if (phases > 1)
    note = g_strdup_printf (_ ("Each cell is the largest amount in %s phases that follow each other."), n_phases);
  else if (processes > 1)
    note = g_strdup_printf (_ ("Each cell is the largest amount of %s processes that follow each other."), n_processes);
  if (note != NULL)
    lc_frame_add_note (frame, note);
}

static void
view_phase_map_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  g_autofree char *title = lc_phase_table_dup_title (model->table), *limit = lc_format_duration (model->limit);
  g_autofree char *most = model->n_above > 0 ? g_strdup_printf (_ ("%s and more"), limit) : g_strdup (limit);
  guint n_phases = lc_phase_table_get_n_phases (model->table), n_rows = lc_phase_table_get_n_rows (model->table);
  const LcAxisScale x = {
      .title = title, .kind = LC_SCALE_NAMES, .to = n_phases, .names = lc_phase_table_get_phase_names (model->table)};
  const LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = n_rows, .names = lc_phase_table_get_row_names (model->table)};
  LcRectangle area;

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  lc_frame_add_ramp (frame, lc_phase_measure_get_title (model->measure), _ ("0"), most);
  area = lc_frame_measure (frame, canvas, model->context->whole);
  add_group_note (frame, view_phase_map_get_group (n_phases, area.width),
                  view_phase_map_get_group (n_rows, area.height));
  lc_phase_limit_add_note (frame, model->highest, model->n_above);
  lc_phase_table_add_notes (model->table, frame);
}

static guint32
view_phase_map_get_pixel (LcColor color)
{
  return 0xffu << 24 | (guint32)(color.red * 255 + 0.5) << 16 | (guint32)(color.green * 255 + 0.5) << 8 |
         (guint32)(color.blue * 255 + 0.5);
}

/* Finds the largest amount in a cell. FALSE: the cell has no events. */
static gboolean
find_amount (const Model *model, guint row, guint n_rows, guint phase, guint n_phases, guint64 *amount)
{
  gboolean any = FALSE;

  *amount = 0;
  for (guint i = row; i < MIN (row + n_rows, lc_phase_table_get_n_rows (model->table)); i++)
    for (guint k = phase; k < MIN (phase + n_phases, lc_phase_table_get_n_phases (model->table)); k++)
      if (lc_phase_table_get_events (model->table, i, k) > 0)
        {
          any = TRUE;
          *amount = MAX (*amount, lc_phase_table_get (model->table, model->measure, i, k));
        }
  return any;
}

static void
view_phase_map_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  guint n_phases = lc_phase_table_get_n_phases (model->table), n_rows = lc_phase_table_get_n_rows (model->table);
  guint by_phases = view_phase_map_get_group (n_phases, area.width),
        by_rows = view_phase_map_get_group (n_rows, area.height);
  guint columns = (n_phases + by_phases - 1) / by_phases, rows = (n_rows + by_rows - 1) / by_rows;
  g_autofree guint32 *cells = g_new0 (guint32, (gsize)columns * rows + 1);
  LcTheme theme = lc_canvas_get_theme (canvas);

  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < columns; column++)
      {
        guint64 amount;

        if (!find_amount (model, row * by_rows, by_rows, column * by_phases, by_phases, &amount))
          continue;
        cells[(gsize)row * columns + column] =
            view_phase_map_get_pixel (lc_palette_get_amount (theme, MIN (1, (double)amount / (double)model->limit)));
      }
  if (columns == 0 || rows == 0)
    return;
  /* The last cells may stand for fewer phases or processes than the others, so they are cut. */
  lc_canvas_clip (canvas, area);
  lc_canvas_cells (
      canvas,
      (LcRectangle){area.x, area.y, area.width * columns * by_phases / n_phases, area.height * rows * by_rows / n_rows},
      cells, columns, rows);
  lc_canvas_unclip (canvas);
}

static char *
view_phase_map_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  double x = (place.x - area.x) / area.width, y = (place.y - area.y) / area.height;

  if (x < 0 || x >= 1 || y < 0 || y >= 1 || lc_phase_table_get_n_rows (model->table) == 0)
    return NULL;
  return lc_phase_table_dup_text (model->table, (guint)(y * lc_phase_table_get_n_rows (model->table)),
                                  (guint)(x * lc_phase_table_get_n_phases (model->table)));
}

static char *
view_phase_map_tell (gpointer data)
{
  const Model *model = data;

  return lc_phase_table_tell (model->table, model->measure);
}

static gboolean
view_phase_map_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  double x = (place.x - area.x) / area.width, y = (place.y - area.y) / area.height;
  guint n_rows = lc_phase_table_get_n_rows (model->table);
  const LcPhase *phase;

  if (!(x < 1 && y >= 0 && y < 1) || n_rows == 0)
    return FALSE;
  spot->process = model->context->options.selection.processes[(guint)(y * n_rows)];
  if (x < 0)
    return TRUE;
  phase = lc_phase_table_get_phase (model->table, (guint)(x * lc_phase_table_get_n_phases (model->table)));
  spot->has_time = phase->events > 0;
  spot->time = phase->begin;
  return TRUE;
}

const LcView lc_view_phase_map = {
    .info = {.name = "phase-map",
             .title = N_ ("Processes and phases"),
             .summary = N_ ("How long each process took for each phase, as a map of colours."),
             .traits = LC_VIEW_PHASES | LC_VIEW_MEASURE,
             .amounts = lc_phase_amounts,
             .n_amounts = LC_PHASE_MEASURES},
    .gather = view_phase_map_gather,
    .describe = view_phase_map_describe,
    .paint = view_phase_map_paint,
    .text_at = view_phase_map_text_at,
    .find = view_phase_map_find,
    .tell = view_phase_map_tell,
    .free = view_phase_map_free_model,
};
