/* SPDX-License-Identifier: Apache-2.0 */
/* What is drawn above the picture: outlines of marks and arcs, a rubber band, words where there is no picture. */
#ifndef LC_APP_OUTLINE_H
#define LC_APP_OUTLINE_H

#include <gtk/gtk.h>

#include "lightcone/diagram.h"

/* Two pixels and a halo; where the mark is too small for them, a ring around its place. */
void lc_outline_selection (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcMark *mark);

/* One pixel and a halo. */
void lc_outline_hover (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcMark *mark);
void lc_outline_arc (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcSceneArc *arc);

/* A play of the run is here: a line across, or what is between two positions. */
void lc_outline_head (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, double from, double to);

void lc_outline_band (GtkSnapshot *snapshot, LcTheme theme, const graphene_rect_t *band);

/* A title, and below it what can be done; in the middle of the view's area. */
void lc_outline_words (GtkSnapshot *snapshot, GtkWidget *widget, LcTheme theme, const char *title, const char *hint);

#endif
