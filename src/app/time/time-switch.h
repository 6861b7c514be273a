/* SPDX-License-Identifier: Apache-2.0 */
/* The switch for the kind of time and the orientation in the header bar. */
#ifndef LC_APP_TIME_SWITCH_H
#define LC_APP_TIME_SWITCH_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* The switch uses the actions win.time and win.orientation. */
#define LC_TYPE_TIME_SWITCH (lc_time_switch_get_type ())
G_DECLARE_FINAL_TYPE (LcTimeSwitch, lc_time_switch, LC, TIME_SWITCH, GtkBox)

GtkWidget *lc_time_switch_new (LcSession *session);

#endif
