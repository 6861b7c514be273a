/* SPDX-License-Identifier: Apache-2.0 */
/* Selections of waits: which events are in one. */
#ifndef LC_ANALYSIS_WAITS_ASKED_H
#define LC_ANALYSIS_WAITS_ASKED_H

#include "lightcone/statistics.h"

/* Whether the event waited, and is in the selection. `filtering` is of its filters; processes are not compared. */
gboolean lc_waits_asked_has (const LcWaitsAsked *asked, const LcFiltering *filtering, const LcHistoryEvent *event);

#endif
