/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments: what-ifs of one run, asked one after the other, that leave no timeline. */
#include "approximate-private.h"
#include "lightcone/what-if.h"

struct _LcExperiment
{
  GMutex mutex;
  LcApproximateOptions options; /* of the present question */
  char **settings;
  LcApproximateRun run;
  LcCosts *costs; /* belong to the approximation while a question is computed */
};

static void
experiment_clear (LcExperiment *experiment)
{
  lc_approximate_run_clear (&experiment->run);
  g_clear_pointer (&experiment->costs, lc_costs_free);
  g_strfreev (experiment->settings);
  g_mutex_clear (&experiment->mutex);
}

LcExperiment *
lc_experiment_ref (LcExperiment *experiment)
{
  return g_atomic_rc_box_acquire (experiment);
}

void
lc_experiment_unref (LcExperiment *experiment)
{
  g_atomic_rc_box_release_full (experiment, (GDestroyNotify)experiment_clear);
}

gboolean
lc_experiment_parse (LcExperiment *experiment, const char *text, LcScale *scale, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&experiment->mutex);

  (void)locker;
  return lc_scale_parse (experiment->run.trace, experiment->run.history, text, scale, error);
}

/* Callbacks are those of one call: none is left behind for the next. */
static void
experiment_forget_caller (LcExperiment *experiment)
{
  LcApproximateOptions *options = &experiment->options;

  options->report = NULL;
  options->data = NULL;
  options->cancellable = NULL;
  options->scales = NULL;
  options->n_scales = 0;
}

LcExperiment *
lc_experiment_new (const char *directory, const LcApproximateOptions *options, GError **error)
{
  g_autoptr (LcExperiment) experiment = g_atomic_rc_box_new0 (LcExperiment);
  LcApproximateRun *run = &experiment->run;

  g_mutex_init (&experiment->mutex);
  experiment->settings = g_strdupv ((char **)options->settings);
  experiment->options = *options;
  experiment->options.settings = (const char *const *)experiment->settings;
  experiment->options.name = NULL;
  experiment->options.scales = NULL;
  experiment->options.n_scales = 0;
  lc_approximate_run_init (run, &experiment->options);
  run->is_trial = TRUE;
  run->approximation = lc_approximation_new (&experiment->options);
  if (!lc_approximate_open (run, directory, error) || !lc_approximate_survey (run, error))
    return NULL;
  experiment->costs = g_steal_pointer (&run->approximation->costs);
  experiment->options.rules = NULL;
  experiment_forget_caller (experiment);
  return g_steal_pointer (&experiment);
}

/* A sweep that got stuck has taken decisions away from those after it, which must not depend on what was asked before.
 */
static gboolean
experiment_prepare (LcExperiment *experiment, GError **error)
{
  LcApproximateRun *run = &experiment->run;

  if (g_cancellable_set_error_if_cancelled (experiment->options.cancellable, error) ||
      (run->was_stuck && !lc_approximate_survey (run, error)))
    return FALSE;
  g_clear_pointer (&run->approximation, lc_approximation_free);
  run->approximation = lc_approximation_new (&experiment->options);
  run->approximation->costs = g_steal_pointer (&experiment->costs);
  lc_approximate_choose (run);
  return TRUE;
}

LcApproximation *
lc_experiment_try (LcExperiment *experiment, const LcScale *scales, gsize n_scales, LcMergeReport report, gpointer data,
                   GCancellable *cancellable, GError **error)
{
  LcApproximateRun *run = &experiment->run;
  LcApproximation *found = NULL;

  g_mutex_lock (&experiment->mutex);
  experiment->options.scales = scales;
  experiment->options.n_scales = n_scales;
  experiment->options.report = report;
  experiment->options.data = data;
  experiment->options.cancellable = cancellable;
  if (experiment_prepare (experiment, error))
    {
      const gboolean good = lc_approximate_compute (run, error);

      experiment->costs = g_steal_pointer (&run->approximation->costs);
      if (good)
        found = g_steal_pointer (&run->approximation);
      g_clear_pointer (&run->approximator, lc_approximator_free);
    }
  experiment_forget_caller (experiment);
  g_mutex_unlock (&experiment->mutex);
  return found;
}
