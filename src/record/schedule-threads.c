/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of a program that run one at a time: how they begin, end, and are joined. */
#include <errno.h>
#include <stddef.h>
#include <limits.h>

#include "real.h"
#include "schedule-limit.h"
#include "schedule.h"

static pthread_key_t schedule_end_key;

/* In the last round of a thread's destructors, as the recorder does: those of the program may use locks. */
static void
schedule_thread_ends (void *data)
{
  struct lc_scheduled *self = data;

  if (++self->rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
    {
      self->is_inside = false; /* it may have been cancelled in an operation */
      pthread_setspecific (schedule_end_key, self);
      return;
    }
  self->is_inside = true;
  lc_schedule_end_thread (self);
}

void
lc_schedule_threads_begin (struct lc_scheduled *self)
{
  pthread_key_create (&schedule_end_key, schedule_thread_ends);
  pthread_setspecific (schedule_end_key, self);
}

static void *
schedule_run (void *data)
{
  struct lc_scheduled *self = data;

  pthread_setspecific (schedule_end_key, self);
  lc_schedule_begin_thread (self);
  return self->routine (self->argument);
}

static int
schedule_run_c11 (void *data)
{
  struct lc_scheduled *self = data;

  pthread_setspecific (schedule_end_key, self);
  lc_schedule_begin_thread (self);
  return self->c11_routine (self->argument);
}

/* Prepares a thread that the caller is about to make. NULL: it takes no turns. */
static struct lc_scheduled *
schedule_begin_creation (struct lc_scheduled *self)
{
  if (self == NULL)
    return NULL;
  lc_schedule_point (self, LC_CREATE);
  return lc_schedule_new (self);
}

static void
schedule_end_creation (struct lc_scheduled *self, struct lc_scheduled *made, pthread_t name, bool is_good)
{
  if (self == NULL)
    return;
  if (made != NULL && is_good)
    lc_schedule_set_name (made, name);
  else if (made != NULL)
    lc_schedule_not_made (self, made);
  if (is_good)
    lc_schedule_done (self, LC_CREATE);
  lc_schedule_leave (self);
}

LC_SCHEDULE_EXPORT int
pthread_create (pthread_t *name, const pthread_attr_t *attributes, void *(*routine) (void *), void *argument)
{
  struct lc_scheduled *self = lc_schedule_enter (), *made = schedule_begin_creation (self);
  int result;

  if (made == NULL)
    result = LC_REAL (pthread_create) (name, attributes, routine, argument);
  else
    {
      made->routine = routine;
      made->argument = argument;
      result = LC_REAL (pthread_create) (name, attributes, schedule_run, made);
    }
  schedule_end_creation (self, made, *name, result == 0);
  return result;
}

LC_SCHEDULE_EXPORT int
thrd_create (thrd_t *name, thrd_start_t routine, void *argument)
{
  struct lc_scheduled *self = lc_schedule_enter (), *made = schedule_begin_creation (self);
  int result;

  if (made == NULL)
    result = LC_REAL (thrd_create) (name, routine, argument);
  else
    {
      made->c11_routine = routine;
      made->argument = argument;
      result = LC_REAL (thrd_create) (name, schedule_run_c11, made);
    }
  schedule_end_creation (self, made, *name, result == thrd_success);
  return result;
}

/* --- Joining -------------------------------------------------------------------------------------------------- */

/* Waits until a thread has ended for us. False: the time is over. */
static bool
schedule_await_end (struct lc_scheduled *self, struct lc_scheduled *other, clockid_t clock,
                    const struct timespec *until)
{
  int64_t left = lc_schedule_limit (clock, until);

  lc_schedule_point (self, LC_JOIN);
  while (__atomic_load_n (&other->state, __ATOMIC_ACQUIRE) != LC_SCHEDULED_ENDED && !self->is_cancelled)
    if (!lc_schedule_block (self, other, left))
      {
        lc_schedule_wait_out (clock, until);
        return false;
      }
  return true;
}

static void
schedule_end_join (struct lc_scheduled *self, struct lc_scheduled *other, bool is_good)
{
  if (self == NULL)
    return;
  if (is_good)
    {
      other->has_name = 2;
      lc_schedule_done (self, LC_JOIN);
    }
  lc_schedule_leave (self);
  if (self->is_cancelled)
    pthread_testcancel ();
}

/* Begins a join. NULL: it takes no turns. */
static struct lc_scheduled *
schedule_begin_join (pthread_t name, struct lc_scheduled **other)
{
  struct lc_scheduled *self = lc_schedule_enter ();

  *other = self != NULL ? lc_schedule_named (name) : NULL;
  if (self != NULL && *other == NULL)
    lc_schedule_leave (self);
  return *other != NULL ? self : NULL;
}

LC_SCHEDULE_EXPORT int
pthread_join (pthread_t name, void **result)
{
  struct lc_scheduled *other, *self = schedule_begin_join (name, &other);
  int status;

  if (self != NULL)
    schedule_await_end (self, other, CLOCK_REALTIME, NULL);
  status = LC_REAL (pthread_join) (name, result);
  schedule_end_join (self, other, status == 0);
  return status;
}

LC_SCHEDULE_EXPORT int
pthread_tryjoin_np (pthread_t name, void **result)
{
  struct lc_scheduled *other, *self = schedule_begin_join (name, &other);
  int status;

  if (self == NULL)
    return LC_REAL (pthread_tryjoin_np) (name, result);
  lc_schedule_point (self, LC_JOIN);
  status = EBUSY;
  if (__atomic_load_n (&other->state, __ATOMIC_ACQUIRE) == LC_SCHEDULED_ENDED)
    status = LC_REAL (pthread_join) (name, result);
  else if (++self->failures >= 2)
    lc_schedule_yield (self);
  schedule_end_join (self, other, status == 0);
  return status;
}

static int
schedule_join_until (pthread_t name, void **result, clockid_t clock, const struct timespec *until)
{
  struct lc_scheduled *other, *self = schedule_begin_join (name, &other);
  int status;

  if (self == NULL)
    return LC_REAL (pthread_clockjoin_np) (name, result, clock, until);
  status = ETIMEDOUT;
  if (schedule_await_end (self, other, clock, until))
    status = LC_REAL (pthread_join) (name, result);
  schedule_end_join (self, other, status == 0);
  return status;
}

LC_SCHEDULE_EXPORT int
pthread_timedjoin_np (pthread_t name, void **result, const struct timespec *until)
{
  return schedule_join_until (name, result, CLOCK_REALTIME, until);
}

LC_SCHEDULE_EXPORT int
pthread_clockjoin_np (pthread_t name, void **result, clockid_t clock, const struct timespec *until)
{
  return schedule_join_until (name, result, clock, until);
}

LC_SCHEDULE_EXPORT int
thrd_join (thrd_t name, int *result)
{
  struct lc_scheduled *other, *self = schedule_begin_join (name, &other);
  int status;

  if (self != NULL)
    schedule_await_end (self, other, CLOCK_REALTIME, NULL);
  status = LC_REAL (thrd_join) (name, result);
  schedule_end_join (self, other, status == thrd_success);
  return status;
}

/* Who is to be cancelled in a wait comes out of it, and then is. */
LC_SCHEDULE_EXPORT int
pthread_cancel (pthread_t name)
{
  struct lc_scheduled *self = lc_schedule_enter (), *other = self != NULL ? lc_schedule_named (name) : NULL;
  int result;

  if (self != NULL)
    lc_schedule_point (self, 0);
  result = LC_REAL (pthread_cancel) (name);
  if (other != NULL && result == 0)
    lc_schedule_cancel (other);
  if (self != NULL)
    lc_schedule_leave (self);
  return result;
}
