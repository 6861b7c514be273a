/* SPDX-License-Identifier: Apache-2.0 */
/* The overview: a strip of the whole run along the axis, with a frame around the part in view. */
#ifndef LC_APP_OVERVIEW_H
#define LC_APP_OVERVIEW_H

#include "app/diagram/diagram-area.h"

#define LC_TYPE_OVERVIEW (lc_overview_get_type ())
G_DECLARE_FINAL_TYPE (LcOverview, lc_overview, LC, OVERVIEW, GtkWidget)

/* The thickness of the strip in pixels. */
#define LC_OVERVIEW_THICKNESS 40

/* Makes an overview that holds the session and follows the area. Dragging the frame pans, and dragging its handles
 * zooms; a click centres the view there, a double click shows the whole run. */
GtkWidget *lc_overview_new (LcDiagramArea *area, LcSession *session);

#endif
