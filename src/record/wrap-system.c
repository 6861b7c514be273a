/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that restrict the recorder: sandboxes, limits, locked memory; and `syscall`, by which others come. */
#undef _FILE_OFFSET_BITS /* because it would give two functions the same name */
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "dispatch.h"
#include "places.h"
#include "real.h"
#include "recorder.h"
#include "wrap-futex.h"

/* With AddressSanitizer these wrappers are left out: the sanitizer calls the functions as it begins, when instrumented
 * code cannot run yet. */
#if !defined(__SANITIZE_ADDRESS__)

/* --- Sandboxes --------------------------------------------------------------------------------------------- */

/* The requests that a thread can make. */
enum request
{
  NOTHING,
  STRICT, /* allows hardly any system calls, and no clock */
  FILTER,
  FILTER_ALL, /* for all threads */
  NO_CLOCK,
  CLOCK,
};

static enum request
request_of_prctl (int option, unsigned long argument)
{
  if (option == PR_SET_SECCOMP)
    return argument == SECCOMP_MODE_STRICT ? STRICT : FILTER;
  if (option == PR_SET_TSC)
    return argument == PR_TSC_SIGSEGV ? NO_CLOCK : CLOCK;
  return NOTHING;
}

static enum request
request_of_seccomp (unsigned long operation, unsigned long flags)
{
  if (operation == SECCOMP_SET_MODE_STRICT)
    return STRICT;
  if (operation == SECCOMP_SET_MODE_FILTER)
    return flags & SECCOMP_FILTER_FLAG_TSYNC ? FILTER_ALL : FILTER;
  return NOTHING;
}

/* Prepares for a request, because afterwards the recorder may not be able to do anything. */
static struct lc_thread *
request_begin (enum request request)
{
  struct lc_thread *thread = lc_self;

#if LC_HAVE_DISPATCH
  if (request == FILTER_ALL)
    lc_dispatch_stop (LC_FUTEX_SANDBOX);
  if (request == STRICT || request == FILTER || request == FILTER_ALL)
    lc_dispatch_thread_end ();
#endif
  if (request == STRICT || (request == NO_CLOCK && lc_clock_is_tsc))
    lc_thread_leaves ();
  return thread;
}

static void
request_end (enum request request, bool granted, struct lc_thread *thread)
{
  if (!granted || request == CLOCK)
    lc_thread_returns (thread);
  if (!granted && (request == STRICT || request == FILTER))
    lc_dispatch_thread_begin (NULL);
  else if (request == FILTER || request == FILTER_ALL)
    {
      lc_sandbox_begin (request == FILTER_ALL);
#if LC_HAVE_DISPATCH
      if (lc_dispatch_is_on)
        lc_dispatch_note (LC_FUTEX_SANDBOX);
#endif
    }
}

/* A program that dispatches its own system calls, as Wine does, cannot share that with us. */
static void
system_note_prctl (int option)
{
#if LC_HAVE_DISPATCH
  if (option != LC_SET_DISPATCH)
    return;
  lc_dispatch_stop (LC_FUTEX_TAKEN);
  lc_dispatch_thread_end ();
#else
  (void)option;
#endif
}

/* --- The functions ----------------------------------------------------------------------------------------- */

LC_EXPORT int
prctl (int option, ...)
{
  unsigned long arguments[4];
  enum request request;
  struct lc_thread *thread;
  va_list rest;
  int result;

  va_start (rest, option);
  for (size_t i = 0; i < 4; i++)
    arguments[i] = va_arg (rest, unsigned long);
  va_end (rest);
  system_note_prctl (option);
  request = request_of_prctl (option, arguments[0]);
  thread = request_begin (request);
  result = LC_REAL (prctl) (option, arguments[0], arguments[1], arguments[2], arguments[3]);
  request_end (request, result == 0, thread);
  if (result == 0 && option == PR_SET_NAME && lc_self != NULL)
    lc_stream_system_name (lc_self, (const char *)arguments[0]);
  return result;
}

long lc_system_call (long number, ...) __attribute__ ((visibility ("hidden"), used));

/* Handles futexes and `seccomp`, for which the C library has no function, and `prctl`. */
long
lc_system_call (long number, ...)
{
  unsigned long arguments[6];
  enum request request = NOTHING;
  struct lc_thread *thread;
  va_list rest;
  long result;

  va_start (rest, number);
  for (size_t i = 0; i < 6; i++)
    arguments[i] = va_arg (rest, unsigned long);
  va_end (rest);
  if (number == SYS_futex)
    return lc_futex (arguments, 0);
  if (number == SYS_futex_waitv)
    return lc_futex_waitv (arguments, 0);
  if (number == SYS_seccomp)
    request = request_of_seccomp (arguments[0], arguments[1]);
  else if (number == SYS_prctl)
    {
      system_note_prctl ((int)arguments[0]);
      request = request_of_prctl ((int)arguments[0], arguments[1]);
    }
  thread = request_begin (request);
  result =
      LC_REAL (syscall) (number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  request_end (request, result == 0, thread);
  return result;
}

#if defined(__x86_64__)
/* Uses no stack, because the call may return in a child on another stack. */
__asm__(".text\n"
        ".globl syscall\n"
        ".type syscall, @function\n"
        "syscall:\n"
        "  endbr64\n"
        "  cmpq $202, %rdi\n" /* SYS_futex */
        "  je lc_system_call\n"
        "  cmpq $317, %rdi\n" /* SYS_seccomp */
        "  je lc_system_call\n"
        "  cmpq $157, %rdi\n" /* SYS_prctl */
        "  je lc_system_call\n"
        "  cmpq $449, %rdi\n" /* SYS_futex_waitv */
        "  je lc_system_call\n"
        "  movq lc_real_syscall(%rip), %r11\n"
        "  testq %r11, %r11\n"
        "  je lc_system_call\n"
        "  jmp *%r11\n"
        ".size syscall, . - syscall\n");
_Static_assert(SYS_seccomp == 317 && SYS_prctl == 157 && SYS_futex == 202 && SYS_futex_waitv == 449,
               "the numbers above");
#endif

/* Gives back unused address space of the recorder, which would count towards the limit. */
LC_EXPORT int
setrlimit (__rlimit_resource_t resource, const struct rlimit *limit)
{
  if (resource == RLIMIT_AS && lc_classes != 0 && lc_control != NULL)
    lc_places_shrink ();
  return LC_REAL (setrlimit) (resource, limit);
}

LC_EXPORT int
prlimit (pid_t process, enum __rlimit_resource resource, const struct rlimit *limit, struct rlimit *before)
{
  if (resource == RLIMIT_AS && limit != NULL && lc_classes != 0 && lc_control != NULL)
    lc_places_shrink ();
  return LC_REAL (prlimit) (process, resource, limit, before);
}

LC_EXPORT int setrlimit64 (__rlimit_resource_t resource, const struct rlimit64 *limit)
    __attribute__ ((alias ("setrlimit")));
LC_EXPORT int prlimit64 (pid_t process, enum __rlimit_resource resource, const struct rlimit64 *limit,
                         struct rlimit64 *before) __attribute__ ((alias ("prlimit")));

LC_EXPORT int
mlockall (int flags)
{
  if (lc_classes != 0 && lc_control != NULL)
    lc_places_shrink ();
  return LC_REAL (mlockall) (flags);
}

#endif
