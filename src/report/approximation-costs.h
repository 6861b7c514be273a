/* SPDX-License-Identifier: Apache-2.0 */
/* The costs that an approximation uses, and their sources. */
#ifndef LC_REPORT_APPROXIMATION_COSTS_H
#define LC_REPORT_APPROXIMATION_COSTS_H

#include "history/names.h"
#include "lightcone/costs.h"

/* A number: section.key of trace.ini, and a part of its value. */
typedef struct
{
  const char *section;
  const char *key;
  const char *part;  /* NULL: the value has no parts */
  const char *label; /* what the part is, to be translated; or NULL */
  const LcCost *cost;
} LcUsedCost;

/* Where a cost is from, in the order of LcCostSource; to be translated for people. */
extern const char *const lc_cost_sources[LC_COST_ESTIMATED + 1];

/* Lists, as LcUsedCost, what instrumentation takes in these operations (guint32): three for each. */
GArray *lc_used_costs_list_overheads (const LcCosts *costs, LcNames *names, const GArray *operations);

/* Lists what the operations take themselves. `to_set`: all that can be set, whether it is known or not, and nothing
 * else. */
GArray *lc_used_costs_list (const LcCosts *costs, LcNames *names, const LcRules *rules, const GArray *operations,
                            gboolean to_set);

#endif
