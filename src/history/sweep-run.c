/* SPDX-License-Identifier: Apache-2.0 */
/* The sweep over all of a trace, as most want it, and the end of what it tells. */
#include "lightcone/sweep.h"

gboolean
lc_sweep_run (LcTrace *trace, const LcRules *rules, LcSweepVisitor *const *visitors, LcSweepProgress progress,
              gpointer data, LcSweepResult *result, GError **error)
{
  return lc_sweep_run_part (trace, rules, &(LcSweepPart){0}, visitors, progress, data, result, error);
}

void
lc_sweep_result_clear (LcSweepResult *result)
{
  g_clear_pointer (&result->problems, g_array_unref);
}
