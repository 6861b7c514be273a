/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone approximate` shows. */
#ifndef LC_CLI_APPROXIMATION_H
#define LC_CLI_APPROXIMATION_H

#include "lightcone/approximate.h"
#include "history/names.h"
#include "rows.h"

typedef struct
{
  const LcApproximation *approximation;
  LcHistory *history;
  LcNames *names;
  const LcRules *rules; /* that the history was made with */
  gboolean json;
} LcApproximationShow;

void lc_approximation_show (const LcApproximationShow *show);

/* The costs that had to do with the events that there are, and where they come from. `json`, if not NULL, gets them as
 * a list. */
void lc_approximation_show_costs (const LcApproximationShow *show, LcJson *json);

/* What is to be said about it: on its own lines, or as the list `warnings`. */
void lc_approximation_show_warnings (const LcApproximation *approximation, LcJson *json);

#endif
