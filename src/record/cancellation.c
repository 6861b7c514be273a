/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a clean-up function when the thread is cancelled within a real function. */
#include <unwind.h>

#include "cancellation.h"
#include "recorder.h"

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

  LC_UNWINDS_HERE ();
  thread->cancellation = &here;
  result = call (data);
  thread->cancellation = here.outer;
  return result;
}
