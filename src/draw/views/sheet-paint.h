/* SPDX-License-Identifier: Apache-2.0 */
/* Paints the marks of a sheet, and finds the one at a place. */
#ifndef LC_DRAW_SHEET_PAINT_H
#define LC_DRAW_SHEET_PAINT_H

#include "draw/canvas/frame.h"
#include "lightcone/sheet.h"

/* Gives the fill and the stroke of a series; LC_SHEET_NO_SERIES: those of marks without one. */
LcFill lc_sheet_get_fill (const LcCanvas *canvas, guint32 series);
LcStroke lc_sheet_get_stroke (const LcCanvas *canvas, guint32 series, double width);

void lc_sheet_paint (const LcSheet *sheet, const LcFrame *frame, LcCanvas *canvas, LcRectangle area);

/* Finds the mark that lies on top at a place. `vertex`: its own place that is nearest. NULL: there is none within the
 * margin. */
const LcSheetMark *lc_sheet_find_mark (const LcSheet *sheet, const LcFrame *frame, LcPlace place, double margin,
                                       gsize *vertex);

#endif
