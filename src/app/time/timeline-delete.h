/* SPDX-License-Identifier: Apache-2.0 */
/* Removing a timeline of the history, after the user was asked. */
#ifndef LC_APP_TIMELINE_DELETE_H
#define LC_APP_TIMELINE_DELETE_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* If it is shown, it is no longer. */
void lc_timeline_delete (GtkWindow *window, LcSession *session, const char *name);

#endif
