/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels of an image surface, filled without Cairo, which is not needed for rectangles whose edges lie between
 * pixels. */
#ifndef LC_DRAW_CANVAS_PIXELS_H
#define LC_DRAW_CANVAS_PIXELS_H

#include <cairo.h>
#include <glib.h>

/* A box includes (x0, y0) and ends before (x1, y1). */
typedef struct
{
  int x0;
  int y0;
  int x1;
  int y1;
} LcPixelBox;

gboolean lc_pixel_box_intersect (const LcPixelBox *a, const LcPixelBox *b, LcPixelBox *both);

/* Boxes are filled with a tile: a square of `size` x `size` pixels that repeats from (x, y) in all directions. */
typedef struct
{
  int x;
  int y;
  int size;
  gboolean opaque;
  const guint32 *pixels; /* ARGB32 */
} LcTile;

typedef struct _LcPixels LcPixels;

/* Gives NULL if the surface is no image surface, or one of another format. The surface must outlive the result. */
LcPixels *lc_pixels_new (cairo_surface_t *surface);
void lc_pixels_free (LcPixels *pixels);

/* Fills every pixel that lies in at least one of the boxes once. All boxes must lie within the surface. */
void lc_pixels_fill (LcPixels *pixels, const LcTile *tile, const LcPixelBox *boxes, gsize n_boxes);

/* A line has smooth edges and flat ends, and is cut off at `box`, which must lie within the surface. */
typedef struct
{
  double x0;
  double y0;
  double x1;
  double y1;
  double width;
  guint32 color; /* ARGB32 */
  double dash;   /* length of a dash in pixels */
  double gap;    /* length of the gap after each dash; 0: the line is solid */
} LcPixelLine;

void lc_pixels_line (LcPixels *pixels, const LcPixelLine *line, const LcPixelBox *box);

#endif
