/* SPDX-License-Identifier: Apache-2.0 */
/* The rulers beside the diagram: names of the processes, and the axis of time. */
#ifndef LC_APP_RULERS_H
#define LC_APP_RULERS_H

#include "app/diagram/diagram-input.h"

/*
 * Rulers follow the area beside them, and are painted like those of a picture. At its begin a ruler extends beyond the
 * area by a corner, in which the ruler of time shows its unit.
 */
#define LC_TYPE_NAMES_RULER (lc_names_ruler_get_type ())
G_DECLARE_FINAL_TYPE (LcNamesRuler, lc_names_ruler, LC, NAMES_RULER, GtkWidget)

#define LC_TYPE_TIME_RULER (lc_time_ruler_get_type ())
G_DECLARE_FINAL_TYPE (LcTimeRuler, lc_time_ruler, LC, TIME_RULER, GtkWidget)

/* Make rulers that hold the session and the input. */
GtkWidget *lc_names_ruler_new (LcDiagramArea *area, LcDiagramInput *input, LcSession *session);
GtkWidget *lc_time_ruler_new (LcDiagramArea *area, LcDiagramInput *input, LcSession *session);

/* Return the room in pixels that a ruler needs beside the area; `along`: its length, `most`: the room available. The
 * result does not depend on the part in view. */
int lc_names_ruler_measure (LcNamesRuler *ruler, int along, int most);
int lc_time_ruler_measure (LcTimeRuler *ruler);

/* --- Shared by both rulers --------------------------------------------------------------------------------------- */

/* Returns the view of the area in coordinates of the ruler. FALSE: there is no history. */
gboolean lc_ruler_get_view (GtkWidget *ruler, LcDiagramArea *area, LcDiagramView *view);

/* Makes a canvas on the whole widget, which belongs to the caller. */
LcCanvas *lc_ruler_new_canvas (GtkWidget *ruler, GtkSnapshot *snapshot);

#endif
