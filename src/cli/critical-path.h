/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone critical-path`. */
#ifndef LC_CLI_CRITICAL_PATH_H
#define LC_CLI_CRITICAL_PATH_H

#include "lightcone/critical-path.h"
#include "history/names.h"
#include "rows.h"

/* Shows the shares of the path, or its events, at most `limit` lines of each table. FALSE with an error if they cannot
 * be read. */
gboolean lc_critical_path_show (LcCriticalPath *path, LcHistory *history, const char *timeline, LcFormat format,
                                gboolean events, gsize limit, GError **error);

/* Gives the key of a kind of shares: "process" and so on. */
const char *lc_critical_share_key (LcCriticalShareKind kind);

/* Gives the name of a share's owner. Time that belongs to nothing has a name only in the text for people. */
const char *lc_critical_share_name (LcNames *names, LcCriticalShareKind kind, guint32 id, LcFormat format);
const char *lc_critical_share_class (LcNames *names, LcCriticalShareKind kind, guint32 id);

#endif
