/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of functions in the diagram: the action that turns them on, and the line that says whose they are. */
#ifndef LC_APP_COLOR_LEGEND_H
#define LC_APP_COLOR_LEGEND_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_COLOR_LEGEND (lc_color_legend_get_type ())
G_DECLARE_FINAL_TYPE (LcColorLegend, lc_color_legend, LC, COLOR_LEGEND, GtkWidget)

/* Makes a legend that holds the session. It is hidden while events are all alike. */
GtkWidget *lc_color_legend_new (LcSession *session);

/* Adds win.color-by-function, which is disabled for a trace that does not say where its events are. */
void lc_color_legend_add_action (GtkApplicationWindow *window, LcSession *session);

#endif
