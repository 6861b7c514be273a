/* SPDX-License-Identifier: Apache-2.0 */
/* Every command that asks a history begins here: it is closed, merged if need be, and opened, a timeline is found. */
#ifndef LC_CLI_OPEN_HISTORY_H
#define LC_CLI_OPEN_HISTORY_H

#include "lightcone/merge.h"

/* With a line of progress on the standard error, when that is a terminal and `quiet` is FALSE. `rules` may be NULL. */
LcHistory *lc_open_history (const char *directory, const char *const *rules, gboolean quiet, GError **error);

/* The same, but only merges; `again` even if there is a history that is good. */
gboolean lc_merge_directory (const char *directory, const char *const *rules, gboolean again, gboolean quiet,
                             LcMergeResult *result, GError **error);

/* By its name. The message of the error says which there are. */
gboolean lc_find_timeline (LcHistory *history, const char *name, guint32 *number, GError **error);

/* The only timeline that is not measured, or else the one with the name of the default model. Its name, to free with
 * g_free; NULL: the message of the error says which there are. */
char *lc_find_approximation (LcHistory *history, guint32 *number, GError **error);

#endif
