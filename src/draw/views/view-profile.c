/* SPDX-License-Identifier: Apache-2.0 */
/* The view `profile`: the time of each process, as measured and without the measurement, as bars. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "lightcone/profile.h"
#include "trace/quantities.h"
#include "view.h"

#define LEAST_BAR 3.0 /* processes whose bars would be lower are combined */
#define HIGHEST_BAR 26.0
#define BAR_SHARE 0.8  /* share of a row that its bars take */
#define TEXT_BAR 10.0  /* bars at least this high have their time written beside them */
#define TEXT_ROOM 1.12 /* the axis is this much longer than the longest bar, for these texts */

typedef struct
{
  gint64 total[LC_PROFILE_N_WAYS];
  gint64 waiting[LC_PROFILE_N_WAYS];
} Row;

typedef struct
{
  const LcViewContext *context;
  guint ways[LC_PROFILE_N_WAYS]; /* the ways that the profile has */
  guint n_ways;
  guint n_rows;
  Row *rows;
  char **names;
  gint64 longest;
  guint others; /* per cent of the processors that other programs had */
  guint group;  /* processes that share their bars; set once the frame is described */
} Model;

static void
view_profile_free_model (gpointer data)
{
  Model *model = data;

  g_strfreev (model->names);
  g_free (model->rows);
  g_free (model);
}

/* --- Data --------------------------------------------------------------------------------------------------------- */

/* Sums up the waiting of all routines. A file may contain any numbers, so the sum is limited to the life of the
 * process. */
static gint64
view_profile_add_waiting (const LcProfileProcess *process, guint way, gint64 most)
{
  gint64 sum = 0;

  for (guint k = 0; k < process->routines->len; k++)
    if (__builtin_add_overflow (sum, ((const LcProfileRoutine *)process->routines->pdata[k])->waiting[way], &sum))
      return most;
  return CLAMP (sum, 0, most);
}

static void
view_profile_add_process (Model *model, Row *row, const LcProfileProcess *process)
{
  for (guint i = 0; i < model->n_ways; i++)
    {
      guint way = model->ways[i];

      row->total[way] = MAX (process->total[way], 0);
      row->waiting[way] = view_profile_add_waiting (process, way, row->total[way]);
      model->longest = MAX (model->longest, row->total[way]);
    }
}

static gpointer
view_profile_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const char *asked = context->options.directory;
  g_autofree char *path =
      asked != NULL ? g_strdup (asked) : g_path_get_dirname (lc_history_get_path (context->history));
  g_autoptr (LcProfile) profile = lc_profile_open (path, NULL, error);
  Model *model;

  if (profile == NULL)
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    if ((profile->ways >> way & 1) != 0)
      model->ways[model->n_ways++] = way;
  model->group = 1;
  model->others = profile->others;
  model->n_rows = profile->processes->len;
  model->rows = g_new0 (Row, model->n_rows + 1);
  model->names = g_new0 (char *, model->n_rows + 1);
  for (guint i = 0; i < model->n_rows; i++)
    {
      const LcProfileProcess *process = g_ptr_array_index (profile->processes, i);

      view_profile_add_process (model, &model->rows[i], process);
      model->names[i] = g_strdup (process->name);
    }
  if (model->longest > 0)
    return model;
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
               _ ("nothing in this profile took any time: no process has come to its end"));
  view_profile_free_model (model);
  return NULL;
}

/* --- Description -------------------------------------------------------------------------------------------------- */

static const char *
get_title (guint way)
{
  static const char *const titles[] = {N_ ("Measured"), N_ ("Compensated locally"), N_ ("Compensated in parallel"),
                                       N_ ("Approximated from the trace")};

  return _ (titles[way]);
}

static LcFill
view_profile_get_fill (const LcCanvas *canvas, guint way)
{
  switch (way)
    {
    case LC_PROFILE_UNCOMPENSATED:
      return lc_canvas_fill (canvas, LC_INK_MEASURED, 1);
    case LC_PROFILE_LOCALLY:
      return lc_canvas_series_fill (canvas, 1);
    case LC_PROFILE_IN_PARALLEL:
      return lc_canvas_fill (canvas, LC_INK_APPROXIMATED, 1);
    default:
      return lc_canvas_fill (canvas, LC_INK_ACTUAL, 1);
    }
}

/* The number of processes that share their bars, in an area of this height. */
static guint
view_profile_get_group (const Model *model, double height)
{
  double least = LEAST_BAR * model->n_ways / BAR_SHARE;

  return MAX (1, (guint)ceil (model->n_rows * least / MAX (height, least)));
}

static char *
dup_shown (gpointer data)
{
  const Model *model = data;
  g_autofree char *count = lc_format_count (model->n_rows);

  return g_strdup_printf (ngettext ("%s process", "all %s processes", model->n_rows), count);
}

static gint64
get_whole (const Model *model, guint way)
{
  gint64 whole = 0;

  for (guint i = 0; i < model->n_rows; i++)
    whole = MAX (whole, model->rows[i].total[way]);
  return whole;
}

static char *
view_profile_tell (gpointer data)
{
  const Model *model = data;
  GString *text = g_string_new (_ ("The process that takes longest:"));

  for (guint i = 0; i < model->n_ways; i++)
    {
      g_autofree char *whole = lc_format_duration ((guint64)get_whole (model, model->ways[i]));

      g_string_append_printf (text, "%s %s %s", i > 0 ? ";" : "", get_title (model->ways[i]), whole);
    }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static void
view_profile_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  Model *model = data;
  const LcAxisScale x = {
      .title = _ ("Time"), .kind = LC_SCALE_TIME, .to = (double)model->longest * TEXT_ROOM, .grid = TRUE};
  const LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = model->n_rows, .names = (const char *const *)model->names};

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  for (guint i = 0; i < model->n_ways; i++)
    lc_frame_add_fill (frame, get_title (model->ways[i]), view_profile_get_fill (canvas, model->ways[i]));
  lc_frame_add_fill (frame, _ ("Waiting"), lc_canvas_fill (canvas, LC_INK_WAITING, 1));
  model->group = view_profile_get_group (model, lc_frame_measure (frame, canvas, model->context->whole).height);
  if (model->group > 1)
    {
      g_autofree char *count = lc_format_count (model->group);
      g_autofree char *note =
          g_strdup_printf (_ ("Each bar is the average of %s processes that follow each other."), count);

      lc_frame_add_note (frame, note);
    }
  if (model->others > LC_PROFILE_BUSY)
    {
      g_autofree char *note =
          g_strdup_printf (_ ("Other programs had %u %% of the processors while this was measured."), model->others);

      lc_frame_add_note (frame, note);
    }
}

/* --- Bars --------------------------------------------------------------------------------------------------------- */

static Row
view_profile_get_average (const Model *model, guint first, guint n)
{
  Row average = {0};

  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    {
      /* 128 bits, since a file may say of many processes that they lasted nearly for ever. */
      __int128 total = 0, waiting = 0;

      for (guint i = first; i < first + n; i++)
        {
          total += model->rows[i].total[way];
          waiting += model->rows[i].waiting[way];
        }
      average.total[way] = (gint64)(total / n);
      average.waiting[way] = (gint64)(waiting / n);
    }
  return average;
}

static void
paint_time (LcCanvas *canvas, LcRectangle area, LcPlace place, double height, gint64 time)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT, .align_y = 0.5};
  g_autofree char *text = lc_format_duration ((guint64)time);
  double width, line;

  lc_canvas_measure (canvas, &style, text, &width, &line);
  if (line <= height + 2 && place.x + width <= area.x + area.width)
    lc_canvas_text (canvas, &style, place, text);
}

static void
paint_bar (LcFrame *frame, LcCanvas *canvas, LcRectangle bar, guint way, const Row *row)
{
  double middle = lc_frame_get_x (frame, (double)(row->total[way] - row->waiting[way]));
  const LcRectangle running = {bar.x, bar.y, middle - bar.x, bar.height};
  const LcRectangle waiting = {middle, bar.y, bar.x + bar.width - middle, bar.height};

  /* The canvas would draw an empty rectangle one pixel wide. */
  if (row->total[way] > row->waiting[way])
    lc_canvas_rectangles (canvas, view_profile_get_fill (canvas, way), &running, 1);
  if (row->waiting[way] > 0)
    lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_WAITING, 1), &waiting, 1);
}

static void
view_profile_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  for (guint first = 0; first < model->n_rows; first += model->group)
    {
      guint n = MIN (model->group, model->n_rows - first);
      const Row row = view_profile_get_average (model, first, n);
      double top = lc_frame_get_y (frame, first), room = lc_frame_get_y (frame, first + n) - top;
      double height = MIN (BAR_SHARE * room / model->n_ways, HIGHEST_BAR);
      double y = top + (room - height * model->n_ways) / 2;

      for (guint i = 0; i < model->n_ways; i++, y += height)
        {
          guint way = model->ways[i];
          double end = lc_frame_get_x (frame, (double)row.total[way]), gap = height > TEXT_BAR ? 2 : 0;

          paint_bar (frame, canvas, (LcRectangle){area.x, y, end - area.x, height - gap}, way, &row);
          if (model->group == 1 && height >= TEXT_BAR)
            paint_time (canvas, area, (LcPlace){end + 5, y + height / 2}, height, row.total[way]);
        }
    }
}

/* Adds the range that a bar of several processes is the average of: from the shortest to the longest. */
static void
append_range (GString *text, const Model *model, guint first, guint n, guint way)
{
  gint64 least = G_MAXINT64, most = 0;
  g_autofree char *from = NULL, *to = NULL;

  for (guint i = first; i < first + n; i++)
    {
      least = MIN (least, model->rows[i].total[way]);
      most = MAX (most, model->rows[i].total[way]);
    }
  from = lc_format_duration ((guint64)least);
  to = lc_format_duration ((guint64)most);
  g_string_append (text, "; ");
  g_string_append_printf (text, _ ("%s – %s"), from, to);
}

static void
append_names (GString *text, const Model *model, guint first, guint n)
{
  g_autofree char *count = lc_format_count (n);

  if (n == 1)
    {
      g_string_append (text, model->names[first]);
      return;
    }
  g_string_append_printf (text, _ ("%s – %s"), model->names[first], model->names[first + n - 1]);
  g_string_append_c (text, '\n');
  g_string_append_printf (text, _ ("The average of %s processes, and from the shortest to the longest:"), count);
}

static char *
view_profile_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  double share = (place.y - area.y) / area.height;
  guint first, n;
  GString *text;
  Row row;

  if (share < 0 || share >= 1 || place.x < area.x - margin || place.x > area.x + area.width)
    return NULL;
  first = (guint)(share * model->n_rows) / model->group * model->group;
  n = MIN (model->group, model->n_rows - first);
  row = view_profile_get_average (model, first, n);
  text = g_string_new (NULL);
  append_names (text, model, first, n);
  for (guint i = 0; i < model->n_ways; i++)
    {
      guint way = model->ways[i];
      g_autofree char *total = lc_format_duration ((guint64)row.total[way]);
      g_autofree char *waiting = lc_format_duration ((guint64)row.waiting[way]);

      g_string_append_c (text, '\n');
      g_string_append_printf (text, _ ("%s: %s, waiting %s"), get_title (way), total, waiting);
      if (n > 1)
        append_range (text, model, first, n, way);
    }
  return g_string_free (text, FALSE);
}

const LcView lc_view_profile = {
    .info = {.name = "profile",
             .title = N_ ("Profile"),
             .summary = N_ ("How long each process took and waited, as measured and without the measurement."),
             .traits = LC_VIEW_ALL_PROCESSES | LC_VIEW_PROFILE},
    .gather = view_profile_gather,
    .describe = view_profile_describe,
    .paint = view_profile_paint,
    .text_at = view_profile_text_at,
    .dup_shown = dup_shown,
    .tell = view_profile_tell,
    .free = view_profile_free_model,
};
