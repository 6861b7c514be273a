/* SPDX-License-Identifier: Apache-2.0 */
/* The view `slack`: how much later each process could have been at each time without the run's end moving. */
#include <glib/gi18n-lib.h>

#include "grid.h"
#include "lightcone/slack.h"
#include "lightcone/statistics.h"
#include "over-time.h"
#include "state-looks.h"
#include "trace/quantities.h"

#define MARGIN 150.0  /* pixels that axes, legend and title take, about */
#define LEAST_ROW 2.0 /* pixels; lower rows are combined */
#define LINED_ROW 7.0 /* pixels; higher rows have a line between them */
#define PALEST 0.12   /* amount whose colour much slack has: nothing at all is paler */
#define MUCH 0.1      /* share of the run's length: more slack than that looks the same */
#define LITTLE 0.01   /* share of it that the sentence below counts */

/* The least slack of what a row's processes did in a column of time, and which event has it. */
typedef struct
{
  guint64 slack; /* G_MAXUINT64: they did nothing */
  guint64 ordinal;
  guint32 process;
} Cell;

/* What is known of a process while the pass goes back in time: what leads to its `ordinal`-th event begins with the end
 * of the event before, which comes next. */
typedef struct
{
  guint64 end; /* of the event */
  guint64 slack;
  guint64 ordinal;
  gboolean is_there;
} Later;

typedef struct
{
  const LcViewContext *context;
  LcGridSide rows;
  guint columns;
  Cell *cells;     /* row after row */
  guint32 *places; /* by process of the history: its place among those shown, or LC_TRACE_NONE */
  Later *laters;   /* by place */
  guint64 total;   /* length of the run */
  guint64 limit;   /* slack that looks the same as more of it */
  guint64 alive;   /* ns, of all processes, in the picture's time */
  guint64 little;  /* ns of it that lead to events with little slack */
} Model;

static void
view_slack_free_model (gpointer data)
{
  Model *model = data;

  g_clear_pointer (&model->rows.names, g_ptr_array_unref);
  g_free (model->cells);
  g_free (model->places);
  g_free (model->laters);
  g_free (model);
}

/* --- Query -------------------------------------------------------------------------------------------------------- */

static double
view_slack_get_column (const Model *model)
{
  const LcPictureOptions *options = &model->context->options;

  return (double)MAX (options->to - options->from, 1) / model->columns;
}

/* Computing before an event, and the event, may end later by the event's slack. What takes no time has a cell, too. */
static void
view_slack_add (Model *model, guint32 place, guint64 begin)
{
  const LcPictureOptions *options = &model->context->options;
  const Later *later = &model->laters[place];
  guint64 from = MAX (begin, options->from), to = MIN (later->end, options->to);
  const double column = view_slack_get_column (model);
  guint first, last;

  if (!later->is_there || from > to)
    return;
  model->alive += to - from;
  if ((double)later->slack <= LITTLE * (double)model->total)
    model->little += to - from;
  first = (guint)((double)(from - options->from) / column);
  last = (guint)((double)(to - options->from) / column);
  for (guint i = first; i <= MIN (last, model->columns - 1); i++)
    {
      Cell *cell = &model->cells[(gsize)(place / model->rows.group) * model->columns + i];

      if (later->slack < cell->slack)
        *cell = (Cell){later->slack, later->ordinal, options->selection.processes[place]};
    }
}

/* What leads to the first event begins with the process. */
static gboolean
view_slack_add_first (Model *model, guint32 place, GError **error)
{
  const LcPictureOptions *options = &model->context->options;
  guint64 begin, end;

  if (!lc_history_get_process_span (model->context->history, options->timelines[0], options->selection.processes[place],
                                    &begin, &end, error))
    return FALSE;
  view_slack_add (model, place, begin);
  return TRUE;
}

static gboolean
view_slack_read (Model *model, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &model->context->options;
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (model->context->history, options->timelines[0], cancellable, error);
  const LcEventSlack *found;

  if (pass == NULL || !lc_slack_pass_next (pass, &found, error))
    return FALSE;
  while (found != NULL)
    {
      const LcHistoryEvent *event = &found->event;
      const guint32 place = model->places[event->process];

      if (place != LC_TRACE_NONE)
        {
          view_slack_add (model, place, event->end);
          model->laters[place] = (Later){event->end, found->slack, event->ordinal, TRUE};
          if (event->ordinal == 0 && !view_slack_add_first (model, place, error))
            return FALSE;
        }
      if (!lc_slack_pass_next (pass, &found, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
view_slack_fill (Model *model, GCancellable *cancellable, GError **error)
{
  const gsize n_cells = (gsize)model->rows.n * model->columns;

  for (gsize i = 0; i < n_cells; i++)
    model->cells[i].slack = G_MAXUINT64;
  if (!lc_statistics_total (model->context->history, model->context->options.timelines[0], &model->total, error))
    return FALSE;
  model->limit = MAX ((guint64)(MUCH * (double)model->total), 1);
  if (!view_slack_read (model, cancellable, error))
    return FALSE;
  if (model->alive > 0)
    return TRUE;
  return lc_state_looks_fail_idle (error);
}

static gpointer
view_slack_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  Model *model = g_new0 (Model, 1);

  model->context = context;
  lc_grid_side_init (&model->rows, options->selection.n_processes,
                     lc_grid_get_room (lc_over_time_get_breadth (context), MARGIN), LEAST_ROW);
  model->columns = (guint)CLAMP (lc_over_time_get_length (context) - MARGIN, 1, 100000);
  model->cells = g_new (Cell, MAX ((gsize)model->rows.n * model->columns, 1));
  model->laters = g_new0 (Later, MAX (options->selection.n_processes, 1));
  model->places = lc_grid_list_places (context);
  if (view_slack_fill (model, cancellable, error))
    return model;
  view_slack_free_model (model);
  return NULL;
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static char *
view_slack_tell (gpointer data)
{
  const Model *model = data;
  g_autofree char *little = lc_format_duration (model->little), *alive = lc_format_duration (model->alive);
  g_autofree char *slack = lc_format_duration ((guint64)(LITTLE * (double)model->total));

  return g_strdup_printf (
      _ ("%s of %s (%.1f %%) could have ended at most %s later, 1 %% of the run, without making the "
         "run longer."),
      little, alive, 100 * (double)model->little / (double)model->alive, slack);
}

static LcColor
view_slack_get_color (LcTheme theme, double share)
{
  return lc_color_mix (lc_palette_get_amount (theme, PALEST), lc_palette_get_color (theme, LC_INK_CRITICAL), share);
}

static void
view_slack_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  Model *model = data;
  LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = model->rows.n};
  g_autofree char *told = view_slack_tell (data), *limit = lc_format_duration (model->limit);
  g_autofree char *much = g_strdup_printf (_ ("%s and more"), limit), *group = lc_format_count (model->rows.group);
  g_autofree char *together =
      g_strdup_printf (_ ("Each row has the least slack of %s processes that follow each other."), group);

  lc_grid_name_processes (&model->rows, model->context);
  y.names = (const char *const *)model->rows.names->pdata;
  lc_frame_set_time (frame, model->context->options.from, model->context->options.to);
  lc_frame_set_y (frame, &y);
  lc_frame_add_shades (frame, _ ("slack"), much, _ ("0"), view_slack_get_color);
  lc_frame_add_note (frame, told);
  if (model->rows.group > 1)
    lc_frame_add_note (frame, together);
}

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

static void
view_slack_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  const gsize n = (gsize)model->rows.n * model->columns;
  g_autofree guint32 *colors = g_new0 (guint32, MAX (n, 1));
  LcTheme theme = lc_canvas_get_theme (canvas);

  for (gsize i = 0; i < n; i++)
    if (model->cells[i].slack != G_MAXUINT64)
      colors[i] = lc_grid_pack (
          view_slack_get_color (theme, 1 - MIN (1, (double)model->cells[i].slack / (double)model->limit)));
  lc_canvas_clip (canvas, area);
  lc_over_time_cells (frame, canvas, area, colors, model->columns, model->rows.n);
  lc_over_time_rows (frame, &model->rows, canvas, area, LINED_ROW);
  lc_canvas_unclip (canvas);
}

/* --- Hit test ------------------------------------------------------------------------------------------------------
 */

/* Finds the row at a place, and its cell; NULL: the row's processes did nothing then. FALSE: there is no row. */
static gboolean
view_slack_find_cell (const Model *model, const LcFrame *frame, LcRectangle area, LcPlace place, guint *row,
                      guint64 *time, const Cell **cell)
{
  const LcPictureOptions *options = &model->context->options;
  gboolean has_time;
  double at;

  *cell = NULL;
  has_time = lc_over_time_find (frame, area, place, time, &at);
  /* Names are before the first time, or below the last one. */
  if (!(at >= 0 && at < model->rows.n) ||
      (!has_time && *time != (lc_frame_is_turned (frame) ? options->to : options->from)))
    return FALSE;
  *row = (guint)at;
  if (has_time)
    {
      double column = (double)(*time - options->from) / view_slack_get_column (model);

      *cell = &model->cells[(gsize)*row * model->columns + (guint)MIN (column, model->columns - 1.0)];
    }
  if (*cell != NULL && (*cell)->slack == G_MAXUINT64)
    *cell = NULL;
  return TRUE;
}

static char *
view_slack_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  g_autofree char *slack = NULL, *name = NULL, *time = NULL, *number = NULL;
  const Cell *cell;
  guint64 at;
  guint row;

  if (!view_slack_find_cell (model, frame, area, place, &row, &at, &cell) || cell == NULL)
    return NULL;
  slack = lc_format_duration (cell->slack);
  name = lc_format_text (lc_names_process (model->context->names, cell->process));
  time = lc_format_moment (at, (guint64)view_slack_get_column (model));
  number = lc_format_count (cell->ordinal);
  if (cell->slack == 0)
    return g_strdup_printf (
        _ ("%s at %s\nNo slack: event %s, or what leads to it, ends no later without making the run "
           "longer"),
        name, time, number);
  return g_strdup_printf (_ ("%s at %s\nSlack: %s, of event %s and what leads to it"), name, time, slack, number);
}

static gboolean
view_slack_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  const Cell *cell;
  guint64 at;
  guint row;

  if (!view_slack_find_cell (model, frame, area, place, &row, &at, &cell))
    return FALSE;
  spot->process = model->context->options.selection.processes[row * model->rows.group];
  if (cell == NULL)
    return TRUE;
  spot->has_time = TRUE;
  spot->time = at;
  spot->process = cell->process;
  spot->ordinal = cell->ordinal;
  return TRUE;
}

const LcView lc_view_slack = {
    .info = {.name = "slack",
             .title = N_ ("Slack over time"),
             .summary =
                 N_ ("How much later each process could have been, at each time, without making the run longer."),
             .traits = LC_VIEW_SPAN | LC_VIEW_OVER_TIME},
    .gather = view_slack_gather,
    .describe = view_slack_describe,
    .paint = view_slack_paint,
    .text_at = view_slack_text_at,
    .find = view_slack_find,
    .tell = view_slack_tell,
    .free = view_slack_free_model,
};
