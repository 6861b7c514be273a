/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with the trace of a session's history: found once, for the banner and for the panel. */
#ifndef LC_APP_PROBLEMS_H
#define LC_APP_PROBLEMS_H

#include <gio/gio.h>

#include "app/session/session.h"

/* Its signal "changed" tells that there are others. */
#define LC_TYPE_PROBLEMS (lc_problems_get_type ())
G_DECLARE_FINAL_TYPE (LcProblems, lc_problems, LC, PROBLEMS, GObject)

/* The one of a session; belongs to it. */
LcProblems *lc_problems_of (LcSession *session);

/* LcListed; belongs to the object. Early reads are in it when they have been asked for. */
GListModel *lc_problems_get_list (LcProblems *problems);

/* How many there are that are more than a note. */
guint64 lc_problems_get_n_wrong (LcProblems *problems);

/* How many are only that. */
guint64 lc_problems_get_n_notes (LcProblems *problems);

/* The trace is read once more for them. */
void lc_problems_want_early_reads (LcProblems *problems);
gboolean lc_problems_is_looking (LcProblems *problems);

#endif
