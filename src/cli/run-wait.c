/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for a program: what is sent to this process goes to it, and this one stops and goes on as it does. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process-table.h"
#include "run-private.h"

/* us. A process that becomes another program is not seen to be recorded until the recorder is in it again. */
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

/* Are we what a shell has started in the foreground of a terminal? Then it watches whether we stop. */
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

/* Returns when we have been continued; a SIGCONT is then waiting for us. */
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
 * A program that stops gives the terminal back only if we stop too. But when it was stopped, and is continued, by
 * somebody who knows nothing of us, nobody would continue us.
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
 * What a terminal sends for a key or a hang-up, the program gets as well. What the program sends to all of its process
 * group, or to its parent, is nothing to send back.
 */
static gboolean
is_for_program (const siginfo_t *signal)
{
  if (signal->si_code == SI_KERNEL)
    return signal->si_signo == SIGALRM; /* of an alarm that was set before we were started */
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

/* The stop signal that is waiting for us, or 0. */
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
 * Whoever continued us may have continued the program too. Its state comes first: if it has been stopped again already,
 * then the signal that did so has been sent to us as well.
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

/* FALSE: there are no children any more. */
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

/* Looks at those known first: to look at all there are would take the machine's time from those we record. */
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
  /* Most end with a SIGCHLD for us, but not those that have a parent, or go on as a program that is not recorded. */
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
