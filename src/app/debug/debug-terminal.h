/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal of a debugged program: in the window where Lightcone was built with VTE, else one of the desktop. */
#ifndef LC_APP_DEBUG_TERMINAL_H
#define LC_APP_DEBUG_TERMINAL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Whether the widget is the terminal. Otherwise the user agrees to what is run in the terminal outside. */
gboolean lc_debug_terminal_is_inside (void);

/* Called when the command has ended, and again if it turns out then what it has complained of: its last line from
 * Lightcone, or NULL. A terminal outside does not know its end. */
typedef void (*LcDebugTerminalEnded) (gpointer owner, const char *complaint);

/* Runs the words of a command (NULL-terminated). Failures to start are told, and are ends. */
GtkWidget *lc_debug_terminal_new (LcSession *session, const char *question, const char *const *command,
                                  LcDebugTerminalEnded ended, gpointer owner);

/* Ends the command by SIGTERM, upon which it ends the program that it runs. The owner is told no more. */
void lc_debug_terminal_end (GtkWidget *terminal);

#endif
