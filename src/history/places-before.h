/* SPDX-License-Identifier: Apache-2.0 */
/* What an earlier merge of the same trace found in files of code that have changed since. */
#ifndef LC_HISTORY_PLACES_BEFORE_H
#define LC_HISTORY_PLACES_BEFORE_H

#include "history-file.h"
#include "where/given-names.h"

typedef struct _LcPlacesBefore LcPlacesBefore;

/* Reads a history. NULL: it is none that can be believed, or not of this state of the trace. Its objects have names
 * only if it was made with these names of a user's (or NULL), because those of variables cannot be told from them. */
LcPlacesBefore *lc_places_before_new (const LcHistoryFile *file, LcTrace *trace, const char *fingerprint,
                                      const LcGivenNames *names);
void lc_places_before_free (LcPlacesBefore *before);

/* The functions by which lc_where_new_after asks. They may be called in one other thread. */
const LcWhereBefore *lc_places_before_get (const LcPlacesBefore *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPlacesBefore, lc_places_before_free)

#endif
