/* SPDX-License-Identifier: Apache-2.0 */
/* The shares of the critical path by the place in the source that its events were called in. */
#ifndef LC_APP_PATH_PLACES_H
#define LC_APP_PATH_PLACES_H

#include "lightcone/critical-path.h"
#include "lightcone/sites.h"

/* Makes groups whose numbers are the same whenever they are made of the same history. */
LcSiteGroups *lc_path_places_group (LcHistory *history);

/* Returns LcCriticalShare, longest first, whose ids are groups; LC_TRACE_NONE: between events. */
GArray *lc_path_places_share (LcCriticalPath *path, LcSiteGroups *groups, GCancellable *cancellable, GError **error);

#endif
