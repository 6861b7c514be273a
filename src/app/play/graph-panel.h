/* SPDX-License-Identifier: Apache-2.0 */
/* The panel that plays a run over the process graph. */
#ifndef LC_APP_GRAPH_PANEL_H
#define LC_APP_GRAPH_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_GRAPH_PANEL (lc_graph_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcGraphPanel, lc_graph_panel, LC, GRAPH_PANEL, GtkBox)

/* Makes a panel that holds the session. */
GtkWidget *lc_graph_panel_new (LcSession *session);

/* Adds win.play, win.step-forward, win.step-backward and win.stop to the window's class. */
void lc_graph_install_actions (GtkWidgetClass *class);

#endif
