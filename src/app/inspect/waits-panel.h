/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of the longest waits, each with the place that it leads to. */
#ifndef LC_APP_WAITS_PANEL_H
#define LC_APP_WAITS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_WAITS_PANEL (lc_waits_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcWaitsPanel, lc_waits_panel, LC, WAITS_PANEL, GtkBox)

GtkWidget *lc_waits_panel_new (LcSession *session);

#endif
