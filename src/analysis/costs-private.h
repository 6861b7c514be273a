/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the costs. */
#ifndef LC_ANALYSIS_COSTS_PRIVATE_H
#define LC_ANALYSIS_COSTS_PRIVATE_H

#include "fit.h"
#include "lightcone/costs.h"

/* A source of settings. */
typedef struct
{
  LcTrace *trace;
  const LcRules *rules;
  const char *file; /* NULL: settings of a user, "section.key=value" */
  LcCostSource source;
  gboolean *named; /* by operation: its overhead is set by name, so "*" does not apply */
} LcCostsLayer;

/* Sets one cost. FALSE with LC_COSTS_ERROR. */
gboolean lc_costs_set (LcCosts *costs, const LcCostsLayer *layer, const char *section, const char *key,
                       const char *value, GError **error);

/* Whether the settings may have this section. */
gboolean lc_costs_has_section (const char *section);

/* Whether our recorder made the trace: only that writes which clock it used. */
gboolean lc_costs_are_recorded (LcTrace *trace);

/* Returns the rule of an operation of the trace, or NULL. */
const LcOperationRule *lc_costs_get_rule (LcTrace *trace, const LcRules *rules, guint32 operation);

const char *lc_costs_exit_name (LcBarrierExit exit);
const char *lc_costs_topology_name (LcTopology topology);

/* Whether a cost is used even where the event's own measured time is known. Costs given by the user or the maker of the
 * trace are; calibrated and estimated ones are not. */
static inline gboolean
lc_cost_is_fixed (LcCostSource source)
{
  return source == LC_COST_GIVEN;
}

#endif
