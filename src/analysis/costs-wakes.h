/* SPDX-License-Identifier: Apache-2.0 */
/* What it takes to go on after a wait, as the trace itself shows it: by operation, object and length of the wait. */
#ifndef LC_ANALYSIS_COSTS_WAKES_H
#define LC_ANALYSIS_COSTS_WAKES_H

#include "costs-samples.h"

typedef struct _LcWakes LcWakes;

LcWakes *lc_wakes_new (void);
void lc_wakes_free (LcWakes *wakes);

/* Adds an event that went on `took` ns after what it had waited for. */
void lc_wakes_add (LcWakes *wakes, guint32 operation, guint32 object, guint64 waited, double took);

/* Gives the costs what there are enough samples of. */
void lc_wakes_take (const LcWakes *wakes, LcCosts *costs);

#endif
