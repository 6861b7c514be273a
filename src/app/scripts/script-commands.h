/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that scripts define, in the menu of a browser's window. */
#ifndef LC_APP_SCRIPT_COMMANDS_H
#define LC_APP_SCRIPT_COMMANDS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Fills a section of the window's menu with the commands, which get its session's selection and span. */
void lc_script_commands_add (GtkApplicationWindow *window, GMenu *section, LcSession *session);

#endif
