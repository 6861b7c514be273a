/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram's area: threads lay out and paint, and what they have painted moves and stretches until something newer
 * has come, so that the main thread never waits. */
#ifndef LC_APP_DIAGRAM_AREA_H
#define LC_APP_DIAGRAM_AREA_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/*
 * It follows the session: span (animated when it jumps), what is shown, selection, the style of the desktop. Input is
 * for others: they attach controllers to it. Its signal
 *
 *   moved (LcDiagramArea *)   what is shown lies elsewhere, or is something else: rulers follow
 */
#define LC_TYPE_DIAGRAM_AREA (lc_diagram_area_get_type ())
G_DECLARE_FINAL_TYPE (LcDiagramArea, lc_diagram_area, LC, DIAGRAM_AREA, GtkWidget)

/* It holds the session. */
GtkWidget *lc_diagram_area_new (LcSession *session);

/* Where rows and positions are at this moment, in coordinates of the widget. FALSE: there is no history. */
gboolean lc_diagram_area_get_view (LcDiagramArea *area, LcDiagramView *view);

/* The scene of what is seen; belongs to the area, until the main loop goes on. NULL: none yet. */
const LcScene *lc_diagram_area_get_scene (LcDiagramArea *area);

/* What is at a place of the widget. `pick` is good until the main loop goes on. */
gboolean lc_diagram_area_pick (LcDiagramArea *area, double x, double y, double margin, LcPick *pick);

/* Whether all that is seen is there, nothing of it stretched or giving way to something else. */
gboolean lc_diagram_area_is_sharp (LcDiagramArea *area);

/* What lies above the picture: a rubber band (NULL: none), and the place that the pointer is at (outlined; NULL: none).
 */
void lc_diagram_area_set_band (LcDiagramArea *area, const graphene_rect_t *band);
void lc_diagram_area_set_hover (LcDiagramArea *area, const LcPick *pick);

#endif
