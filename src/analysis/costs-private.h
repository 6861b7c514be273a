/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the costs share. */
#ifndef LC_ANALYSIS_COSTS_PRIVATE_H
#define LC_ANALYSIS_COSTS_PRIVATE_H

#include "fit.h"
#include "lightcone/costs.h"

/* Where settings come from. */
typedef struct
{
  LcTrace *trace;
  const LcRules *rules;
  const char *file; /* NULL: they are a user's, "section.key=value" */
  LcCostSource source;
  gboolean *named; /* by operation: its overhead is said, so that "*" is not about it */
} LcCostsLayer;

/* FALSE with LC_COSTS_ERROR. */
gboolean lc_costs_set (LcCosts *costs, const LcCostsLayer *layer, const char *section, const char *key,
                       const char *value, GError **error);

/* Whether the settings may have this section. */
gboolean lc_costs_has_section (const char *section);

/* The rule of an operation of the trace, or NULL. */
const LcOperationRule *lc_costs_get_rule (LcTrace *trace, const LcRules *rules, guint32 operation);

const char *lc_costs_exit_name (LcBarrierExit exit);
const char *lc_costs_topology_name (LcTopology topology);

/*
 * Whether a cost is to be used even where the event's own measured one is at hand: what the user or the maker of the
 * trace says, not what the recorder has found on its machine, or we in the trace.
 */
static inline gboolean
lc_cost_is_fixed (LcCostSource source)
{
  return source == LC_COST_GIVEN;
}

#endif
