/* SPDX-License-Identifier: Apache-2.0 */
/* The window's process actions: hide or show only the process of the selected event, and show all. */
#ifndef LC_APP_PROCESS_ACTIONS_H
#define LC_APP_PROCESS_ACTIONS_H

#include <gtk/gtk.h>

/* Adds win.hide-process, win.solo-process and win.show-all-processes to the class of a window that is an LcShell. */
void lc_process_install_actions (GtkWidgetClass *class);

#endif
