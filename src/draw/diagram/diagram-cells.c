/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that are too narrow for boxes: cells, whose colour says what share of the time processes ran and waited. */
#include "diagram-private.h"
#include "draw/scene/scene-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A cell has a share for each ink; the rest up to 1 is empty. */
typedef enum
{
  SHARE_LIFE, /* a process exists; it ran, or the cell does not know what it did */
  SHARE_EVENT,
  SHARE_WAITING,
  SHARE_WOKEN,
  SHARE_PREEMPTED,
  SHARE_OUTSIDE,
  SHARES,
  TINT_PAST = SHARES, /* how much of the cell is in the past, or in the future, of the chosen event: no state */
  TINT_FUTURE,
  AMOUNTS,
} Share;

typedef struct
{
  const LcDiagramPainter *painter;
  guint columns; /* along the axis of time */
  guint rows;
  double from;    /* positions at the edges of the grid */
  double length;  /* of a column */
  double per_row; /* rows of the scene per row of the grid */
  float *shares;
} Grid;

/* --- How many cells ------------------------------------------------------------------------------------------------
 */

/* Summaries of equal length that lie side by side become one column each, so that a cell shows one summary however
 * large the file is. FALSE: the summaries are not of that kind. */
static gboolean
fit_to_summaries (Grid *grid, const LcMark *marks, gsize n_marks)
{
  guint64 length = 0, first;

  for (gsize i = 0; i < n_marks; i++)
    length = MAX (length, marks[i].to - marks[i].from);
  if (length == 0)
    return FALSE;
  first = (guint64)MAX (grid->painter->view->from, 0) / length * length;
  grid->from = (double)first;
  grid->length = (double)length;
  grid->columns = (guint)MIN (ceil ((grid->painter->view->to - grid->from) / grid->length), 1e5);
  for (gsize i = 0; i < n_marks; i++)
    if (marks[i].from % length + (marks[i].to - marks[i].from) > length)
      return FALSE;
  return TRUE;
}

static void
init_grid (Grid *grid, const LcDiagramPainter *painter)
{
  const LcDiagramView *view = painter->view;
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  double pixels = ceil (down ? view->area.height : view->area.width), n_rows = view->last_row - view->first_row;
  guint across = (guint)MAX (down ? view->area.width : view->area.height, 1);
  gsize n_summaries, n_events;
  const LcMark *summaries = lc_scene_get_marks_of (painter->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_summaries);

  lc_scene_get_marks_of (painter->scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n_events);
  grid->painter = painter;
  if (n_events > 0 || n_summaries == 0 || !fit_to_summaries (grid, summaries, n_summaries) || grid->columns > pixels)
    {
      grid->columns = (guint)CLAMP (pixels, 1, 1e4);
      grid->from = view->from;
      grid->length = (view->to - view->from) / grid->columns;
    }
  grid->rows = (guint)MIN (ceil (n_rows) * view->n_tracks, across);
  grid->per_row = n_rows / grid->rows;
  grid->shares = g_new0 (float, (gsize)grid->columns * grid->rows * AMOUNTS);
}

/* --- Shares of the cells ------------------------------------------------------------------------------------------ */

/* What a mark covers of the grid: columns `first` to `last`, rows `top` to `bottom`. */
typedef struct
{
  double first;
  double last;
  double top;
  double bottom;
} Extent;

static Extent
diagram_cells_get_extent (const Grid *grid, const LcMark *mark, double from, double to)
{
  double part = (double)MAX (mark->n_rows, 1) / grid->painter->view->n_tracks;
  double top = (mark->row + mark->track * part - grid->painter->view->first_row) / grid->per_row;

  return (Extent){.first = CLAMP ((from - grid->from) / grid->length, 0, grid->columns),
                  .last = CLAMP ((to - grid->from) / grid->length, 0, grid->columns),
                  .top = top,
                  .bottom = top + part / grid->per_row};
}

/* Adds `amount` of a share to the cells of a row. */
static void
add_to_row (Grid *grid, guint row, Share share, const Extent *extent, double amount)
{
  float *shares = grid->shares + (gsize)row * grid->columns * AMOUNTS;
  guint begin = (guint)extent->first, end = (guint)MIN (ceil (extent->last), grid->columns);

  for (guint column = begin; column < end; column++)
    {
      double covered = MIN (extent->last, column + 1.0) - MAX (extent->first, (double)column);

      shares[(gsize)column * AMOUNTS + share] += (float)(amount * covered);
    }
}

static void
diagram_cells_add_amount (Grid *grid, const Extent *extent, Share share, double amount)
{
  if (extent->last <= extent->first || amount <= 0)
    return;
  for (double row = MAX (floor (extent->top), 0); row < MIN (extent->bottom, grid->rows); row++)
    {
      double covered = MIN (extent->bottom, row + 1) - MAX (extent->top, row);

      if (covered > 1e-9)
        add_to_row (grid, (guint)row, share, extent, amount * covered);
    }
}

static void
diagram_cells_add_part (Grid *grid, const LcMark *mark, Share share, double from, double to, double amount)
{
  const Extent extent = diagram_cells_get_extent (grid, mark, from, to);

  diagram_cells_add_amount (grid, &extent, share, amount);
}

static void
diagram_cells_add_tints (Grid *grid, const LcMark *mark, double from, double to)
{
  const LcDiagramView *view = grid->painter->view;

  if (mark->flags & LC_MARK_IN_PAST && !lc_diagram_hides (view, LC_DIAGRAM_PAST))
    diagram_cells_add_part (grid, mark, TINT_PAST, from, to, 1);
  if (mark->flags & LC_MARK_IN_FUTURE && !lc_diagram_hides (view, LC_DIAGRAM_FUTURE))
    diagram_cells_add_part (grid, mark, TINT_FUTURE, from, to, 1);
}

/* Most processes do one thing at a time, so most of the shares are nothing. */
static void
diagram_cells_add_summary (Grid *grid, const LcMark *mark)
{
  const guint64 times[SHARES] = {
      [SHARE_LIFE] = mark->running,        [SHARE_WAITING] = mark->waiting, [SHARE_WOKEN] = mark->woken,
      [SHARE_PREEMPTED] = mark->preempted, [SHARE_OUTSIDE] = mark->outside,
  };
  double whole = (double)(mark->to - mark->from) * lc_scene_count_processes (grid->painter->scene, mark);
  double from = (double)mark->from, to = (double)mark->to;
  const Extent extent = diagram_cells_get_extent (grid, mark, from, to);

  diagram_cells_add_tints (grid, mark, from, to);
  if (grid->painter->query->selection.time != LC_SCENE_PHYSICAL)
    whole = (double)lc_mark_get_time (mark);
  for (Share share = 0; share < SHARES; share++)
    if (times[share] > 0)
      diagram_cells_add_amount (grid, &extent, share, MIN ((double)times[share] / MAX (whole, 1), 1));
}

/* An event replaces its part of the life of its process. An event that takes no time is shown a pixel long. */
static void
diagram_cells_add_event (Grid *grid, const LcMark *mark)
{
  double released = (double)MAX (mark->released, mark->from), from = (double)mark->from;
  double went_on = MAX ((double)mark->went_on, released);
  gboolean outside = mark->outside > 0 && mark->running + mark->preempted == 0;
  double to = MAX ((double)mark->to, from + MIN (grid->length, 1 / grid->painter->scale));

  diagram_cells_add_part (grid, mark, SHARE_WAITING, from, released, 1);
  diagram_cells_add_part (grid, mark, SHARE_WOKEN, released, went_on, 1);
  diagram_cells_add_part (grid, mark, outside ? SHARE_OUTSIDE : SHARE_EVENT, went_on, MAX (to, went_on), 1);
  diagram_cells_add_part (grid, mark, SHARE_LIFE, from, MAX (to, went_on), -1);
  diagram_cells_add_tints (grid, mark, from, MAX (to, went_on));
}

static void
diagram_cells_add_marks (Grid *grid, LcMarkKind kind)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (grid->painter->scene, kind, 0, LC_TRACE_NONE, &n_marks);

  for (gsize i = 0; i < n_marks; i++)
    if (kind == LC_MARK_SUMMARY)
      diagram_cells_add_summary (grid, &marks[i]);
    else
      diagram_cells_add_event (grid, &marks[i]);
}

/* Adds the lives of the processes whose events are marks of their own. */
static void
add_lives (Grid *grid)
{
  const LcScene *scene = grid->painter->scene;
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_LIFE, 0, LC_TRACE_NONE, &n_marks);

  for (gsize i = 0; i < n_marks && !lc_scene_is_summary (scene); i++)
    if (lc_scene_count_processes (scene, &marks[i]) == 1)
      diagram_cells_add_part (grid, &marks[i], SHARE_LIFE, (double)marks[i].from, (double)marks[i].to, 1);
}

/* --- Colours of the cells ----------------------------------------------------------------------------------------- */

#define LEVELS 1024
#define LEAST_STRENGTH 0.25F
#define LEAST_TINT 0.3F /* what is highlighted is seen, however little of a cell it is */
#define MOST_TINT 0.6F

/* Red, green and blue, and one more, so that a colour is mixed in one go. */
typedef float Light[4];

/* Colours are mixed in linear light; the table `back` converts the result back. */
typedef struct
{
  Light inks[AMOUNTS];
  Light nothing;
  const guint8 *back;
} Mixer;

static float
diagram_cells_linear (double component)
{
  return (float)(component <= 0.04045 ? component / 12.92 : pow ((component + 0.055) / 1.055, 2.4));
}

static void
set_ink (Light ink, LcColor color)
{
  ink[0] = diagram_cells_linear (color.red);
  ink[1] = diagram_cells_linear (color.green);
  ink[2] = diagram_cells_linear (color.blue);
  ink[3] = 0;
}

/* A state that is left out is as empty as where no process is. */
static void
diagram_cells_hide (Mixer *mixer, const LcDiagramView *view)
{
  static const LcDiagramKind kinds[SHARES] = {
      [SHARE_LIFE] = LC_DIAGRAM_RUNNING,        [SHARE_WAITING] = LC_DIAGRAM_WAITING, [SHARE_WOKEN] = LC_DIAGRAM_WOKEN,
      [SHARE_PREEMPTED] = LC_DIAGRAM_PREEMPTED, [SHARE_OUTSIDE] = LC_DIAGRAM_OUTSIDE, [SHARE_EVENT] = LC_DIAGRAM_EVENTS,
  };

  for (Share share = 0; share < SHARES; share++)
    {
      gboolean runs = share == SHARE_EVENT && lc_diagram_has_bodies (view);

      if (lc_diagram_hides (view, runs ? LC_DIAGRAM_RUNNING : kinds[share]))
        memcpy (mixer->inks[share], mixer->nothing, sizeof mixer->nothing);
    }
}

/* Returns the table from linear light, of LEVELS steps, to a component of a colour. */
static const guint8 *
get_table_back (void)
{
  static guint8 back[LEVELS + 1];
  static gsize made;

  if (!g_once_init_enter (&made))
    return back;
  for (guint i = 0; i <= LEVELS; i++)
    {
      double value = (double)i / LEVELS;

      value = value <= 0.0031308 ? value * 12.92 : 1.055 * pow (value, 1 / 2.4) - 0.055;
      back[i] = (guint8)(value * 255 + 0.5);
    }
  g_once_init_leave (&made, 1);
  return back;
}

static void
init_mixer (Mixer *mixer, LcTheme theme, gboolean bodies)
{
  LcColor panel = lc_palette_get_color (theme, LC_INK_PANEL);

  set_ink (mixer->nothing, panel);
  set_ink (mixer->inks[SHARE_LIFE], lc_diagram_get_running_color (theme));
  set_ink (mixer->inks[SHARE_EVENT],
           bodies ? lc_diagram_get_running_color (theme) : lc_palette_get_color (theme, LC_INK_EVENT));
  set_ink (mixer->inks[SHARE_WAITING], lc_palette_get_color (theme, LC_INK_WAITING));
  set_ink (mixer->inks[SHARE_WOKEN], lc_palette_get_color (theme, LC_INK_WOKEN));
  set_ink (mixer->inks[SHARE_PREEMPTED], lc_palette_get_color (theme, LC_INK_PREEMPTED));
  set_ink (mixer->inks[SHARE_OUTSIDE], lc_palette_get_color (theme, LC_INK_OUTSIDE));
  set_ink (mixer->inks[TINT_PAST], lc_palette_get_color (theme, LC_INK_PAST));
  set_ink (mixer->inks[TINT_FUTURE], lc_palette_get_color (theme, LC_INK_FUTURE));
  mixer->back = get_table_back ();
}

static guint32
diagram_cells_mix (const Mixer *mixer, const float *shares)
{
  float sum = 0, most;
  guint32 pixel = 0xff;
  Light light;

  for (Share share = 0; share < SHARES; share++)
    sum += MAX (shares[share], 0);
  if (sum <= 0)
    return 0;
  /* A sum above 1 comes from events that were made a pixel long, and is scaled down. A small sum is strengthened, so
   * that it is still seen. */
  most = sum >= 1 ? sum : sum / (LEAST_STRENGTH + (1 - LEAST_STRENGTH) * sum);
  for (guint k = 0; k < G_N_ELEMENTS (light); k++)
    light[k] = mixer->nothing[k] * (1 - sum / most);
  for (Share share = 0; share < SHARES; share++)
    for (guint k = 0; shares[share] > 0 && k < G_N_ELEMENTS (light); k++)
      light[k] += mixer->inks[share][k] * shares[share] / most;
  for (Share tint = SHARES; tint < AMOUNTS; tint++)
    for (guint k = 0; shares[tint] > 0 && k < G_N_ELEMENTS (light); k++)
      light[k] += (mixer->inks[tint][k] - light[k]) * MAX (LEAST_TINT, MOST_TINT * MIN (shares[tint], 1));
  for (guint k = 0; k < 3; k++)
    pixel = pixel << 8 | mixer->back[(guint)(CLAMP (light[k], 0, 1) * LEVELS + 0.5F)];
  return pixel;
}

static void
paint_grid (const Grid *grid)
{
  const LcDiagramView *view = grid->painter->view;
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  gsize n_cells = (gsize)grid->columns * grid->rows;
  g_autofree guint32 *colors = g_new (guint32, n_cells);
  guint32 color = 0;
  Mixer mixer;

  init_mixer (&mixer, lc_canvas_get_theme (grid->painter->canvas), lc_diagram_has_bodies (grid->painter->view));
  diagram_cells_hide (&mixer, grid->painter->view);
  for (gsize i = 0; i < n_cells; i++)
    {
      const float *shares = grid->shares + i * AMOUNTS;

      /* A process often goes on with what it does. */
      if (i == 0 || memcmp (shares, shares - AMOUNTS, AMOUNTS * sizeof *shares) != 0)
        color = diagram_cells_mix (&mixer, shares);
      colors[down ? i % grid->columns * grid->rows + i / grid->columns : i] = color;
    }
  lc_canvas_cells (grid->painter->canvas,
                   lc_diagram_get_box (view, (view->first_row + view->last_row) / 2,
                                       (view->last_row - view->first_row) * grid->painter->row_size, grid->from,
                                       grid->from + grid->length * grid->columns),
                   colors, down ? grid->rows : grid->columns, down ? grid->columns : grid->rows);
}

void
lc_diagram_paint_cells (const LcDiagramPainter *painter)
{
  Grid grid = {0};
  guint32 n = 0;
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_marks);
  g_autofree char *name = NULL, *title = NULL;

  for (guint32 row = 0; row < lc_scene_get_n_rows (painter->scene); row++)
    n += lc_scene_get_n_processes (painter->scene, row);
  name = g_strdup_printf (ngettext ("%u process", "%u processes", n), n);
  title = n_marks > 0 ? lc_diagram_dup_sum (name, marks, n_marks) : NULL;
  init_grid (&grid, painter);
  add_lives (&grid);
  diagram_cells_add_marks (&grid, LC_MARK_SUMMARY);
  diagram_cells_add_marks (&grid, LC_MARK_EVENT);
  lc_canvas_begin (painter->canvas, "processes", title);
  paint_grid (&grid);
  lc_canvas_end (painter->canvas);
  g_free (grid.shares);
}
