/* SPDX-License-Identifier: Apache-2.0 */
/* pthread condition variables. */
#include <errno.h>

#include "wrap-condition.h"

#include "real.h"
#include "wrap-openmp-tool.h"

#define OF_LIBRARY(object, class) lc_openmp_is_call (__builtin_return_address (0), object, class)

static bool
wrap_condition_is_shared (const pthread_condattr_t *attributes)
{
  int shared = PTHREAD_PROCESS_PRIVATE;

  return attributes != NULL && pthread_condattr_getpshared (attributes, &shared) == 0 &&
         shared == PTHREAD_PROCESS_SHARED;
}

LC_EXPORT int
pthread_cond_init (pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CONDITION);
  int result = LC_REAL (pthread_cond_init) (condition, attributes);

  if (thread != NULL && result == 0)
    lc_openmp_made (thread, __builtin_return_address (0), condition, LC_CLASS_CONDITION,
                    wrap_condition_is_shared (attributes));
  return result;
}

LC_EXPORT int
pthread_cond_destroy (pthread_cond_t *condition)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CONDITION);
  int result = LC_REAL (pthread_cond_destroy) (condition);

  if (thread != NULL && result == 0)
    lc_object_end (thread, condition, LC_CLASS_CONDITION);
  return result;
}

LC_EXPORT int
pthread_cond_signal (pthread_cond_t *condition)
{
  if (!OF_LIBRARY (condition, LC_CLASS_CONDITION))
    lc_condition_wake (condition, false);
  return LC_REAL (pthread_cond_signal) (condition);
}

LC_EXPORT int
pthread_cond_broadcast (pthread_cond_t *condition)
{
  lc_condition_wake (condition, true);
  return LC_REAL (pthread_cond_broadcast) (condition);
}

static bool
wrap_condition_woken (int result)
{
  return result == 0 || result == EOWNERDEAD;
}

static int
wrap_condition_call_wait (struct lc_condition_wait *wait)
{
  return LC_REAL (pthread_cond_wait) (wait->condition, wait->mutex);
}

static int
wrap_condition_call_timedwait (struct lc_condition_wait *wait)
{
  return LC_REAL (pthread_cond_timedwait) (wait->condition, wait->mutex, wait->until);
}

static int
wrap_condition_call_clockwait (struct lc_condition_wait *wait)
{
  return LC_REAL (pthread_cond_clockwait) (wait->condition, wait->mutex, wait->clock, wait->until);
}

LC_EXPORT int
pthread_cond_wait (pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  struct lc_condition_wait wait = {condition, mutex, wrap_condition_call_wait, wrap_condition_woken, ETIMEDOUT,
                                   0,         NULL};

  if (OF_LIBRARY (mutex, LC_CLASS_MUTEX) && OF_LIBRARY (condition, LC_CLASS_CONDITION))
    return LC_REAL (pthread_cond_wait) (condition, mutex);
  return lc_condition_wait (&wait);
}

LC_EXPORT int
pthread_cond_timedwait (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
  struct lc_condition_wait wait = {condition, mutex, wrap_condition_call_timedwait, wrap_condition_woken, ETIMEDOUT,
                                   0,         until};

  if (OF_LIBRARY (mutex, LC_CLASS_MUTEX) && OF_LIBRARY (condition, LC_CLASS_CONDITION))
    return LC_REAL (pthread_cond_timedwait) (condition, mutex, until);
  return lc_condition_wait (&wait);
}

LC_EXPORT int
pthread_cond_clockwait (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                        const struct timespec *until)
{
  struct lc_condition_wait wait = {condition, mutex, wrap_condition_call_clockwait, wrap_condition_woken, ETIMEDOUT,
                                   clock,     until};

  return lc_condition_wait (&wait);
}
