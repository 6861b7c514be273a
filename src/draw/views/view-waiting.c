/* SPDX-License-Identifier: Apache-2.0 */
/* The view `waiting`: how long each process ran and waited, as bars. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "lightcone/statistics.h"
#include "state-looks.h"
#include "trace/quantities.h"

#define LEAST_BAR 3.0 /* lower rows are combined into one bar */
#define HIGHEST_BAR 36.0
#define BAR_SHARE 0.7  /* share of a row that its bar takes */
#define TEXT_ROW 14.0  /* rows at least this high have their share of waiting written beside the bar */
#define TEXT_ROOM 1.08 /* the axis is this much longer than the longest bar, for these texts */

typedef struct
{
  const LcViewContext *context;
  LcWaitingStatistics *rows; /* the processes that are shown */
  guint n_rows;
  const char **names;
  guint64 longest; /* the longest span */
  guint64 span;    /* sum over all processes */
  guint64 waiting;
} Model;

static const char *
view_waiting_get_name (LcStateLook state)
{
  return state == LC_STATE_LOOK_WAITING ? _ ("Waiting, with its share of the time") : lc_state_look_get_name (state);
}

static guint64
view_waiting_get_time (const LcWaitingStatistics *row, guint state)
{
  const guint64 times[LC_STATE_LOOKS] = {row->running, row->preempted, row->outside, row->woken, row->waiting};

  return times[state];
}

static gboolean
view_waiting_has (const Model *model, guint state)
{
  for (guint i = 0; i < model->n_rows; i++)
    if (view_waiting_get_time (&model->rows[i], state) > 0)
      return TRUE;
  return FALSE;
}

static void
view_waiting_free_model (gpointer data)
{
  Model *model = data;

  g_free (model->rows);
  g_free (model->names);
  g_free (model);
}

static gpointer
view_waiting_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  g_autoptr (GArray) all = lc_statistics_waiting (context->history, options->timelines[0], cancellable, error);
  Model *model;

  if (all == NULL)
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->n_rows = options->selection.n_processes;
  model->rows = g_new0 (LcWaitingStatistics, model->n_rows);
  model->names = g_new0 (const char *, model->n_rows);
  for (guint i = 0; i < model->n_rows; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (all, LcWaitingStatistics, options->selection.processes[i]);

      model->rows[i] = *row;
      model->names[i] = lc_names_process (context->names, row->process);
      model->longest = MAX (model->longest, row->span);
      model->span += row->span;
      model->waiting += row->waiting;
    }
  return model;
}

/* The number of processes in one bar, in an area of this height. */
static guint
view_waiting_get_group (const Model *model, double height)
{
  return MAX (1, (guint)ceil (model->n_rows * LEAST_BAR / MAX (height, LEAST_BAR)));
}

static char *
view_waiting_dup_share (guint64 part, guint64 whole)
{
  return g_strdup_printf (_ ("%.1f %%"), whole > 0 ? 100.0 * (double)part / (double)whole : 0);
}

static char *
view_waiting_tell (gpointer data)
{
  const Model *model = data;
  g_autofree char *span = lc_format_duration (model->span);
  g_autofree char *waiting = lc_format_duration (model->waiting);
  g_autofree char *share = view_waiting_dup_share (model->waiting, model->span);

  return g_strdup_printf (_ ("Together they were alive for %s, and waited for %s of it (%s)."), span, waiting, share);
}

static void
view_waiting_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const LcAxisScale x = {.title = _ ("Time"),
                         .kind = LC_SCALE_TIME,
                         .to = model->longest > 0 ? (double)model->longest * TEXT_ROOM : 1,
                         .grid = TRUE};
  const LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = model->n_rows, .names = model->names};
  g_autofree char *told = view_waiting_tell (data);
  guint group;

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  for (guint state = 0; state < LC_STATE_LOOKS; state++)
    if (state == LC_STATE_LOOK_RUNNING || state == LC_STATE_LOOK_WAITING || view_waiting_has (model, state))
      lc_frame_add_fill (frame, view_waiting_get_name (state), lc_state_look_get_fill (canvas, state));
  lc_frame_add_note (frame, model->span > 0 ? told : _ ("Nothing was recorded of these processes."));
  group = view_waiting_get_group (model, lc_frame_measure (frame, canvas, model->context->whole).height);
  if (group > 1)
    {
      g_autofree char *count = lc_format_count (group);
      g_autofree char *note =
          g_strdup_printf (_ ("Each bar is the average of %s processes that follow each other."), count);

      lc_frame_add_note (frame, note);
    }
}

/* The average of some processes. */
static LcWaitingStatistics
view_waiting_get_average (const Model *model, guint first, guint n)
{
  LcWaitingStatistics average = {0};

  for (guint i = first; i < first + n; i++)
    {
      average.span += model->rows[i].span;
      average.running += model->rows[i].running;
      average.waiting += model->rows[i].waiting;
      average.woken += model->rows[i].woken;
      average.preempted += model->rows[i].preempted;
      average.outside += model->rows[i].outside;
    }
  average.span /= n;
  average.running /= n;
  average.woken /= n;
  average.preempted /= n;
  average.outside /= n;
  average.waiting = average.span - average.running - average.woken - average.preempted - average.outside;
  return average;
}

static void
view_waiting_paint_share (LcCanvas *canvas, LcRectangle area, const LcWaitingStatistics *row, LcPlace place)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT, .align_y = 0.5};
  g_autofree char *share = view_waiting_dup_share (row->waiting, row->span);
  double width, height;

  lc_canvas_measure (canvas, &style, share, &width, &height);
  if (place.x + width <= area.x + area.width)
    lc_canvas_text (canvas, &style, place, share);
}

static void
view_waiting_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  guint group = view_waiting_get_group (model, area.height), n[LC_STATE_LOOKS] = {0};
  g_autofree LcRectangle *bars = g_new (LcRectangle, LC_STATE_LOOKS * ((gsize)model->n_rows + 1));

  for (guint first = 0; first < model->n_rows; first += group)
    {
      guint together = MIN (group, model->n_rows - first);
      LcWaitingStatistics row = view_waiting_get_average (model, first, together);
      double top = lc_frame_get_y (frame, first), room = lc_frame_get_y (frame, first + together) - top;
      double height = MIN (room >= 2 * LEAST_BAR ? BAR_SHARE * room : room, HIGHEST_BAR);
      double y = top + (room - height) / 2, end = lc_frame_get_x (frame, (double)row.span);
      guint64 at = 0;

      /* The canvas would draw an empty rectangle one pixel wide. */
      for (guint state = 0; state < LC_STATE_LOOKS; state++)
        {
          const guint64 time = view_waiting_get_time (&row, state);
          double from = at > 0 ? lc_frame_get_x (frame, (double)at) : area.x;

          at += time;
          if (time > 0)
            bars[state * (model->n_rows + 1) + n[state]++] =
                (LcRectangle){from, y, lc_frame_get_x (frame, (double)at) - from, height};
        }
      if (group == 1 && room >= TEXT_ROW && row.span > 0)
        view_waiting_paint_share (canvas, area, &row, (LcPlace){end + 5, top + room / 2});
    }
  for (guint state = 0; state < LC_STATE_LOOKS; state++)
    lc_canvas_rectangles (canvas, lc_state_look_get_fill (canvas, state), bars + state * (model->n_rows + 1), n[state]);
}

static char *
dup_longest (const Model *model, const LcWaitingStatistics *row)
{
  g_autofree char *longest = lc_format_duration (row->longest);
  g_autofree char *waits = lc_format_count (row->waits);
  const char *object = lc_names_object (model->context->names, row->longest_object);

  if (row->waits == 0)
    return g_strdup ("");
  if (object == NULL)
    return g_strdup_printf (_ ("\nWaits: %s, the longest %s"), waits, longest);
  return g_strdup_printf (_ ("\nWaits: %s, the longest %s, for %s"), waits, longest, object);
}

static char *
view_waiting_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  double share = (place.y - area.y) / area.height;
  const LcWaitingStatistics *row;

  if (share < 0 || share >= 1 || place.x < area.x - margin || place.x > area.x + area.width || model->n_rows == 0)
    return NULL;
  row = &model->rows[(guint)(share * model->n_rows)];

  g_autofree char *span = lc_format_duration (row->span);
  g_autofree char *running = lc_format_duration (row->running);
  g_autofree char *waiting = lc_format_duration (row->waiting);
  g_autofree char *percent = view_waiting_dup_share (row->waiting, row->span);
  g_autofree char *longest = dup_longest (model, row);

  return g_strdup_printf (_ ("%s\nAlive: %s\nRunning: %s\nWaiting: %s (%s)%s"),
                          model->names[(guint)(share * model->n_rows)], span, running, waiting, percent, longest);
}

static gboolean
view_waiting_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  double share = (place.y - area.y) / area.height;
  const LcWaitingStatistics *row;

  if (!(share >= 0 && share < 1) || place.x > area.x + area.width || model->n_rows == 0)
    return FALSE;
  row = &model->rows[(guint)(share * model->n_rows)];
  spot->process = row->process;
  if (row->waits > 0)
    spot->ordinal = row->longest_ordinal;
  return TRUE;
}

const LcView lc_view_waiting = {
    .info = {.name = "waiting",
             .title = N_ ("Running and waiting"),
             .summary = N_ ("How long each process ran and waited, in all.")},
    .gather = view_waiting_gather,
    .describe = view_waiting_describe,
    .paint = view_waiting_paint,
    .text_at = view_waiting_text_at,
    .find = view_waiting_find,
    .tell = view_waiting_tell,
    .free = view_waiting_free_model,
};
