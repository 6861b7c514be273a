/* SPDX-License-Identifier: Apache-2.0 */
/* The view `processors`: the processor (CPU) that each process runs on over time, and how often it moves. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "over-time.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

#define MARGIN 150.0  /* pixels that axes, legend and title take, about */
#define LEAST_ROW 3.0 /* pixels; lower rows are combined */
#define BOX_SHARE 0.8 /* share of a row that its box takes, unless the row is very low */
#define LOW_ROW 8.0

#define PALEST 0.12 /* the palest shade on the ramp, which must still be seen */

enum
{
  MOST_BOXES = 30000,
  MOST_COLORS = 16, /* colours that can be told apart, with patterns; more of them are shades */
};

/* The things that rows stand for; colours stand for the others. */
typedef enum
{
  ROWS_PROCESSES,
  ROWS_CPUS,
  ROWS,
} Rows;

static const LcAmount measures[ROWS] = {
    [ROWS_PROCESSES] = {"processes", N_ ("Processes"), LC_AMOUNT_COUNT},
    [ROWS_CPUS] = {"cpus", N_ ("CPUs"), LC_AMOUNT_COUNT},
};

/* A time in which a process ran on a CPU, and the place where it is drawn. */
typedef struct
{
  LcCpuRun run;
  guint row;     /* counted over all rows; of a CPU, the lane in which no other process is at that time */
  guint color;   /* index of the CPU, or of the process */
  double share;  /* of its time in which the process was running, which is that of the row's height */
  double offset; /* of the height, from the row's begin */
} Box;

typedef struct
{
  const LcViewContext *context;
  Rows rows;
  GArray *boxes; /* Box, by row and time */
  GArray *cpus;  /* guint32: CPUs that appear; LC_CPU_UNKNOWN would be the last one */
  guint32 *places;
  LcGridSide side;
  guint n_rows;      /* before rows are combined */
  GArray *first_row; /* guint for each CPU, and one after the last */
  guint64 migrations;
  guint64 joined;     /* stays that are not told apart */
  guint64 resolution; /* ns: runs are apart by no less */
  guint columns;
  gboolean has_shares; /* some boxes are not as high as their rows */
  gboolean as_cells;   /* the boxes are too many, or too low */
  gboolean as_shades;  /* there are more colours than can be told apart */
} Model;

static void
view_processors_free_model (gpointer data)
{
  Model *model = data;

  g_clear_pointer (&model->boxes, g_array_unref);
  g_clear_pointer (&model->cpus, g_array_unref);
  g_clear_pointer (&model->first_row, g_array_unref);
  g_clear_pointer (&model->side.names, g_ptr_array_unref);
  g_free (model->places);
  g_free (model);
}

/* --- Query -------------------------------------------------------------------------------------------------------- */

static int
compare_cpus (gconstpointer a, gconstpointer b)
{
  guint32 one = *(const guint32 *)a, other = *(const guint32 *)b;

  return (one > other) - (one < other);
}

static guint
find_cpu (const Model *model, guint32 cpu)
{
  guint i = 0;

  while (i < model->cpus->len && g_array_index (model->cpus, guint32, i) != cpu)
    i++;
  return i;
}

static void
view_processors_add_stay (Model *model, const LcCpuStay *stay)
{
  if (model->places[stay->process] == LC_TRACE_NONE)
    return;
  if (find_cpu (model, stay->cpu) == model->cpus->len)
    g_array_append_val (model->cpus, stay->cpu);
  model->joined += stay->stays - 1;
  model->migrations += stay->stays;
}

static void
view_processors_add_run (Model *model, const LcCpuRun *run)
{
  Box box = {.run = *run, .share = (double)run->running / (double)(run->end - run->begin)};

  if (model->places[run->process] == LC_TRACE_NONE)
    return;
  model->has_shares |= box.share < 1;
  box.offset = (1 - box.share) / 2;
  g_array_append_val (model->boxes, box);
}

static int
view_processors_compare_boxes (gconstpointer a, gconstpointer b)
{
  const Box *one = a, *other = b;

  if (one->row != other->row)
    return one->row < other->row ? -1 : 1;
  return (one->run.begin > other->run.begin) - (one->run.begin < other->run.begin);
}

/* What of a lane is taken. */
typedef struct
{
  guint64 end;
  double share; /* of its height at that time */
} Lane;

/* Tells whether the box can be in the lane: beside the one before it, or on top of it, if both ran in turns so short
 * that they are not told apart. */
static gboolean
lane_has_room (const Lane *lane, const Box *box, guint64 resolution)
{
  return lane->end <= box->run.begin ||
         (lane->end - box->run.begin <= resolution && lane->share + box->share <= 1 + 1e-9);
}

/* Puts each run into the first lane of its CPU that is free. Boxes must be in the order of time. */
static void
find_lanes (Model *model)
{
  guint first = 0;

  model->first_row = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint cpu = 0; cpu < model->cpus->len; cpu++)
    {
      g_autoptr (GArray) lanes = g_array_new (FALSE, TRUE, sizeof (Lane));

      g_array_append_val (model->first_row, first);
      for (guint i = 0; i < model->boxes->len; i++)
        {
          Box *box = &g_array_index (model->boxes, Box, i);
          guint number = 0;
          Lane *lane;

          if (box->run.cpu != g_array_index (model->cpus, guint32, cpu))
            continue;
          while (number < lanes->len && !lane_has_room (&g_array_index (lanes, Lane, number), box, model->resolution))
            number++;
          g_array_set_size (lanes, MAX (lanes->len, number + 1));
          lane = &g_array_index (lanes, Lane, number);
          box->offset = lane->end > box->run.begin ? lane->share : 0;
          *lane = (Lane){MAX (lane->end, box->run.end), box->offset + box->share};
          box->row = first + number;
          box->color = model->places[box->run.process];
        }
      first += MAX (lanes->len, 1);
    }
  g_array_append_val (model->first_row, first);
  model->n_rows = first;
}

static void
view_processors_find_rows (Model *model)
{
  for (guint i = 0; i < model->boxes->len; i++)
    {
      Box *box = &g_array_index (model->boxes, Box, i);

      box->row = model->rows == ROWS_PROCESSES
                     ? model->places[box->run.process]
                     : 0; /* rows of CPUs are found below, when all boxes are in the order of time */
      box->color = find_cpu (model, box->run.cpu);
    }
  g_array_sort (model->boxes, view_processors_compare_boxes);
  if (model->rows == ROWS_CPUS)
    find_lanes (model);
  else
    model->n_rows = model->context->options.selection.n_processes;
  if (model->rows == ROWS_CPUS)
    g_array_sort (model->boxes, view_processors_compare_boxes);
}

static gboolean
view_processors_is_known (const Model *model)
{
  return model->cpus->len > 0 && g_array_index (model->cpus, guint32, 0) != LC_CPU_UNKNOWN;
}

/* Each change from one stay of a process to the next is a migration, even if a processor is not known. */
static gboolean
view_processors_fill (Model *model, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &model->context->options;
  g_autoptr (GArray) stays = NULL, runs = NULL;
  guint32 last = LC_TRACE_NONE;

  model->resolution = (options->to - options->from) / model->columns;
  runs = lc_statistics_cpu_runs (model->context->history, options->timelines[0], options->from, options->to,
                                 model->resolution, &stays, cancellable, error);
  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < stays->len; i++)
    {
      const LcCpuStay *stay = &g_array_index (stays, LcCpuStay, i);

      if (stay->process != last && model->places[stay->process] != LC_TRACE_NONE)
        model->migrations--; /* a process's first stay is no migration */
      last = stay->process;
      view_processors_add_stay (model, stay);
    }
  for (guint i = 0; i < runs->len; i++)
    view_processors_add_run (model, &g_array_index (runs, LcCpuRun, i));
  g_array_sort (model->cpus, compare_cpus);
  if (view_processors_is_known (model))
    return TRUE;
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
               _ ("the events of these processes do not tell on which processors they were: record the program with "
                  "lightcone record, or give cpu= in text"));
  return FALSE;
}

static gpointer
view_processors_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  double breadth = lc_grid_get_room (lc_over_time_get_breadth (context), MARGIN);
  Model *model;
  guint rows;

  if (!lc_grid_find_amount (options->measure, measures, ROWS, &rows, error))
    return NULL;
  model = g_new0 (Model, 1);
  model->context = context;
  model->rows = (Rows)rows;
  model->boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  model->cpus = g_array_new (FALSE, FALSE, sizeof (guint32));
  model->columns = (guint)CLAMP (lc_over_time_get_length (context) - MARGIN, 1, 100000);
  model->places = lc_grid_list_places (context);
  if (!view_processors_fill (model, cancellable, error))
    {
      view_processors_free_model (model);
      return NULL;
    }
  view_processors_find_rows (model);
  lc_grid_side_init (&model->side, model->n_rows, breadth, LEAST_ROW);
  model->as_cells = model->side.group > 1 || model->boxes->len > MOST_BOXES;
  rows = model->rows == ROWS_PROCESSES ? model->cpus->len : options->selection.n_processes;
  model->as_shades = rows > MOST_COLORS || (model->as_cells && rows > LC_PALETTE_SERIES);
  return model;
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static char *
dup_cpu (guint32 cpu)
{
  return cpu != LC_CPU_UNKNOWN ? g_strdup_printf (_ ("CPU %u"), cpu) : g_strdup (_ ("not known"));
}

static char *
view_processors_dup_process (const Model *model, guint32 process)
{
  return lc_format_text (lc_names_process (model->context->names, process));
}

static char *
view_processors_tell (gpointer data)
{
  const Model *model = data;
  guint n_cpus = model->cpus->len - (find_cpu (model, LC_CPU_UNKNOWN) < model->cpus->len);
  g_autofree char *migrations = lc_format_count (model->migrations);
  g_autofree char *processes = lc_format_count (model->context->options.selection.n_processes);
  g_autofree char *where = g_strdup_printf (
      ngettext ("%s processes were on %u CPU", "%s processes were on %u CPUs", n_cpus), processes, n_cpus);

  if (model->migrations == 0)
    return g_strdup_printf (_ ("%s, and none moved to another one."), where);
  return g_strdup_printf (ngettext ("%s, and moved from one to another %s time.",
                                    "%s, and moved from one to another %s times.", model->migrations),
                          where, migrations);
}

static guint
count_colors (const Model *model)
{
  return model->rows == ROWS_PROCESSES ? model->cpus->len : model->context->options.selection.n_processes;
}

/* Gives the fill of a CPU or a process. */
static LcFill
view_processors_get_fill (const Model *model, LcCanvas *canvas, guint color)
{
  double share = PALEST + (1 - PALEST) * color / MAX (count_colors (model) - 1, 1);

  if (model->rows == ROWS_PROCESSES && g_array_index (model->cpus, guint32, color) == LC_CPU_UNKNOWN)
    return lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_GRID));
  if (model->as_shades)
    return lc_canvas_color_fill (lc_palette_get_amount (lc_canvas_get_theme (canvas), share));
  return lc_canvas_series_fill (canvas, color);
}

static char *
dup_color (const Model *model, guint color)
{
  if (model->rows == ROWS_PROCESSES)
    return dup_cpu (g_array_index (model->cpus, guint32, color));
  return view_processors_dup_process (model, model->context->options.selection.processes[color]);
}

static void
describe_colors (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  guint n = count_colors (model);
  g_autofree char *first = dup_color (model, 0), *last = dup_color (model, n - 1);

  if (model->as_shades)
    lc_frame_add_ramp (frame, model->rows == ROWS_PROCESSES ? _ ("processor") : _ ("process"), first, last);
  for (guint i = 0; i < n && !model->as_shades; i++)
    {
      g_autofree char *name = dup_color (model, i);

      lc_frame_add_fill (frame, name, view_processors_get_fill (model, canvas, i));
    }
}

static void
view_processors_describe_notes (const Model *model, LcFrame *frame)
{
  g_autofree char *group = lc_format_count (model->side.group), *joined = lc_format_count (model->joined);
  g_autofree char *together = g_strdup_printf (
      _ ("Each row stands for %s that follow each other, in the colour of where most of their time was."), group);
  g_autofree char *stays =
      g_strdup_printf (_ ("%s stays are too short to be seen, and are drawn with those beside them."), joined);

  if (model->side.group > 1)
    lc_frame_add_note (frame, together);
  if (model->joined > 0)
    lc_frame_add_note (frame, stays);
  if (model->has_shares && !model->as_cells)
    lc_frame_add_note (frame, _ ("A box is as high as the share of its time in which the process was running."));
}

/* A CPU's name stands at the middle one of its lanes. */
static void
name_lanes (Model *model)
{
  g_ptr_array_set_size (model->side.names, 0);
  for (guint i = 0; i < model->side.n; i++)
    g_ptr_array_add (model->side.names, NULL);
  for (guint i = 0; i < model->cpus->len; i++)
    {
      guint first = g_array_index (model->first_row, guint, i), last = g_array_index (model->first_row, guint, i + 1);
      guint row = (first + last - 1) / 2 / model->side.group;

      g_free (model->side.names->pdata[row]);
      model->side.names->pdata[row] = dup_cpu (g_array_index (model->cpus, guint32, i));
    }
}

static void
view_processors_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  Model *model = data;
  LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = model->side.n};
  g_autofree char *told = view_processors_tell (data);

  if (model->rows == ROWS_PROCESSES)
    lc_grid_name_processes (&model->side, model->context);
  else
    name_lanes (model);
  y.names = (const char *const *)model->side.names->pdata;
  lc_frame_set_time (frame, model->context->options.from, model->context->options.to);
  lc_frame_set_y (frame, &y);
  describe_colors (model, frame, canvas);
  lc_frame_add_note (frame, told);
  view_processors_describe_notes (model, frame);
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

static void
view_processors_paint_boxes (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  g_autofree LcRectangle *boxes = g_new (LcRectangle, model->boxes->len);
  double half = lc_over_time_step (frame) >= LOW_ROW ? BOX_SHARE / 2 : 0.5;
  guint n_colors = count_colors (model);

  for (guint color = 0; color < n_colors; color++)
    {
      guint n = 0;

      for (guint i = 0; i < model->boxes->len; i++)
        {
          const Box *box = &g_array_index (model->boxes, Box, i);
          double top = box->row + 0.5 - half + 2 * half * box->offset;

          if (box->color == color)
            boxes[n++] = lc_over_time_box (frame, (double)box->run.begin, (double)box->run.end, top,
                                           top + 2 * half * box->share);
        }
      lc_canvas_rectangles (canvas, view_processors_get_fill (model, canvas, color), boxes, n);
    }
}

/* Gives each cell the colour that most of its time has. Boxes are sorted by row, as the loop needs them. */
static void
view_processors_paint_cells (const Model *model, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  guint n_colors = count_colors (model), at = 0;
  const LcPictureOptions *options = &model->context->options;
  double length = (double)(options->to - options->from) / model->columns;
  g_autofree guint32 *colors = g_new0 (guint32, (gsize)model->side.n * model->columns);
  g_autofree double *times = g_new (double, (gsize)model->columns *n_colors);

  for (guint row = 0; row < model->side.n; row++)
    {
      memset (times, 0, (gsize)model->columns * n_colors * sizeof *times);
      for (; at < model->boxes->len && g_array_index (model->boxes, Box, at).row / model->side.group == row; at++)
        {
          const Box *box = &g_array_index (model->boxes, Box, at);
          double begin = ((double)(box->run.begin - options->from)) / length;
          double end = ((double)(box->run.end - options->from)) / length;

          for (guint i = (guint)begin; i < model->columns && i < end; i++)
            times[(gsize)i * n_colors + box->color] += (MIN (end, i + 1.0) - MAX (begin, i)) * box->share;
        }
      for (guint i = 0; i < model->columns; i++)
        {
          guint most = 0;

          for (guint color = 1; color < n_colors; color++)
            if (times[(gsize)i * n_colors + color] > times[(gsize)i * n_colors + most])
              most = color;
          if (times[(gsize)i * n_colors + most] > 0)
            colors[(gsize)row * model->columns + i] =
                lc_grid_pack (view_processors_get_fill (model, canvas, most).color);
        }
    }
  lc_over_time_cells (frame, canvas, area, colors, model->columns, model->side.n);
}

/* Paints lines between the lanes of one CPU and those of the next. */
static void
view_processors_paint_bounds (const Model *model, LcFrame *frame, LcCanvas *canvas)
{
  const LcPictureOptions *options = &model->context->options;

  for (guint i = 1; model->rows == ROWS_CPUS && i < model->cpus->len; i++)
    {
      double first = (double)g_array_index (model->first_row, guint, i) / model->side.group;
      LcLine line = lc_over_time_line (frame, options->from, options->to, first);

      lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1), &line, 1);
    }
}

static void
view_processors_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;

  lc_canvas_clip (canvas, area);
  if (model->as_cells)
    view_processors_paint_cells (model, frame, canvas, area);
  else
    view_processors_paint_boxes (model, frame, canvas);
  view_processors_paint_bounds (model, frame, canvas);
  lc_canvas_unclip (canvas);
}

/* --- Hit test ----------------------------------------------------------------------------------------------------- */

static char *
view_processors_dup_run (const Model *model, const Box *box)
{
  const LcCpuRun *run = &box->run;
  g_autofree char *process = view_processors_dup_process (model, run->process), *cpu = dup_cpu (run->cpu);
  g_autofree char *begin = lc_format_moment (run->begin, run->end - run->begin),
                  *end = lc_format_moment (run->end, run->end - run->begin);
  g_autofree char *running = lc_format_duration (run->running);

  return g_strdup_printf (_ ("%s\n%s, from %s to %s\nRunning: %s, %.0f %%"), process, cpu, begin, end, running,
                          100 * box->share);
}

/* Finds the box at a row, counted as painted, and a time. NULL: there is none. */
static const Box *
view_processors_find_box (const Model *model, guint row, guint64 time)
{
  for (guint i = 0; i < model->boxes->len; i++)
    {
      const Box *box = &g_array_index (model->boxes, Box, i);

      if (box->row / model->side.group == row && box->run.begin <= time && time <= box->run.end)
        return box;
    }
  return NULL;
}

static char *
view_processors_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  const Box *box;
  guint64 time;
  double row;

  if (!lc_over_time_find (frame, area, place, &time, &row) || !(row >= 0 && row < model->side.n))
    return NULL;
  box = view_processors_find_box (model, (guint)row, time);
  return box != NULL ? view_processors_dup_run (model, box) : NULL;
}

static gboolean
view_processors_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  const Box *box;
  double row;

  if (!lc_over_time_find (frame, area, place, &spot->time, &row) || !(row >= 0 && row < model->side.n))
    return FALSE;
  spot->has_time = TRUE;
  box = view_processors_find_box (model, (guint)row, spot->time);
  if (box != NULL)
    spot->process = box->run.process;
  return TRUE;
}

const LcView lc_view_processors = {
    .info = {.name = "processors",
             .title = N_ ("Processes and processors"),
             .summary = N_ ("On which processor each process runs when, by process or by processor (--measure)."),
             .traits = LC_VIEW_SPAN | LC_VIEW_MEASURE | LC_VIEW_OVER_TIME,
             .amounts = measures,
             .n_amounts = ROWS},
    .gather = view_processors_gather,
    .describe = view_processors_describe,
    .paint = view_processors_paint,
    .text_at = view_processors_text_at,
    .find = view_processors_find,
    .tell = view_processors_tell,
    .free = view_processors_free_model,
};
