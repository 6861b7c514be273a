/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps of signal handlers, or of MPI's error handlers, out of an unfinished operation. */
#include <setjmp.h>
#include <stddef.h>

#include "real.h"
#include "recorder.h"

void __longjmp_chk (struct __jmp_buf_tag environment[1], int value) __attribute__ ((noreturn));

/* Ends the unfinished operation: a wait, or the writing of an event, which is then lost. */
static void
wrap_jump_leave (void)
{
  struct lc_thread *thread;

  lc_resume_jump ();
  thread = lc_self;
  if (LC_UNLIKELY (thread == NULL))
    return;
  thread->is_catching_up = false;
  if (LC_LIKELY (thread->state == 0))
    return;
  if (thread->state & LC_THREAD_APPENDING)
    lc_count_lost (thread, LC_LOST_SIGNAL);
  thread->packet->pending_operation = LC_NO_OPERATION;
  thread->state = 0;
}

LC_EXPORT void
longjmp (struct __jmp_buf_tag environment[1], int value)
{
  wrap_jump_leave ();
  LC_REAL (longjmp) (environment, value);
  __builtin_unreachable ();
}

LC_EXPORT void
_longjmp (struct __jmp_buf_tag environment[1], int value)
{
  wrap_jump_leave ();
  LC_REAL (_longjmp) (environment, value);
  __builtin_unreachable ();
}

LC_EXPORT void
siglongjmp (sigjmp_buf environment, int value)
{
  wrap_jump_leave ();
  LC_REAL (siglongjmp) (environment, value);
  __builtin_unreachable ();
}

/* The function that _FORTIFY_SOURCE calls for jumps. */
LC_EXPORT void
__longjmp_chk (struct __jmp_buf_tag environment[1], int value)
{
  wrap_jump_leave ();
  LC_REAL (__longjmp_chk) (environment, value);
  __builtin_unreachable ();
}
