/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of the canvas: backends, shapes cut to the visible part, patterns, labels. */
#ifndef LC_DRAW_CANVAS_PRIVATE_H
#define LC_DRAW_CANVAS_PRIVATE_H

#include <math.h>

#include "draw/canvas/canvas-label.h"
#include "lightcone/canvas.h"

/* A backend is given finite numbers only, and no shape that reaches far out of the visible part, except rectangles,
 * markers and cells. */
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
  void (*begin_frame) (LcCanvas *canvas, guint number, guint n_frames, double seconds); /* NULL: nothing moves */
  void (*end) (LcCanvas *canvas);
  void (*text) (LcCanvas *canvas, const LcTextStyle *style, LcPlace place, const LcLabel *label);
  void (*free) (LcCanvas *canvas);
} LcCanvasBackend;

/* An open clip or group. */
typedef struct
{
  gboolean is_clip;
  LcRectangle visible; /* as it was before this level */
} LcCanvasLevel;

/* Each backend has this as the first member of its own struct. */
struct _LcCanvas
{
  const LcCanvasBackend *backend;
  gboolean finished; /* nothing more can be painted */
  LcTheme theme;
  double text_scale;
  LcRectangle visible; /* the part that is not clipped, and perhaps a bit more */
  GArray *levels;      /* LcCanvasLevel: the open clips and groups */
};

void lc_canvas_init (LcCanvas *canvas, const LcCanvasBackend *backend, LcTheme theme, LcRectangle visible);

/* Lengths in a dashed line that is one unit wide; wider lines multiply them. */
#define LC_DASH 4.0
#define LC_GAP 3.0

/* --- Shapes (canvas-shapes.c) ------------------------------------------------------------------------------------- */

/* Makes a rectangle at least `least` wide and high, and cuts it to about what is visible. FALSE: none of it is
 * visible. */
gboolean lc_rectangle_prepare (LcRectangle *rectangle, const LcRectangle *visible, double least);

gboolean lc_rectangle_intersect (const LcRectangle *a, const LcRectangle *b, LcRectangle *both);

/* Cuts off the part of a line that reaches out of `bounds`. FALSE: nothing is left. */
gboolean lc_line_cut (LcLine *line, const LcRectangle *bounds);

/* Cuts a polygon to `bounds`, as a new array of LcPlace. */
GArray *lc_polygon_cut (const LcPlace *places, gsize n_places, const LcRectangle *bounds);

/* Gives the outline of a marker around (0, 0), `size` across, and its number of places. LC_MARKER_DOT has none: 0. */
#define LC_MARKER_MOST 12
guint lc_marker_outline (LcMarker marker, double size, LcPlace outline[LC_MARKER_MOST]);

/* Whether every line of it is upright or level. */
gboolean lc_polyline_is_upright (const LcPlace *places, gsize n_places);

/* Moves the middle of an upright or level line so that its edges lie between pixels. */
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

/* --- Patterns (canvas-patterns.c) --------------------------------------------------------------------------------- */

/* A pattern is a square that repeats, with lines or dots in it. */
#define LC_PATTERN_PERIOD 6.0

typedef struct
{
  double width; /* of lines, or the diameter of dots */
  guint n_lines;
  const LcLine *lines;
  guint n_dots;
  const LcPlace *dots;
} LcPatternShape;

const LcPatternShape *lc_pattern_get_shape (LcPattern pattern);

/* --- Cells (canvas-cells.c) --------------------------------------------------------------------------------------- */

/* Cairo's images cannot be much wider or higher than this. */
#define LC_CELLS_MOST 32000

/* Makes part of a grid of colours an image: cells are enlarged with sharp edges, and averaged where they are smaller
 * than a pixel. `part` is counted in cells. Free the result with g_free. */
guint32 *lc_cells_resize (const guint32 *colors, guint columns, guint rows, const LcRectangle *part, guint new_columns,
                          guint new_rows);

#endif
