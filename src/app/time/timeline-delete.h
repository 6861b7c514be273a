/* SPDX-License-Identifier: Apache-2.0 */
/* Removes a timeline from the history, after asking the user. */
#ifndef LC_APP_TIMELINE_DELETE_H
#define LC_APP_TIMELINE_DELETE_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Asks, stops showing the timeline, and removes it. */
void lc_timeline_delete (GtkWindow *window, LcSession *session, const char *name);

#endif
