/* SPDX-License-Identifier: Apache-2.0 */
/* The table of events: those of the shown processes, in view or in the whole run, filtered by typing. */
#ifndef LC_APP_EVENTS_PANEL_H
#define LC_APP_EVENTS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_EVENTS_PANEL (lc_events_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcEventsPanel, lc_events_panel, LC, EVENTS_PANEL, GtkBox)

GtkWidget *lc_events_panel_new (LcSession *session);

/* Installs the action `win.events`: the table in the place of the plots, or the plots again. */
void lc_events_install_actions (GtkWidgetClass *class);

#endif
