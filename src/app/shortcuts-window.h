/* SPDX-License-Identifier: Apache-2.0 */
/* The window that lists all keys, made from the table of them. */
#ifndef LC_APP_SHORTCUTS_WINDOW_H
#define LC_APP_SHORTCUTS_WINDOW_H

#include <gtk/gtk.h>

/* For win.show-help-overlay. */
void lc_shortcuts_window_add (GtkApplicationWindow *window);

#endif
