/* SPDX-License-Identifier: Apache-2.0 */
/* The console: a line in which Scheme is typed, and what came of it. */
#ifndef LC_APP_CONSOLE_PANEL_H
#define LC_APP_CONSOLE_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_CONSOLE_PANEL (lc_console_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcConsolePanel, lc_console_panel, LC, CONSOLE_PANEL, GtkBox)

GtkWidget *lc_console_panel_new (LcSession *session);

/* Adds win.console to the class of a window that is an LcShell. */
void lc_console_install_actions (GtkWidgetClass *class);

#endif
