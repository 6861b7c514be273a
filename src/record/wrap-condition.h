/* SPDX-License-Identifier: Apache-2.0 */
/* Recording of condition variables, for all interfaces. */
#ifndef LC_RECORD_WRAP_CONDITION_H
#define LC_RECORD_WRAP_CONDITION_H

#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "recorder.h"

/* A wait, with the real function and its arguments. */
struct lc_condition_wait
{
  void *condition, *mutex;
  int (*call) (struct lc_condition_wait *wait);
  bool (*woken) (int result);
  int timed_out; /* the result of the real function for a time-out */
  clockid_t clock;
  const struct timespec *until;
};

int lc_condition_wait (struct lc_condition_wait *wait);

/* Records a signal or a broadcast; called before the real function. */
void lc_condition_wake (void *condition, bool all);

#endif
