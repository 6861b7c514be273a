/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that are sent, and those who wait for them. */
#ifndef LC_RECORD_SIGNALS_H
#define LC_RECORD_SIGNALS_H

#include <signal.h>

#include "io.h"

/* A call that sends a signal, as its caller fills it in: whom it is for, and how. */
struct lc_signal_call
{
  int signal;
  pid_t process;   /* as `kill` has it: not above 0 for several; 0: the own one, of which `thread` says which thread */
  uint32_t thread; /* 0: any of the process */
  bool is_one;     /* `process` is one */
  bool is_queued;  /* the signal has a value; such a call may fail even if it is the caller's own process */

  /* Filled in by the functions below. */
  struct lc_io io;
  struct lc_signal_send *send; /* NULL: nothing is noted */
  uint64_t number;
};

/* Called before and after the real call; they keep errno. */
void lc_signal_send_begin (struct lc_signal_call *call);
void lc_signal_send_end (struct lc_signal_call *call, bool failed);

/* A wait for signals. */
struct lc_signal_wait
{
  uint64_t pending; /* bits: those that were there when it began */
  uint64_t sent;    /* the number of the last that was sent by then */
};

/* Called after the begin of a call that waits was read, and after its end, if a signal has ended it; they keep errno.
 * Then the operation and the sequence are what is to be recorded. `info` is what the system told; `mask` says which
 * signals were blocked meanwhile, if a handler was carried out: one of the two is NULL. */
void lc_signal_wait_begin (struct lc_io *io, struct lc_signal_wait *wait);
void lc_signal_wait_end (struct lc_io *io, const struct lc_signal_wait *wait, const siginfo_t *info,
                         const sigset_t *mask);

/* Returns the record of a signal; 0: it is not known. Keeps errno. */
uint32_t lc_signal_object (uint32_t signal);

#endif
