/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a history whose names are most like one that nothing has. */
#ifndef LC_ANALYSIS_SIMILAR_PLACES_H
#define LC_ANALYSIS_SIMILAR_PLACES_H

#include "lightcone/called.h"

/* Lists a few, "feed, fetch", the most similar first; of a line of a file that there is, the nearest lines of it. NULL:
 * there are none of this kind, or for a line, no such file. Free with g_free. */
char *lc_similar_places_list (LcHistory *history, LcPlaceKind kind, const char *name);

#endif
