/* SPDX-License-Identifier: Apache-2.0 */
/* The dialogs that mark the selected event, or a time, and that write a note on it. */
#ifndef LC_APP_MARK_DIALOG_H
#define LC_APP_MARK_DIALOG_H

#include <gtk/gtk.h>

/* Adds win.mark and win.note to the class of a window that is an LcShell. */
void lc_mark_dialog_install_actions (GtkWidgetClass *class);

#endif
