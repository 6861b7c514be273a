/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of the canvas on Cairo. */
#ifndef LC_DRAW_CANVAS_CAIRO_PRIVATE_H
#define LC_DRAW_CANVAS_CAIRO_PRIVATE_H

#include "draw/canvas/canvas-pixels.h"
#include "draw/canvas/canvas-private.h"

/* Narrower rectangles are widened to this, or they could not be seen on paper. */
#define LC_CAIRO_LEAST 0.4

/* The patterns of so many different fills are kept. */
#define LC_CAIRO_PATTERNS 16

typedef struct
{
  LcFill fill;
  cairo_surface_t *surface;
} LcCairoPattern;

typedef struct
{
  LcCanvas parent;
  cairo_t *cairo;
  cairo_matrix_t matrix; /* of `cairo` when the canvas was made */

  /* TRUE: the surface has pixels, and upright lines and boxes can be aligned to them. */
  gboolean has_pixels;
  cairo_matrix_t to_pixels;
  cairo_matrix_t pixel_matrix; /* with this matrix, Cairo counts in pixels */
  double scale;                /* pixels per unit */
  LcPixelBox box;              /* the part that is not clipped */
  GArray *boxes;               /* LcPixelBox: `box` as it was before each clip that is open */
  GArray *batch;               /* LcPixelBox: the boxes to fill next */
  LcPixels *pixels;            /* NULL: only Cairo can write to the surface */

  LcCairoPattern patterns[LC_CAIRO_PATTERNS];
  guint next_pattern;
} LcCairoCanvas;

static inline double
lc_cairo_pixel_x (const LcCairoCanvas *canvas, double x)
{
  return canvas->to_pixels.xx * x + canvas->to_pixels.x0;
}

static inline double
lc_cairo_pixel_y (const LcCairoCanvas *canvas, double y)
{
  return canvas->to_pixels.yy * y + canvas->to_pixels.y0;
}

/* --- Colours and patterns (canvas-cairo-fills.c) --------------------------------------------------------------- */

void lc_cairo_set_color (cairo_t *cairo, LcColor color);

/* A colour as ARGB32, with alpha multiplied in. */
guint32 lc_cairo_pixel_of (LcColor color);

/* The square that a pattern repeats; it belongs to the canvas. */
cairo_surface_t *lc_cairo_get_pattern (LcCairoCanvas *canvas, const LcFill *fill);

/* Patterns begin at the picture's origin, so that they continue from one shape to the next. */
void lc_cairo_set_fill (LcCairoCanvas *canvas, const LcFill *fill);

/* --- Boxes of pixels (canvas-cairo-boxes.c) -------------------------------------------------------------------- */

/* Gives the pixels between two places, at least one. */
void lc_cairo_snap (double one, double other, int *start, int *end);

/* `rectangle` must have been through lc_rectangle_prepare, so that it fits into an int. */
LcPixelBox lc_cairo_box_of (const LcCairoCanvas *canvas, const LcRectangle *rectangle);

/* Boxes are gathered, less what is clipped, and then filled together. */
void lc_cairo_add_box (LcCairoCanvas *canvas, const LcPixelBox *box);
void lc_cairo_fill_batch (LcCairoCanvas *canvas, const LcFill *fill);

/* --- Functions of the backend ------------------------------------------------------------------------------------- */

void lc_cairo_rectangles (LcCanvas *canvas, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles);
void lc_cairo_lines (LcCanvas *canvas, LcStroke stroke, const LcLine *lines, gsize n_lines);
void lc_cairo_polyline (LcCanvas *canvas, LcStroke stroke, const LcPlace *places, gsize n_places, gboolean closed);
void lc_cairo_cells (LcCanvas *canvas, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows);

#endif
