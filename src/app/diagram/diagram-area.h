/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram's area: threads lay out and paint pictures; the last picture is moved and stretched until a newer one has
 * come, so that the main thread never waits. */
#ifndef LC_APP_DIAGRAM_AREA_H
#define LC_APP_DIAGRAM_AREA_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/*
 * The area follows the session's span (with an animation when it jumps), its choices and selection, and the style of
 * the desktop. Input comes from controllers that others attach. Its signal
 *
 *   moved (LcDiagramArea *)   the picture has moved or changed: rulers follow
 */
#define LC_TYPE_DIAGRAM_AREA (lc_diagram_area_get_type ())
G_DECLARE_FINAL_TYPE (LcDiagramArea, lc_diagram_area, LC, DIAGRAM_AREA, GtkWidget)

/* Makes an area that holds the session. */
GtkWidget *lc_diagram_area_new (LcSession *session);

/* Returns the current position of rows and times, in coordinates of the widget. FALSE: there is no history. */
gboolean lc_diagram_area_get_view (LcDiagramArea *area, LcDiagramView *view);

/* Returns the visible scene, which belongs to the area until the main loop goes on. NULL: none yet. */
const LcScene *lc_diagram_area_get_scene (LcDiagramArea *area);

/* Finds the mark or arc at a place of the widget. `pick` is valid until the main loop goes on. */
gboolean lc_diagram_area_pick (LcDiagramArea *area, double x, double y, double margin, LcPick *pick);

/* Tells whether the whole view is painted, with no part stretched or fading out. */
gboolean lc_diagram_area_is_sharp (LcDiagramArea *area);

/* Set what is drawn above the picture: a rubber band, and an outline around what the pointer is at. NULL: none. */
void lc_diagram_area_set_band (LcDiagramArea *area, const graphene_rect_t *band);
void lc_diagram_area_set_hover (LcDiagramArea *area, const LcPick *pick);

#endif
