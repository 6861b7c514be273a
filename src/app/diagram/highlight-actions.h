/* SPDX-License-Identifier: Apache-2.0 */
/* The highlight actions of a window: the critical path and steps along it, past, future, and both together. */
#ifndef LC_APP_HIGHLIGHT_ACTIONS_H
#define LC_APP_HIGHLIGHT_ACTIONS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/*
 * Adds win.highlight, with the states "none", "critical-path", "past", "future" and "cone", win.path-next and
 * win.path-previous. Activating the current highlight again ends it, unless another event has been selected since.
 */
void lc_highlight_actions_add (GtkApplicationWindow *window, LcSession *session);

#endif
