/* SPDX-License-Identifier: Apache-2.0 */
/* Runs commands that talk to the user in a terminal. */
#ifndef LC_APP_TERMINAL_H
#define LC_APP_TERMINAL_H

#include "app/session/session.h"

/* Runs the words of a command (NULL-terminated) in the terminal of the preferences, or without one in that of the
 * desktop, once the user has read the question and pressed Return. It stays until what was said has been read, too.
 * Failures are told. */
void lc_terminal_run (LcSession *session, const char *question, const char *const *command);

#endif
