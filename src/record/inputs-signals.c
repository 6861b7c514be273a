/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that come from outside: in a replay they come before the same call, or within it. */
/*
 * The program's handlers are called by one of ours. Whatever a handler asks for is kept after the signal, and before
 * the result of the call that it came within. What the program, its children and its timers send comes again by itself.
 */
#include <pthread.h>
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

/* The program's own action for a signal: the last handler, which it may have no more. */
struct signal_action
{
  uintptr_t handler; /* 0: there was none */
  bool has_info;     /* it was set with SA_SIGINFO */
};

typedef void (*signal_handler) (int number);

/* The C library's headers do not have the one any more, and warn of the other. */
signal_handler bsd_signal (int number, signal_handler handler);
int lc_inputs_interrupt (int number, int interrupts) __asm__("siginterrupt");

static struct signal_action signal_actions[SIGNALS];
static pid_t signal_owner;         /* the process whose actions these are; 0: not known yet */
static uint64_t signal_interrupts; /* bits: signals that end calls, by siginterrupt */

/* A signal that was kept has come to the calling thread. */
static __thread bool signal_has_come __attribute__ ((tls_model ("initial-exec")));

/* --- Handlers -------------------------------------------------------------------------------------------------- */

/* The system itself, whose numbers are the present ones. It is found before a handler of ours is set, for `dlsym` takes
 * locks and may allocate. */
static long
signal_ask_system (long number, long a, long b, long c, long d, long e)
{
  return LC_INPUTS_REAL (syscall) (number, a, b, c, d, e);
}

static int
signal_real_action (int number, const struct sigaction *action, struct sigaction *old)
{
  return LC_INPUTS_REAL (sigaction) (number, action, old);
}

static pid_t
signal_get_process (void)
{
  return (pid_t)signal_ask_system (SYS_getpid, 0, 0, 0, 0, 0);
}

static void
signal_own (void)
{
  signal_owner = signal_get_process ();
}

__attribute__ ((constructor)) static void
signal_begin (void)
{
  signal_own ();
  pthread_atfork (NULL, NULL, signal_own);
}

/* A child of `vfork` has the memory of its parent, but actions of its own. */
static bool
signal_is_borrowed (void)
{
  return signal_owner != 0 && signal_owner != signal_get_process ();
}

static bool
signal_is_from_child (pid_t sender)
{
  siginfo_t info;

  return signal_ask_system (SYS_waitid, P_PID, sender, (long)(uintptr_t)&info, WEXITED | WNOHANG | WNOWAIT, 0) == 0;
}

static bool
signal_is_from_outside (const siginfo_t *info)
{
  switch (info->si_code)
    {
    case SI_USER:
    case SI_QUEUE:
    case SI_TKILL:
      return info->si_pid != signal_get_process () && !signal_is_from_child (info->si_pid);
    case SI_KERNEL: /* the terminal */
      return info->si_signo == SIGINT || info->si_signo == SIGQUIT || info->si_signo == SIGHUP ||
             info->si_signo == SIGWINCH;
    default:
      return false;
    }
}

/* A handler that takes the number only does not look at what else is given. What it asks for is its own, also if it
 * comes while something is kept as a whole. */
static void
signal_arrive (int number, siginfo_t *info, void *context)
{
  const uintptr_t address = __atomic_load_n (&signal_actions[number].handler, __ATOMIC_ACQUIRE);
  const int before = errno;
  const bool is_kept = signal_is_from_outside (info) && !signal_is_borrowed ();
  void (*handler) (int number, siginfo_t *info, void *context);
  bool is_inside;

  if (is_kept)
    lc_inputs_keep_signal (number);
  errno = before;
  memcpy (&handler, &address, sizeof handler);
  is_inside = lc_inputs_set_inside (false);
  if (handler != NULL)
    handler (number, info, context);
  lc_inputs_set_inside (is_inside);
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

/* What the table has of a new action. A function of the C library that nobody stands before may have given ours to the
 * program: it then stands for the program's. */
static struct signal_action
signal_describe (const struct sigaction *action, struct signal_action own)
{
  struct signal_action set = {0, (action->sa_flags & SA_SIGINFO) != 0};

  if (action->sa_sigaction == signal_arrive)
    return own;
  memcpy (&set.handler, &action->sa_sigaction, sizeof set.handler);
  return set;
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

/* The table has a handler before ours is there, and keeps it when ours is no more: another thread may be just about to
 * call it. */
static int
signal_change (int number, const struct sigaction *action, struct sigaction *old)
{
  const struct signal_action own = signal_actions[number];
  const bool is_kept = action != NULL && signal_is_handler ((uintptr_t)action->sa_sigaction) && !signal_is_borrowed ();
  struct sigaction ours;
  int result;

  if (is_kept)
    {
      signal_set (number, signal_describe (action, own));
      ours = *action;
      ours.sa_sigaction = signal_arrive;
      ours.sa_flags |= SA_SIGINFO;
    }
  result = signal_real_action (number, is_kept ? &ours : action, old);
  if (is_kept && result != 0)
    signal_set (number, own);
  if (result == 0 && old != NULL)
    signal_show (old, own);
  return result;
}

LC_INPUTS_EXPORT int
sigaction (int number, const struct sigaction *restrict action, struct sigaction *restrict old)
{
  return signal_is_kept (number) ? signal_change (number, action, old) : signal_real_action (number, action, old);
}

/* Sets a handler with the flags that the function of the C library would give it. */
static signal_handler
signal_by (int number, signal_handler handler, int flags)
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;

  sigemptyset (&action.sa_mask);
  if ((flags & SA_NODEFER) == 0)
    sigaddset (&action.sa_mask, number);
  return signal_change (number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* No handler is set, but one of ours may be returned. */
static signal_handler
signal_show_handler (int number, signal_handler handler)
{
  void (*arrive) (int, siginfo_t *, void *) = signal_arrive;

  if (memcmp (&handler, &arrive, sizeof handler) == 0)
    memcpy (&handler, &signal_actions[number].handler, sizeof handler);
  return handler;
}

LC_INPUTS_EXPORT signal_handler
signal (int number, signal_handler handler)
{
  if (!signal_is_kept (number))
    return LC_INPUTS_REAL (signal) (number, handler);
  if (!signal_is_handler ((uintptr_t)handler))
    return signal_show_handler (number, LC_INPUTS_REAL (signal) (number, handler));
  return signal_by (number, handler, signal_interrupts >> (number - 1) & 1 ? 0 : SA_RESTART);
}

LC_INPUTS_EXPORT signal_handler
__sysv_signal (int number, signal_handler handler)
{
  if (!signal_is_kept (number))
    return LC_INPUTS_REAL (__sysv_signal) (number, handler);
  if (!signal_is_handler ((uintptr_t)handler))
    return signal_show_handler (number, LC_INPUTS_REAL (__sysv_signal) (number, handler));
  return signal_by (number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

/* Other names, which the recorder takes for these, too. */
LC_INPUTS_EXPORT signal_handler
bsd_signal (int number, signal_handler handler)
{
  return signal (number, handler);
}

LC_INPUTS_EXPORT signal_handler
ssignal (int number, signal_handler handler)
{
  return signal (number, handler);
}

LC_INPUTS_EXPORT signal_handler
sysv_signal (int number, signal_handler handler)
{
  return __sysv_signal (number, handler);
}

/* The C library remembers it for later calls of `signal`. */
LC_INPUTS_EXPORT int
lc_inputs_interrupt (int number, int interrupts)
{
  static void *place;
  void *found = lc_inputs_find ("siginterrupt", &place);
  int (*real) (int number, int interrupts);
  int result;

  memcpy (&real, &found, sizeof real);
  result = real (number, interrupts);
  if (result == 0 && signal_is_kept (number) && interrupts)
    __atomic_or_fetch (&signal_interrupts, UINT64_C (1) << (number - 1), __ATOMIC_RELAXED);
  else if (result == 0 && signal_is_kept (number))
    __atomic_and_fetch (&signal_interrupts, ~(UINT64_C (1) << (number - 1)), __ATOMIC_RELAXED);
  return result;
}

/* Whether ours is there: only the system knows, for others may have set something else. */
static bool
signal_is_arriving (int number)
{
  struct sigaction action;

  return __atomic_load_n (&signal_actions[number].handler, __ATOMIC_ACQUIRE) != 0 &&
         signal_real_action (number, NULL, &action) == 0 && action.sa_sigaction == signal_arrive;
}

/* A signal that the thread has blocked comes within calls that unblock it. */
void
lc_inputs_raise (int number)
{
  const uint64_t set = number > 0 && number < SIGNALS ? UINT64_C (1) << (number - 1) : 0;
  uint64_t before;

  if (set == 0 || !signal_is_arriving (number))
    return;
  syscall (SYS_rt_sigprocmask, SIG_UNBLOCK, &set, &before, SIGNAL_SET);
  signal_ask_system (SYS_tgkill, signal_get_process (), signal_ask_system (SYS_gettid, 0, 0, 0, 0, 0), number, 0, 0);
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
  bool is_from_outside;
  int result, after;

  if (signal_is_given (&call))
    {
      lc_inputs_copy (&call, 0, info, sizeof *info);
      return (int)lc_inputs_result (&call);
    }
  result = LC_INPUTS_REAL (sigtimedwait) (signals, info, limit);
  if (call.mode != LC_INPUTS_KEEP)
    return result;
  after = errno;
  is_from_outside = result > 0 && signal_is_from_outside (info);
  errno = after;
  signal_keep_wait (&call, is_from_outside, result, info, result > 0 ? sizeof *info : 0);
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
