/* SPDX-License-Identifier: Apache-2.0 */
/* The look of a grid of amounts. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "grid.h"
#include "trace/quantities.h"

#define SUMS_ABOVE 44.0  /* pixels for the sums of columns */
#define SUMS_BESIDE 0.11 /* share of the width for the sums of rows */
#define SUMS_GAP 4.0
#define FAINTEST 0.07   /* share of the ramp for the smallest amount, which must not look like nothing */
#define LINED_CELL 9.0  /* pixels: cells at least this large have lines between them */
#define TEXT_WIDTH 44.0 /* pixels: cells at least this large have their amount in them */
#define TEXT_HEIGHT 16.0

/* --- Axes and legend ---------------------------------------------------------------------------------------------- */

/* The number of columns without a name at the right, where the sums of rows are. */
static guint
count_padding (const LcGrid *grid)
{
  return MAX (1, (guint)ceil (grid->columns.n * SUMS_BESIDE));
}

static void
describe_ramp (const LcGrid *grid, LcFrame *frame)
{
  const LcAmount *amount = &grid->amounts[grid->shown];
  g_autofree char *lowest = lc_amount_format (amount->kind, grid->logarithmic ? grid->lowest : 0);
  g_autofree char *highest = lc_amount_format (amount->kind, grid->highest);

  lc_frame_add_ramp (frame, _ (amount->title), lowest, highest);
  if (grid->logarithmic)
    lc_frame_add_note (frame, _ ("The shades are of a logarithmic scale: a few cells have far more than the others."));
}

static void
describe_groups (const LcGrid *grid, LcFrame *frame)
{
  g_autofree char *sum = lc_amount_format (grid->amounts[grid->shown].kind, grid->sum);
  g_autofree char *sums = g_strdup_printf (_ ("The bars are the sums of rows and columns; all together are %s."), sum);
  g_autofree char *rows = lc_format_count (grid->rows.group);
  g_autofree char *columns = lc_format_count (grid->columns.group);
  g_autofree char *cells = g_strdup_printf (_ ("Each cell stands for %s × %s of them, summed up."), rows, columns);

  lc_frame_add_note (frame, sums);
  if (grid->rows.group > 1 || grid->columns.group > 1)
    lc_frame_add_note (frame, cells);
}

void
lc_grid_describe (LcGrid *grid, const char *row_title, const char *column_title, LcFrame *frame, LcCanvas *canvas)
{
  guint padding = count_padding (grid);
  LcAxisScale x = {.title = column_title, .kind = LC_SCALE_NAMES, .to = grid->columns.n + padding};
  LcAxisScale y = {.title = row_title, .kind = LC_SCALE_NAMES, .from = grid->rows.n};

  for (guint i = 0; i < padding; i++)
    g_ptr_array_add (grid->columns.names, g_strdup (""));
  x.names = (const char *const *)grid->columns.names->pdata;
  y.names = (const char *const *)grid->rows.names->pdata;
  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  lc_frame_set_margins (frame, 0, SUMS_ABOVE);
  describe_ramp (grid, frame);
  describe_groups (grid, frame);
}

/* --- Cells -------------------------------------------------------------------------------------------------------- */

/* Gives the place of an amount on the ramp: 0 is nothing, 1 the highest. */
static double
paint_get_share (const LcGrid *grid, double value)
{
  double lowest = grid->lowest / 2; /* half, so that the lowest amount differs from nothing */

  if (!grid->logarithmic)
    return MAX (value / grid->highest, FAINTEST);
  return MAX (log (value / lowest) / log (grid->highest / lowest), FAINTEST);
}

static LcColor
paint_get_color (const LcGrid *grid, LcCanvas *canvas, double value)
{
  return lc_palette_get_amount (lc_canvas_get_theme (canvas), paint_get_share (grid, value));
}

static void
grid_paint_cells (const LcGrid *grid, LcCanvas *canvas, LcRectangle cells)
{
  gsize n = (gsize)grid->rows.n * grid->columns.n;
  g_autofree guint32 *colors = g_new0 (guint32, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    if (grid->values[grid->shown][i] > 0)
      colors[i] = lc_grid_pack (paint_get_color (grid, canvas, grid->values[grid->shown][i]));
  lc_canvas_cells (canvas, cells, colors, grid->columns.n, grid->rows.n);
}

void
lc_grid_paint_rows (const LcGridSide *rows, LcCanvas *canvas, LcRectangle area, double least)
{
  const LcLine axis = {floor (area.x) + 0.5, area.y, floor (area.x) + 0.5, area.y + area.height};
  double height = area.height / MAX (rows->n, 1);
  g_autofree LcLine *lines = g_new (LcLine, MAX (rows->n, 1));

  for (guint i = 1; i < rows->n; i++)
    lines[i - 1] = (LcLine){area.x, area.y + i * height, area.x + area.width, area.y + i * height};
  if (rows->n > 1 && height >= least)
    lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_BACKGROUND, 1), lines, rows->n - 1);
  lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1), &axis, 1);
}

static void
grid_paint_columns (const LcGridSide *columns, LcCanvas *canvas, LcRectangle area)
{
  double width = area.width / columns->n;
  g_autofree LcLine *lines = g_new (LcLine, columns->n);

  for (guint i = 1; i < columns->n; i++)
    lines[i - 1] = (LcLine){area.x + i * width, area.y, area.x + i * width, area.y + area.height};
  if (columns->n > 1)
    lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_BACKGROUND, 1), lines, columns->n - 1);
}

/* Lines are painted only between cells that are large enough in both directions. */
static void
grid_paint_lines (const LcGrid *grid, LcCanvas *canvas, LcRectangle cells)
{
  gboolean lined = cells.width / grid->columns.n >= LINED_CELL && cells.height / grid->rows.n >= LINED_CELL;

  if (lined)
    grid_paint_columns (&grid->columns, canvas, cells);
  lc_grid_paint_rows (&grid->rows, canvas, cells, lined ? LINED_CELL : INFINITY);
}

/* Chooses the ink that contrasts better with the ground. */
static LcInk
choose_ink (LcCanvas *canvas, LcColor ground)
{
  LcTheme theme = lc_canvas_get_theme (canvas);
  double text = lc_color_contrast (lc_palette_get_color (theme, LC_INK_TEXT), ground);
  double background = lc_color_contrast (lc_palette_get_color (theme, LC_INK_BACKGROUND), ground);

  return text >= background ? LC_INK_TEXT : LC_INK_BACKGROUND;
}

static void
grid_paint_texts (const LcGrid *grid, LcCanvas *canvas, LcRectangle cells)
{
  double width = cells.width / grid->columns.n, height = cells.height / grid->rows.n;
  LcTextStyle style = {.font = LC_FONT_SMALL, .align_x = 0.5, .align_y = 0.5, .room = width - 4};

  if (width < TEXT_WIDTH || height < TEXT_HEIGHT)
    return;
  for (guint row = 0; row < grid->rows.n; row++)
    for (guint column = 0; column < grid->columns.n; column++)
      {
        double value = grid->values[grid->shown][(gsize)row * grid->columns.n + column];
        g_autofree char *text = lc_amount_format (grid->amounts[grid->shown].kind, value);

        if (value <= 0)
          continue;
        style.ink = choose_ink (canvas, paint_get_color (grid, canvas, value));
        lc_canvas_text (canvas, &style, (LcPlace){cells.x + (column + 0.5) * width, cells.y + (row + 0.5) * height},
                        text);
      }
}

/* --- Sums --------------------------------------------------------------------------------------------------------- */

static double
find_largest (const double *sums, guint n)
{
  double largest = 0;

  for (guint i = 0; i < n; i++)
    largest = MAX (largest, sums[i]);
  return largest > 0 ? largest : 1;
}

static void
paint_column_sums (const LcGrid *grid, LcCanvas *canvas, LcRectangle cells)
{
  double width = cells.width / grid->columns.n, room = SUMS_ABOVE - 2 * SUMS_GAP;
  double largest = find_largest (grid->column_sums, grid->columns.n), gap = width >= 4 ? 0.15 * width : 0;
  g_autofree LcRectangle *bars = g_new (LcRectangle, grid->columns.n);
  guint n = 0;

  for (guint i = 0; i < grid->columns.n; i++)
    {
      double height = room * grid->column_sums[i] / largest;

      if (height > 0)
        bars[n++] = (LcRectangle){cells.x + i * width + gap, cells.y - SUMS_GAP - height, width - 2 * gap, height};
    }
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_RUNNING, 1), bars, n);
}

static void
paint_row_sums (const LcGrid *grid, LcCanvas *canvas, LcRectangle cells, double right)
{
  double height = cells.height / grid->rows.n, left = cells.x + cells.width + SUMS_GAP;
  double largest = find_largest (grid->row_sums, grid->rows.n), gap = height >= 4 ? 0.15 * height : 0;
  g_autofree LcRectangle *bars = g_new (LcRectangle, grid->rows.n);
  guint n = 0;

  for (guint i = 0; i < grid->rows.n; i++)
    {
      double width = (right - left) * grid->row_sums[i] / largest;

      if (width > 0)
        bars[n++] = (LcRectangle){left, cells.y + i * height + gap, width, height - 2 * gap};
    }
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_RUNNING, 1), bars, n);
}

void
lc_grid_paint (const LcGrid *grid, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  double end = lc_frame_get_x (frame, grid->columns.n);
  const LcRectangle cells = {area.x, area.y, end - area.x, area.height};
  const LcRectangle beside = {end, area.y, area.x + area.width - end + 1, area.height};
  LcColor background = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_BACKGROUND);

  lc_canvas_rectangles (canvas, lc_canvas_color_fill (background), &beside, 1);
  lc_canvas_begin (canvas, "cells", NULL);
  grid_paint_cells (grid, canvas, cells);
  grid_paint_lines (grid, canvas, cells);
  grid_paint_texts (grid, canvas, cells);
  lc_canvas_end (canvas);
  lc_canvas_begin (canvas, "sums", NULL);
  paint_column_sums (grid, canvas, cells);
  paint_row_sums (grid, canvas, cells, area.x + area.width);
  lc_canvas_end (canvas);
}

gboolean
lc_grid_find (const LcGrid *grid, const LcFrame *frame, LcPlace place, guint *row, guint *column)
{
  double left = lc_frame_get_x (frame, 0), right = lc_frame_get_x (frame, grid->columns.n);
  double top = lc_frame_get_y (frame, 0), bottom = lc_frame_get_y (frame, grid->rows.n);
  double across = (place.x - left) / (right - left) * grid->columns.n;
  double down = (place.y - top) / (bottom - top) * grid->rows.n;

  if (!(across >= 0 && across < grid->columns.n && down >= 0 && down < grid->rows.n))
    return FALSE;
  *row = (guint)down;
  *column = (guint)across;
  return TRUE;
}
