/* SPDX-License-Identifier: Apache-2.0 */
/* A trace directory as something to make and to remove: what in it is ours, and nothing else. */
#ifndef LC_TRACE_DIRECTORY_H
#define LC_TRACE_DIRECTORY_H

#include "folder.h"

/*
 * Makes `path`, or takes it if it is an empty directory of ours, or one that was being made when its maker was killed,
 * or with `replace` a trace of ours that nobody is recording, which is removed. `made` says whether `path` itself was
 * not there. NULL: error.
 *
 * Until lc_directory_is_made, which closes `making`, whoever comes can tell that it is not ready; if that descriptor is
 * closed before, because we were killed, that it never will be.
 */
LcFolder *lc_directory_take (const char *path, gboolean replace, gid_t group, gboolean *made, int *making,
                             GError **error);
gboolean lc_directory_is_made (const LcFolder *folder, int making, GError **error);

/*
 * Makes `path` if it is not there, and keeps out whoever else locks it until lc_directory_unlock; the death of this
 * process ends it too. -1: error.
 */
int lc_directory_lock (const char *path, gid_t group, gboolean *made, GError **error);
void lc_directory_unlock (const char *path, int lock);

/*
 * Removes the trace in `folder`, and the folder itself with `all`. LC_TRACE_ERROR_EXISTS, and nothing is touched, if
 * there is anything in it that is no part of a trace.
 */
gboolean lc_directory_clear (LcFolder *folder, gboolean all, GError **error);

/* TRUE if `check` is, of the trace itself or of a part of it. */
gboolean lc_directory_any_part (LcFolder *folder, gboolean (*check) (LcFolder *folder));

/* TRUE if somebody holds the lock of the control block: the recording goes on. */
gboolean lc_directory_is_busy (LcFolder *folder);

#endif
