/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels of an image surface, filled without Cairo: rectangles that lie between pixels need no more. */
#ifndef LC_DRAW_CANVAS_PIXELS_H
#define LC_DRAW_CANVAS_PIXELS_H

#include <cairo.h>
#include <glib.h>

/* From and including (x0, y0) up to but not including (x1, y1). */
typedef struct
{
  int x0;
  int y0;
  int x1;
  int y1;
} LcPixelBox;

gboolean lc_pixel_box_intersect (const LcPixelBox *a, const LcPixelBox *b, LcPixelBox *both);

/* What boxes are filled with: a square of `size` x `size` pixels that repeats from (x, y) in all directions. */
typedef struct
{
  int x;
  int y;
  int size;
  gboolean opaque;
  const guint32 *pixels; /* ARGB32 */
} LcTile;

typedef struct _LcPixels LcPixels;

/* NULL: it is no image surface, or one of another format. The surface must live as long. */
LcPixels *lc_pixels_new (cairo_surface_t *surface);
void lc_pixels_free (LcPixels *pixels);

/* Every pixel that lies in one of the boxes, once. All boxes lie within the surface. */
void lc_pixels_fill (LcPixels *pixels, const LcTile *tile, const LcPixelBox *boxes, gsize n_boxes);

/* A line with smooth edges and flat ends, cut off at `box`, which lies within the surface. */
typedef struct
{
  double x0;
  double y0;
  double x1;
  double y1;
  double width;
  guint32 color; /* ARGB32 */
  double dash;   /* pixels that are drawn, and */
  double gap;    /* that are not, from its begin on; 0: all are */
} LcPixelLine;

void lc_pixels_line (LcPixels *pixels, const LcPixelLine *line, const LcPixelBox *box);

#endif
