/* SPDX-License-Identifier: Apache-2.0 */
/* Runs lc_where_new beside a merge, because files of debugging information may take as long as the events. */
#include "placing.h"

struct _LcPlacing
{
  LcTrace *trace;
  const LcWhereBefore *before;
  GCancellable *stop;
  GThread *thread;
  GMutex mutex;
  GCond condition;
  gboolean ended;
  LcWhere *where;
  GError *error;
};

static gpointer
placing_run (gpointer data)
{
  LcPlacing *placing = data;

  placing->where = lc_where_new_after (placing->trace, NULL, placing->before, placing->stop, &placing->error);
  g_mutex_lock (&placing->mutex);
  placing->ended = TRUE;
  g_cond_signal (&placing->condition);
  g_mutex_unlock (&placing->mutex);
  return NULL;
}

LcPlacing *
lc_placing_new (LcTrace *trace, const LcWhereBefore *before)
{
  LcPlacing *placing = g_new0 (LcPlacing, 1);

  placing->trace = trace;
  placing->before = before;
  placing->stop = g_cancellable_new ();
  g_mutex_init (&placing->mutex);
  g_cond_init (&placing->condition);
  placing->thread = g_thread_new ("where", placing_run, placing);
  return placing;
}

void
lc_placing_free (LcPlacing *placing)
{
  if (placing == NULL)
    return;
  g_cancellable_cancel (placing->stop);
  g_thread_join (placing->thread);
  g_clear_pointer (&placing->where, lc_where_free);
  g_clear_error (&placing->error);
  g_object_unref (placing->stop);
  g_mutex_clear (&placing->mutex);
  g_cond_clear (&placing->condition);
  g_free (placing);
}

gboolean
lc_placing_wait (LcPlacing *placing, gint64 until)
{
  gboolean ended;

  g_mutex_lock (&placing->mutex);
  while (!placing->ended && g_cond_wait_until (&placing->condition, &placing->mutex, until))
    ;
  ended = placing->ended;
  g_mutex_unlock (&placing->mutex);
  return ended;
}

LcWhere *
lc_placing_get (const LcPlacing *placing, GError **error)
{
  if (placing->where == NULL)
    g_propagate_error (error, g_error_copy (placing->error));
  return placing->where;
}
