/* SPDX-License-Identifier: Apache-2.0 */
/* Answers questions that plans of threads and of ranks ask of a trace. */
#include "plan.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "lightcone/replay-plan.h"

gboolean
lc_replay_plan_check (LcTrace *trace, GError **error)
{
  const char *path = lc_trace_get_path (trace);
  LcTraceLost lost;
  gsize n_gaps;

  lc_trace_get_lost (trace, &lost);
  lc_trace_get_gaps (trace, &n_gaps);
  if (strcmp (lc_trace_get_format (trace), "ctf") != 0 || lc_trace_get_n_processes (trace) == 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE,
                 _ ("%s: cannot be replayed: no program was recorded here"), path);
  else if (lost.n > 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 _ ("%s: cannot be replayed: events were lost; record it anew with --lossless"), path);
  else if (n_gaps > 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
                 _ ("%s: cannot be replayed: it is not there from the begin, or was paused; record it anew without "
                    "--keep and --paused"),
                 path);
  else
    return TRUE;
  return FALSE;
}

gboolean
lc_replay_plan_check_read (LcTrace *trace, GError **error)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);

  for (guint i = 0; i < problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (problems, LcTraceProblem, i);

      if (problem->severity != LC_TRACE_FAULT)
        continue;
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, _ ("%s: cannot be replayed: %s: %s"),
                   lc_trace_get_path (trace), problem->file, problem->description);
      return FALSE;
    }
  return TRUE;
}

gboolean *
lc_replay_plan_find_below_mpi (LcTrace *trace)
{
  static const char *const names[] = {
#define X(name) name,
      LC_REPLAY_BELOW_MPI (X)
#undef X
  };
  const guint32 n = lc_trace_get_n_modules (trace);
  gboolean *are_below = g_new0 (gboolean, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *name = g_path_get_basename (lc_trace_get_module (trace, i)->path);

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        are_below[i] |= g_str_has_prefix (name, names[k]);
    }
  return are_below;
}
