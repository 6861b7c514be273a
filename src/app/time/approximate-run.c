/* SPDX-License-Identifier: Apache-2.0 */
/* Approximation in the background: one timeline, or several one after the other. */
#include "app/time/approximate-run.h"

/* Shared by the thread and the dialog. */
struct _LcApproximateRun
{
  LcOpened *opened;
  LcApproximateWish wish;
  GCancellable *cancellable;
  LcApproximateDone done; /* NULL: nobody waits any more */
  gpointer data;

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
  g_object_unref (run->cancellable);
  g_mutex_clear (&run->mutex);
}

static void
approximate_run_unref (gpointer run)
{
  g_atomic_rc_box_release_full (run, (GDestroyNotify)approximate_run_clear);
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
  g_mutex_unlock (&run->mutex);
  return !g_cancellable_is_cancelled (run->cancellable);
}

static void
approximate_run_work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LcApproximateRun *run = data;
  const LcApproximateWish *wish = &run->wish;
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_approximation_free);

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
      GError *error = NULL;
      LcApproximation *approximation;

      g_mutex_lock (&run->mutex);
      run->number = i;
      g_mutex_unlock (&run->mutex);
      approximation = lc_approximate (run->opened->directory, &options, &error);
      if (approximation == NULL)
        {
          g_task_return_error (task, error);
          return;
        }
      g_ptr_array_add (made, approximation);
    }
  g_task_return_pointer (task, g_steal_pointer (&made), (GDestroyNotify)g_ptr_array_unref);
}

static void
approximate_run_done (GObject *source, GAsyncResult *result, gpointer data)
{
  LcApproximateRun *run = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  GPtrArray *made = g_task_propagate_pointer (G_TASK (result), &error);

  if (run->done != NULL)
    run->done (run->data, made, error);
  else
    g_clear_pointer (&made, g_ptr_array_unref);
}

LcApproximateRun *
lc_approximate_run_new (LcOpened *opened, LcApproximateWish *wish, LcApproximateDone when_done, gpointer data)
{
  LcApproximateRun *run = g_atomic_rc_box_new0 (LcApproximateRun);
  g_autoptr (GTask) task = NULL;

  run->opened = lc_opened_ref (opened);
  run->wish = *wish;
  *wish = (LcApproximateWish){0};
  run->cancellable = g_cancellable_new ();
  run->done = when_done;
  run->data = data;
  run->state.seconds_left = -1;
  g_mutex_init (&run->mutex);
  task = g_task_new (NULL, run->cancellable, approximate_run_done, NULL);
  /* The result counts even if the run was cancelled too late to stop it: the timelines are then made. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_atomic_rc_box_acquire (run), approximate_run_unref);
  g_task_run_in_thread (task, approximate_run_work);
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
  g_cancellable_cancel (run->cancellable);
}

void
lc_approximate_run_free (LcApproximateRun *run)
{
  lc_approximate_run_cancel (run);
  run->done = NULL;
  approximate_run_unref (run);
}
