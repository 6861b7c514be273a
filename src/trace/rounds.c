/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that does some work again and again, and more urgently than a program that is recorded. */
#include "rounds.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PRIORITY (-10)

struct _LcRounds
{
  const char *name;
  LcRoundsWork work;
  gpointer data;
  GThread *thread; /* NULL: it does not run */
  GMutex mutex;
  GCond condition;
  gboolean stop;
};

LcRounds *
lc_rounds_new (const char *name, LcRoundsWork work, gpointer data)
{
  LcRounds *rounds = g_new0 (LcRounds, 1);

  rounds->name = name;
  rounds->work = work;
  rounds->data = data;
  g_mutex_init (&rounds->mutex);
  g_cond_init (&rounds->condition);
  return rounds;
}

void
lc_rounds_free (LcRounds *rounds)
{
  if (rounds == NULL)
    return;
  lc_rounds_stop (rounds);
  g_mutex_clear (&rounds->mutex);
  g_cond_clear (&rounds->condition);
  g_free (rounds);
}

static gpointer
rounds_run (gpointer data)
{
  LcRounds *rounds = data;

  /* Only root may raise the priority: then a program that keeps all processors busy loses no events. */
  setpriority (PRIO_PROCESS, (id_t)syscall (SYS_gettid), PRIORITY);
  g_mutex_lock (&rounds->mutex);
  while (!rounds->stop)
    {
      gint64 pause;

      g_mutex_unlock (&rounds->mutex);
      pause = rounds->work (rounds->data);
      g_mutex_lock (&rounds->mutex);
      if (!rounds->stop)
        g_cond_wait_until (&rounds->condition, &rounds->mutex, g_get_monotonic_time () + pause);
    }
  g_mutex_unlock (&rounds->mutex);
  return NULL;
}

/* Signals are for the thread that waits for the program. */
gboolean
lc_rounds_start (LcRounds *rounds, GError **error)
{
  sigset_t all, before;

  rounds->stop = FALSE;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  rounds->thread = g_thread_try_new (rounds->name, rounds_run, rounds, error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return rounds->thread != NULL;
}

void
lc_rounds_stop (LcRounds *rounds)
{
  if (rounds->thread == NULL)
    return;
  g_mutex_lock (&rounds->mutex);
  rounds->stop = TRUE;
  g_cond_signal (&rounds->condition);
  g_mutex_unlock (&rounds->mutex);
  g_thread_join (g_steal_pointer (&rounds->thread));
}

gboolean
lc_rounds_are_running (const LcRounds *rounds)
{
  return rounds->thread != NULL;
}
