/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of functions that are told when the thread is cancelled in a real function that they call. */
#ifndef LC_RECORD_CANCELLATION_H
#define LC_RECORD_CANCELLATION_H

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

/* Makes the function in which this stands one that unwinding stops at: the thread's `cancellation` is called there. The
 * place of the function is told relative to this one, in 4 bytes. */
#define LC_UNWINDS_HERE() __asm__ volatile(".cfi_personality 0x1b, lc_unwinds")

#endif
