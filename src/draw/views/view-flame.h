/* SPDX-License-Identifier: Apache-2.0 */
/* The view `flame`: what its files share. */
#ifndef LC_DRAW_VIEW_FLAME_H
#define LC_DRAW_VIEW_FLAME_H

#include "draw/views/view.h"

typedef struct
{
  const LcViewContext *context;
  LcFlameEnds ends;
  LcFlameGraph *graph;
  gboolean found; /* whether the frame to zoom to is in the graph */
} LcFlameModel;

/* The share of all that is waited for here. Free with g_free. */
char *lc_flame_dup_share (guint64 part, guint64 whole);

/* --- view-flame-paint.c --- */

void lc_flame_add_legend (const LcFlameModel *model, LcFrame *frame, LcCanvas *canvas);

/* Whether there is room for all levels of the graph in an area. */
gboolean lc_flame_fits (const LcFlameModel *model, LcRectangle area);

void lc_flame_paint (const LcFlameModel *model, const LcFrame *frame, LcCanvas *canvas, LcRectangle area);
LcRectangle lc_flame_get_box (const LcFlameModel *model, const LcFrame *frame, LcRectangle area, guint box);

/* Gives the text of a tooltip. Free with g_free. */
char *lc_flame_dup_box_text (const LcFlameModel *model, guint box);

#endif
