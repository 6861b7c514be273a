/* SPDX-License-Identifier: Apache-2.0 */
/* Plots over time, which goes to the right or down. */
#include "over-time.h"

#include <math.h>

LcPlace
lc_over_time_place (const LcFrame *frame, double time, double value)
{
  if (lc_frame_is_turned (frame))
    return (LcPlace){lc_frame_get_x (frame, value), lc_frame_get_y (frame, time)};
  return (LcPlace){lc_frame_get_x (frame, time), lc_frame_get_y (frame, value)};
}

LcRectangle
lc_over_time_box (const LcFrame *frame, double from, double to, double low, double high)
{
  LcPlace one = lc_over_time_place (frame, from, low), other = lc_over_time_place (frame, to, high);

  return (LcRectangle){MIN (one.x, other.x), MIN (one.y, other.y), fabs (one.x - other.x), fabs (one.y - other.y)};
}

LcLine
lc_over_time_line (const LcFrame *frame, guint64 from, guint64 to, double value)
{
  LcPlace one = lc_over_time_place (frame, (double)from, value), other = lc_over_time_place (frame, (double)to, value);

  return (LcLine){one.x, one.y, other.x, other.y};
}

double
lc_over_time_step (const LcFrame *frame)
{
  if (lc_frame_is_turned (frame))
    return fabs (lc_frame_get_x (frame, 1) - lc_frame_get_x (frame, 0));
  return fabs (lc_frame_get_y (frame, 1) - lc_frame_get_y (frame, 0));
}

double
lc_over_time_get_room (const LcFrame *frame, LcRectangle area)
{
  return lc_frame_is_turned (frame) ? area.height : area.width;
}

gboolean
lc_over_time_find (const LcFrame *frame, LcRectangle area, LcPlace place, guint64 *time, double *value)
{
  gboolean turned = lc_frame_is_turned (frame);
  double share = turned ? (place.y - area.y) / area.height : (place.x - area.x) / area.width;
  double zero = turned ? lc_frame_get_x (frame, 0) : lc_frame_get_y (frame, 0);
  double one = turned ? lc_frame_get_x (frame, 1) : lc_frame_get_y (frame, 1);
  guint64 from, to;

  lc_frame_get_time (frame, &from, &to);
  *time = from + (guint64)(CLAMP (share, 0, 1) * (double)(to - from));
  if (value != NULL)
    *value = ((turned ? place.x : place.y) - zero) / (one - zero);
  return share >= 0 && share <= 1;
}

static gboolean
over_time_is_turned (const LcViewContext *context)
{
  return context->options.orientation == LC_ORIENTATION_DOWN;
}

double
lc_over_time_get_length (const LcViewContext *context)
{
  return over_time_is_turned (context) ? context->whole.height : context->whole.width;
}

double
lc_over_time_get_breadth (const LcViewContext *context)
{
  return over_time_is_turned (context) ? context->whole.width : context->whole.height;
}

void
lc_over_time_cells (const LcFrame *frame, LcCanvas *canvas, LcRectangle area, const guint32 *colors, guint n_columns,
                    guint n_rows)
{
  g_autofree guint32 *turned = NULL;

  if (!lc_frame_is_turned (frame))
    {
      lc_canvas_cells (canvas, area, colors, n_columns, n_rows);
      return;
    }
  turned = g_new (guint32, MAX ((gsize)n_columns * n_rows, 1));
  for (guint row = 0; row < n_rows; row++)
    for (guint column = 0; column < n_columns; column++)
      turned[(gsize)column * n_rows + row] = colors[(gsize)row * n_columns + column];
  lc_canvas_cells (canvas, area, turned, n_rows, n_columns);
}

void
lc_over_time_rows (const LcFrame *frame, const LcGridSide *rows, LcCanvas *canvas, LcRectangle area, double least)
{
  const LcLine axis = {floor (area.x) + 0.5, area.y, floor (area.x) + 0.5, area.y + area.height};
  double step = area.width / MAX (rows->n, 1);
  g_autofree LcLine *lines = NULL;

  if (!lc_frame_is_turned (frame))
    {
      lc_grid_paint_rows (rows, canvas, area, least);
      return;
    }
  lines = g_new (LcLine, MAX (rows->n, 1));
  for (guint i = 1; i < rows->n; i++)
    lines[i - 1] = (LcLine){area.x + i * step, area.y, area.x + i * step, area.y + area.height};
  if (rows->n > 1 && step >= least)
    lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_BACKGROUND, 1), lines, rows->n - 1);
  lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1), &axis, 1);
}
