/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the canvas share: what a backend is asked for, shapes cut to what can be seen, patterns, labels. */
#ifndef LC_DRAW_CANVAS_PRIVATE_H
#define LC_DRAW_CANVAS_PRIVATE_H

#include <math.h>

#include "draw/canvas-label.h"
#include "lightcone/canvas.h"

/* All that they are given is finite, and no shape reaches far out of what is visible, but for rectangles, markers and
 * cells. */
typedef struct
{
  void (*rectangles) (LcCanvas *canvas, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles);
  void (*polygon) (LcCanvas *canvas, LcFill fill, const LcPlace *places, gsize n_places);
  void (*polyline) (LcCanvas *canvas, LcStroke stroke, const LcPlace *places, gsize n_places, gboolean closed);
  void (*lines) (LcCanvas *canvas, LcStroke stroke, const LcLine *lines, gsize n_lines);
  void (*markers) (LcCanvas *canvas, LcMarker marker, LcFill fill, double size, const LcPlace *places, gsize n_places);
  void (*cells) (LcCanvas *canvas, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows);
  void (*clip) (LcCanvas *canvas, LcRectangle rectangle);
  void (*unclip) (LcCanvas *canvas);
  void (*begin) (LcCanvas *canvas, const char *name, const char *title);
  void (*end) (LcCanvas *canvas);
  void (*text) (LcCanvas *canvas, const LcTextStyle *style, LcPlace place, const LcLabel *label);
  void (*free) (LcCanvas *canvas);
} LcCanvasBackend;

/* A clip or a group. */
typedef struct
{
  gboolean is_clip;
  LcRectangle visible; /* before it */
} LcCanvasLevel;

/* The first member of each backend's own. */
struct _LcCanvas
{
  const LcCanvasBackend *backend;
  gboolean finished; /* nothing more can be painted */
  LcTheme theme;
  LcRectangle visible; /* what is not cut off, and perhaps a bit more */
  GArray *levels;      /* of LcCanvasLevel: the open clips and groups */
};

void lc_canvas_init (LcCanvas *canvas, const LcCanvasBackend *backend, LcTheme theme, LcRectangle visible);

/* Of a dashed line one unit wide. */
#define LC_DASH 4.0
#define LC_GAP 3.0

/* --- Shapes (canvas-shapes.c)
 * ----------------------------------------------------------------------------------------- */

/* Where a rectangle goes that is at least `least` wide and high, and cut to about what is visible. FALSE: nowhere. */
gboolean lc_rectangle_prepare (LcRectangle *rectangle, const LcRectangle *visible, double least);

gboolean lc_rectangle_intersect (const LcRectangle *a, const LcRectangle *b, LcRectangle *both);

/* Cuts off what reaches out of `bounds`. FALSE: nothing is left. */
gboolean lc_line_cut (LcLine *line, const LcRectangle *bounds);

/* Likewise, in a new array of LcPlace. */
GArray *lc_polygon_cut (const LcPlace *places, gsize n_places, const LcRectangle *bounds);

/* The outline of a marker around (0, 0), `size` across. Of LC_MARKER_DOT there is none: 0. */
#define LC_MARKER_MOST 12
guint lc_marker_outline (LcMarker marker, double size, LcPlace outline[LC_MARKER_MOST]);

/* Every line of it goes across or down. */
gboolean lc_polyline_is_upright (const LcPlace *places, gsize n_places);

/* Where the middle of an upright line goes so that its edges lie between pixels. */
static inline double
lc_snap (double middle, double width)
{
  return floor (middle - width / 2 + 0.5) + width / 2;
}

static inline gboolean
lc_is_upright (const LcLine *line)
{
  return line->x0 == line->x1 || line->y0 == line->y1;
}

/* --- Patterns (canvas-patterns.c)
 * ------------------------------------------------------------------------------------- */

/* Each is a square that repeats, with lines and dots in it. */
#define LC_PATTERN_PERIOD 6.0

typedef struct
{
  double width; /* of lines; across dots */
  guint n_lines;
  const LcLine *lines;
  guint n_dots;
  const LcPlace *dots;
} LcPatternShape;

const LcPatternShape *lc_pattern_get_shape (LcPattern pattern);

/* --- Cells (canvas-cells.c)
 * ------------------------------------------------------------------------------------------- */

/* Cairo has no larger images. */
#define LC_CELLS_MOST 32000

/* Part of a grid of colours as one of columns x rows pixels: cells are enlarged with sharp edges, and averaged where
 * they are smaller than a pixel. `first_*` and `last_*` are places in the grid, in cells. Free it with g_free. */
guint32 *lc_cells_resize (const guint32 *colors, guint columns, guint rows, const LcRectangle *part, guint new_columns,
                          guint new_rows);

#endif
