/* SPDX-License-Identifier: Apache-2.0 */
/* Text of several lines: broken where the language allows it. */
#ifndef LC_DRAW_PARAGRAPH_H
#define LC_DRAW_PARAGRAPH_H

#include "lightcone/canvas.h"

/* At most so many lines (1 or more), no wider than that where they can be broken; the last one has all the rest, to be
 * cut. Strings in a new array that frees them; none for an empty text. */
GPtrArray *lc_paragraph_break (LcCanvas *canvas, const LcTextStyle *style, const char *text, double width, guint most);

double lc_paragraph_get_line (LcCanvas *canvas, const LcTextStyle *style);

/* The lines from the top left of the place on, each cut at the width. Gives their height. */
double lc_paragraph_paint (const GPtrArray *lines, LcCanvas *canvas, const LcTextStyle *style, LcPlace place,
                           double width);

#endif
