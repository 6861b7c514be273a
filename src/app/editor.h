/* SPDX-License-Identifier: Apache-2.0 */
/* Opens lines of source files in the user's editor. */
#ifndef LC_APP_EDITOR_H
#define LC_APP_EDITOR_H

#include "app/session/session.h"

/* Starts the command of the preferences, or without one the system's program for such files. Failures are told. */
void lc_editor_open (LcSession *session, const char *path, guint32 line);

/* Splits a command into words, and puts file and line in the places of %f and %l; %% is a percent sign. A command
 * without %f gets the file as its last word. NULL: it is no command. Free with g_strfreev. */
char **lc_editor_split (const char *command, const char *path, guint32 line, GError **error);

#endif
