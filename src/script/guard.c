/* SPDX-License-Identifier: Apache-2.0 */
/* Stops scripts: by Ctrl-C, when their time is up, and when they take too much memory. */
#include <errno.h>
#include <gc/gc.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "script-private.h"

/*
 * A thread waits for the three, cancels what C does for the script, and asks Guile to run `%stop` in the script's
 * thread as soon as it can. That leaves the script by a prompt that no handler of errors catches. What does not get
 * there (a number of a million digits, say) is ended with the process.
 */

enum
{
  LOOK = 50, /* ms between two looks at the memory */
  /* bytes beyond the limit at which Guile ends the process: on a busy machine a look may come late */
  LEAST_MARGIN = 512 << 20,
  PATIENCE = 5000 /* ms from a limit to the end of the process */
};

typedef enum
{
  GUARD_NOTHING,
  GUARD_INTERRUPTED,
  GUARD_LATE,
  GUARD_LARGE,
} GuardReason;

static struct
{
  int wake[2];
  GThread *watcher;
  guint64 time_limit;   /* us; 0: none */
  guint64 memory_limit; /* bytes */
  guint64 allowed;      /* bytes, of what is being evaluated */
  gint reason;          /* GuardReason that waits to be heard */
  gint asked;           /* Ctrl-C has come, and the script has not been stopped yet */
  gint active;          /* whether something is being evaluated */
  gint64 since;         /* monotonic us, when it began */
  SCM stop;             /* the procedure */
  SCM thread;           /* of the script */
} guard = {.wake = {-1, -1}};

void
lc_script_interrupt (void)
{
  static const char given_up[] = "lightcone: script: it does not react and was ended\n";
  int before = errno;

  if (g_atomic_int_get (&guard.reason) == GUARD_INTERRUPTED)
    {
      if (write (STDERR_FILENO, given_up, sizeof given_up - 1) < 0)
        errno = before;
      _exit (2);
    }
  if (g_atomic_int_get (&guard.active) != 0)
    g_atomic_int_set (&guard.asked, write (guard.wake[1], "i", 1) == 1);
  errno = before;
}

static void *
guard_mark (void *unused)
{
  scm_system_async_mark_for_thread (guard.stop, guard.thread);
  return NULL;
}

static void
guard_ignore_signal (int number)
{
}

/* Stops the script. A system call that it waits in returns by the signal. */
static void
guard_stop (GuardReason reason)
{
  if (!g_atomic_int_compare_and_exchange (&guard.reason, GUARD_NOTHING, (gint)reason))
    return;
  g_cancellable_cancel (lc_script.cancellable);
  scm_with_guile (guard_mark, NULL);
  pthread_kill (lc_script.thread, SIGURG);
}

static guint64
guard_used (void)
{
  size_t all = GC_get_heap_size (), rest = GC_get_free_bytes ();

  return all > rest ? all - rest : 0;
}

static void
guard_check_limits (void)
{
  gint64 taken;

  if (g_atomic_int_get (&guard.active) == 0)
    return;
  taken = g_get_monotonic_time () - guard.since;
  if (guard.time_limit > 0 && taken > (gint64)guard.time_limit)
    {
      guard_stop (GUARD_LATE);
      if (taken > (gint64)guard.time_limit + PATIENCE * 1000 && g_atomic_int_get (&guard.reason) == GUARD_LATE)
        {
          g_printerr ("lightcone: %s\n", _ ("script: it took longer than --time-limit allows, and was ended"));
          _exit (2);
        }
    }
  if (guard_used () > guard.allowed)
    guard_stop (GUARD_LARGE);
}

static gpointer
guard_watch (gpointer unused)
{
  struct pollfd waiting = {.fd = guard.wake[0], .events = POLLIN};

  for (;;)
    {
      char what = 0;

      if (poll (&waiting, 1, LOOK) > 0 && read (guard.wake[0], &what, 1) == 1)
        {
          if (what == 'e')
            return NULL;
          if (g_atomic_int_get (&guard.active) != 0)
            guard_stop (GUARD_INTERRUPTED);
        }
      guard_check_limits ();
    }
}

/* Tells why the script must stop, or #f. From then on it can be stopped again. */
static SCM
guard_take_reason (void)
{
  gint reason = g_atomic_int_exchange (&guard.reason, GUARD_NOTHING);

  g_atomic_int_set (&guard.asked, 0);
  g_cancellable_reset (lc_script.cancellable);
  switch (reason)
    {
    case GUARD_INTERRUPTED:
      return lc_script_from_text (_ ("interrupted"));
    case GUARD_LATE:
      return lc_script_from_text (_ ("it took longer than --time-limit allows"));
    case GUARD_LARGE:
      return lc_script_from_text (_ ("it took more memory than --memory-limit allows"));
    default:
      return SCM_BOOL_F;
    }
}

/* The signal may end what the script waits in, and with it the script, before the watcher has had its say. */
static SCM
guard_await_stop (void)
{
  for (int i = 0; i < 1000 && g_atomic_int_get (&guard.asked) != 0; i++)
    {
      scm_async_tick ();
      g_usleep (1000);
    }
  return SCM_UNSPECIFIED;
}

/* How many words the stack may have: a part of the memory. */
static SCM
guard_get_stack_words (void)
{
  return scm_from_uint64 (guard.memory_limit / 4 / sizeof (SCM));
}

static SCM
guard_set_stop (SCM procedure)
{
  guard.stop = scm_gc_protect_object (procedure);
  return SCM_UNSPECIFIED;
}

void
lc_script_init_guard (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%take-reason", 0, 0, (scm_t_subr)guard_take_reason},
      {"%await-stop", 0, 0, (scm_t_subr)guard_await_stop},
      {"%stack-words", 0, 0, (scm_t_subr)guard_get_stack_words},
      {"%set-stop!", 1, 0, (scm_t_subr)guard_set_stop},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}

/* What was kept by a script that took too much can only be let go by another, which needs some memory itself. */
static void
guard_leave_room (void)
{
  GC_gcollect ();
  guard.allowed = MAX (guard.memory_limit, guard_used () + guard.memory_limit / 8);
}

void
lc_script_guard_begin (void)
{
  g_atomic_int_set (&guard.reason, GUARD_NOTHING);
  g_atomic_int_set (&guard.asked, 0);
  g_cancellable_reset (lc_script.cancellable);
  guard.since = g_get_monotonic_time ();
  guard.allowed = guard.memory_limit;
  if (guard_used () > guard.memory_limit)
    guard_leave_room ();
  g_atomic_int_set (&guard.active, 1);
}

void
lc_script_guard_end (void)
{
  g_atomic_int_set (&guard.active, 0);
}

void
lc_script_guard_start (const LcScriptOptions *options)
{
  struct sigaction action = {.sa_handler = guard_ignore_signal};
  guint64 memory = (guint64)sysconf (_SC_PHYS_PAGES) * (guint64)sysconf (_SC_PAGESIZE);
  sigset_t interrupt, before;

  guard.time_limit = options->time_limit / 1000;
  guard.memory_limit = options->memory_limit > 0 ? options->memory_limit : memory / 2;
  guard.thread = scm_gc_protect_object (scm_current_thread ());
  /* What is asked for at once is refused here; what grows is seen by the watcher before. */
  GC_set_warn_proc (GC_ignore_warn_proc); /* the script is told by a condition */
  GC_set_max_heap_size (guard_used () + guard.memory_limit + MAX (guard.memory_limit / 4, LEAST_MARGIN));
  sigaction (SIGURG, &action, NULL);
  if (pipe (guard.wake) != 0)
    g_error ("pipe: %s", g_strerror (errno));
  /* The collector of garbage stops threads by signals of its own, so that only this one can be blocked. */
  sigemptyset (&interrupt);
  sigaddset (&interrupt, SIGINT);
  pthread_sigmask (SIG_BLOCK, &interrupt, &before);
  guard.watcher = g_thread_new ("script-guard", guard_watch, NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

void
lc_script_guard_finish (void)
{
  if (write (guard.wake[1], "e", 1) == 1)
    g_thread_join (guard.watcher);
}
