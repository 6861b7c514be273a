/* SPDX-License-Identifier: Apache-2.0 */
/* The legend below the diagram: what is in view and how it looks; each entry leaves its kind out, or shows it again. */
#ifndef LC_APP_LEGEND_BAR_H
#define LC_APP_LEGEND_BAR_H

#include "app/diagram/diagram-area.h"

#define LC_TYPE_LEGEND_BAR (lc_legend_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcLegendBar, lc_legend_bar, LC, LEGEND_BAR, GtkWidget)

/* Makes the legend of an area, which it references; it holds the session. */
GtkWidget *lc_legend_bar_new (LcDiagramArea *area, LcSession *session);

/* Adds win.legend, which shows the bar or hides it. */
void lc_legend_bar_add_action (GtkApplicationWindow *window, GtkWidget *bar);

#endif
