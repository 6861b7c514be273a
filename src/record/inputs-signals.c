/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that come from outside: in a replay they come before the same call, or within it. */
/*
 * The program's handlers are called by one of ours. Whatever a handler asks for is kept after the signal, and before
 * the result of the call that it came within. What the program, its children and its timers send comes again by itself.
 */
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inputs.h"

enum
{
  SIGNALS = 65,
  SIGNAL_SET = 8, /* bytes of the system's sets of signals */
};

/* The program's own action for a signal. */
struct signal_action
{
  uintptr_t handler; /* 0: none, or none of the program's */
  bool has_info;     /* it was set with SA_SIGINFO */
};

typedef void (*signal_handler) (int number);

static struct signal_action signal_actions[SIGNALS];

/* A signal that was kept has come to the calling thread. */
static __thread bool signal_has_come __attribute__ ((tls_model ("initial-exec")));

/* --- Handlers -------------------------------------------------------------------------------------------------- */

static bool
signal_is_from_child (pid_t sender)
{
  siginfo_t info;

  return LC_INPUTS_REAL (waitid) (P_PID, (id_t)sender, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static bool
signal_is_from_outside (const siginfo_t *info)
{
  switch (info->si_code)
    {
    case SI_USER:
    case SI_QUEUE:
    case SI_TKILL:
      return info->si_pid != LC_INPUTS_REAL (getpid) () && !signal_is_from_child (info->si_pid);
    case SI_KERNEL: /* the terminal */
      return info->si_signo == SIGINT || info->si_signo == SIGQUIT || info->si_signo == SIGHUP ||
             info->si_signo == SIGWINCH;
    default:
      return false;
    }
}

/* A handler that takes the number only does not look at what else is given. */
static void
signal_arrive (int number, siginfo_t *info, void *context)
{
  const uintptr_t address = __atomic_load_n (&signal_actions[number].handler, __ATOMIC_ACQUIRE);
  const int before = errno;
  const bool is_kept = signal_is_from_outside (info);
  void (*handler) (int number, siginfo_t *info, void *context);

  if (is_kept)
    lc_inputs_keep_signal (number);
  errno = before;
  memcpy (&handler, &address, sizeof handler);
  if (handler != NULL)
    handler (number, info, context);
  signal_has_come |= is_kept;
}

/* The recorder has handlers of its own for those that the processor sends. */
static bool
signal_is_kept (int number)
{
  return number > 0 && number < SIGNALS && number != SIGSYS && number != SIGTRAP;
}

static bool
signal_is_handler (uintptr_t handler)
{
  return handler != (uintptr_t)SIG_DFL && handler != (uintptr_t)SIG_IGN && handler != (uintptr_t)SIG_ERR;
}

static void
signal_set (int number, struct signal_action action)
{
  signal_actions[number].has_info = action.has_info;
  __atomic_store_n (&signal_actions[number].handler, action.handler, __ATOMIC_RELEASE);
}

/* Gives the program back what it has set. */
static void
signal_show (struct sigaction *action, struct signal_action own)
{
  if (action->sa_sigaction != signal_arrive)
    return;
  memcpy (&action->sa_sigaction, &own.handler, sizeof own.handler);
  if (!own.has_info)
    action->sa_flags &= ~SA_SIGINFO;
}

LC_INPUTS_EXPORT int
sigaction (int number, const struct sigaction *restrict action, struct sigaction *restrict old)
{
  const struct signal_action own = signal_is_kept (number) ? signal_actions[number] : (struct signal_action){0, false};
  const bool is_kept = signal_is_kept (number) && action != NULL;
  struct signal_action set = {0, false};
  struct sigaction ours;
  int result;

  if (is_kept)
    {
      ours = *action;
      set.has_info = (action->sa_flags & SA_SIGINFO) != 0;
      memcpy (&set.handler, &action->sa_sigaction, sizeof set.handler);
      if (!signal_is_handler (set.handler))
        set.handler = 0;
      else
        {
          ours.sa_sigaction = signal_arrive;
          ours.sa_flags |= SA_SIGINFO;
          signal_set (number, set);
        }
    }
  result = LC_INPUTS_REAL (sigaction) (number, is_kept ? &ours : action, old);
  if (is_kept)
    signal_set (number, result == 0 ? set : own);
  if (result == 0 && old != NULL && signal_is_kept (number))
    signal_show (old, own);
  return result;
}

/* What a handler is told of a signal is there only if it was set with SA_SIGINFO. */
static void
signal_ask_for_info (int number)
{
  struct sigaction action;

  if (LC_INPUTS_REAL (sigaction) (number, NULL, &action) == 0)
    {
      action.sa_flags |= SA_SIGINFO;
      LC_INPUTS_REAL (sigaction) (number, &action, NULL);
    }
}

/* The function of the C library decides which other flags there are. */
static signal_handler
signal_by (signal_handler (*real) (int number, signal_handler handler), int number, signal_handler handler)
{
  const bool is_kept = signal_is_kept (number) && signal_is_handler ((uintptr_t)handler);
  const struct signal_action own = signal_is_kept (number) ? signal_actions[number] : (struct signal_action){0, false};
  const struct signal_action set = {is_kept ? (uintptr_t)handler : 0, false};
  const uint64_t all = UINT64_MAX;
  void (*arrive) (int, siginfo_t *, void *) = signal_arrive;
  signal_handler ours, result;
  uint64_t before;

  if (!signal_is_kept (number))
    return real (number, handler);
  memcpy (&ours, &arrive, sizeof ours);
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, SIGNAL_SET);
  result = real (number, is_kept ? ours : handler);
  if (result != SIG_ERR)
    signal_set (number, set);
  if (result != SIG_ERR && is_kept)
    signal_ask_for_info (number);
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_SET);
  if (result == ours)
    memcpy (&result, &own.handler, sizeof result);
  return result;
}

LC_INPUTS_EXPORT signal_handler
signal (int number, signal_handler handler)
{
  return signal_by (LC_INPUTS_REAL (signal), number, handler);
}

LC_INPUTS_EXPORT signal_handler
__sysv_signal (int number, signal_handler handler)
{
  return signal_by (LC_INPUTS_REAL (__sysv_signal), number, handler);
}

/* A signal that the thread has blocked comes within calls that unblock it. */
void
lc_inputs_raise (int number)
{
  const uint64_t set = number > 0 && number < SIGNALS ? UINT64_C (1) << (number - 1) : 0;
  uint64_t before;

  if (set == 0 || __atomic_load_n (&signal_actions[number].handler, __ATOMIC_ACQUIRE) == 0)
    return;
  syscall (SYS_rt_sigprocmask, SIG_UNBLOCK, &set, &before, SIGNAL_SET);
  LC_INPUTS_REAL (tgkill) (LC_INPUTS_REAL (getpid) (), LC_INPUTS_REAL (gettid) (), number);
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_SET);
}

/* --- Waits for signals ----------------------------------------------------------------------------------------- */

/* A wait that ended by a signal that comes again by itself is carried out in a replay. */
static void
signal_keep_wait (struct lc_inputs_call *call, bool is_from_outside, int64_t result, const void *data, size_t bytes)
{
  lc_inputs_keep_bytes (call, is_from_outside ? LC_INPUT_GIVEN : LC_INPUT_FREE, result, data, bytes);
}

static bool
signal_is_given (const struct lc_inputs_call *call)
{
  return call->mode == LC_INPUTS_GIVE && call->record.how == LC_INPUT_GIVEN;
}

LC_INPUTS_EXPORT int
pause (void)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_PAUSE, -1, 0);
  int result;

  if (signal_is_given (&call))
    return (int)lc_inputs_result (&call);
  signal_has_come = false;
  result = LC_INPUTS_REAL (pause) ();
  if (call.mode == LC_INPUTS_KEEP)
    signal_keep_wait (&call, signal_has_come, result, NULL, 0);
  return result;
}

LC_INPUTS_EXPORT int
sigsuspend (const sigset_t *signals)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_SUSPEND, -1, 0);
  int result;

  if (signal_is_given (&call))
    return (int)lc_inputs_result (&call);
  signal_has_come = false;
  result = LC_INPUTS_REAL (sigsuspend) (signals);
  if (call.mode == LC_INPUTS_KEEP)
    signal_keep_wait (&call, signal_has_come, result, NULL, 0);
  return result;
}

static int
signal_wait (const sigset_t *signals, siginfo_t *info, const struct timespec *limit)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_SIGWAIT, -1, 0);
  int result;

  if (signal_is_given (&call))
    {
      lc_inputs_copy (&call, 0, info, sizeof *info);
      return (int)lc_inputs_result (&call);
    }
  result = LC_INPUTS_REAL (sigtimedwait) (signals, info, limit);
  if (call.mode == LC_INPUTS_KEEP)
    signal_keep_wait (&call, result > 0 && signal_is_from_outside (info), result, info, result > 0 ? sizeof *info : 0);
  return result;
}

LC_INPUTS_EXPORT int
sigtimedwait (const sigset_t *restrict signals, siginfo_t *restrict info, const struct timespec *restrict limit)
{
  siginfo_t room;

  return signal_wait (signals, info != NULL ? info : &room, limit);
}

LC_INPUTS_EXPORT int
sigwaitinfo (const sigset_t *restrict signals, siginfo_t *restrict info)
{
  return sigtimedwait (signals, info, NULL);
}

/* Returns the error, and goes on waiting after a handler. */
LC_INPUTS_EXPORT int
sigwait (const sigset_t *restrict signals, int *restrict number)
{
  const int before = errno;
  siginfo_t info = {0};
  int result, error;

  do
    result = signal_wait (signals, &info, NULL);
  while (result < 0 && errno == EINTR);
  error = errno;
  errno = before;
  if (result < 0)
    return error;
  *number = info.si_signo;
  return 0;
}
