/* SPDX-License-Identifier: Apache-2.0 */
/* Approximation in the background: one timeline, or several one after the other. */
#include "app/time/approximate-run.h"

/* Held by the dialog and by the work. */
struct _LcApproximateRun
{
  LcJob *job;
  LcOpened *opened;
  LcApproximateWish wish;
  LcJobPermille *done;

  GMutex mutex;
  guint number; /* of the current model */
  LcApproximateState state;
};

void
lc_approximate_wish_clear (LcApproximateWish *wish)
{
  g_clear_pointer (&wish->name, g_free);
  g_clear_pointer (&wish->settings, g_strfreev);
  g_clear_pointer (&wish->scales, g_array_unref);
}

static void
approximate_run_clear (LcApproximateRun *run)
{
  lc_opened_unref (run->opened);
  lc_approximate_wish_clear (&run->wish);
  g_mutex_clear (&run->mutex);
}

static void
approximate_run_unref (gpointer run)
{
  g_rc_box_release_full (run, (GDestroyNotify)approximate_run_clear);
}

static gboolean
approximate_run_report (const LcMergeProgress *progress, gpointer data)
{
  LcApproximateRun *run = data;
  guint n = run->wish.n_models;

  g_mutex_lock (&run->mutex);
  run->state = (LcApproximateState){.fraction = (run->number + progress->fraction) / n,
                                    .events = progress->events,
                                    .seconds_left = progress->seconds_left};
  /* The models that are still to come are expected to take as long as this one. */
  if (progress->seconds_left >= 0 && progress->fraction < 1)
    run->state.seconds_left *= 1 + (n - run->number - 1) / (1 - progress->fraction);
  g_atomic_int_set (run->done, (gint)(run->state.fraction * 1000));
  g_mutex_unlock (&run->mutex);
  return TRUE;
}

static gpointer
approximate_run_work (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcApproximateRun *run = data;
  const LcApproximateWish *wish = &run->wish;
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_approximation_free);

  run->done = done;
  for (guint i = 0; i < wish->n_models; i++)
    {
      const LcApproximateOptions options = {
          .model = wish->models[i],
          .blind = wish->blind,
          .name = wish->name,
          .settings = (const char *const *)wish->settings,
          .scales = wish->scales != NULL ? (const LcScale *)(const void *)wish->scales->data : NULL,
          .n_scales = wish->scales != NULL ? wish->scales->len : 0,
          .keep_measurement = wish->keep_measurement,
          .report = approximate_run_report,
          .data = run,
          .cancellable = cancellable};
      LcApproximation *approximation;

      g_mutex_lock (&run->mutex);
      run->number = i;
      g_mutex_unlock (&run->mutex);
      approximation = lc_approximate (run->opened->directory, &options, error);
      if (approximation == NULL)
        return NULL;
      g_ptr_array_add (made, approximation);
    }
  return g_steal_pointer (&made);
}

LcApproximateRun *
lc_approximate_run_new (LcOpened *opened, LcApproximateWish *wish, LcJobDone done, LcJobTick tick, gpointer data)
{
  LcApproximateRun *run = g_rc_box_new0 (LcApproximateRun);

  run->opened = lc_opened_ref (opened);
  run->wish = *wish;
  *wish = (LcApproximateWish){0};
  run->state.seconds_left = -1;
  g_mutex_init (&run->mutex);
  run->job = lc_job_new (data, done, tick, (GDestroyNotify)g_ptr_array_unref);
  lc_job_start (run->job, approximate_run_work, g_rc_box_acquire (run), approximate_run_unref);
  return run;
}

void
lc_approximate_run_get_state (LcApproximateRun *run, LcApproximateState *state)
{
  g_mutex_lock (&run->mutex);
  *state = run->state;
  g_mutex_unlock (&run->mutex);
}

void
lc_approximate_run_cancel (LcApproximateRun *run)
{
  lc_job_cancel (run->job);
}

void
lc_approximate_run_free (LcApproximateRun *run)
{
  lc_job_free (run->job);
  approximate_run_unref (run);
}
