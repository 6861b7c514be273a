/* SPDX-License-Identifier: Apache-2.0 */
/* The sweep over a whole trace, and the release of its result. */
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
