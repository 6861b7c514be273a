/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of threads, a queue, a lock that is contended: all GLib's. */
#include <glib.h>
#include <stdio.h>

#include "compute.h"

#define TASKS 120

static GMutex mutex;
static GAsyncQueue *done;
static int sum;

static void
work (gpointer task, gpointer data G_GNUC_UNUSED)
{
  compute (1);
  g_mutex_lock (&mutex);
  compute (2);
  sum += GPOINTER_TO_INT (task);
  g_mutex_unlock (&mutex);
  g_async_queue_push (done, task);
}

int
main (void)
{
  GThreadPool *pool;

  done = g_async_queue_new ();
  pool = g_thread_pool_new (work, NULL, 3, TRUE, NULL);
  for (int i = 1; i <= TASKS; i++)
    g_thread_pool_push (pool, GINT_TO_POINTER (i), NULL);
  for (int i = 0; i < TASKS; i++)
    g_async_queue_pop (done);
  g_thread_pool_free (pool, FALSE, TRUE);
  g_async_queue_unref (done);
  printf ("%d\n", sum);
  return sum == TASKS * (TASKS + 1) / 2 ? 0 : 1;
}
