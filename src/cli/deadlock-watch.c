/* SPDX-License-Identifier: Apache-2.0 */
/* Has the recording read by another process, so that a large one cannot harm this one. */
#include "deadlock-watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define READING_LIMIT (1u << 16)
#define POLL_TIME 200 /* ms */

/* So many times as long as a look has lasted is none, for it may last long and be in vain. */
#define REST 9

struct _LcDeadlockWatch
{
  const char *directory;
  void (*found) (const char *text, gpointer data);
  gpointer data;
  GThread *thread;
  GMutex mutex;
  GCond condition;
  gboolean is_wanted, is_over;
  gint64 rests_until; /* us */
  char *told;         /* the last text */
};

static gboolean
deadlock_watch_is_over (LcDeadlockWatch *watch)
{
  gboolean is_over;

  g_mutex_lock (&watch->mutex);
  is_over = watch->is_over;
  g_mutex_unlock (&watch->mutex);
  return is_over;
}

/* What is blocked in this process is not for that one; and the recorded program needs the processors more. */
static void
deadlock_watch_prepare (gpointer data)
{
  sigset_t none;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  (void)!nice (10);
}

/* Reads until the end, or until nobody wants it any more. Gives what there was, or NULL. */
static char *
deadlock_watch_read (LcDeadlockWatch *watch, int file)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (text->len < READING_LIMIT)
    {
      struct pollfd ready = {.fd = file, .events = POLLIN};
      char bytes[4096];
      ssize_t n;

      if (deadlock_watch_is_over (watch))
        return NULL;
      if (poll (&ready, 1, POLL_TIME) == 0)
        continue;
      n = read (file, bytes, sizeof bytes);
      if (n == 0)
        return g_string_free (g_steal_pointer (&text), FALSE);
      if (n > 0)
        g_string_append_len (text, bytes, n);
      else if (errno != EINTR)
        return NULL;
    }
  return NULL;
}

/* Whoever waits for the program also takes the end of this process: it is known by the end of what it says. */
static char *
deadlock_watch_ask (LcDeadlockWatch *watch)
{
  char *command[] = {(char *)"/proc/self/exe", (char *)"check", (char *)"--deadlocks", (char *)watch->directory, NULL};
  char *text;
  int output;

  if (!g_spawn_async_with_pipes (NULL, command, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL,
                                 deadlock_watch_prepare, NULL, NULL, NULL, &output, NULL, NULL))
    return NULL;
  text = deadlock_watch_read (watch, output);
  close (output);
  return text;
}

/*
 * The recording is not read at one moment. But who says twice to wait since the same time has waited all the while
 * between, and has neither taken nor given back anything: a circle that is the same in two readings is one.
 */
static void
deadlock_watch_check (LcDeadlockWatch *watch)
{
  g_autofree char *first = deadlock_watch_ask (watch), *second = NULL;

  if (first == NULL || *first == '\0' || g_strcmp0 (first, watch->told) == 0)
    return;
  second = deadlock_watch_ask (watch);
  if (g_strcmp0 (first, second) != 0)
    return;
  watch->found (first, watch->data);
  g_free (watch->told);
  watch->told = g_steal_pointer (&first);
}

static gpointer
deadlock_watch_run (gpointer data)
{
  LcDeadlockWatch *watch = data;

  g_mutex_lock (&watch->mutex);
  while (!watch->is_over)
    {
      const gint64 began = g_get_monotonic_time ();

      if (!watch->is_wanted)
        g_cond_wait (&watch->condition, &watch->mutex);
      else if (began < watch->rests_until)
        g_cond_wait_until (&watch->condition, &watch->mutex, watch->rests_until);
      else
        {
          watch->is_wanted = FALSE;
          g_mutex_unlock (&watch->mutex);
          deadlock_watch_check (watch);
          g_mutex_lock (&watch->mutex);
          watch->rests_until = g_get_monotonic_time () + REST * (g_get_monotonic_time () - began);
        }
    }
  g_mutex_unlock (&watch->mutex);
  return NULL;
}

LcDeadlockWatch *
lc_deadlock_watch_new (const char *directory, void (*found) (const char *text, gpointer data), gpointer data)
{
  LcDeadlockWatch *watch = g_new0 (LcDeadlockWatch, 1);

  watch->directory = directory;
  watch->found = found;
  watch->data = data;
  g_mutex_init (&watch->mutex);
  g_cond_init (&watch->condition);
  watch->thread = g_thread_new ("deadlocks", deadlock_watch_run, watch);
  return watch;
}

void
lc_deadlock_watch_stop (LcDeadlockWatch *watch)
{
  if (watch == NULL || watch->thread == NULL)
    return;
  g_mutex_lock (&watch->mutex);
  watch->is_over = TRUE;
  g_cond_signal (&watch->condition);
  g_mutex_unlock (&watch->mutex);
  g_thread_join (g_steal_pointer (&watch->thread));
}

void
lc_deadlock_watch_free (LcDeadlockWatch *watch)
{
  if (watch == NULL)
    return;
  lc_deadlock_watch_stop (watch);
  g_mutex_clear (&watch->mutex);
  g_cond_clear (&watch->condition);
  g_free (watch->told);
  g_free (watch);
}

void
lc_deadlock_watch_look (LcDeadlockWatch *watch)
{
  g_mutex_lock (&watch->mutex);
  watch->is_wanted = TRUE;
  g_cond_signal (&watch->condition);
  g_mutex_unlock (&watch->mutex);
}
