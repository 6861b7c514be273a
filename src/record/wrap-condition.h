/* SPDX-License-Identifier: Apache-2.0 */
/* How a condition variable is recorded, whichever interface the program calls it by. */
#ifndef LC_RECORD_WRAP_CONDITION_H
#define LC_RECORD_WRAP_CONDITION_H

#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "recorder.h"

/* A wait: which real function, with what. */
struct lc_condition_wait
{
  void *condition, *mutex;
  int (*call) (struct lc_condition_wait *wait);
  bool (*woken) (int result);
  int timed_out; /* the result that says so */
  clockid_t clock;
  const struct timespec *until;
};

int lc_condition_wait (struct lc_condition_wait *wait);

/* To be called before the real signal or broadcast. */
void lc_condition_wake (void *condition, bool all);

#endif
