/* SPDX-License-Identifier: Apache-2.0 */
/* The process graph at the head of the session's play, painted by a thread. */
#ifndef LC_APP_GRAPH_AREA_H
#define LC_APP_GRAPH_AREA_H

#include <gtk/gtk.h>

#include "app/session/session.h"
#include "lightcone/process-graph.h"

/*
 * Without a head the graph shows the part in view. Its signal
 *
 *   painted (LcGraphArea *)   a new picture is shown: see lc_graph_area_get_counts
 */
#define LC_TYPE_GRAPH_AREA (lc_graph_area_get_type ())
G_DECLARE_FINAL_TYPE (LcGraphArea, lc_graph_area, LC, GRAPH_AREA, GtkWidget)

/* Makes an area that holds the session. */
GtkWidget *lc_graph_area_new (LcSession *session);

void lc_graph_area_set_layout (LcGraphArea *area, LcGraphLayout layout);

/* Returns the counts of the last picture. FALSE: there is none yet. */
gboolean lc_graph_area_get_counts (LcGraphArea *area, LcGraphCounts *counts);

#endif
