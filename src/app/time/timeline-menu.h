/* SPDX-License-Identifier: Apache-2.0 */
/* Which timeline is shown, for the header bar: its label says so always, and its menu has the others. */
#ifndef LC_APP_TIMELINE_MENU_H
#define LC_APP_TIMELINE_MENU_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* It acts by the actions of timeline-actions.h. */
GtkWidget *lc_timeline_menu_new (LcSession *session);

#endif
