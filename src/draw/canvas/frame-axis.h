/* SPDX-License-Identifier: Apache-2.0 */
/* An axis of a frame: its ticks and names beside the plot, and the grid in it. */
#ifndef LC_DRAW_FRAME_AXIS_H
#define LC_DRAW_FRAME_AXIS_H

#include "draw/canvas/frame.h"

/* An axis begins with lc_frame_axis_init. It owns the title that `scale` points to. */
typedef struct
{
  LcAxisScale scale;
  char *title;
  gboolean upright; /* at the left, from the bottom up */

  /* lc_frame_axis_measure sets the rest. */
  GArray *ticks; /* LcTick on the scale; a name lies in the middle of what it names */
  char *heading; /* the title with the unit, or NULL */
  double labels; /* how far labels reach away from the plot */
  double reach;  /* how far labels may reach beyond the ends of the plot */
  gboolean turned;
} LcFrameAxis;

void lc_frame_axis_init (LcFrameAxis *axis, gboolean upright);
void lc_frame_axis_clear (LcFrameAxis *axis);
void lc_frame_axis_set (LcFrameAxis *axis, const LcAxisScale *scale);

/* Chooses ticks for a plot of this length. Returns the room that the axis needs beside the plot; labels take no more of
 * it than `most`. */
double lc_frame_axis_measure (LcFrameAxis *axis, LcCanvas *canvas, double length, double most);

/* The grid is painted within the area, the axis beside it. `gap` is room between the two that the view keeps for
 * itself. */
void lc_frame_axis_paint_grid (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area);
void lc_frame_axis_paint (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area, LcRectangle whole, double gap);

/* Returns how far ticks and labels of a measured axis reach away from the plot. */
double lc_frame_axis_get_labels (const LcFrameAxis *axis);

double lc_frame_axis_get_place (const LcFrameAxis *axis, LcRectangle area, double value);

#endif
