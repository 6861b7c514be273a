/* SPDX-License-Identifier: Apache-2.0 */
/* What GLib waits with, each for a while: PROGRAM CASE. How long that was goes to standard error. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

struct wait_case
{
  const char *name;
  void (*prepare) (void);
  void (*wait) (void);
  void (*release) (void);
};

static GMutex mutex;
static GCond condition;
static GAsyncQueue *queue;
static gboolean is_ready;
static struct timespec begun, released;

static void
lock_mutex (void)
{
  g_mutex_lock (&mutex);
}

static void
unlock_mutex (void)
{
  g_mutex_unlock (&mutex);
}

static void
pass_mutex (void)
{
  g_mutex_lock (&mutex);
  g_mutex_unlock (&mutex);
}

static void
wait_condition (void)
{
  g_mutex_lock (&mutex);
  while (!is_ready)
    g_cond_wait (&condition, &mutex);
  g_mutex_unlock (&mutex);
}

static void
signal_condition (void)
{
  g_mutex_lock (&mutex);
  is_ready = TRUE;
  g_cond_signal (&condition);
  g_mutex_unlock (&mutex);
}

static void
make_queue (void)
{
  queue = g_async_queue_new ();
}

static void
pop_queue (void)
{
  g_async_queue_pop (queue);
}

static void
push_queue (void)
{
  g_async_queue_push (queue, &queue);
}

static const struct wait_case wait_cases[] = {
    {"mutex", lock_mutex, pass_mutex, unlock_mutex},
    {"condition", NULL, wait_condition, signal_condition},
    {"queue", make_queue, pop_queue, push_queue},
};

static gpointer
run_waiter (gpointer data)
{
  clock_gettime (CLOCK_MONOTONIC, &begun);
  ((const struct wait_case *)data)->wait ();
  return NULL;
}

static void
run_case (const struct wait_case *chosen)
{
  GThread *thread;

  if (chosen->prepare != NULL)
    chosen->prepare ();
  thread = g_thread_new ("waiter", run_waiter, (gpointer)chosen);
  g_usleep (200000);
  clock_gettime (CLOCK_MONOTONIC, &released);
  chosen->release ();
  g_thread_join (thread);
  puts ("done");
  fprintf (stderr, "%lld\n",
           (released.tv_sec - begun.tv_sec) * 1000000000LL + (long long)(released.tv_nsec - begun.tv_nsec));
}

int
main (int argc, char **argv)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wait_cases); i++)
    if (argc < 2)
      puts (wait_cases[i].name);
    else if (strcmp (argv[1], wait_cases[i].name) == 0)
      run_case (&wait_cases[i]);
  return 0;
}
