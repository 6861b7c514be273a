/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the canvas on Cairo share. */
#ifndef LC_DRAW_CANVAS_CAIRO_PRIVATE_H
#define LC_DRAW_CANVAS_CAIRO_PRIVATE_H

#include "draw/canvas-pixels.h"
#include "draw/canvas-private.h"

/* What is narrower could not be seen on paper. */
#define LC_CAIRO_LEAST 0.4

/* Different fills of which the patterns are kept. */
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
  cairo_matrix_t matrix; /* as it was */

  /* A surface that has pixels, which what is upright can be aligned to. */
  gboolean has_pixels;
  cairo_matrix_t to_pixels;
  cairo_matrix_t pixel_matrix; /* with it, Cairo counts in pixels */
  double scale;                /* pixels in a unit */
  LcPixelBox box;              /* what is not clipped */
  GArray *boxes;               /* of LcPixelBox: before the clips that are open */
  GArray *batch;               /* of LcPixelBox: what is being filled */
  LcPixels *pixels;            /* NULL: only Cairo can write them */

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

/* As ARGB32. */
guint32 lc_cairo_pixel_of (LcColor color);

/* The square that repeats; it belongs to the canvas. */
cairo_surface_t *lc_cairo_get_pattern (LcCairoCanvas *canvas, const LcFill *fill);

/* Patterns begin at the picture's origin, so that they go on from one shape to the next. */
void lc_cairo_set_fill (LcCairoCanvas *canvas, const LcFill *fill);

/* --- Boxes of pixels (canvas-cairo-boxes.c) -------------------------------------------------------------------- */

/* The pixels from one place to another, at least one. */
void lc_cairo_snap (double one, double other, int *start, int *end);

/* `rectangle` was prepared: it fits into an int. */
LcPixelBox lc_cairo_box_of (const LcCairoCanvas *canvas, const LcRectangle *rectangle);

/* Boxes are gathered, without what is clipped, and filled at once. */
void lc_cairo_add_box (LcCairoCanvas *canvas, const LcPixelBox *box);
void lc_cairo_fill_batch (LcCairoCanvas *canvas, const LcFill *fill);

/* --- What the backend consists of ------------------------------------------------------------------------------ */

void lc_cairo_rectangles (LcCanvas *canvas, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles);
void lc_cairo_lines (LcCanvas *canvas, LcStroke stroke, const LcLine *lines, gsize n_lines);
void lc_cairo_polyline (LcCanvas *canvas, LcStroke stroke, const LcPlace *places, gsize n_places, gboolean closed);
void lc_cairo_cells (LcCanvas *canvas, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows);

#endif
