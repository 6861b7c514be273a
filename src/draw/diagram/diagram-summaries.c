/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries in a diagram: the breadth of a row is divided by the shares of time that its process ran and waited. */
#include "diagram-private.h"
#include "draw/scene/scene-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "trace/quantities.h"

#define STEP 0.5 /* pixels: shares that differ by less look the same */
#define RUNNING_STRENGTH 0.6
#define WAITING_GROUND 0.3
#define HOLDING_EDGE 0.16
#define HOLDING_LEVELS 3
#define DIM 0.3

/* The states beside each other, each painted over those that come before it here. */
enum
{
  STATE_WAITING,
  STATE_WOKEN,
  STATE_OUTSIDE,
  STATE_PREEMPTED,
  STATE_RUNNING,
  STATES,
};

/* What is painted of a row, in this order. */
enum
{
  RUN_STATES, /* those that are not dim, then those that are */
  RUN_HOLDING = RUN_STATES + 2 * STATES,
  RUN_PAST = RUN_HOLDING + HOLDING_LEVELS, /* beside the bars: what has events in the past of the chosen event */
  RUN_FUTURE,
  RUNS,
};

/* A rectangle that grows as long as the next summary begins where it ends and is equally broad. */
typedef struct
{
  GArray *rectangles;
  double from;
  double to;
  double breadth;
} Run;

/* The bars of one process. They begin at one side of its row, and are as broad as their shares. */
typedef struct
{
  const LcDiagramPainter *painter;
  double lane;
  double edge;  /* breadth of what is held, if it is a part of the bars; else 0 */
  double strip; /* breadth of what is held */
  double strip_lane;
  double rail; /* breadth of what tells the past and the future */
  double rail_lane;
  Run runs[RUNS];
} Row;

/* Bars begin at the side from which people read amounts: the left, or the bottom. */
static LcRectangle
diagram_summaries_get_bar (const Row *row, double start, double breadth, double from, double to)
{
  const LcDiagramPainter *painter = row->painter;
  double sign = painter->view->orientation == LC_ORIENTATION_DOWN ? 1 : -1;
  double middle = start + breadth / 2 - painter->breadths.summary / 2;

  return lc_diagram_get_box (painter->view, row->lane + sign * middle / painter->row_size, breadth, from, to);
}

static LcRectangle
diagram_summaries_get_rectangle (const Row *row, const Run *run)
{
  const LcDiagramView *view = row->painter->view;

  if (run >= &row->runs[RUN_PAST])
    return lc_diagram_get_box (view, row->rail_lane, run->breadth, run->from, run->to);
  if (run < &row->runs[RUN_HOLDING])
    return diagram_summaries_get_bar (row, row->edge, run->breadth, run->from, run->to);
  return row->edge > 0 ? diagram_summaries_get_bar (row, 0, run->breadth, run->from, run->to)
                       : lc_diagram_get_box (view, row->strip_lane, run->breadth, run->from, run->to);
}

static void
end_run (const Row *row, Run *run)
{
  LcRectangle rectangle = diagram_summaries_get_rectangle (row, run);

  if (run->breadth > 0 && run->to > run->from && lc_diagram_cut (row->painter->view, 4, &rectangle))
    g_array_append_val (run->rectangles, rectangle);
  run->breadth = 0;
}

static void
add_to_run (const Row *row, Run *run, const LcMark *mark, double breadth)
{
  if (run->breadth != breadth || run->to != (double)mark->from)
    {
      end_run (row, run);
      run->from = (double)mark->from;
      run->breadth = breadth;
    }
  run->to = (double)mark->to;
}

/* The amount of time that the whole breadth stands for. An axis of layers has no length to compare with, so there it is
 * the time that is known. */
static double
whole_of (const LcDiagramPainter *painter, const LcMark *mark)
{
  if (painter->query->selection.time == LC_SCENE_PHYSICAL)
    return (double)(mark->to - mark->from) * lc_scene_count_processes (painter->scene, mark);
  return (double)lc_mark_get_time (mark);
}

static double
edge_of (const LcDiagramPainter *painter)
{
  return painter->query->selection.hide_holding || lc_diagram_has_bodies (painter->view)
             ? 0
             : MAX (painter->breadths.summary < 8 ? 1 : 2, floor (painter->breadths.summary * HOLDING_EDGE));
}

static void
diagram_summaries_add_mark (Row *row, const LcMark *mark)
{
  const LcDiagramPainter *painter = row->painter;
  double whole = MAX (whole_of (painter, mark), 1);
  double room = painter->breadths.summary - row->edge;
  const guint64 times[STATES] = {mark->waiting, mark->woken, mark->outside, mark->preempted, mark->running};
  guint64 sum = 0;
  double holding = MIN ((double)mark->holding / whole, 1);
  gboolean dim = (mark->flags & LC_MARK_DIM) != 0;
  guint level = holding > 0 ? MIN ((guint)(holding * HOLDING_LEVELS), HOLDING_LEVELS - 1) : 0;

  /* Anything that exists must be seen, however little it is: the minimum is one pixel. */
  for (guint state = STATES; state-- > 0;)
    {
      sum += times[state];
      add_to_run (row, &row->runs[RUN_STATES + dim * STATES + state], mark,
                  times[state] > 0 ? MAX (round (MIN ((double)sum / whole, 1) * room / STEP) * STEP, 1) : 0);
    }
  if (!painter->query->selection.hide_holding)
    add_to_run (row, &row->runs[RUN_HOLDING + level], mark, holding > 0 ? row->strip : 0);
  if (mark->flags & LC_MARK_IN_PAST)
    add_to_run (row, &row->runs[RUN_PAST], mark, row->rail);
  if (mark->flags & LC_MARK_IN_FUTURE)
    add_to_run (row, &row->runs[RUN_FUTURE], mark, row->rail);
}

LcColor
lc_diagram_get_running_color (LcTheme theme)
{
  return lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), lc_palette_get_color (theme, LC_INK_RUNNING),
                       lc_theme_has_contrast (theme) ? 1 : RUNNING_STRENGTH);
}

LcFill
lc_diagram_get_state_fill (LcCanvas *canvas, LcInk ink)
{
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcFill fill = lc_canvas_fill (canvas, ink, 1);

  fill.ground = lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), fill.color,
                              lc_theme_has_contrast (theme) ? 0 : WAITING_GROUND);
  return fill;
}

static LcFill
diagram_summaries_get_fill (const LcDiagramPainter *painter, guint run)
{
  static const LcInk inks[STATES] = {LC_INK_WAITING, LC_INK_WOKEN, LC_INK_OUTSIDE, LC_INK_PREEMPTED, LC_INK_RUNNING};
  LcTheme theme = lc_canvas_get_theme (painter->canvas);
  LcFill fill;

  if (run >= RUN_PAST)
    return lc_canvas_color_fill (lc_palette_get_color (theme, run == RUN_PAST ? LC_INK_PAST : LC_INK_FUTURE));
  if (run >= RUN_HOLDING)
    return lc_canvas_color_fill (lc_diagram_fade (painter, lc_palette_get_color (theme, LC_INK_HOLDING),
                                                  (run - RUN_HOLDING + 1) / (double)HOLDING_LEVELS));
  fill = run % STATES == STATE_RUNNING ? lc_canvas_color_fill (lc_diagram_get_running_color (theme))
                                       : lc_diagram_get_state_fill (painter->canvas, inks[run % STATES]);
  return lc_diagram_fade_fill (painter, fill, run >= STATES ? DIM : 1);
}

static LcDiagramKind
diagram_summaries_get_kind (guint run)
{
  static const LcDiagramKind states[STATES] = {LC_DIAGRAM_WAITING, LC_DIAGRAM_WOKEN, LC_DIAGRAM_OUTSIDE,
                                               LC_DIAGRAM_PREEMPTED, LC_DIAGRAM_RUNNING};

  if (run >= RUN_PAST)
    return run == RUN_PAST ? LC_DIAGRAM_PAST : LC_DIAGRAM_FUTURE;
  return run >= RUN_HOLDING ? LC_DIAGRAM_HOLDING : states[run % STATES];
}

/* States lie over each other, so one that is left out covers what is below it with nothing. */
static void
paint_run (Row *row, guint number, double strength)
{
  const LcDiagramPainter *painter = row->painter;
  Run *run = &row->runs[number];
  LcDiagramKind kind = diagram_summaries_get_kind (number);
  LcFill fill;

  end_run (row, run);
  if (run->rectangles->len == 0)
    return;
  fill = lc_diagram_hide_fill (painter, kind, diagram_summaries_get_fill (painter, number));
  if (number < RUN_HOLDING || !lc_diagram_hides (painter->view, kind))
    lc_diagram_paint_rectangles (painter, lc_diagram_fade_fill (painter, fill, strength), run->rectangles);
  g_array_set_size (run->rectangles, 0);
}

char *
lc_diagram_dup_sum (const char *name, const LcMark *marks, gsize n_marks)
{
  guint64 events = 0, running = 0, waiting = 0;

  for (gsize i = 0; i < n_marks; i++)
    {
      events += marks[i].events;
      running += marks[i].running;
      waiting += marks[i].waiting;
    }
  g_autofree char *count = lc_format_count (events), *run = lc_format_duration (running);
  g_autofree char *wait = lc_format_duration (waiting);

  /* TRANSLATORS: a process, how many events it has in this picture, how long it ran and waited. */
  return g_strdup_printf (_ ("%s: %s events, running %s, waiting %s"), name, count, run, wait);
}

static void
diagram_summaries_paint_row (Row *row, const LcMark *marks, gsize n_marks)
{
  const LcDiagramPainter *painter = row->painter;
  double strength = lc_diagram_get_strength (painter, marks[0].track);
  g_autofree char *name = lc_scene_dup_row_name (painter->scene, marks[0].row);
  g_autofree char *title = lc_diagram_dup_sum (name, marks, n_marks);

  row->lane = lc_diagram_get_lane (painter->view, marks[0].row + (marks[0].n_rows - 1) / 2.0, marks[0].track);
  row->rail_lane = lc_diagram_get_strip (painter->view, row->lane, 1, &row->rail);
  row->strip_lane = lc_diagram_get_strip (painter->view, row->lane, -1, &row->strip);
  row->edge = edge_of (painter);
  if (row->edge > 0)
    row->strip = row->edge;
  for (gsize i = 0; i < n_marks; i++)
    diagram_summaries_add_mark (row, &marks[i]);
  lc_canvas_begin (painter->canvas, "process", title);
  for (guint i = 0; i < RUNS; i++)
    paint_run (row, i, strength);
  lc_canvas_end (painter->canvas);
}

void
lc_diagram_paint_summaries (const LcDiagramPainter *painter)
{
  Row row = {.painter = painter};
  gsize n_marks, end;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_marks);

  for (guint i = 0; i < RUNS; i++)
    row.runs[i].rectangles = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  for (gsize begin = 0; begin < n_marks; begin = end)
    {
      for (end = begin + 1; end < n_marks && marks[end].row == marks[begin].row; end++)
        if (marks[end].track != marks[begin].track)
          break;
      diagram_summaries_paint_row (&row, marks + begin, end - begin);
    }
  for (guint i = 0; i < RUNS; i++)
    g_array_unref (row.runs[i].rectangles);
}
