/* SPDX-License-Identifier: Apache-2.0 */
/* The actions of a window that highlight: the critical path and the way along it, a past, a future, both. */
#ifndef LC_APP_HIGHLIGHT_ACTIONS_H
#define LC_APP_HIGHLIGHT_ACTIONS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/*
 * win.highlight, whose state is "none", "critical-path", "past", "future" or "cone", and win.path-next and -previous.
 * To ask for what is highlighted already ends it, but for another selection than that it was asked for.
 */
void lc_highlight_actions_add (GtkApplicationWindow *window, LcSession *session);

#endif
