/* SPDX-License-Identifier: Apache-2.0 */
/* What an approximation has found, and what it has used. */
#ifndef LC_REPORT_APPROXIMATION_H
#define LC_REPORT_APPROXIMATION_H

#include "lightcone/approximate.h"
#include "history/names.h"
#include "history/names.h"
#include "report/rows.h"

typedef struct
{
  const LcApproximation *approximation;
  LcHistory *history;
  LcNames *names;
  const LcRules *rules; /* the rules that the history was made with */
  gboolean json;
} LcApproximationShow;

void lc_approximation_show (const LcApproximationShow *show);

/* Gives its summary, as LcFact. */
GPtrArray *lc_approximation_list_facts (const LcApproximation *approximation);

/* Shows the costs that concern the operations in the history, and their sources. `json`, if not NULL, gets them as a
 * list. */
void lc_approximation_show_costs (const LcApproximationShow *show, LcJson *json);

/* Adds the interval as `low` and `high`; null: it is not known. */
void lc_approximation_add_limits (const LcApproximation *approximation, LcJson *json);

/* Shows the warnings of an approximation, as lines or as the list `warnings`. */
void lc_approximation_show_warnings (const LcApproximation *approximation, LcJson *json);

#endif
