/* SPDX-License-Identifier: Apache-2.0 */
/* The legend of a diagram: what appears in the part that is shown, how it looks, and whether it is left out. */
#ifndef LC_DRAW_DIAGRAM_LEGEND_H
#define LC_DRAW_DIAGRAM_LEGEND_H

#include "draw/canvas/frame.h"
#include "lightcone/diagram.h"

typedef struct
{
  LcDiagramKind kind;
  char *text;
  LcLegendSample sample;
} LcDiagramEntry;

/* Lists what the view shows or would show, in the order of a legend: LcDiagramEntry, in a new array, which frees them.
 * What is left out by view->hidden is in the list even where there is none of it, so that it can be shown again. */
GArray *lc_diagram_list_entries (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas);

/* Names what is left out, as the legend does: "Waiting, Data arc"; NULL: nothing is. Free with g_free. */
char *lc_diagram_dup_left_out (guint32 kinds);

#endif
