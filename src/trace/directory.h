/* SPDX-License-Identifier: Apache-2.0 */
/* A trace directory as something to make and to remove: what in it is ours, and nothing else. */
#ifndef LC_TRACE_DIRECTORY_H
#define LC_TRACE_DIRECTORY_H

#include <glib.h>

/*
 * Makes `path` and its folder for streams, or takes it if it is an empty directory, or with `replace` a
 * trace of ours that nobody is recording, which is removed. `made` says whether `path` itself was not there.
 */
gboolean lc_directory_prepare (const char *path, gboolean replace, gboolean *made, GError **error);

/* The same without that folder: for the parts of several hosts. */
gboolean lc_directory_take (const char *path, gboolean replace, gboolean *made, GError **error);

/*
 * Makes `path` if it is not there, and keeps out whoever else locks it until lc_directory_unlock; the death of this
 * process ends it too. -1: error.
 */
int lc_directory_lock (const char *path, gboolean *made, GError **error);
void lc_directory_unlock (const char *path, int lock);

/*
 * Removes the trace in `path`, and `path` itself with `all`. LC_TRACE_ERROR_EXISTS, and nothing is touched, if there is
 * anything in it that is no part of a trace.
 */
gboolean lc_directory_clear (const char *path, gboolean all, GError **error);

/* TRUE if `check` is, of the trace itself or of a part of it. */
gboolean lc_directory_any_part (const char *path, gboolean (*check) (const char *path));

/* TRUE if somebody holds the lock of the control block: the recording goes on. */
gboolean lc_directory_is_busy (const char *path);

#endif
