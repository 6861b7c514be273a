/* SPDX-License-Identifier: Apache-2.0 */
/* How much of each thing that events wait for a trace has, in little memory: numbers in a row share a cell. */
#ifndef LC_HISTORY_GIVEN_H
#define LC_HISTORY_GIVEN_H

#include "points.h"

typedef struct _LcGiven LcGiven;

LcGiven *lc_given_new (void);
void lc_given_free (LcGiven *given);

/* One more; `single`: nobody asks for more than one of it. The same want is always, or never, single. */
void lc_given_add (LcGiven *given, const LcPointKey *key, gboolean single);

/* How many there are; of what is single, 1 at most. */
guint32 lc_given_count (const LcGiven *given, const LcPointKey *key, gboolean single);

#endif
