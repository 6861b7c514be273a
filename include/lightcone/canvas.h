/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas: every picture is painted on one, whether it becomes pixels, PDF, SVG or a widget. */
#ifndef LIGHTCONE_CANVAS_H
#define LIGHTCONE_CANVAS_H

#include <cairo.h>

#include "lightcone/palette.h"

G_BEGIN_DECLS

/*
 * Units are those of the picture (a pixel at scale 1), from the top left. Whole batches are painted at once, since that
 * is several times as fast. A canvas is for one thread at a time; different canvases may be painted on by different
 * threads.
 *
 * On Cairo everything goes to the cairo_t. As SVG it becomes a text of its own, not Cairo's: text stays text, batches
 * are one path each, groups have titles, so that a large picture stays small and can be searched and edited.
 */
typedef struct _LcCanvas LcCanvas;

/* Paints on `cairo`, as it is transformed at the moment; it is referenced. Rectangles are aligned to its pixels if it
 * has any. Free with lc_canvas_free. */
LcCanvas *lc_canvas_new_cairo (cairo_t *cairo, LcTheme theme);

/* Paints an SVG document of this size. A screen reader is told `title` and `description` (either may be NULL). */
LcCanvas *lc_canvas_new_svg (double width, double height, LcTheme theme, const char *title, const char *description);

void lc_canvas_free (LcCanvas *canvas);

/* Returns the whole SVG document; the canvas cannot be painted on after that. NULL if the canvas is not for SVG. Free
 * with g_free. */
char *lc_canvas_finish_svg (LcCanvas *canvas, gsize *length);

/* Begins one of the pictures of an animation, which takes the place of the one before for `seconds`, and ends with
 * lc_canvas_end. The whole of it is repeated. Where nothing moves (on paper, or for people who want that), the first
 * picture is seen. Only an SVG has animations. */
void lc_canvas_begin_frame (LcCanvas *canvas, guint number, guint n_frames, double seconds);

LcTheme lc_canvas_get_theme (const LcCanvas *canvas);

/* Has all texts be so many times as large, for who needs large text: 1 at first. Files have 1: SVG knows no other. */
void lc_canvas_set_text_scale (LcCanvas *canvas, double scale);
double lc_canvas_get_text_scale (const LcCanvas *canvas);

typedef struct
{
  double x;
  double y;
  double width;
  double height;
} LcRectangle;

typedef struct
{
  double x;
  double y;
} LcPlace;

/* Where time has to be on a picture, so that it lines up with a diagram above it, or beside it where time goes down:
 * `from` at `begin`, `to` at `end`, in units from the left, or the top, of the picture. begin == end: anywhere. */
typedef struct
{
  double begin;
  double end;
  double from;
  double to;
} LcTimePlace;

typedef struct
{
  double x0;
  double y0;
  double x1;
  double y1;
} LcLine;

/* The filling of an area. A pattern other than solid is drawn in `color` on `ground` (whose alpha may be 0). */
typedef struct
{
  LcColor color;
  LcColor ground;
  LcPattern pattern;
} LcFill;

typedef struct
{
  LcColor color;
  double width;
  gboolean dashed;
} LcStroke;

/* The fill for an ink: its colour and its pattern, on a paler ground of the same colour. `strength` from 0 to 1 fades
 * it. */
LcFill lc_canvas_fill (const LcCanvas *canvas, LcInk ink, double strength);
LcFill lc_canvas_series_fill (const LcCanvas *canvas, guint n);
LcFill lc_canvas_color_fill (LcColor color);
LcStroke lc_canvas_stroke (const LcCanvas *canvas, LcInk ink, double width);

/* Every rectangle is at least one pixel wide and high where the canvas has pixels. */
void lc_canvas_rectangles (LcCanvas *canvas, LcFill fill, const LcRectangle *rectangles, gsize n_rectangles);
void lc_canvas_frame (LcCanvas *canvas, LcStroke stroke, LcRectangle rectangle);
void lc_canvas_polygon (LcCanvas *canvas, LcFill fill, const LcPlace *places, gsize n_places);
void lc_canvas_polyline (LcCanvas *canvas, LcStroke stroke, const LcPlace *places, gsize n_places);

/* Draws lines that are not joined. */
void lc_canvas_lines (LcCanvas *canvas, LcStroke stroke, const LcLine *lines, gsize n_lines);

typedef enum
{
  LC_MARKER_DOT,
  LC_MARKER_DIAMOND,
  LC_MARKER_SQUARE,
  LC_MARKER_TRIANGLE,
  LC_MARKER_PLUS,
  LC_MARKERS,
} LcMarker;

/* Draws markers that are `size` wide and high. */
void lc_canvas_markers (LcCanvas *canvas, LcMarker marker, LcFill fill, double size, const LcPlace *places,
                        gsize n_places);

/* A grid of colours (CAIRO_FORMAT_ARGB32, rows one after the other) over a rectangle, each cell with sharp edges. */
void lc_canvas_cells (LcCanvas *canvas, LcRectangle rectangle, const guint32 *colors, guint columns, guint rows);

/* Cuts everything painted until lc_canvas_unclip off at the rectangle. Clips nest. */
void lc_canvas_clip (LcCanvas *canvas, LcRectangle rectangle);
void lc_canvas_unclip (LcCanvas *canvas);

/* Begins a group: everything painted until lc_canvas_end. SVG keeps groups, with the title (or NULL) as the tooltip. */
void lc_canvas_begin (LcCanvas *canvas, const char *name, const char *title);
void lc_canvas_end (LcCanvas *canvas);

/* --- Text ------------------------------------------------------------------------------------------------------ */

typedef enum
{
  LC_FONT_NORMAL,
  LC_FONT_SMALL, /* ticks, notes */
  LC_FONT_TITLE,
  LC_FONTS,
} LcFont;

typedef struct
{
  LcFont font;
  LcInk ink;
  double align_x;    /* 0: the place is the left end of the text, 0.5: its middle, 1: its right end */
  double align_y;    /* 0: its top, 0.5: its middle, 1: its bottom */
  double room;       /* a text that is wider is cut with an ellipsis; 0: no limit */
  gboolean upwards;  /* turned to read from bottom to top; `align` and the place refer to the text before the turn */
  gboolean backdrop; /* on a patch of the background, for text that lies over marks */
} LcTextStyle;

/* Measures a text before it is turned. */
void lc_canvas_measure (LcCanvas *canvas, const LcTextStyle *style, const char *text, double *width, double *height);

/* Draws a text and returns the area that it took up. Nothing is drawn where there is not even room for the ellipsis. */
LcRectangle lc_canvas_text (LcCanvas *canvas, const LcTextStyle *style, LcPlace place, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCanvas, lc_canvas_free)

G_END_DECLS

#endif
