/* SPDX-License-Identifier: Apache-2.0 */
/* The problems of the session's trace, found once for the banner and the panel. */
#ifndef LC_APP_PROBLEMS_H
#define LC_APP_PROBLEMS_H

#include <gio/gio.h>

#include "app/session/listed.h"
#include "app/session/session.h"

/* Emits "changed" when the problems have changed. */
#define LC_TYPE_PROBLEMS (lc_problems_get_type ())
G_DECLARE_FINAL_TYPE (LcProblems, lc_problems, LC, PROBLEMS, GObject)

/* Returns the problems of a session, which belong to the session. */
LcProblems *lc_problems_of (LcSession *session);

/* Returns a list of LcListed, which belongs to the object. */
GListModel *lc_problems_get_list (LcProblems *problems);

/* Returns a deadlock, if there is any, which belongs to the list; `hint` names its processes. */
LcListed *lc_problems_get_deadlock (LcProblems *problems);

/* Selects the event that a problem leads to; a deadlock is shown in the whole run. */
void lc_problems_go_to (LcProblems *problems, const LcListed *listed);

/* Returns the number of problems that are more than a note. */
guint64 lc_problems_get_n_wrong (LcProblems *problems);

/* Returns the number of notes. */
guint64 lc_problems_get_n_notes (LcProblems *problems);

gboolean lc_problems_is_looking (LcProblems *problems);

#endif
