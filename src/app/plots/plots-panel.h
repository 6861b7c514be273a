/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of plots: all views except the diagram, for what the diagram shows. */
#ifndef LC_APP_PLOTS_PANEL_H
#define LC_APP_PLOTS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_PLOTS_PANEL (lc_plots_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcPlotsPanel, lc_plots_panel, LC, PLOTS_PANEL, GtkWidget)

/* Makes a panel that holds the session. */
GtkWidget *lc_plots_panel_new (LcSession *session);

/* Shows a view by its name. */
void lc_plots_panel_show (LcPlotsPanel *panel, const char *view);

#endif
