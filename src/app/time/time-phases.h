/* SPDX-License-Identifier: Apache-2.0 */
/* What begins a phase: the definitions that a history has, to choose from, or one that is typed. */
#ifndef LC_APP_TIME_PHASES_H
#define LC_APP_TIME_PHASES_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* A popover; what is chosen is shown in phase time. */
GtkWidget *lc_time_phases_new (LcSession *session);

#endif
