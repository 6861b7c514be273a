/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of how a history is looked at, by names, so that it fits a history that was made again. */
#ifndef LC_APP_STATE_H
#define LC_APP_STATE_H

#include "app/session/session.h"

/*
 * What is shown, the part in view, the selection and the bookmarks, in a key file: processes, timelines, operations and
 * objects by their names, and numbers as text that reads back as the same number. A session without a history has none:
 * NULL.
 */
GKeyFile *lc_state_take (LcSession *session);

/* As far as the session's history has what it is about; nothing else of the session changes. */
void lc_state_give (LcSession *session, GKeyFile *state);

/* Where the state of the trace in `directory` is kept: with the user's data. Free with g_free. */
char *lc_state_dup_path (const char *directory);

/* FALSE with G_FILE_ERROR. */
gboolean lc_state_save (LcSession *session, GError **error);

/* What was saved of this recording, or NULL: nothing, or of another recording at the same place, or (with an error)
 * what cannot be read. */
GKeyFile *lc_state_load (LcSession *session, GError **error);

/* FALSE with G_FILE_ERROR. */
gboolean lc_state_forget (const char *directory, GError **error);

/* Of every trace. */
gboolean lc_state_forget_all (GError **error);

#endif
