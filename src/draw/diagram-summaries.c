/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries in a diagram: the breadth of a row is divided by the shares of time that its process ran and waited. */
#include "diagram-private.h"
#include "scene-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "trace/quantities.h"

#define STEP 0.5 /* pixels: shares that differ by less look the same */
#define RUNNING_STRENGTH 0.6
#define WAITING_GROUND 0.5
#define HOLDING_EDGE 0.16
#define HOLDING_LEVELS 3

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
  Run states[STATES];
  Run holding[HOLDING_LEVELS];
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

static void
end_run (const Row *row, Run *run, double start)
{
  LcRectangle rectangle = diagram_summaries_get_bar (row, start, run->breadth, run->from, run->to);

  if (run->breadth > 0 && run->to > run->from && lc_diagram_cut (row->painter->view, 4, &rectangle))
    g_array_append_val (run->rectangles, rectangle);
  run->breadth = 0;
}

static void
add_to_run (const Row *row, Run *run, double start, const LcMark *mark, double breadth)
{
  if (run->breadth != breadth || run->to != (double)mark->from)
    {
      end_run (row, run, start);
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
  if (painter->query->time == LC_SCENE_PHYSICAL)
    return (double)(mark->to - mark->from) * lc_scene_count_processes (painter->scene, mark);
  return (double)lc_mark_get_time (mark);
}

static double
edge_of (const LcDiagramPainter *painter)
{
  return painter->query->hide_holding
             ? 0
             : MAX (painter->breadths.summary < 8 ? 1 : 2, floor (painter->breadths.summary * HOLDING_EDGE));
}

static void
diagram_summaries_add_mark (Row *row, const LcMark *mark)
{
  const LcDiagramPainter *painter = row->painter;
  double whole = MAX (whole_of (painter, mark), 1), edge = edge_of (painter);
  double room = painter->breadths.summary - edge;
  const guint64 times[STATES] = {mark->waiting, mark->woken, mark->outside, mark->preempted, mark->running};
  guint64 sum = 0;
  double holding = MIN ((double)mark->holding / whole, 1);
  guint level = holding > 0 ? MIN ((guint)(holding * HOLDING_LEVELS), HOLDING_LEVELS - 1) : 0;

  /* Anything that exists must be seen, however little it is: the minimum is one pixel. */
  for (guint state = STATES; state-- > 0;)
    {
      sum += times[state];
      add_to_run (row, &row->states[state], edge, mark,
                  times[state] > 0 ? MAX (round (MIN ((double)sum / whole, 1) * room / STEP) * STEP, 1) : 0);
    }
  if (edge > 0)
    add_to_run (row, &row->holding[level], 0, mark, holding > 0 ? edge : 0);
}

LcColor
lc_diagram_get_running_color (LcTheme theme)
{
  return lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), lc_palette_get_color (theme, LC_INK_RUNNING),
                       RUNNING_STRENGTH);
}

static LcFill
diagram_summaries_get_grounded (LcCanvas *canvas, LcInk ink)
{
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcFill fill = lc_canvas_fill (canvas, ink, 1);

  fill.ground = lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), fill.color, WAITING_GROUND);
  return fill;
}

static LcFill
diagram_summaries_get_fill (LcCanvas *canvas, guint state)
{
  static const LcInk inks[STATES] = {LC_INK_WAITING, LC_INK_WOKEN, LC_INK_OUTSIDE, LC_INK_PREEMPTED, LC_INK_RUNNING};

  return state == STATE_RUNNING ? lc_canvas_color_fill (lc_diagram_get_running_color (lc_canvas_get_theme (canvas)))
                                : diagram_summaries_get_grounded (canvas, inks[state]);
}

static void
paint_run (const Row *row, Run *run, double start, LcFill fill)
{
  end_run (row, run, start);
  lc_diagram_paint_rectangles (row->painter, fill, run->rectangles);
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
  double strength = lc_diagram_get_strength (painter, marks[0].track), edge = edge_of (painter);
  LcTheme theme = lc_canvas_get_theme (painter->canvas);
  g_autofree char *name = lc_scene_dup_row_name (painter->scene, marks[0].row);
  g_autofree char *title = lc_diagram_dup_sum (name, marks, n_marks);

  row->lane = lc_diagram_get_lane (painter->view, marks[0].row + (marks[0].n_rows - 1) / 2.0, marks[0].track);
  for (gsize i = 0; i < n_marks; i++)
    diagram_summaries_add_mark (row, &marks[i]);
  lc_canvas_begin (painter->canvas, "process", title);
  for (guint state = 0; state < STATES; state++)
    paint_run (row, &row->states[state], edge,
               lc_diagram_fade_fill (painter, diagram_summaries_get_fill (painter->canvas, state), strength));
  for (guint level = 0; level < HOLDING_LEVELS; level++)
    {
      LcColor color = lc_palette_get_color (theme, LC_INK_HOLDING);

      color = lc_diagram_fade (painter, color, strength * (level + 1) / HOLDING_LEVELS);
      paint_run (row, &row->holding[level], 0, lc_canvas_color_fill (color));
    }
  lc_canvas_end (painter->canvas);
}

void
lc_diagram_paint_summaries (const LcDiagramPainter *painter)
{
  Row row = {.painter = painter};
  Run *runs[STATES + HOLDING_LEVELS];
  gsize n_marks, end;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_marks);

  for (guint i = 0; i < STATES; i++)
    runs[i] = &row.states[i];
  for (guint i = 0; i < HOLDING_LEVELS; i++)
    runs[STATES + i] = &row.holding[i];
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    runs[i]->rectangles = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  for (gsize begin = 0; begin < n_marks; begin = end)
    {
      for (end = begin + 1; end < n_marks && marks[end].row == marks[begin].row; end++)
        if (marks[end].track != marks[begin].track)
          break;
      diagram_summaries_paint_row (&row, marks + begin, end - begin);
    }
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    g_array_unref (runs[i]->rectangles);
}
