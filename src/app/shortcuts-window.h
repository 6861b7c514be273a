/* SPDX-License-Identifier: Apache-2.0 */
/* The window that lists all keyboard shortcuts. */
#ifndef LC_APP_SHORTCUTS_WINDOW_H
#define LC_APP_SHORTCUTS_WINDOW_H

#include <gtk/gtk.h>

/* Adds the action win.show-help-overlay. */
void lc_shortcuts_window_add (GtkApplicationWindow *window);

#endif
