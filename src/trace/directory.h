/* SPDX-License-Identifier: Apache-2.0 */
/* Making and removing trace directories, without touching files that are not part of a trace. */
#ifndef LC_TRACE_DIRECTORY_H
#define LC_TRACE_DIRECTORY_H

#include "folder.h"

/*
 * Makes `path`, or takes it if it is an empty directory of this user, an unfinished trace of a killed maker, or, with
 * `replace`, a trace of this user that nobody is recording; the trace is then removed. `made` tells whether `path` was
 * missing. NULL: error.
 *
 * The trace counts as unfinished until lc_directory_is_made, which closes `making`. If that descriptor is closed
 * earlier because the maker was killed, others can tell that the trace will never be ready.
 */
LcFolder *lc_directory_take (const char *path, gboolean replace, gid_t group, gboolean *made, int *making,
                             GError **error);
gboolean lc_directory_is_made (const LcFolder *folder, int making, GError **error);

/*
 * Makes `path` if it is missing, and locks it against other makers until lc_directory_unlock or the death of this
 * process. -1: error.
 */
int lc_directory_lock (const char *path, gid_t group, gboolean *made, GError **error);
void lc_directory_unlock (const char *path, int lock);

/*
 * Removes the trace in `folder`, and with `all` the folder itself. Fails with LC_TRACE_ERROR_EXISTS, and touches
 * nothing, if the folder contains anything that is not part of a trace.
 */
gboolean lc_directory_clear (LcFolder *folder, gboolean all, GError **error);

/* TRUE if `check` is TRUE for the trace itself or for one of its parts. */
gboolean lc_directory_any_part (LcFolder *folder, gboolean (*check) (LcFolder *folder));

/* TRUE if the lock of the control block is held: the recording is still running. */
gboolean lc_directory_is_busy (LcFolder *folder);

#endif
