/* SPDX-License-Identifier: Apache-2.0 */
/* The popover for the definition of phases: those that suit the history to choose from, and an entry to type
 * another. */
#ifndef LC_APP_TIME_PHASES_H
#define LC_APP_TIME_PHASES_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Makes the popover; choosing a definition switches to phase time. */
GtkWidget *lc_time_phases_new (LcSession *session);

#endif
