/* SPDX-License-Identifier: Apache-2.0 */
/* The saved view of a history. Everything is saved by name, so that it also fits a history that was merged again. */
#ifndef LC_APP_STATE_H
#define LC_APP_STATE_H

#include "app/session/session.h"

/*
 * Returns the shown choices, the part in view, the selection and the bookmarks as a key file: processes, timelines,
 * operations and objects by their names, numbers in a form that reads back exactly. NULL: the session has no history.
 */
GKeyFile *lc_state_take (LcSession *session);

/* Restores a state as far as the session's history has what it names. */
void lc_state_give (LcSession *session, GKeyFile *state);

/* Returns the path of the state of the trace in `directory`, within the user's state folder. Free with g_free. */
char *lc_state_dup_path (const char *directory);

/* Saves the session's state. FALSE with G_FILE_ERROR. */
gboolean lc_state_save (LcSession *session, GError **error);

/* Loads the saved state of this recording. NULL without an error: nothing is saved, or the state of another recording
 * at the same path. NULL with an error: the file cannot be read. */
GKeyFile *lc_state_load (LcSession *session, GError **error);

/* Removes the saved state of a trace. FALSE with G_FILE_ERROR. */
gboolean lc_state_forget (const char *directory, GError **error);

/* Removes the saved states of all traces. */
gboolean lc_state_forget_all (GError **error);

#endif
