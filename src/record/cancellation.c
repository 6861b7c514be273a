/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a clean-up function when the thread is cancelled within a real function. */
#include <unwind.h>

#include "recorder.h"

/*
 * pthread_cleanup_push would not do: in C it registers the frame with the thread, where it would stay if a signal
 * handler jumped out of the wait, and the C library would return to the frame when the thread ends. Here the frame
 * itself names the function that unwinding calls. (-fexceptions would do that too, but needs a library that the
 * recorder must not load.)
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

  __asm__ volatile(".cfi_personality 0x1b, lc_unwinds"); /* a position relative to this one, of 4 bytes */
  thread->cancellation = &here;
  result = call (data);
  thread->cancellation = here.outer;
  return result;
}
