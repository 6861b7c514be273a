/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone critical-path` shows. */
#ifndef LC_CLI_CRITICAL_PATH_H
#define LC_CLI_CRITICAL_PATH_H

#include "lightcone/critical-path.h"
#include "history/names.h"
#include "rows.h"

/* The shares of the path, or its events, at most `limit` lines of each table. FALSE when they cannot be read. */
gboolean lc_critical_path_show (LcCriticalPath *path, LcHistory *history, const char *timeline, LcFormat format,
                                gboolean events, gsize limit, GError **error);

/* How programs call the shares of a kind: "process" and so on. */
const char *lc_critical_share_key (LcCriticalShareKind kind);

/* Whose share it is. What belongs to nothing has no name, but for people. */
const char *lc_critical_share_name (LcNames *names, LcCriticalShareKind kind, guint32 id, LcFormat format);
const char *lc_critical_share_class (LcNames *names, LcCriticalShareKind kind, guint32 id);

#endif
