/* SPDX-License-Identifier: Apache-2.0 */
/* What is done when the thread is cancelled in a real function. */
#include <unwind.h>

#include "recorder.h"

/*
 * Not by pthread_cleanup_push: in C that notes the frame in the thread, where a signal handler that jumps out of the
 * wait would leave it, and the C library would go back to it when the thread ends. Here the frame itself says who is
 * to be asked when it is left for good. (With -fexceptions it would too, but by way of a library that we do not want.)
 */
struct lc_cancellation
{
  void (*cancelled) (void *);
  void *data;
  struct lc_cancellation *outer;
};

_Unwind_Reason_Code lc_unwinds (int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *exception, struct _Unwind_Context *context);

__attribute__ ((used)) _Unwind_Reason_Code
lc_unwinds (int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
            struct _Unwind_Context *context)
{
  struct lc_thread *thread = lc_self;
  struct lc_cancellation *here = thread != NULL ? thread->cancellation : NULL;

  if ((actions & _UA_CLEANUP_PHASE) != 0 && here != NULL)
    {
      thread->cancellation = here->outer;
      here->cancelled (here->data);
    }
  return _URC_CONTINUE_UNWIND;
}

__attribute__ ((noinline)) int
lc_call_cancellable (struct lc_thread *thread, int (*call) (void *), void *data, void (*cancelled) (void *),
                     void *cancelled_data)
{
  struct lc_cancellation here = {cancelled, cancelled_data, thread->cancellation};
  int result;

  __asm__ volatile(".cfi_personality 0x1b, lc_unwinds"); /* relative to where it is said, 4 bytes */
  thread->cancellation = &here;
  result = call (data);
  thread->cancellation = here.outer;
  return result;
}
