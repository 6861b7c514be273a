/* SPDX-License-Identifier: Apache-2.0 */
/* sweep-trace DIR: sweeps a trace for nobody, and prints the number of events and the seconds that it took. */
#include <stdio.h>

#include "lightcone/merge.h"
#include "lightcone/sweep.h"

static gboolean
sweep (const char *directory, GError **error)
{
  LcSweepVisitor *const nobody[] = {NULL};
  g_autoptr (LcRules) rules = lc_merge_load_rules (directory, NULL, error);
  g_autoptr (LcTrace) trace = rules != NULL ? lc_trace_open (directory, error) : NULL;
  gint64 begin = g_get_monotonic_time ();
  LcSweepResult result;
  gboolean good;

  if (trace == NULL)
    return FALSE;
  good = lc_sweep_run (trace, rules, nobody, NULL, NULL, &result, error);
  if (good)
    printf ("%" G_GUINT64_FORMAT " %.6f\n", result.events, (double)(g_get_monotonic_time () - begin) / 1e6);
  lc_sweep_result_clear (&result);
  return good;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    g_printerr ("sweep-trace: which directory?\n");
  else if (!sweep (argv[1], &error))
    g_printerr ("sweep-trace: %s\n", error->message);
  else
    return 0;
  return 2;
}
