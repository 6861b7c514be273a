/* SPDX-License-Identifier: Apache-2.0 */
/* The view `waiting-history`: the times when each process waits; where they are too short, the share of waiting. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/diagram/diagram-private.h"
#include "grid.h"
#include "lightcone/statistics.h"
#include "over-time.h"
#include "state-looks.h"
#include "trace/quantities.h"

#define MARGIN 150.0   /* pixels that axes, legend and title take, about */
#define LEAST_ROW 2.0  /* pixels; lower rows are combined */
#define BOX_ROW 5.0    /* pixels; lower rows show shares */
#define LINED_ROW 7.0  /* pixels; higher rows of shares have a line between them */
#define BOX_SHARE 0.66 /* share of a row that its box takes */
#define HIGHEST_BOX 26.0
#define BLURRED 0.02 /* share of waiting that may be in boxes that are not full; with more, shares are shown */

enum
{
  MOST_BOXES = 30000,
};

/* The span from a process's first event to its last. */
typedef struct
{
  guint64 begin;
  guint64 end;
} Life;

typedef struct
{
  const LcViewContext *context;
  LcGridSide rows;
  guint32 *places; /* by process of the history: its place among those shown, or LC_TRACE_NONE */
  Life *lives;     /* by place */
  guint64 waiting;
  guint64 alive; /* sum over all processes, within the span */

  /* Waits; those that are at most a pixel apart are merged. Sorted by place and time. */
  GArray *boxes; /* LcWaitingInterval; NULL: shares are shown */
  guint64 blurred;
  guint64 resolution;

  /* Waiting in ns, of a row's processes in each column's time; row after row. */
  guint columns;
  double *shares;
} Model;

static void
view_history_free_model (gpointer data)
{
  Model *model = data;

  g_clear_pointer (&model->boxes, g_array_unref);
  g_ptr_array_unref (model->rows.names);
  g_free (model->places);
  g_free (model->lives);
  g_free (model->shares);
  g_free (model);
}

/* --- Query -------------------------------------------------------------------------------------------------------- */

static guint64
view_history_get_length (const Model *model)
{
  return MAX (model->context->options.to - model->context->options.from, 1);
}

/* Spreads an interval's waiting over the columns that it is in. */
static void
add_to_shares (Model *model, guint row, const LcWaitingInterval *interval, guint64 begin, guint64 end)
{
  double column = (double)view_history_get_length (model) / model->columns, from = (double)model->context->options.from;
  double density = (double)interval->waiting / (double)(interval->end - interval->begin);
  guint first = (guint)(((double)begin - from) / column), last = (guint)(((double)end - from) / column);

  for (guint i = first; i <= MIN (last, model->columns - 1); i++)
    {
      double left = MAX ((double)begin, from + i * column), right = MIN ((double)end, from + (i + 1) * column);

      if (right > left)
        model->shares[(gsize)row * model->columns + i] += density * (right - left);
    }
}

static gboolean
view_history_add_interval (const LcWaitingInterval *interval, gpointer data)
{
  Model *model = data;
  const LcPictureOptions *options = &model->context->options;
  guint64 begin = MAX (interval->begin, options->from), end = MIN (interval->end, options->to);
  guint32 place = model->places[interval->process];
  guint64 waiting;

  if (place == LC_TRACE_NONE || begin >= end)
    return TRUE;
  waiting = (guint64)((double)interval->waiting * (double)(end - begin) / (double)(interval->end - interval->begin));
  model->waiting += waiting;
  if (interval->waiting < interval->end - interval->begin)
    model->blurred += waiting;
  add_to_shares (model, place / model->rows.group, interval, begin, end);
  if (model->boxes != NULL && model->boxes->len < MOST_BOXES)
    g_array_append_val (model->boxes, *interval);
  else
    g_clear_pointer (&model->boxes, g_array_unref);
  return TRUE;
}

static gboolean
view_history_find_life (Model *model, guint32 place, GError **error)
{
  const LcPictureOptions *options = &model->context->options;
  guint32 process = options->selection.processes[place], timeline = options->timelines[0];
  LcHistoryEvent first, last;
  guint64 events;
  Life life;

  if (!lc_history_count_events (model->context->history, timeline, process, &events, error))
    return FALSE;
  if (events == 0)
    return TRUE;
  if (!lc_history_get_event (model->context->history, timeline, process, 0, &first, error) ||
      !lc_history_get_event (model->context->history, timeline, process, events - 1, &last, error))
    return FALSE;
  life = (Life){CLAMP (first.begin, options->from, options->to), CLAMP (last.end, options->from, options->to)};
  model->lives[place] = life;
  model->alive += life.end - life.begin;
  return TRUE;
}

/* Boxes arrive in the order of the history's processes, but are painted and found by place. */
static int
view_history_compare_boxes (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcWaitingInterval *one = a, *other = b;
  const Model *model = data;
  guint32 place = model->places[one->process], other_place = model->places[other->process];

  if (place != other_place)
    return place < other_place ? -1 : 1;
  return one->begin < other->begin ? -1 : one->begin > other->begin;
}

static gboolean
view_history_fill (Model *model, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &model->context->options;
  double row =
      lc_grid_get_room (lc_over_time_get_breadth (model->context), MARGIN) / MAX (options->selection.n_processes, 1);

  for (guint32 i = 0; i < options->selection.n_processes; i++)
    if (!view_history_find_life (model, i, error))
      return FALSE;
  if (!lc_statistics_visit_waiting (model->context->history, options->timelines[0], model->resolution,
                                    view_history_add_interval, model, cancellable, error))
    return FALSE;
  if (model->boxes != NULL && (row < BOX_ROW || (double)model->blurred > BLURRED * (double)model->waiting))
    g_clear_pointer (&model->boxes, g_array_unref);
  if (model->boxes != NULL)
    g_array_sort_with_data (model->boxes, view_history_compare_boxes, model);
  if (model->alive > 0)
    return TRUE;
  return lc_state_looks_fail_idle (error);
}

static gpointer
view_history_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  Model *model = g_new0 (Model, 1);

  model->context = context;
  lc_grid_side_init (&model->rows, options->selection.n_processes,
                     lc_grid_get_room (lc_over_time_get_breadth (context), MARGIN), LEAST_ROW);
  model->columns = (guint)CLAMP (lc_over_time_get_length (context) - MARGIN, 1, 100000);
  model->resolution = view_history_get_length (model) / model->columns;
  model->shares = g_new0 (double, MAX ((gsize)model->rows.n * model->columns, 1));
  model->lives = g_new0 (Life, MAX (options->selection.n_processes, 1));
  model->places = lc_grid_list_places (context);
  model->boxes = g_array_new (FALSE, FALSE, sizeof (LcWaitingInterval));
  if (view_history_fill (model, cancellable, error))
    return model;
  view_history_free_model (model);
  return NULL;
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static double
get_percent (const Model *model)
{
  return 100 * (double)model->waiting / (double)model->alive;
}

static char *
view_history_tell (gpointer data)
{
  const Model *model = data;
  g_autofree char *waiting = lc_format_duration (model->waiting), *alive = lc_format_duration (model->alive);

  return g_strdup_printf (_ ("Together they waited for %s of %s (%.1f %%)."), waiting, alive, get_percent (model));
}

static void
describe_shares (const Model *model, LcFrame *frame)
{
  g_autofree char *length = lc_format_duration (view_history_get_length (model) / model->columns);
  g_autofree char *together = lc_format_count (model->rows.group);
  g_autofree char *note =
      model->rows.group > 1
          ? g_strdup_printf (_ ("The waits are too short or too many to be drawn: each cell is the share of %s that "
                                "%s processes which follow each other waited."),
                             length, together)
          : g_strdup_printf (_ ("The waits are too short to be drawn one by one: each cell is the share of %s that the "
                                "process waited."),
                             length);

  lc_frame_add_shades (frame, _ ("share of the time waiting"), _ ("0 %"), _ ("100 %"), lc_diagram_get_share_color);
  lc_frame_add_note (frame, note);
}

static void
view_history_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  Model *model = data;
  LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = model->rows.n};
  g_autofree char *told = view_history_tell (data);

  lc_grid_name_processes (&model->rows, model->context);
  y.names = (const char *const *)model->rows.names->pdata;
  lc_frame_set_time (frame, model->context->options.from, model->context->options.to);
  lc_frame_set_y (frame, &y);
  if (model->boxes != NULL)
    {
      lc_frame_add_line (frame, _ ("running"), lc_canvas_stroke (canvas, LC_INK_RUNNING, 2));
      lc_frame_add_fill (frame, _ ("Waiting"), lc_diagram_get_state_fill (canvas, LC_INK_WAITING));
    }
  else
    describe_shares (model, frame);
  lc_frame_add_note (frame, told);
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

static void
paint_lives (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  guint n = 0;
  g_autofree LcLine *lines = g_new (LcLine, model->rows.n_things);

  for (guint i = 0; i < model->rows.n_things; i++)
    if (model->lives[i].end > model->lives[i].begin)
      lines[n++] = lc_over_time_line (frame, model->lives[i].begin, model->lives[i].end, i + 0.5);
  lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_RUNNING, 2), lines, n);
}

static void
view_history_paint_boxes (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  double row = lc_over_time_step (frame), half = MIN (BOX_SHARE, HIGHEST_BOX / row) / 2;
  g_autofree LcRectangle *boxes = g_new (LcRectangle, MAX (model->boxes->len, 1));

  for (guint i = 0; i < model->boxes->len; i++)
    {
      const LcWaitingInterval *wait = &g_array_index (model->boxes, LcWaitingInterval, i);
      double middle = model->places[wait->process] + 0.5;

      boxes[i] = lc_over_time_box (frame, (double)wait->begin, (double)wait->end, middle - half, middle + half);
    }
  lc_canvas_rectangles (canvas, lc_diagram_get_state_fill (canvas, LC_INK_WAITING), boxes, model->boxes->len);
}

/* The time in a column during which the processes of a row are alive, in ns. */
static double
get_alive (const Model *model, guint row, guint column)
{
  double length = (double)view_history_get_length (model) / model->columns;
  double from = (double)model->context->options.from + column * length, alive = 0;

  for (guint i = row * model->rows.group; i < MIN ((row + 1) * model->rows.group, model->rows.n_things); i++)
    alive += MAX (0, MIN ((double)model->lives[i].end, from + length) - MAX ((double)model->lives[i].begin, from));
  return alive;
}

static void
view_history_paint_shares (const Model *model, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  gsize n = (gsize)model->rows.n * model->columns;
  g_autofree guint32 *colors = g_new0 (guint32, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    {
      double alive = get_alive (model, (guint)(i / model->columns), (guint)(i % model->columns));

      if (alive > 0)
        colors[i] = lc_grid_pack (lc_diagram_get_share_color (lc_canvas_get_theme (canvas), model->shares[i] / alive));
    }
  lc_over_time_cells (frame, canvas, area, colors, model->columns, model->rows.n);
  lc_over_time_rows (frame, &model->rows, canvas, area, LINED_ROW);
}

static void
view_history_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  lc_canvas_clip (canvas, area);
  if (model->boxes == NULL)
    view_history_paint_shares (model, frame, canvas, area);
  else
    {
      paint_lives (model, frame, canvas);
      view_history_paint_boxes (model, frame, canvas);
    }
  lc_canvas_unclip (canvas);
}

/* --- Hit test ----------------------------------------------------------------------------------------------------- */

static const LcWaitingInterval *
view_history_find_box (const Model *model, guint place, guint64 time, guint64 margin)
{
  for (guint i = 0; i < model->boxes->len; i++)
    {
      const LcWaitingInterval *wait = &g_array_index (model->boxes, LcWaitingInterval, i);

      if (model->places[wait->process] == place && wait->begin <= time + margin && time <= wait->end + margin)
        return wait;
    }
  return NULL;
}

static char *
dup_wait (const Model *model, const LcWaitingInterval *wait, const char *name)
{
  g_autofree char *waiting = lc_format_duration (wait->waiting),
                  *begin = lc_format_moment (wait->begin, wait->end - wait->begin);
  g_autofree char *end = lc_format_moment (wait->end, wait->end - wait->begin), *waits = lc_format_count (wait->waits);
  const char *object = lc_names_object (model->context->names, wait->object);
  g_autofree char *what = object != NULL ? g_strdup_printf (_ ("\nFor %s"), object) : g_strdup ("");

  if (wait->waits > 1)
    return g_strdup_printf (_ ("%s\n%s waits, %s in all\nFrom %s to %s%s"), name, waits, waiting, begin, end, what);
  return g_strdup_printf (_ ("%s\nWaits for %s\nFrom %s to %s%s"), name, waiting, begin, end, what);
}

static char *
view_history_dup_share (const Model *model, guint row, guint column, const char *name)
{
  double length = (double)view_history_get_length (model) / model->columns;
  double from = (double)model->context->options.from + column * length, alive = get_alive (model, row, column);
  g_autofree char *begin = lc_format_duration ((guint64)from);
  g_autofree char *end = lc_format_duration ((guint64)(from + length));
  guint n = MIN (model->rows.group, model->rows.n_things - row * model->rows.group);
  g_autofree char *who =
      n > 1 ? g_strdup_printf (ngettext ("%s and %u that follows it", "%s and %u that follow it", n - 1), name, n - 1)
            : g_strdup (name);

  if (alive <= 0)
    return NULL;
  return g_strdup_printf (_ ("%s\nWaiting: %.1f %% of the time\nFrom %s to %s"), who,
                          100 * model->shares[(gsize)row * model->columns + column] / alive, begin, end);
}

static char *
view_history_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  const LcPictureOptions *options = &model->context->options;
  double length = (double)view_history_get_length (model), column = length / model->columns, at;
  g_autofree char *name = NULL;
  const LcWaitingInterval *wait;
  guint64 time;
  guint row;

  if (!lc_over_time_find (frame, area, place, &time, &at) || !(at >= 0 && at < model->rows.n))
    return NULL;
  row = (guint)at;
  name =
      lc_format_text (lc_names_process (model->context->names, options->selection.processes[row * model->rows.group]));
  if (model->boxes == NULL)
    return view_history_dup_share (model, row,
                                   (guint)MIN ((double)(time - options->from) / column, model->columns - 1.0), name);
  wait = view_history_find_box (model, row, time, (guint64)(margin / lc_over_time_get_room (frame, area) * length));
  return wait != NULL ? dup_wait (model, wait, name) : g_steal_pointer (&name);
}

static gboolean
view_history_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  const LcPictureOptions *options = &model->context->options;
  const LcWaitingInterval *wait = NULL;
  double at;
  guint row;

  spot->has_time = lc_over_time_find (frame, area, place, &spot->time, &at);
  /* Names are before the first time, or below the last one. */
  if (!(at >= 0 && at < model->rows.n) ||
      (!spot->has_time && spot->time != (lc_frame_is_turned (frame) ? options->to : options->from)))
    return FALSE;
  row = (guint)at;
  spot->process = options->selection.processes[row * model->rows.group];
  if (model->boxes != NULL && spot->has_time)
    wait = view_history_find_box (
        model, row, spot->time,
        (guint64)((double)view_history_get_length (model) / lc_over_time_get_room (frame, area)));
  if (wait != NULL)
    spot->ordinal = wait->ordinal;
  return TRUE;
}

const LcView lc_view_waiting_history = {
    .info = {.name = "waiting-history",
             .title = N_ ("Waiting over time"),
             .summary = N_ ("When each process waits."),
             .traits = LC_VIEW_SPAN | LC_VIEW_OVER_TIME},
    .gather = view_history_gather,
    .describe = view_history_describe,
    .paint = view_history_paint,
    .text_at = view_history_text_at,
    .find = view_history_find,
    .tell = view_history_tell,
    .free = view_history_free_model,
};
