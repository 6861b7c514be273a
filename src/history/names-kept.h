/* SPDX-License-Identifier: Apache-2.0 */
/* Which file of names a history is made with: the one that is asked for, or the one that it was made with before. */
#ifndef LC_HISTORY_NAMES_KEPT_H
#define LC_HISTORY_NAMES_KEPT_H

#include "database.h"
#include "history-file.h"
#include "where/given-names.h"

/* The variable of the environment with the path of a file of names, for programs that do not ask for one. */
#define LC_NAMES_VARIABLE "LIGHTCONE_NAMES"

/* Sets `names` to those of the file `asked`, or if that is NULL of the variable; empty: to none. FALSE with an error:
 * the file cannot be read. Sets `said` to whether there is either. */
gboolean lc_names_asked (const char *asked, gboolean *said, LcGivenNames **names, GError **error);

/* Sets `names` to those that a history was made with: as their file is now, or as it was if it is not there any more.
 * Returns whether the history can be believed, with or without names. With an error: the file is there, but is wrong.
 */
gboolean lc_names_kept (const LcHistoryFile *file, LcGivenNames **names, GError **error);

/* Whether a history was made with these names (or NULL). */
gboolean lc_names_are_of (LcDatabase *database, const LcGivenNames *names);

#endif
