/* SPDX-License-Identifier: Apache-2.0 */
/* Text of several lines: broken where the language allows it. */
#ifndef LC_DRAW_PARAGRAPH_H
#define LC_DRAW_PARAGRAPH_H

#include "lightcone/canvas.h"

/* Breaks a text into at most `most` lines (1 or more), no wider than `width` where the text can be broken. The last
 * line has the rest, to be cut. The array frees its strings; an empty text has no lines. */
GPtrArray *lc_paragraph_break (LcCanvas *canvas, const LcTextStyle *style, const char *text, double width, guint most);

double lc_paragraph_get_line (LcCanvas *canvas, const LcTextStyle *style);

/* Paints lines from `place`, their top left, each cut at the width. Returns their height. */
double lc_paragraph_paint (const GPtrArray *lines, LcCanvas *canvas, const LcTextStyle *style, LcPlace place,
                           double width);

#endif
