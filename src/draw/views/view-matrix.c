/* SPDX-License-Identifier: Apache-2.0 */
/* The view `matrix`: the amounts that go from each process to each other one. */
#include <glib/gi18n-lib.h>

#include "grid.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

#define MARGIN 160.0 /* pixels that axes, legend and sums take, about */

enum
{
  ARCS,
  MESSAGES,
  BYTES,
  WAITED,
  AMOUNTS,
};

static const LcAmount amounts[AMOUNTS] = {
    [ARCS] = {"arcs", N_ ("Arcs"), LC_AMOUNT_COUNT},
    [MESSAGES] = {"messages", N_ ("Messages"), LC_AMOUNT_COUNT},
    [BYTES] = {"bytes", N_ ("Bytes"), LC_AMOUNT_BYTES},
    [WAITED] = {"waited", N_ ("Waited by the second for the first"), LC_AMOUNT_TIME},
};

typedef struct
{
  const LcViewContext *context;
  LcGrid *grid;
} Model;

static void
view_matrix_free_model (gpointer data)
{
  Model *model = data;

  lc_grid_free (model->grid);
  g_free (model);
}

static void
add_cells (LcGrid *grid, const GArray *cells, const guint32 *places)
{
  for (guint i = 0; i < cells->len; i++)
    {
      const LcMatrixCell *cell = &g_array_index (cells, LcMatrixCell, i);
      guint32 row = places[cell->from_process], column = places[cell->to_process];

      if (row == LC_TRACE_NONE || column == LC_TRACE_NONE)
        continue;
      lc_grid_add (grid, row, column, ARCS, (double)cell->arcs);
      lc_grid_add (grid, row, column, MESSAGES, (double)cell->messages);
      lc_grid_add (grid, row, column, BYTES, (double)cell->bytes);
      lc_grid_add (grid, row, column, WAITED, (double)cell->waited);
    }
  lc_grid_sum (grid);
}

/* The span ends one later, so that events at the very end of the run are included. */
static GArray *
view_matrix_ask (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;

  return lc_statistics_matrix (context->history, options->timelines[0], options->from, options->to + 1, cancellable,
                               error);
}

static gpointer
view_matrix_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  g_autoptr (GArray) cells = NULL;
  g_autofree guint32 *places = NULL;
  Model *model;
  guint shown;

  if (!lc_grid_find_amount (options->measure, amounts, AMOUNTS, &shown, error))
    return NULL;
  cells = view_matrix_ask (context, cancellable, error);
  if (cells == NULL)
    return NULL;
  places = lc_grid_list_places (context);
  model = g_new0 (Model, 1);
  model->context = context;
  model->grid = lc_grid_new_square (amounts, AMOUNTS, shown, options->selection.n_processes,
                                    lc_grid_get_room (MIN (context->whole.width, context->whole.height), MARGIN));
  add_cells (model->grid, cells, places);
  if (model->grid->sum > 0)
    return model;
  view_matrix_free_model (model);
  if (cells->len == 0)
    g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
                 _ ("nothing went from one process to another here: choose another part of the run"));
  else
    g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
                 _ ("there is nothing of “%s” between these processes: choose others, or another measure"),
                 amounts[shown].measure);
  return NULL;
}

static void
view_matrix_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;

  lc_grid_name_processes (&model->grid->rows, model->context);
  lc_grid_name_processes (&model->grid->columns, model->context);
  lc_grid_describe (model->grid, _ ("From"), _ ("To"), frame, canvas);
}

static void
view_matrix_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  lc_grid_paint (((const Model *)data)->grid, frame, canvas, area);
}

/* Gives the name of a cell's process, or of its first and last one. */
static char *
dup_name (const Model *model, const LcGridSide *side, guint cell)
{
  const LcPictureOptions *options = &model->context->options;
  guint first = cell * side->group, last = MIN (first + side->group, side->n_things) - 1;
  g_autofree char *one = lc_format_text (lc_names_process (model->context->names, options->selection.processes[first]));
  g_autofree char *other =
      lc_format_text (lc_names_process (model->context->names, options->selection.processes[last]));

  return first == last ? g_steal_pointer (&one) : g_strdup_printf (_ ("%s – %s"), one, other);
}

static char *
view_matrix_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  g_autofree char *from = NULL, *to = NULL, *text = NULL;
  guint row, column;

  if (!lc_grid_find (model->grid, frame, place, &row, &column))
    return NULL;
  from = dup_name (model, &model->grid->rows, row);
  to = dup_name (model, &model->grid->columns, column);
  text = lc_grid_dup_amounts (model->grid, row, column);
  return g_strdup_printf (_ ("From %s to %s\n%s"), from, to, text);
}

/* Tells the sum and the largest cell. */
static char *
view_matrix_tell (gpointer data)
{
  const Model *model = data;
  const LcGrid *grid = model->grid;
  const double *values = grid->values[grid->shown];
  gsize most = 0, n = (gsize)grid->rows.n * grid->columns.n;
  g_autofree char *sum = lc_amount_format (amounts[grid->shown].kind, grid->sum);
  g_autofree char *highest = lc_amount_format (amounts[grid->shown].kind, grid->highest);
  g_autofree char *from = NULL, *to = NULL;

  for (gsize i = 1; i < n; i++)
    if (values[i] > values[most])
      most = i;
  from = dup_name (model, &grid->rows, (guint)(most / grid->columns.n));
  to = dup_name (model, &grid->columns, (guint)(most % grid->columns.n));
  return g_strdup_printf (_ ("%s: %s in all, most of it from %s to %s: %s."), _ (amounts[grid->shown].title), sum, from,
                          to, highest);
}

/* The place leads to the receiving process, since what came to it is what it waited for. */
static gboolean
view_matrix_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  guint row, column;

  if (!lc_grid_find (model->grid, frame, place, &row, &column))
    return FALSE;
  spot->process = model->context->options.selection.processes[(gsize)column * model->grid->columns.group];
  return TRUE;
}

const LcView lc_view_matrix = {
    .info = {.name = "matrix",
             .title = N_ ("Communication between processes"),
             .summary =
                 N_ ("What goes from each process to each other: arcs, messages, bytes, or waiting (--measure)."),
             .traits = LC_VIEW_SPAN | LC_VIEW_MEASURE,
             .amounts = amounts,
             .n_amounts = AMOUNTS},
    .gather = view_matrix_gather,
    .describe = view_matrix_describe,
    .paint = view_matrix_paint,
    .text_at = view_matrix_text_at,
    .find = view_matrix_find,
    .tell = view_matrix_tell,
    .free = view_matrix_free_model,
};
