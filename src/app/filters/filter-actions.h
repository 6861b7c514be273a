/* SPDX-License-Identifier: Apache-2.0 */
/* The window's filter actions: showing only what touches an object, and clearing all filters. */
#ifndef LC_APP_FILTER_ACTIONS_H
#define LC_APP_FILTER_ACTIONS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Adds win.only-object (of the selected event), win.only-object-of (u: an object), win.only-called-in (s: a place) and
 * win.clear-filters to the class of a window that is an LcShell. */
void lc_filter_install_actions (GtkWidgetClass *class);

/* Shows only what is called in a place; "": in any. FALSE: nothing is called there, which the user is told. */
gboolean lc_filter_call (LcSession *session, const char *place);

/* Tells whether a filter leaves out any event. */
gboolean lc_filter_is_active (const LcShown *shown);

#endif
