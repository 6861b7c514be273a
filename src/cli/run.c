/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program as if our caller had started it directly. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run-private.h"

/* --- Starting ---------------------------------------------------------------------------------------------- */

/* Opens standard streams that are closed, so that none of our files gets their numbers; for the program they stay
 * closed. */
static void
occupy_standard_streams (void)
{
  int file;

  do
    file = open ("/dev/null", O_RDWR | O_CLOEXEC);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0)
    close (file);
}

/*
 * Gives the descriptor by which a launcher (MPICH's, Slurm's) talks to a rank, or -1. If it is closed, the launcher
 * takes the rank as failed and kills the rest of it. So it stays open until the rank has ended for the launcher too,
 * which is when we end.
 */
static int
run_find_launcher (void)
{
  const char *number = g_getenv ("PMI_FD");

  return number != NULL ? atoi (number) : -1;
}

LcRun *
lc_run_new (void)
{
  LcRun *run = g_new0 (LcRun, 1);
  g_autoptr (GDir) folder = NULL;
  const char *name;
  int launcher = run_find_launcher ();

  run->inherited = g_array_new (FALSE, FALSE, sizeof (int));
  occupy_standard_streams ();
  folder = g_dir_open ("/proc/self/fd", 0, NULL);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      int number = atoi (name);

      /* Close-on-exec descriptors, such as the folder's own, do not reach the program. */
      if (number > STDERR_FILENO && number != launcher && (fcntl (number, F_GETFD) & FD_CLOEXEC) == 0)
        g_array_append_val (run->inherited, number);
    }
  return run;
}

void
lc_run_free (LcRun *run)
{
  g_array_unref (run->inherited);
  g_free (run);
}

/* If SIGCHLD were ignored, we would not learn the exit status of our children. */
static void
take_signals (LcRun *run)
{
  const struct sigaction by_default = {.sa_handler = SIG_DFL};
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

  sigfillset (&run->all);
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    sigdelset (&run->all, faults[i]);
  sigprocmask (SIG_BLOCK, &run->all, &run->signals);
  sigaction (SIGCHLD, &by_default, &run->child);
}

static void
give_signals_back (const LcRun *run)
{
  sigaction (SIGCHLD, &run->child, NULL);
  sigprocmask (SIG_SETMASK, &run->signals, NULL);
}

/* Ends when nobody has the other end of the pipe open, or the process that should say so has died. */
static void
run_wait_for_go (const int *go)
{
  char byte;

  close (go[1]);
  while (read (go[0], &byte, 1) < 0 && errno == EINTR)
    ;
}

static void G_GNUC_NORETURN
become_program (const LcRun *run, char *const *command, char *const *environment, int report)
{
  int error;

  give_signals_back (run);
  execvpe (command[0], command, environment);
  error = errno;
  while (write (report, &error, sizeof error) < 0 && errno == EINTR)
    ;
  _exit (127);
}

/* If we kept these descriptors, the other end of a pipe would not notice that the program has closed it. */
static void
run_let_go (const LcRun *run)
{
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  fflush (stdout);
  if (null >= 0)
    {
      dup2 (null, STDIN_FILENO);
      dup2 (null, STDOUT_FILENO);
      if (null > STDERR_FILENO)
        close (null);
    }
  for (guint i = 0; i < run->inherited->len; i++)
    close (g_array_index (run->inherited, int, i));
}

void
lc_run_set_forked (LcRun *run, void (*forked) (guint32 pid, gpointer data), gpointer data)
{
  run->forked = forked;
  run->forked_data = data;
}

/* Makes the process, which becomes the program when all that has to be done before that has been done. */
static int
run_fork (LcRun *run, char *const *command, char *const *environment, int report)
{
  int go[2], error = 0;
  gboolean waits = run->forked != NULL && pipe2 (go, O_CLOEXEC) == 0;

  run->program = fork ();
  if (run->program == 0)
    {
      if (waits)
        run_wait_for_go (go);
      become_program (run, command, environment, report);
    }
  if (run->program < 0)
    error = errno;
  if (!waits)
    return error;
  if (run->program > 0)
    run->forked ((guint32)run->program, run->forked_data);
  close (go[0]);
  close (go[1]);
  return error;
}

int
lc_run_start (LcRun *run, char *const *command, char *const *environment)
{
  int report[2], error;
  ssize_t size;

  fflush (NULL);
  if (pipe2 (report, O_CLOEXEC) != 0)
    return errno;
  take_signals (run);
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  error = run_fork (run, command, environment, report[1]);
  close (report[1]);
  while ((size = read (report[0], &error, sizeof error)) < 0 && errno == EINTR)
    ;
  close (report[0]);
  if (error == 0)
    {
      run_let_go (run);
      return 0;
    }
  if (run->program > 0)
    waitpid (run->program, NULL, 0);
  run->program = 0;
  give_signals_back (run);
  return error;
}

/* --- The end ----------------------------------------------------------------------------------------------- */

int
lc_run_end_like (int status)
{
  const struct rlimit none = {0, 0};
  const struct sigaction by_default = {.sa_handler = SIG_DFL};
  int signal = WTERMSIG (status);
  sigset_t one;

  if (!WIFSIGNALED (status))
    return WEXITSTATUS (status);
  /* A core, if there is to be one, must be the program's, not ours. */
  setrlimit (RLIMIT_CORE, &none);
  prctl (PR_SET_DUMPABLE, 0);
  sigemptyset (&one);
  sigaddset (&one, signal);
  sigaction (signal, &by_default, NULL);
  raise (signal);
  sigprocmask (SIG_UNBLOCK, &one, NULL);
  return 128 + signal;
}
