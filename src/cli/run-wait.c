/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for a program: passes signals on to it, and stops and continues together with it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process-table.h"
#include "run-private.h"

/* us. A process that executes another program is not seen as recorded until the recorder is loaded into it again. */
#define EXEC_TIME 1000000

/* --- Signals ----------------------------------------------------------------------------------------------- */

static gboolean
is_stop (int signal)
{
  return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static gboolean
is_interrupt (int signal)
{
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

/* Whether a shell has started us in the foreground of a terminal: then it watches whether we stop. */
static gboolean
is_watched (void)
{
  int terminal = getpgrp () == getpid () ? open ("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
  gboolean ours;

  if (terminal < 0)
    return FALSE;
  ours = tcgetpgrp (terminal) == getpgrp ();
  close (terminal);
  return ours;
}

/* Returns when we have been continued; a SIGCONT is then pending. */
static void
stop_ourselves (int signal)
{
  const struct sigaction by_default = {.sa_handler = SIG_DFL};
  struct sigaction before = by_default;
  sigset_t one;

  sigemptyset (&one);
  sigaddset (&one, signal);
  sigaction (signal, &by_default, &before);
  raise (signal);
  sigprocmask (SIG_UNBLOCK, &one, NULL);
  sigprocmask (SIG_BLOCK, &one, NULL);
  sigaction (signal, &before, NULL);
}

/*
 * If the program stops, the terminal is free only if we stop too. But if it was stopped, and will be continued, by
 * somebody who does not know of us, nobody would continue us.
 */
static void
stop_with_program (LcRun *run)
{
  int signal = run->stopped;

  if (signal == 0 || !(run->stop || is_watched ()))
    return;
  run->stop = FALSE;
  run->stopped = 0;
  run->was_stop = TRUE;
  stop_ourselves (signal);
}

/*
 * The program itself gets the signals that a terminal sends for a key or a hang-up. Signals that the program sends to
 * its process group, or to its parent, must not be sent back to it.
 */
static gboolean
is_for_program (const siginfo_t *signal)
{
  if (signal->si_code == SI_KERNEL)
    return signal->si_signo == SIGALRM; /* an alarm that was set before we were started */
  return signal->si_code > 0 || signal->si_pid <= 0 || !lc_process_descends (signal->si_pid, getpid ());
}

static void
pass_on (const LcRun *run, const siginfo_t *signal)
{
  if (signal->si_code == SI_QUEUE)
    sigqueue (run->program, signal->si_signo, signal->si_value);
  else
    kill (run->program, signal->si_signo);
}

/* Gives the stop signal that is pending for us, or 0. */
static int
pending_stop (void)
{
  sigset_t pending;

  sigpending (&pending);
  for (int signal = 1; signal < NSIG; signal++)
    if (is_stop (signal) && sigismember (&pending, signal) == 1)
      return signal;
  return 0;
}

/*
 * Somebody who continues us may have continued the program too. The program's state is read first: if it has been
 * stopped again already, the signal that did so has been sent to us as well.
 */
static void
continue_program (LcRun *run)
{
  run->was_stop = FALSE;
  if (lc_process_state (run->program) != 'T')
    return;
  run->stopped = pending_stop ();
  if (run->stopped == 0)
    kill (run->program, SIGCONT);
}

static void
take_signal (LcRun *run, const siginfo_t *signal)
{
  int number = signal->si_signo;

  if (number == SIGCHLD || number == SIGPIPE)
    return;
  if (number == run->kept)
    {
      run->act (run->data);
      return;
    }
  if (is_stop (number))
    run->stop = TRUE;
  if (number == SIGCONT && run->was_stop)
    continue_program (run);
  else if (is_for_program (signal))
    pass_on (run, signal);
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

/* Returns FALSE if there are no more children. */
static gboolean
run_wait_reap (LcRun *run)
{
  int status;
  pid_t child;

  while ((child = waitpid (-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0)
    {
      if (child != run->program)
        continue;
      if (WIFSTOPPED (status))
        run->stopped = WSTOPSIG (status);
      else if (WIFCONTINUED (status))
        run->stopped = 0;
      else
        {
          run->status = status;
          run->program = 0;
        }
    }
  return child == 0;
}

void
lc_run_keep_signal (LcRun *run, int signal, void (*act) (gpointer data), gpointer data)
{
  run->kept = signal;
  run->act = act;
  run->data = data;
}

guint32
lc_run_get_program (const LcRun *run)
{
  return (guint32)run->program;
}

int
lc_run_wait (LcRun *run)
{
  siginfo_t signal;

  while (run_wait_reap (run), run->program > 0)
    {
      stop_with_program (run);
      if (sigwaitinfo (&run->all, &signal) > 0)
        take_signal (run, &signal);
    }
  return run->status;
}

/* Checks the known processes first, since a search of all processes would take time from the recorded ones. */
static gboolean
is_rest (GArray **known, const char *directory)
{
  for (guint i = 0; *known != NULL && i < (*known)->len; i++)
    if (lc_process_is_recorded (g_array_index (*known, pid_t, i), directory))
      return TRUE;
  g_clear_pointer (known, g_array_unref);
  *known = lc_process_list_recorded (directory);
  return (*known)->len > 0;
}

gboolean
lc_run_wait_for_rest (LcRun *run, const char *directory, void (*tell) (guint count))
{
  /* Most processes end with a SIGCHLD for us, but not those that have another parent, or that go on as a program that
   * is not recorded; so a timeout is needed. */
  const struct timespec patience = {.tv_nsec = 500000000};
  g_autoptr (GArray) known = NULL;
  gint64 seen = g_get_monotonic_time ();
  gboolean told = FALSE;

  while (run_wait_reap (run))
    {
      siginfo_t signal;
      int number;

      if (is_rest (&known, directory))
        seen = g_get_monotonic_time ();
      else if (g_get_monotonic_time () - seen > EXEC_TIME)
        break;
      number = sigtimedwait (&run->all, &signal, &patience);
      if (is_interrupt (number))
        return FALSE;
      if (is_stop (number))
        stop_ourselves (number);
      if (number < 0 && !told && known->len > 0)
        {
          tell (known->len);
          told = TRUE;
        }
    }
  return TRUE;
}

gboolean
lc_run_rest (LcRun *run, guint milliseconds)
{
  const gint64 end = g_get_monotonic_time () + (gint64)milliseconds * 1000;

  for (gint64 left; (left = end - g_get_monotonic_time ()) > 0;)
    {
      const struct timespec time = {left / G_USEC_PER_SEC, left % G_USEC_PER_SEC * 1000};
      siginfo_t signal;

      if (is_interrupt (sigtimedwait (&run->all, &signal, &time)))
        return FALSE;
    }
  return TRUE;
}
