/* SPDX-License-Identifier: Apache-2.0 */
/* Plots over time, which goes to the right or, beside a diagram of columns, down: a view tells times and values, and
 * the frame knows which axis each is on. */
#ifndef LC_DRAW_OVER_TIME_H
#define LC_DRAW_OVER_TIME_H

#include "draw/views/grid.h"

/* Gives the place of a time and a value; of x and y, where no axis is of time. */
LcPlace lc_over_time_place (const LcFrame *frame, double time, double value);

/* Gives the box from one time to another, and from one value to another. */
LcRectangle lc_over_time_box (const LcFrame *frame, double from, double to, double low, double high);

/* Gives the line at a value from one time to another. */
LcLine lc_over_time_line (const LcFrame *frame, guint64 from, guint64 to, double value);

/* Gives the pixels of a value of 1. */
double lc_over_time_step (const LcFrame *frame);

/* Gives the pixels of a painted plot in the direction of time. */
double lc_over_time_get_room (const LcFrame *frame, LcRectangle area);

/* Gives the time, and the value if `value` is not NULL, at a place of a painted frame. FALSE: its time is not on the
 * plot; `time` is the nearest one then. */
gboolean lc_over_time_find (const LcFrame *frame, LcRectangle area, LcPlace place, guint64 *time, double *value);

/* Gives how much of the picture there is in the direction of time, and across it. */
double lc_over_time_get_length (const LcViewContext *context);
double lc_over_time_get_breadth (const LcViewContext *context);

/* Paints a cell for each column of time in each row of values from 0 on; row after row. */
void lc_over_time_cells (const LcFrame *frame, LcCanvas *canvas, LcRectangle area, const guint32 *colors,
                         guint n_columns, guint n_rows);

/* Paints lines between rows of at least `least` pixels, and the axis again, which cells lie over. */
void lc_over_time_rows (const LcFrame *frame, const LcGridSide *rows, LcCanvas *canvas, LcRectangle area, double least);

#endif
