/* SPDX-License-Identifier: Apache-2.0 */
/* Shows where in the source an event was called: the line in its file, and the stack below it. */
#ifndef LC_APP_PLACE_VIEW_H
#define LC_APP_PLACE_VIEW_H

#include <gtk/gtk.h>

#include "app/inspect/event-place.h"
#include "app/session/session.h"

#define LC_TYPE_PLACE_VIEW (lc_place_view_get_type ())
G_DECLARE_FINAL_TYPE (LcPlaceView, lc_place_view, LC, PLACE_VIEW, GtkBox)

/* The view holds the place. `filters`: it has a button that shows only what is called there. */
GtkWidget *lc_place_view_new (LcSession *session, LcEventPlace *place, gboolean filters);

#endif
