/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, texts, colours and paths in SVG: as few bytes as possible, and the same bytes everywhere. */
#ifndef LC_DRAW_SVG_TEXT_H
#define LC_DRAW_SVG_TEXT_H

#include "lightcone/canvas.h"

/* Numbers are rounded to hundredths first and added then, so that sums are exact. */
gint64 lc_svg_round (double number);
void lc_svg_add_hundredths (GString *svg, gint64 hundredths);
void lc_svg_add_number (GString *svg, double number);

/* Adds ` name="number"`. */
void lc_svg_add_attribute (GString *svg, const char *name, double number);

/* Adds a text with markup escaped, and with characters that XML cannot have replaced. */
void lc_svg_add_text (GString *svg, const char *text);

/* Adds ` fill="#123456" fill-opacity=".5"`; `name` is "fill" or "stroke". */
void lc_svg_add_color (GString *svg, const char *name, LcColor color);

/* The data of a path. After the first place, all coordinates are relative to the place before. */
typedef struct
{
  GString *data; /* owned */
  gint64 x;
  gint64 y;
} LcSvgPath;

void lc_svg_path_init (LcSvgPath *path);
void lc_svg_path_clear (LcSvgPath *path);
void lc_svg_path_move_to (LcSvgPath *path, double x, double y);
void lc_svg_path_line_to (LcSvgPath *path, double x, double y);
void lc_svg_path_rectangle (LcSvgPath *path, double x0, double y0, double x1, double y1);
void lc_svg_path_polygon (LcSvgPath *path, double x, double y, const LcPlace *places, gsize n_places);
void lc_svg_path_circle (LcSvgPath *path, double x, double y, double across);

#endif
