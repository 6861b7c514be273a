/* SPDX-License-Identifier: Apache-2.0 */
/* The legend of a frame: what fills, lines, markers and shades mean. */
#ifndef LC_DRAW_LEGEND_H
#define LC_DRAW_LEGEND_H

#include "lightcone/canvas.h"

typedef enum
{
  LC_LEGEND_FILL,
  LC_LEGEND_LINE,
  LC_LEGEND_MARKER,
  LC_LEGEND_RAMP, /* the amounts from `lowest` to `highest` */
} LcLegendKind;

/* How a meaning looks, as the legend shows it. */
typedef struct
{
  LcLegendKind kind; /* not LC_LEGEND_RAMP */
  LcFill fill;       /* of a fill or a marker */
  LcStroke stroke;   /* of a line */
  LcMarker marker;
} LcLegendSample;

typedef struct _LcLegend LcLegend;

LcLegend *lc_legend_new (void);
void lc_legend_free (LcLegend *legend);

/* An item whose text was added before is ignored. */
void lc_legend_add_fill (LcLegend *legend, const char *text, LcFill fill);
void lc_legend_add_line (LcLegend *legend, const char *text, LcStroke stroke);
void lc_legend_add_marker (LcLegend *legend, const char *text, LcMarker marker, LcFill fill);
void lc_legend_add_sample (LcLegend *legend, const char *text, const LcLegendSample *sample);
void lc_legend_add_ramp (LcLegend *legend, const char *text, const char *lowest, const char *highest, LcShade shade);

/* Lays items out in rows of `width`. Returns their height, at most `most`; items without room are counted instead. */
double lc_legend_set_rows (LcLegend *legend, LcCanvas *canvas, double width, double most);

/* Lays items out one below the other. Returns their width, at most `most`; 0: the items are too few to be worth a
 * column, or too many for the height. */
double lc_legend_set_column (LcLegend *legend, LcCanvas *canvas, double most, double height);

/* The size of a sample, and its painting from its left end at half of its height. */
#define LC_LEGEND_SAMPLE_WIDTH 18.0
#define LC_LEGEND_SAMPLE_HEIGHT 10.0
void lc_legend_paint_sample (LcCanvas *canvas, const LcLegendSample *sample, LcPlace place);

/* Paints the legend as it was laid out last, with its top left at `place`. */
void lc_legend_paint (const LcLegend *legend, LcCanvas *canvas, LcPlace place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcLegend, lc_legend_free)

#endif
