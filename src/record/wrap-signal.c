/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: only of interest while system calls are dispatched, which needs SIGSYS. */
#include "dispatch.h"

#include <errno.h>

#include "real.h"
#include "recorder.h"

/* The sanitizers have wrappers of their own. */
#if LC_HAVE_DISPATCH

__sighandler_t bsd_signal (int number, __sighandler_t handler);
int sigignore (int signal);
int sighold (int signal);
int sigblock (int mask);
int sigsetmask (int mask);
__sighandler_t __sysv_signal (int signal, __sighandler_t handler);

enum
{
  BIT = 1 << (SIGSYS - 1), /* in a set of the oldest functions */
};

/* --- Actions ----------------------------------------------------------------------------------------------- */

LC_EXPORT int
sigaction (int signal, const struct sigaction *action, struct sigaction *before)
{
  return LC_LIKELY (!lc_dispatch_is_on) ? LC_REAL (sigaction) (signal, action, before)
                                        : lc_dispatch_change_action (signal, action, before);
}

static __sighandler_t
signal_set_handler (__sighandler_t handler, int flags)
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;

  if (handler == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  lc_dispatch_change_action (SIGSYS, &action, &before);
  return before.sa_handler;
}

LC_EXPORT __sighandler_t
signal (int signal, __sighandler_t handler)
{
  return LC_LIKELY (!lc_dispatch_is_on || signal != SIGSYS) ? LC_REAL (signal) (signal, handler)
                                                            : signal_set_handler (handler, SA_RESTART);
}

LC_EXPORT __sighandler_t
bsd_signal (int number, __sighandler_t handler)
{
  return signal (number, handler);
}

LC_EXPORT __sighandler_t
ssignal (int number, __sighandler_t handler)
{
  return signal (number, handler);
}

LC_EXPORT __sighandler_t
__sysv_signal (int signal, __sighandler_t handler)
{
  return LC_LIKELY (!lc_dispatch_is_on || signal != SIGSYS)
             ? LC_REAL (__sysv_signal) (signal, handler)
             : signal_set_handler (handler, (int)(SA_RESETHAND | SA_NODEFER));
}

LC_EXPORT __sighandler_t
sysv_signal (int number, __sighandler_t handler)
{
  return __sysv_signal (number, handler);
}

LC_EXPORT int
sigignore (int signal)
{
  if (LC_LIKELY (!lc_dispatch_is_on || signal != SIGSYS))
    return LC_REAL (sigignore) (signal);
  signal_set_handler (SIG_IGN, 0);
  return 0;
}

/* --- Masks ------------------------------------------------------------------------------------------------- */

LC_EXPORT int
sigprocmask (int how, const sigset_t *set, sigset_t *before)
{
  return LC_LIKELY (!lc_dispatch_is_on) ? LC_REAL (sigprocmask) (how, set, before)
                                        : lc_dispatch_change_mask (how, set, before);
}

LC_EXPORT int
pthread_sigmask (int how, const sigset_t *set, sigset_t *before)
{
  const int error = errno;
  int result;

  if (LC_LIKELY (!lc_dispatch_is_on))
    return LC_REAL (pthread_sigmask) (how, set, before);
  result = lc_dispatch_change_mask (how, set, before) == 0 ? 0 : errno;
  errno = error;
  return result;
}

/* Lets the program believe that it has blocked or unblocked SIGSYS. */
static bool
signal_pretend (int how, bool has_signal)
{
  sigset_t set, before;

  sigemptyset (&set);
  if (has_signal)
    sigaddset (&set, SIGSYS);
  else if (how == SIG_SETMASK)
    {
      sigaddset (&set, SIGSYS);
      how = SIG_UNBLOCK;
    }
  lc_dispatch_change_mask (how == SIG_SETMASK ? SIG_BLOCK : how, &set, &before);
  return sigismember (&before, SIGSYS) == 1;
}

LC_EXPORT int
sighold (int signal)
{
  if (LC_LIKELY (!lc_dispatch_is_on || signal != SIGSYS))
    return LC_REAL (sighold) (signal);
  signal_pretend (SIG_BLOCK, true);
  return 0;
}

LC_EXPORT int
sigblock (int mask)
{
  if (LC_LIKELY (!lc_dispatch_is_on))
    return LC_REAL (sigblock) (mask);
  return LC_REAL (sigblock) (mask & ~BIT) | (signal_pretend (SIG_BLOCK, (mask & BIT) != 0) ? BIT : 0);
}

LC_EXPORT int
sigsetmask (int mask)
{
  if (LC_LIKELY (!lc_dispatch_is_on))
    return LC_REAL (sigsetmask) (mask);
  return LC_REAL (sigsetmask) (mask & ~BIT) | (signal_pretend (SIG_SETMASK, (mask & BIT) != 0) ? BIT : 0);
}

#endif
