/* SPDX-License-Identifier: Apache-2.0 */
/* A surface over a plane, seen from the right, the front and above. */
#ifndef LC_DRAW_SURFACE_H
#define LC_DRAW_SURFACE_H

#include "draw/canvas/frame.h"

/* Heights at the points of a grid, with columns from left to right and ranks from front to rear. Heights above `limit`
 * are cut. */
typedef struct
{
  guint n_columns; /* at least 1 */
  guint n_ranks;
  const double *heights; /* by rank, then column */
  double limit;
  const char *column_title;
  const char *rank_title;
  const char *height_title;        /* the height is a time; its unit is added */
  const char *const *column_names; /* n_columns names */
  const char *const *rank_names;
} LcSurface;

void lc_surface_paint (const LcSurface *surface, LcCanvas *canvas, LcRectangle area);

/* Finds the foremost point of the grid at most `margin` from a place. FALSE: there is none. */
gboolean lc_surface_find (const LcSurface *surface, LcRectangle area, LcPlace place, double margin, guint *column,
                          guint *rank);

#endif
