/* SPDX-License-Identifier: Apache-2.0 */
/* The space-time diagram of a session: state line, rulers, overview and diagram as one widget. */
#ifndef LC_APP_SPACE_TIME_H
#define LC_APP_SPACE_TIME_H

#include <gtk/gtk.h>

#include "app/diagram/diagram-area.h"

#define LC_TYPE_SPACE_TIME (lc_space_time_get_type ())
G_DECLARE_FINAL_TYPE (LcSpaceTime, lc_space_time, LC, SPACE_TIME, GtkWidget)

/* Makes a diagram that holds the session. */
GtkWidget *lc_space_time_new (LcSession *session);

/* Returns the area of the diagram itself. */
LcDiagramArea *lc_space_time_get_area (LcSpaceTime *view);

#endif
