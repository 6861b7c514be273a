/* SPDX-License-Identifier: Apache-2.0 */
/* The rulers beside the diagram: names of the processes, and the axis of time. */
#ifndef LC_APP_RULERS_H
#define LC_APP_RULERS_H

#include "app/diagram/diagram-input.h"

/*
 * Each follows the area, which lies beside it; it is painted as in a picture. What it is larger than the area by, at
 * its begin, is a corner: the ruler of time says its unit there.
 */
#define LC_TYPE_NAMES_RULER (lc_names_ruler_get_type ())
G_DECLARE_FINAL_TYPE (LcNamesRuler, lc_names_ruler, LC, NAMES_RULER, GtkWidget)

#define LC_TYPE_TIME_RULER (lc_time_ruler_get_type ())
G_DECLARE_FINAL_TYPE (LcTimeRuler, lc_time_ruler, LC, TIME_RULER, GtkWidget)

/* They hold the session and the input. */
GtkWidget *lc_names_ruler_new (LcDiagramArea *area, LcDiagramInput *input, LcSession *session);
GtkWidget *lc_time_ruler_new (LcDiagramArea *area, LcDiagramInput *input, LcSession *session);

/* The room that they need beside the area, in pixels; `along`: how long they are, `most`: what there is. It stays the
 * same while the part in view changes. */
int lc_names_ruler_measure (LcNamesRuler *ruler, int along, int most);
int lc_time_ruler_measure (LcTimeRuler *ruler);

/* --- What both do ------------------------------------------------------------------------------------------------- */

/* Where the area's rows and positions are, in coordinates of the ruler. FALSE: there is no history. */
gboolean lc_ruler_get_view (GtkWidget *ruler, LcDiagramArea *area, LcDiagramView *view);

/* A canvas on all of the widget; it belongs to the caller. */
LcCanvas *lc_ruler_new_canvas (GtkWidget *ruler, GtkSnapshot *snapshot);

#endif
