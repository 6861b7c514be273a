/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of the places in the source: how long events that were called there waited, and made others wait. */
#ifndef LC_APP_PLACES_PANEL_H
#define LC_APP_PLACES_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_PLACES_PANEL (lc_places_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcPlacesPanel, lc_places_panel, LC, PLACES_PANEL, GtkBox)

GtkWidget *lc_places_panel_new (LcSession *session);

#endif
