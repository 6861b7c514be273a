/* SPDX-License-Identifier: Apache-2.0 */
/* The window's actions on filters: only what touches an object, and no filters at all. */
#ifndef LC_APP_FILTER_ACTIONS_H
#define LC_APP_FILTER_ACTIONS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* win.only-object (of the selected event), win.only-object-of (u: an object), win.clear-filters, of a class of
 * LcBrowser. */
void lc_filter_install_actions (GtkWidgetClass *class);

/* Whether any event is left out. */
gboolean lc_filter_is_active (const LcShown *shown);

#endif
