/* SPDX-License-Identifier: Apache-2.0 */
/* The start of each command that needs a history: closes the trace, merges it if needed, opens the history. */
#ifndef LC_CLI_OPEN_HISTORY_H
#define LC_CLI_OPEN_HISTORY_H

#include "lightcone/merge.h"

/* Where a profile was opened as a trace, the error says so. */
void lc_explain_profile (const char *path, GError **error);

/* Opens a history, which stays in the state that it has then, with a line of progress on standard error if that is a
 * terminal and `quiet` is FALSE. `rules` may be NULL. */
LcHistory *lc_open_history (const char *directory, const char *const *rules, gboolean quiet, GError **error);

/* The same for a command that tells itself which files could not be read; any other warns of them. */
LcHistory *lc_open_history_to_check (const char *directory, const char *const *rules, gboolean quiet, GError **error);

/* Only merges, as `asked` says; the line of progress is its own. */
gboolean lc_merge_directory (const char *directory, const LcMergeOptions *asked, gboolean quiet, LcMergeResult *result,
                             GError **error);

#endif
