/* SPDX-License-Identifier: Apache-2.0 */
/* The view `phase-surface`: an amount of time of all processes in all phases, as a surface. */
#include <glib/gi18n-lib.h>

#include "phase-table.h"
#include "surface.h"
#include "trace/quantities.h"

/* Limits of the net: more points could not be told apart, and would make files large. */
enum
{
  MOST_COLUMNS = 72,
  MOST_RANKS = 150,
};

typedef struct
{
  const LcViewContext *context;
  LcPhaseTable *table;
  LcPhaseMeasure measure;
  GArray *rows;    /* guint: rows of the table that are shown */
  guint by_rows;   /* rows per column of the surface */
  guint by_phases; /* phases per rank of the surface */
  double *heights;
  const char **column_names;
  const char **rank_names;
  guint64 highest;
  guint n_above;
  char *rank_title;
  LcSurface surface;
} Model;

static void
view_surface_free_model (gpointer data)
{
  Model *model = data;

  g_clear_pointer (&model->table, lc_phase_table_free);
  g_clear_pointer (&model->rows, g_array_unref);
  g_free (model->heights);
  g_free (model->column_names);
  g_free (model->rank_names);
  g_free (model->rank_title);
  g_free (model);
}

/* Leaves out processes with events in few phases. A parent that only waits for its workers, for example, would only
 * stand out. */
static void
choose_rows (Model *model)
{
  guint n_rows = lc_phase_table_get_n_rows (model->table), n_phases = lc_phase_table_get_n_phases (model->table);
  g_autofree guint *phases = g_new0 (guint, n_rows + 1);
  guint most = 0;

  for (guint row = 0; row < n_rows; row++)
    {
      for (guint phase = 0; phase < n_phases; phase++)
        phases[row] += lc_phase_table_get_events (model->table, row, phase) > 0;
      most = MAX (most, phases[row]);
    }
  for (guint row = 0; row < n_rows; row++)
    if (4 * phases[row] > most)
      g_array_append_val (model->rows, row);
}

static double
view_surface_get_average (const Model *model, guint column, guint rank)
{
  guint n_phases = lc_phase_table_get_n_phases (model->table), n = 0;
  double sum = 0;

  for (guint i = column * model->by_rows; i < MIN ((column + 1) * model->by_rows, model->rows->len); i++)
    for (guint k = rank * model->by_phases; k < MIN ((rank + 1) * model->by_phases, n_phases); k++, n++)
      sum += (double)lc_phase_table_get (model->table, model->measure, g_array_index (model->rows, guint, i), k);
  return n > 0 ? sum / n : 0;
}

static guint
divide_up (guint n, guint by)
{
  return (n + by - 1) / by;
}

static void
view_surface_find_limit (Model *model, guint n)
{
  g_autoptr (GArray) amounts = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < n; i++)
    {
      guint64 amount = (guint64)model->heights[i];

      g_array_append_val (amounts, amount);
    }
  model->surface.limit = (double)lc_phase_limit_find (amounts, &model->highest, &model->n_above);
}

static void
view_surface_make_surface (Model *model)
{
  guint n_phases = lc_phase_table_get_n_phases (model->table);
  LcSurface *surface = &model->surface;

  model->by_rows = divide_up (model->rows->len, MOST_COLUMNS);
  model->by_phases = divide_up (n_phases, MOST_RANKS);
  surface->n_columns = divide_up (model->rows->len, model->by_rows);
  surface->n_ranks = divide_up (n_phases, model->by_phases);
  model->heights = g_new (double, (gsize)surface->n_columns * surface->n_ranks);
  model->column_names = g_new (const char *, surface->n_columns);
  model->rank_names = g_new (const char *, surface->n_ranks);
  for (guint k = 0; k < surface->n_ranks; k++)
    {
      model->rank_names[k] = lc_phase_table_get_phase_names (model->table)[k * model->by_phases];
      for (guint i = 0; i < surface->n_columns; i++)
        model->heights[(gsize)k * surface->n_columns + i] = view_surface_get_average (model, i, k);
    }
  for (guint i = 0; i < surface->n_columns; i++)
    model->column_names[i] =
        lc_phase_table_get_row_names (model->table)[g_array_index (model->rows, guint, i * model->by_rows)];
  view_surface_find_limit (model, surface->n_columns * surface->n_ranks);
  surface->heights = model->heights;
  surface->column_names = model->column_names;
  surface->rank_names = model->rank_names;
  surface->column_title = _ ("Process");
  surface->rank_title = model->rank_title = lc_phase_table_dup_title (model->table);
  surface->height_title = lc_phase_measure_get_title (model->measure);
}

static gpointer
view_surface_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  LcPhaseMeasure measure;
  Model *model;

  if (!lc_phase_measure_parse (context->options.measure, &measure, error))
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->measure = measure;
  model->rows = g_array_new (FALSE, FALSE, sizeof (guint));
  model->table = lc_phase_table_new (context, cancellable, error);
  if (model->table != NULL)
    choose_rows (model);
  if (model->table != NULL && model->rows->len > 0)
    {
      view_surface_make_surface (model);
      return model;
    }
  if (model->table != NULL)
    g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
                 _ ("none of these processes has an event in any phase: choose others (--processes), or other phases "
                    "(--phases)"));
  view_surface_free_model (model);
  return NULL;
}

static void
view_surface_add_notes (const Model *model, LcFrame *frame)
{
  g_autofree char *n_phases = lc_format_count (model->by_phases), *n_rows = lc_format_count (model->by_rows);
  guint n_left = lc_phase_table_get_n_rows (model->table) - model->rows->len;
  g_autofree char *left = lc_format_count (n_left), *note = NULL, *left_note = NULL;

  if (model->by_phases > 1 && model->by_rows > 1)
    note = g_strdup_printf (_ ("Each point is the average of %s processes in %s phases."), n_rows, n_phases);
  else if (model->by_phases > 1)
    note = g_strdup_printf (_ ("Each point is the average of %s phases that follow each other."), n_phases);
  else if (model->by_rows > 1)
    note = g_strdup_printf (_ ("Each point is the average of %s processes that follow each other."), n_rows);
  if (note != NULL)
    lc_frame_add_note (frame, note);
  if (n_left > 0)
    {
      left_note = g_strdup_printf (ngettext ("%s process that has events in few phases is left out.",
                                             "%s processes that have events in few phases are left out.", n_left),
                                   left);
      lc_frame_add_note (frame, left_note);
    }
  lc_phase_limit_add_note (frame, model->highest, model->n_above);
  lc_phase_table_add_notes (model->table, frame);
}

static void
view_surface_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  g_autofree char *limit = lc_format_duration ((guint64)model->surface.limit);
  g_autofree char *most = model->n_above > 0 ? g_strdup_printf (_ ("%s and more"), limit) : g_strdup (limit);

  lc_frame_add_ramp (frame, lc_phase_measure_get_title (model->measure), _ ("0"), most);
  view_surface_add_notes (model, frame);
}

static void
view_surface_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  lc_surface_paint (&model->surface, canvas, area);
}

static char *
view_surface_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  guint column, rank;

  if (!lc_surface_find (&model->surface, area, place, margin, &column, &rank))
    return NULL;
  return lc_phase_table_dup_text (model->table, g_array_index (model->rows, guint, column * model->by_rows),
                                  rank * model->by_phases);
}

static char *
view_surface_tell (gpointer data)
{
  const Model *model = data;

  return lc_phase_table_tell (model->table, model->measure);
}

const LcView lc_view_phase_surface = {
    .info = {.name = "phase-surface",
             .title = N_ ("Processes and phases"),
             .summary = N_ ("How long each process took for each phase, as a surface."),
             .traits = LC_VIEW_PHASES | LC_VIEW_MEASURE,
             .amounts = lc_phase_amounts,
             .n_amounts = LC_PHASE_MEASURES},
    .gather = view_surface_gather,
    .describe = view_surface_describe,
    .paint = view_surface_paint,
    .text_at = view_surface_text_at,
    .tell = view_surface_tell,
    .free = view_surface_free_model,
};
