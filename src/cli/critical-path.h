/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone critical-path` shows. */
#ifndef LC_CLI_CRITICAL_PATH_H
#define LC_CLI_CRITICAL_PATH_H

#include "lightcone/critical-path.h"
#include "rows.h"

/* The shares of the path, or its events, at most `limit` lines of each table. FALSE when they cannot be read. */
gboolean lc_critical_path_show (LcCriticalPath *path, LcHistory *history, const char *timeline, LcFormat format,
                                gboolean events, gsize limit, GError **error);

#endif
