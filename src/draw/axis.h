/* SPDX-License-Identifier: Apache-2.0 */
/* One axis of a frame: its ticks and names beside the plot, and the grid in it. */
#ifndef LC_DRAW_AXIS_H
#define LC_DRAW_AXIS_H

#include "draw/frame.h"

/* Begin with lc_frame_axis_init; `scale` has a title of its own. */
typedef struct
{
  LcAxisScale scale;
  char *title;
  gboolean upright; /* at the left, from the bottom up */

  /* Of lc_frame_axis_measure. */
  GArray *ticks; /* LcTick on the scale; names lie in the middle of what they name */
  char *heading; /* the title with the unit, or NULL */
  double labels; /* how far they reach away from the plot */
  double reach;  /* and at the most beyond its end */
  gboolean turned;
} LcFrameAxis;

void lc_frame_axis_init (LcFrameAxis *axis, gboolean upright);
void lc_frame_axis_clear (LcFrameAxis *axis);
void lc_frame_axis_set (LcFrameAxis *axis, const LcAxisScale *scale);

/* Chooses ticks for a plot that is so long. Gives the room that it needs beside the plot, in which labels take no more
 * than `most`. */
double lc_frame_axis_measure (LcFrameAxis *axis, LcCanvas *canvas, double length, double most);

/* Within the area, and beside it; `gap` is room between the two that the view keeps for itself. */
void lc_frame_axis_paint_grid (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area);
void lc_frame_axis_paint (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area, LcRectangle whole, double gap);

double lc_frame_axis_get_place (const LcFrameAxis *axis, LcRectangle area, double value);

#endif
