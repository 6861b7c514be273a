/* SPDX-License-Identifier: Apache-2.0 */
/* Background work of the browser, done by threads: for a view, which wants the newest only, or once, to its end. */
#include "app/job.h"

enum
{
  TICK = 100, /* ms between two calls of LcJobTick */
};

/* A piece of work, which outlives its job if the job stops waiting for it. */
typedef struct
{
  LcJob *job; /* NULL: no job waits for the result */
  LcJobWork work;
  gpointer data;
  GDestroyNotify free_data;
  GDestroyNotify free_result;
  LcJobPermille done;
} Piece;

struct _LcJob
{
  gpointer owner;
  LcJobDone done;
  LcJobTick tick;
  GDestroyNotify free_result;
  GTask *task; /* NULL: no work is running */
  guint timer;
  gboolean once; /* frees itself when it is done */
};

LcJob *
lc_job_new (gpointer owner, LcJobDone done, LcJobTick tick, GDestroyNotify free_result)
{
  LcJob *job = g_new0 (LcJob, 1);

  job->owner = owner;
  job->done = done;
  job->tick = tick;
  job->free_result = free_result;
  return job;
}

static void
job_forget (LcJob *job)
{
  g_clear_handle_id (&job->timer, g_source_remove);
  g_clear_object (&job->task);
}

void
lc_job_stop (LcJob *job)
{
  if (job->task == NULL)
    return;
  ((Piece *)g_task_get_task_data (job->task))->job = NULL;
  g_cancellable_cancel (g_task_get_cancellable (job->task));
  job_forget (job);
}

void
lc_job_cancel (LcJob *job)
{
  if (job->task != NULL)
    g_cancellable_cancel (g_task_get_cancellable (job->task));
}

void
lc_job_free (LcJob *job)
{
  if (job == NULL)
    return;
  lc_job_stop (job);
  g_free (job);
}

gboolean
lc_job_is_running (const LcJob *job)
{
  return job->task != NULL;
}

static void
job_work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Piece *piece = data;
  GError *error = NULL;
  gpointer result = piece->work (piece->data, &piece->done, cancellable, &error);

  if (error == NULL)
    g_task_return_pointer (task, result, piece->free_result);
  else
    g_task_return_error (task, error);
}

/* The data is freed here and not with the task, whose last reference may be the thread's. */
static void
job_finish (GObject *source, GAsyncResult *answer, gpointer data)
{
  GTask *task = G_TASK (answer);
  Piece *piece = g_task_get_task_data (task);
  LcJob *job = piece->job;
  g_autoptr (GError) error = NULL;
  LcJob *own = job != NULL && job->once ? job : NULL; /* others may be gone once they are done */
  gpointer result = g_task_propagate_pointer (task, &error);

  if (job != NULL)
    {
      job_forget (job);
      job->done (job->owner, result, error);
    }
  else if (result != NULL && piece->free_result != NULL)
    piece->free_result (result);
  if (piece->free_data != NULL)
    piece->free_data (piece->data);
  g_free (own);
}

static gboolean
job_tick (gpointer data)
{
  LcJob *job = data;
  Piece *piece = g_task_get_task_data (job->task);

  job->tick (job->owner, g_atomic_int_get (&piece->done) / 1000.0);
  return G_SOURCE_CONTINUE;
}

void
lc_job_start (LcJob *job, LcJobWork asked, gpointer data, GDestroyNotify free_data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Piece *piece = g_new0 (Piece, 1);

  lc_job_stop (job);
  *piece = (Piece){.job = job, .work = asked, .data = data, .free_data = free_data, .free_result = job->free_result};
  job->task = g_task_new (NULL, cancellable, job_finish, NULL);
  g_task_set_check_cancellable (job->task, FALSE);
  g_task_set_task_data (job->task, piece, g_free);
  if (job->tick != NULL)
    job->timer = g_timeout_add (TICK, job_tick, job);
  g_task_run_in_thread (job->task, job_work);
}

void
lc_job_run (LcJobWork work, gpointer data, GDestroyNotify free_data, LcJobDone done)
{
  LcJob *job = lc_job_new (data, done, NULL, NULL);

  job->once = TRUE;
  lc_job_start (job, work, data, free_data);
}
