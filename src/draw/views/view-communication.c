/* SPDX-License-Identifier: Apache-2.0 */
/* The view `communication`: the share of each process's time that is communication, as bars. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/statistics.h"
#include "trace/quantities.h"
#include "view.h"

#define LEAST_BAR 3.0 /* lower rows are combined into one bar */
#define HIGHEST_BAR 24.0
#define BAR_SHARE 0.7  /* share of a row that its bar takes */
#define TEXT_ROW 14.0  /* rows at least this high have their share written beside the bar */
#define TEXT_ROOM 1.12 /* the axis is this much longer than the longest bar, for these texts */
#define MOST_RATIO 3.0 /* times the median: higher ratios, of processes that hardly compute, do not set the scale */
#define LEAST_MOST 0.1 /* unless they are below this */
#define FARTHEST 1e6   /* replaces shares that may be infinite */

typedef struct
{
  const LcViewContext *context;
  LcCommunicationStatistics *rows; /* the processes that are shown */
  guint n_rows;
  const char **names;
  gboolean ratio; /* shares are of computing; else of all time */
  LcCommunicationStatistics all;
  double longest; /* the longest bar */
  guint n_cut;
} Model;

static void
view_communication_free_model (gpointer data)
{
  Model *model = data;

  g_free (model->rows);
  g_free (model->names);
  g_free (model);
}

static double
view_communication_divide (guint64 part, guint64 whole)
{
  return whole > 0 ? (double)part / (double)whole : part > 0 ? G_MAXDOUBLE : 0;
}

static double
view_communication_get_share (const Model *model, const LcCommunicationStatistics *row, guint64 part)
{
  return view_communication_divide (part, model->ratio ? row->computing : row->span);
}

static void
view_communication_add_to (LcCommunicationStatistics *sum, const LcCommunicationStatistics *row)
{
  sum->span += row->span;
  sum->computing += row->computing;
  sum->communication += row->communication;
  sum->waiting += row->waiting;
  sum->transfer += row->transfer;
  sum->preempted += row->preempted;
  sum->outside += row->outside;
}

static int
view_communication_compare_shares (gconstpointer a, gconstpointer b)
{
  double of_a = *(const double *)a, of_b = *(const double *)b;

  return of_a < of_b ? -1 : of_a > of_b;
}

/* Finds the longest bar. Shares are at most 1; ratios have no limit, and a few of them must not make all other bars
 * short. */
static void
find_longest (Model *model)
{
  g_autofree double *shares = g_new (double, model->n_rows + 1);
  double most = 1;

  for (guint i = 0; i < model->n_rows; i++)
    shares[i] = view_communication_get_share (model, &model->rows[i], model->rows[i].communication);
  if (model->n_rows == 0)
    return;
  qsort (shares, model->n_rows, sizeof *shares, view_communication_compare_shares);
  if (model->ratio)
    most = MIN (MAX (MOST_RATIO * shares[model->n_rows / 2], LEAST_MOST), FARTHEST);
  for (guint i = 0; i < model->n_rows; i++)
    if (shares[i] <= most)
      model->longest = shares[i];
    else
      model->n_cut++;
}

static const LcAmount amounts[] = {
    {"share", N_ ("Share of the time"), LC_AMOUNT_TIME},
    {"ratio", N_ ("Ratio to computing"), LC_AMOUNT_TIME},
};

static gpointer
view_communication_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  const char *measure = options->measure != NULL ? options->measure : amounts[0].measure;
  g_autoptr (GArray) all = NULL;
  Model *model;

  if (strcmp (measure, "share") != 0 && strcmp (measure, "ratio") != 0)
    {
      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION,
                   _ ("communication is measured by “share” (of the time) or by “ratio” (to computing), not by “%s”"),
                   measure);
      return NULL;
    }
  all = lc_statistics_communication (context->history, options->timelines[0], cancellable, error);
  if (all == NULL)
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->ratio = strcmp (measure, "ratio") == 0;
  model->n_rows = options->selection.n_processes;
  model->rows = g_new0 (LcCommunicationStatistics, MAX (model->n_rows, 1));
  model->names = g_new0 (const char *, MAX (model->n_rows, 1));
  for (guint i = 0; i < model->n_rows; i++)
    {
      model->rows[i] = g_array_index (all, LcCommunicationStatistics, options->selection.processes[i]);
      model->names[i] = lc_names_process (context->names, options->selection.processes[i]);
      view_communication_add_to (&model->all, &model->rows[i]);
    }
  find_longest (model);
  return model;
}

/* The number of processes in one bar, in an area of this height. */
static guint
view_communication_get_group (const Model *model, double height)
{
  return MAX (1, (guint)ceil (model->n_rows * LEAST_BAR / MAX (height, LEAST_BAR)));
}

static char *
dup_percent (double share)
{
  return share >= G_MAXDOUBLE ? g_strdup ("∞") : g_strdup_printf (_ ("%.1f %%"), 100 * share);
}

static char *
view_communication_tell (gpointer data)
{
  const Model *model = data;
  g_autofree char *communication = lc_format_duration (model->all.communication);
  g_autofree char *waiting = lc_format_duration (model->all.waiting);
  g_autofree char *transfer = lc_format_duration (model->all.transfer);
  g_autofree char *share = dup_percent (view_communication_divide (model->all.communication, model->all.span));

  return g_strdup_printf (_ ("Together they communicated for %s, %s of their time: waiting %s, transfer %s."),
                          communication, share, waiting, transfer);
}

static void
view_communication_add_notes (const Model *model, LcFrame *frame, guint group)
{
  g_autofree char *told = view_communication_tell ((gpointer)model);

  lc_frame_add_note (frame, model->all.span > 0 ? told : _ ("Nothing was recorded of these processes."));
  if (model->n_cut > 0)
    {
      g_autofree char *count = lc_format_count (model->n_cut);
      g_autofree char *note = g_strdup_printf (
          ngettext ("The bar of %s process that computes hardly at all is cut at the end of the scale.",
                    "The bars of %s processes that compute hardly at all are cut at the end of the "
                    "scale.",
                    model->n_cut),
          count);

      lc_frame_add_note (frame, note);
    }
  if (group > 1)
    {
      g_autofree char *count = lc_format_count (group);
      g_autofree char *note =
          g_strdup_printf (_ ("Each bar is the average of %s processes that follow each other."), count);

      lc_frame_add_note (frame, note);
    }
}

static void
view_communication_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  double end = model->longest > 0 ? model->longest * TEXT_ROOM : 0.01;
  const LcAxisScale x = {.title = model->ratio ? _ ("Communication / computing") : _ ("Communication, of all time"),
                         .kind = LC_SCALE_PERCENT,
                         .to = model->ratio ? end : MIN (end, MAX (1, model->longest)),
                         .grid = TRUE};
  const LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = model->n_rows, .names = model->names};
  g_autofree char *average = dup_percent (view_communication_get_share (model, &model->all, model->all.communication));
  g_autofree char *line = g_strdup_printf (_ ("average: %s"), average);

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  lc_frame_add_fill (frame, _ ("Transfer"), lc_canvas_fill (canvas, LC_INK_COMMUNICATION, 1));
  lc_frame_add_fill (frame, _ ("Waiting"), lc_canvas_fill (canvas, LC_INK_WAITING, 1));
  lc_frame_add_line (frame, line, lc_canvas_stroke (canvas, LC_INK_ACTUAL, 1.5));
  view_communication_add_notes (
      model, frame,
      view_communication_get_group (model, lc_frame_measure (frame, canvas, model->context->whole).height));
}

static void
view_communication_paint_share (const Model *model, LcCanvas *canvas, LcRectangle area,
                                const LcCommunicationStatistics *row, LcPlace place)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_y = 0.5, .backdrop = TRUE};
  g_autofree char *share = dup_percent (view_communication_get_share (model, row, row->communication));
  double width, height;

  lc_canvas_measure (canvas, &style, share, &width, &height);
  lc_canvas_text (canvas, &style, (LcPlace){MIN (place.x, area.x + area.width - width - 3), place.y}, share);
}

static void
view_communication_paint_average (const Model *model, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  double x = lc_frame_get_x (frame, view_communication_get_share (model, &model->all, model->all.communication));
  const LcLine line = {x, area.y, x, area.y + area.height};

  if (x <= area.x + area.width)
    lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_ACTUAL, 1.5), &line, 1);
}

/* An empty bar would still be seen as one pixel, so it gets no rectangle. */
static void
add_bar (LcRectangle *bars, guint *n_bars, LcRectangle bar)
{
  if (bar.width > 0)
    bars[(*n_bars)++] = bar;
}

static void
view_communication_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  guint group = view_communication_get_group (model, area.height), n_transfer = 0, n_waiting = 0;
  g_autofree LcRectangle *transfer = g_new (LcRectangle, model->n_rows + 1);
  g_autofree LcRectangle *waiting = g_new (LcRectangle, model->n_rows + 1);
  g_autofree LcPlace *ends = g_new (LcPlace, model->n_rows + 1);
  double room = 0;

  for (guint first = 0; first < model->n_rows; first += group)
    {
      guint n = MIN (group, model->n_rows - first);
      LcCommunicationStatistics row = {0};
      double top = lc_frame_get_y (frame, first), height, y, most = area.x + area.width, middle, end;

      for (guint i = first; i < first + n; i++)
        view_communication_add_to (&row, &model->rows[i]);
      room = lc_frame_get_y (frame, first + n) - top;
      height = MIN (room >= 2 * LEAST_BAR ? BAR_SHARE * room : room, HIGHEST_BAR);
      y = top + (room - height) / 2;
      middle =
          MIN (lc_frame_get_x (frame, MIN (view_communication_get_share (model, &row, row.transfer), FARTHEST)), most);
      end = MIN (lc_frame_get_x (frame, MIN (view_communication_get_share (model, &row, row.communication), FARTHEST)),
                 most);
      add_bar (transfer, &n_transfer, (LcRectangle){area.x, y, middle - area.x, height});
      add_bar (waiting, &n_waiting, (LcRectangle){middle, y, end - middle, height});
      ends[first] = (LcPlace){end + 5, top + room / 2};
    }
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_COMMUNICATION, 1), transfer, n_transfer);
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_WAITING, 1), waiting, n_waiting);
  view_communication_paint_average (model, frame, canvas, area);
  for (guint i = 0; i < model->n_rows && group == 1 && room >= TEXT_ROW; i++)
    if (model->rows[i].span > 0)
      view_communication_paint_share (model, canvas, area, &model->rows[i], ends[i]);
}

static char *
view_communication_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  double share = (place.y - area.y) / area.height;
  const LcCommunicationStatistics *row;

  if (share < 0 || share >= 1 || place.x < area.x - margin || place.x > area.x + area.width || model->n_rows == 0)
    return NULL;
  row = &model->rows[(guint)(share * model->n_rows)];

  g_autofree char *computing = lc_format_duration (row->computing);
  g_autofree char *communication = lc_format_duration (row->communication);
  g_autofree char *waiting = lc_format_duration (row->waiting);
  g_autofree char *transfer = lc_format_duration (row->transfer);
  g_autofree char *preempted = lc_format_duration (row->preempted), *outside = lc_format_duration (row->outside);
  g_autofree char *percent = dup_percent (view_communication_get_share (model, row, row->communication));

  return g_strdup_printf (
      _ ("%s\nComputing: %s\nCommunication: %s (%s)\nWaiting: %s\nTransfer: %s\nPreempted: %s\nOutside: %s"),
      model->names[(guint)(share * model->n_rows)], computing, communication, percent, waiting, transfer, preempted,
      outside);
}

static gboolean
view_communication_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  double share = (place.y - area.y) / area.height;

  if (!(share >= 0 && share < 1) || place.x > area.x + area.width || model->n_rows == 0)
    return FALSE;
  spot->process = model->rows[(guint)(share * model->n_rows)].process;
  return TRUE;
}

const LcView lc_view_communication = {
    .info = {.name = "communication",
             .title = N_ ("Communication and computing"),
             .summary = N_ ("What of each process's time is communication: waiting, and transfer."),
             .traits = LC_VIEW_MEASURE,
             .amounts = amounts,
             .n_amounts = G_N_ELEMENTS (amounts)},
    .gather = view_communication_gather,
    .describe = view_communication_describe,
    .paint = view_communication_paint,
    .text_at = view_communication_text_at,
    .find = view_communication_find,
    .tell = view_communication_tell,
    .free = view_communication_free_model,
};
