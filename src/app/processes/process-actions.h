/* SPDX-License-Identifier: Apache-2.0 */
/* The window's actions on processes: hide or show only that of the selected event, show all. */
#ifndef LC_APP_PROCESS_ACTIONS_H
#define LC_APP_PROCESS_ACTIONS_H

#include <gtk/gtk.h>

/* win.hide-process, win.solo-process, win.show-all-processes, of a class of LcBrowser. */
void lc_process_install_actions (GtkWidgetClass *class);

#endif
