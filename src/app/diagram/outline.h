/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings above the picture: outlines of marks and arcs, a rubber band, and words where there is no picture. */
#ifndef LC_APP_OUTLINE_H
#define LC_APP_OUTLINE_H

#include <gtk/gtk.h>

#include "app/session/shown.h"
#include "lightcone/diagram.h"

/* Outlines the selection two pixels wide with a halo; a mark that is too small for that gets a ring around it. */
void lc_outline_selection (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcMark *mark);

/* Outlines what the pointer is at, one pixel wide with a halo. */
void lc_outline_hover (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcMark *mark);
void lc_outline_arc (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcSceneArc *arc);

/* Draws the head of a play: a line across, or the range between two positions. */
void lc_outline_head (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, double from, double to);

/* Marks what a search has found: an LcDiagramHits, or NULL. */
void lc_outline_hits (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcShown *shown,
                      const LcKept *hits);

void lc_outline_band (GtkSnapshot *snapshot, LcTheme theme, const graphene_rect_t *band);

/* Writes a title, and below it a hint for the user, in the middle of the view's area. */
void lc_outline_words (GtkSnapshot *snapshot, GtkWidget *widget, LcTheme theme, const char *title, const char *hint);

#endif
