/* SPDX-License-Identifier: Apache-2.0 */
/* The view `states`: how many processes are in each state over time, one state above the other. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "lightcone/scene.h"
#include "over-time.h"
#include "state-looks.h"
#include "trace/quantities.h"

#define HEADROOM 1.04 /* times the highest sum */
#define MARGIN 80.0   /* pixels that axes take, about */

enum
{
  MOST_MARKS = 400000, /* of more events, and more columns of more processes, there are sums */
};

/* A column of time: the sum over all processes, in ns. */
typedef struct
{
  double alive;
  double spent[LC_STATE_LOOKS];
} Column;

typedef struct
{
  const LcViewContext *context;
  Column *columns;
  guint n_columns;
  guint64 *life_ends; /* by row */
  double highest;     /* sum of a column, in processes */
  double totals[LC_STATE_LOOKS];
} Model;

static void
view_states_free_model (gpointer data)
{
  Model *model = data;

  g_free (model->columns);
  g_free (model->life_ends);
  g_free (model);
}

/* --- Query -------------------------------------------------------------------------------------------------------- */

static double
view_states_get_length (const Model *model)
{
  const LcPictureOptions *options = &model->context->options;

  return (double)MAX (options->to - options->from, 1) / model->n_columns;
}

/* Spreads an amount evenly over the columns between two times; what is beside the picture is left out. */
static void
view_states_spread (Model *model, guint64 from, guint64 to, double amount, gsize offset)
{
  const LcPictureOptions *options = &model->context->options;
  const double length = view_states_get_length (model), density = amount / (double)MAX (to - from, 1);
  const guint64 begin = MAX (from, options->from), end = MIN (to, options->to);

  if (begin >= end || amount <= 0)
    return;
  for (guint i = (guint)((double)(begin - options->from) / length); i < model->n_columns; i++)
    {
      const double left = MAX ((double)begin, (double)options->from + i * length);
      const double right = MIN ((double)end, (double)options->from + (i + 1) * length);

      if (left >= (double)end)
        break;
      if (right > left)
        *(double *)(gpointer)((char *)&model->columns[i] + offset) += density * (right - left);
    }
}

static void
view_states_add (Model *model, LcStateLook state, guint64 from, guint64 to, guint64 amount)
{
  view_states_spread (model, from, to, (double)amount, G_STRUCT_OFFSET (Column, spent) + state * sizeof (double));
}

static void
view_states_add_all (Model *model, const LcMark *mark, guint64 from, guint64 to)
{
  view_states_add (model, LC_STATE_LOOK_PREEMPTED, from, to, mark->preempted);
  view_states_add (model, LC_STATE_LOOK_OUTSIDE, from, to, mark->outside);
}

/* Waiting comes first in an event, then being woken. When it was off its processor after that, absences tell; an event
 * that was off as a whole has none. */
static void
view_states_add_event (Model *model, const LcMark *mark, gboolean has_absences)
{
  view_states_add (model, LC_STATE_LOOK_WAITING, mark->from, mark->released, mark->released - mark->from);
  view_states_add (model, LC_STATE_LOOK_WOKEN, mark->released, mark->went_on, mark->went_on - mark->released);
  if (!has_absences || mark->running == 0)
    view_states_add_all (model, mark, mark->went_on, mark->to);
}

/* A process that was killed ends with an event that has been counted, and the operation is in it. */
static void
view_states_add_pending (Model *model, const LcMark *mark)
{
  const guint64 from = MAX (mark->from, model->life_ends[mark->row]);

  if (from < mark->to)
    view_states_add (model, LC_STATE_LOOK_WAITING, from, mark->to, mark->to - from);
}

static void
view_states_add_mark (Model *model, const LcMark *mark, gboolean has_absences)
{
  switch ((LcMarkKind)mark->kind)
    {
    case LC_MARK_LIFE:
      model->life_ends[mark->row] = mark->to;
      view_states_spread (model, mark->from, mark->to, (double)(mark->to - mark->from),
                          G_STRUCT_OFFSET (Column, alive));
      if (!has_absences)
        view_states_add_all (model, mark, mark->from, mark->to);
      break;
    case LC_MARK_EVENT:
      view_states_add_event (model, mark, has_absences);
      break;
    case LC_MARK_ABSENT:
      view_states_add_all (model, mark, mark->from, mark->to);
      break;
    case LC_MARK_SUMMARY:
      view_states_add (model, LC_STATE_LOOK_WAITING, mark->from, mark->to, mark->waiting);
      view_states_add (model, LC_STATE_LOOK_WOKEN, mark->from, mark->to, mark->woken);
      view_states_add_all (model, mark, mark->from, mark->to);
      break;
    case LC_MARK_PENDING:
      view_states_add_pending (model, mark);
      break;
    case LC_MARK_GOING:
    case LC_MARK_HOLDING:
    case LC_MARK_BOUNDS:
    case LC_MARK_LOST:
    case LC_MARKS:
    default:
      break;
    }
}

/* The part of a process's life that is in no other state was running. */
static void
view_states_sum_up (Model *model)
{
  const double length = view_states_get_length (model);

  for (guint i = 0; i < model->n_columns; i++)
    {
      Column *column = &model->columns[i];
      double others = 0;

      for (guint state = LC_STATE_LOOK_RUNNING + 1; state < LC_STATE_LOOKS; state++)
        others += column->spent[state];
      column->spent[LC_STATE_LOOK_RUNNING] = MAX (column->alive - others, 0);
      model->highest = MAX (model->highest, (column->spent[LC_STATE_LOOK_RUNNING] + others) / length);
      for (guint state = 0; state < LC_STATE_LOOKS; state++)
        model->totals[state] += column->spent[state];
    }
}

static gboolean
view_states_fill (Model *model, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &model->context->options;
  g_autoptr (LcScene) scene = NULL;
  gboolean has_absences = FALSE;
  const LcMark *marks;
  LcSceneQuery query;
  gsize n_marks;

  lc_scene_query_init (&query);
  query.timeline = options->timelines[0];
  query.from = options->from;
  query.to = options->to;
  query.selection = options->selection;
  query.selection.hide_holding = query.selection.hide_arcs = TRUE;
  query.length = model->n_columns;
  query.breadth = 2 * options->selection.n_processes; /* a row of its own for each */
  query.most_marks = MOST_MARKS;
  scene = lc_scene_new (model->context->history, &query, cancellable, error);
  if (scene == NULL)
    return FALSE;
  marks = lc_scene_get_marks (scene, &n_marks);
  for (gsize i = 0; i < n_marks; i++)
    has_absences |= marks[i].kind == LC_MARK_ABSENT;
  for (gsize i = 0; i < n_marks; i++)
    view_states_add_mark (model, &marks[i], has_absences);
  view_states_sum_up (model);
  if (model->highest > 0)
    return TRUE;
  return lc_state_looks_fail_idle (error);
}

static gpointer
view_states_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  Model *model = g_new0 (Model, 1);

  model->context = context;
  model->n_columns = (guint)CLAMP (lc_over_time_get_length (context) - MARGIN, 1, 100000);
  model->columns = g_new0 (Column, model->n_columns);
  model->life_ends = g_new0 (guint64, MAX (context->options.selection.n_processes, 1));
  if (view_states_fill (model, cancellable, error))
    return model;
  view_states_free_model (model);
  return NULL;
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

/* Gives "Running 3.2 (64 %)", from ns of a state and of all states, and the length of the time. */
static char *
view_states_dup_share (LcStateLook state, double spent, double all, double length)
{
  return g_strdup_printf (_ ("%s: %.2f (%.1f %%)"), lc_state_look_get_name ((LcStateLook)state), spent / length,
                          all > 0 ? 100 * spent / all : 0);
}

static char *
view_states_dup_list (const double *spent, double length, const char *between)
{
  GString *text = g_string_new (NULL);
  double all = 0;

  for (guint state = 0; state < LC_STATE_LOOKS; state++)
    all += spent[state];
  for (guint state = 0; state < LC_STATE_LOOKS; state++)
    if (spent[state] > 0)
      {
        g_autofree char *share = view_states_dup_share ((LcStateLook)state, spent[state], all, length);

        g_string_append_printf (text, "%s%s", text->len > 0 ? between : "", share);
      }
  return g_string_free (text, FALSE);
}

static char *
view_states_tell (gpointer data)
{
  const Model *model = data;
  g_autofree char *list =
      view_states_dup_list (model->totals, view_states_get_length (model) * model->n_columns, " · ");

  return g_strdup_printf (_ ("Processes on average: %s."), list);
}

static void
view_states_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const LcAxisScale y = {
      .title = _ ("Processes"), .kind = LC_SCALE_COUNT, .to = HEADROOM * model->highest, .grid = TRUE};
  g_autofree char *told = view_states_tell (data);

  lc_frame_set_time (frame, model->context->options.from, model->context->options.to);
  lc_frame_set_y (frame, &y);
  for (guint state = 0; state < LC_STATE_LOOKS; state++)
    if (model->totals[state] > 0)
      lc_frame_add_fill (frame, lc_state_look_get_name ((LcStateLook)state),
                         lc_state_look_get_fill (canvas, (LcStateLook)state));
  lc_frame_add_note (frame, told);
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

/* Paints the boxes of one state, each on those of the states below it. */
static void
view_states_paint_state (const Model *model, LcStateLook state, double *below, const LcFrame *frame, LcCanvas *canvas)
{
  const double length = view_states_get_length (model), from = (double)model->context->options.from;
  g_autofree LcRectangle *boxes = g_new (LcRectangle, model->n_columns);
  guint n = 0;

  for (guint i = 0, end; i < model->n_columns; i = end)
    {
      const double amount = model->columns[i].spent[state] / length, low = below[i];

      /* Columns that are alike are one box, so that a pattern is not cut. */
      for (end = i; end < model->n_columns && model->columns[end].spent[state] / length == amount && below[end] == low;)
        end++;
      end = MAX (end, i + 1);
      if (amount > 0)
        boxes[n++] = lc_over_time_box (frame, from + i * length, from + end * length, low, low + amount);
    }
  lc_canvas_rectangles (canvas, lc_state_look_get_fill (canvas, (LcStateLook)state), boxes, n);
  for (guint i = 0; i < model->n_columns; i++)
    below[i] += model->columns[i].spent[state] / length;
}

static void
view_states_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  g_autofree double *below = g_new0 (double, model->n_columns);

  lc_canvas_clip (canvas, area);
  for (guint state = 0; state < LC_STATE_LOOKS; state++)
    {
      lc_canvas_begin (canvas, "state", lc_state_look_get_name ((LcStateLook)state));
      view_states_paint_state (model, (LcStateLook)state, below, frame, canvas);
      lc_canvas_end (canvas);
    }
  lc_canvas_unclip (canvas);
}

/* --- Hit test -------------------------------------------------------------------------------------------------------
 */

static char *
view_states_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  const LcPictureOptions *options = &model->context->options;
  const double length = view_states_get_length (model);
  g_autofree char *begin = NULL, *end = NULL, *list = NULL;
  guint64 time;
  guint column;

  if (!lc_over_time_find (frame, area, place, &time, NULL))
    return NULL;
  column = (guint)MIN ((double)(time - options->from) / length, model->n_columns - 1.0);
  list = view_states_dup_list (model->columns[column].spent, length, "\n");
  begin = lc_format_moment (options->from + (guint64)(column * length), (guint64)length);
  end = lc_format_moment (options->from + (guint64)((column + 1) * length), (guint64)length);
  return g_strdup_printf (_ ("Processes from %s to %s\n%s"), begin, end, list);
}

static gboolean
view_states_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  spot->has_time = lc_over_time_find (frame, area, place, &spot->time, NULL);
  return spot->has_time;
}

const LcView lc_view_states = {
    .info = {.name = "states",
             .title = N_ ("States over time"),
             .summary = N_ ("How many processes run, wait, or have no processor, at each time."),
             .traits = LC_VIEW_SPAN | LC_VIEW_OVER_TIME},
    .gather = view_states_gather,
    .describe = view_states_describe,
    .paint = view_states_paint,
    .text_at = view_states_text_at,
    .find = view_states_find,
    .tell = view_states_tell,
    .free = view_states_free_model,
};
