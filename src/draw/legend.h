/* SPDX-License-Identifier: Apache-2.0 */
/* The legend of a frame: what fills, lines, markers and shades mean. */
#ifndef LC_DRAW_LEGEND_H
#define LC_DRAW_LEGEND_H

#include "draw/frame.h"

typedef struct _LcLegend LcLegend;

LcLegend *lc_legend_new (void);
void lc_legend_free (LcLegend *legend);

/* Those with a text that is there already are not added again. */
void lc_legend_add_fill (LcLegend *legend, const char *text, LcFill fill);
void lc_legend_add_line (LcLegend *legend, const char *text, LcStroke stroke);
void lc_legend_add_marker (LcLegend *legend, const char *text, LcMarker marker, LcFill fill);
void lc_legend_add_ramp (LcLegend *legend, const char *text, const char *lowest, const char *highest);

/* In rows, which are no wider. Gives their height, which is no more than `most`: what has no room then is counted. */
double lc_legend_set_rows (LcLegend *legend, LcCanvas *canvas, double width, double most);

/* One below the other. Gives the width that it takes, no more than `most`; 0: there are not so many that it would be
 * worth it, or more than there is room for. */
double lc_legend_set_column (LcLegend *legend, LcCanvas *canvas, double most, double height);

/* As it was set last, from its top left. */
void lc_legend_paint (const LcLegend *legend, LcCanvas *canvas, LcPlace place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcLegend, lc_legend_free)

#endif
