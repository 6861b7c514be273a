/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline menu of the header bar: its label always names the shown timeline, and its menu offers the others. */
#ifndef LC_APP_TIMELINE_MENU_H
#define LC_APP_TIMELINE_MENU_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* The menu uses the actions of timeline-actions.h. */
GtkWidget *lc_timeline_menu_new (LcSession *session);

#endif
