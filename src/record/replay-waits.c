/* SPDX-License-Identifier: Apache-2.0 */
/* Replays condition variables, semaphores and barriers, of POSIX and C11. */
#include <errno.h>
#include <fcntl.h>

#include "real.h"
#include "replay.h"

/* --- Condition variables ------------------------------------------------------------------------------------ */

/* A call that waits for a condition. */
struct replay_wait
{
  void *condition, *mutex;
  int (*call) (const struct replay_wait *wait);
  const struct timespec *until;
  clockid_t clock;
  uintptr_t caller;
  int timed_out; /* the result */
};

/* Who is cancelled holds the mutex when its clean-up begins, in its turn. */
struct replay_cancel
{
  struct lc_replayed *self;
  const struct lc_replay_event *event;
  const struct replay_wait *wait;
  bool has_left;
};

/* Calls a function of a mutex that is no event: one that is locked more than once stays its owner's. */
static void
replay_without_event (void *mutex, int (*call) (pthread_mutex_t *mutex))
{
  struct lc_suspension suspension;

  lc_replay_record_suspend (&suspension);
  call (mutex);
  lc_replay_record_resume (&suspension);
}

static int
replay_wait_unrecorded (const struct replay_wait *wait)
{
  struct lc_suspension suspension;
  int result;

  lc_replay_record_suspend (&suspension);
  result = wait->call (wait);
  lc_replay_record_resume (&suspension);
  return result;
}

/* Whether the thread has locked the mutex in its turn, which is none of an OpenMP library's then. */
static bool
replay_wait_has_locked (const struct lc_replayed *self, const struct replay_wait *wait)
{
  const struct lc_replay_place *place = self != NULL ? lc_replay_place (wait->mutex, LC_CLASS_MUTEX) : NULL;

  return place != NULL && place->owner == self->number + 1;
}

static void
replay_wait_cancelled (void *data)
{
  struct replay_cancel *cancel = data;

  lc_replay_done (cancel->self, cancel->event);
  if (!cancel->has_left)
    return;
  replay_without_event (cancel->wait->mutex, LC_REAL (pthread_mutex_unlock));
  lc_replay_return_mutex (cancel->self, cancel->wait->mutex, cancel->wait->caller);
}

/* The real wait is what a thread can be cancelled in; it ends by nothing else here, but for no reason at all. */
static void
replay_await_cancel (struct replay_cancel *cancel)
{
  LC_REAL (pthread_mutex_lock) (cancel->wait->mutex);
  pthread_cleanup_push (replay_wait_cancelled, cancel);
  while (lc_replay_follows ())
    cancel->wait->call (cancel->wait);
  pthread_cleanup_pop (0);
  LC_REAL (pthread_mutex_unlock) (cancel->wait->mutex);
}

/* The real condition variable is not used: what wakes the thread is the step of the recorded signal. A wake-up that had
 * no cause has none again: it only waits for the mutex. */
static int
replay_wait_for (const struct replay_wait *wait)
{
  const struct lc_replay_call call = {LC_CLASS_CONDITION, LC_CONDITION_WAIT, LC_CONDITION_WAIT_FAILED, wait->condition,
                                      wait->caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_CONDITION);
  const struct lc_replay_event *event;
  struct replay_cancel cancel;
  bool has_left, is_over = false;
  int result = 0;

  if (!replay_wait_has_locked (self, wait) && lc_replay_is_library_call (self, &call))
    return replay_wait_unrecorded (wait);
  if (self == NULL || lc_replay_is_shared (wait->condition, LC_CLASS_CONDITION))
    return wait->call (wait);
  lc_replay_time_begin (self, wait->clock, wait->until);
  has_left = lc_replay_leave_mutex (self, wait->mutex, wait->caller);
  if (!has_left)
    replay_without_event (wait->mutex, LC_REAL (pthread_mutex_unlock));
  event = lc_replay_turn (self, &call);
  cancel = (struct replay_cancel){self, event, wait, has_left};
  if (event != NULL && (event->flags & LC_EVENT_CANCELLED) != 0)
    replay_await_cancel (&cancel);
  if (event != NULL)
    {
      if ((event->flags & LC_EVENT_TIMED_OUT) != 0)
        result = wait->timed_out;
      is_over = result != 0 || (wait->until != NULL && lc_replay_time_is_over (self, event));
      if (is_over)
        lc_replay_time_await (wait->clock, wait->until);
      lc_replay_done (self, event);
    }
  else
    lc_replay_record_freed (self, wait->condition);
  if (!has_left)
    replay_without_event (wait->mutex, LC_REAL (pthread_mutex_lock));
  else if (lc_replay_follows ())
    lc_replay_return_mutex (self, wait->mutex, wait->caller);
  else
    LC_REAL (pthread_mutex_lock) (wait->mutex);
  if (event != NULL && !is_over)
    lc_replay_time_is_early (self, wait->clock, wait->until);
  return result;
}

static int
replay_call_cond_wait (const struct replay_wait *wait)
{
  return LC_REAL (pthread_cond_wait) (wait->condition, wait->mutex);
}

LC_REPLAY_EXPORT int
pthread_cond_wait (pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  return replay_wait_for (&(struct replay_wait){condition, mutex, replay_call_cond_wait, NULL, CLOCK_REALTIME,
                                                LC_REPLAY_CALLER (), ETIMEDOUT});
}

/* The clock that the limits of a condition variable are times of, by what the C library keeps in it. */
static clockid_t
replay_clock_of (const pthread_cond_t *condition)
{
  enum
  {
    MONOTONIC = 2
  };

  return (condition->__data.__wrefs & MONOTONIC) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static int
replay_call_cond_timedwait (const struct replay_wait *wait)
{
  return LC_REAL (pthread_cond_timedwait) (wait->condition, wait->mutex, wait->until);
}

LC_REPLAY_EXPORT int
pthread_cond_timedwait (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
  return replay_wait_for (&(struct replay_wait){condition, mutex, replay_call_cond_timedwait, until,
                                                replay_clock_of (condition), LC_REPLAY_CALLER (), ETIMEDOUT});
}

static int
replay_call_cond_clockwait (const struct replay_wait *wait)
{
  return LC_REAL (pthread_cond_clockwait) (wait->condition, wait->mutex, wait->clock, wait->until);
}

LC_REPLAY_EXPORT int
pthread_cond_clockwait (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                        const struct timespec *until)
{
  return replay_wait_for (&(struct replay_wait){condition, mutex, replay_call_cond_clockwait, until, clock,
                                                LC_REPLAY_CALLER (), ETIMEDOUT});
}

static int
replay_call_cnd_wait (const struct replay_wait *wait)
{
  return LC_REAL (cnd_wait) (wait->condition, wait->mutex);
}

LC_REPLAY_EXPORT int
cnd_wait (cnd_t *condition, mtx_t *mutex)
{
  return replay_wait_for (&(struct replay_wait){condition, mutex, replay_call_cnd_wait, NULL, CLOCK_REALTIME,
                                                LC_REPLAY_CALLER (), thrd_timedout});
}

static int
replay_call_cnd_timedwait (const struct replay_wait *wait)
{
  return LC_REAL (cnd_timedwait) (wait->condition, wait->mutex, wait->until);
}

LC_REPLAY_EXPORT int
cnd_timedwait (cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
  return replay_wait_for (&(struct replay_wait){condition, mutex, replay_call_cnd_timedwait, until, CLOCK_REALTIME,
                                                LC_REPLAY_CALLER (), thrd_timedout});
}

/* The real signal is for those whom the recording did not see, or who are free. It comes within the thread's turn. */
static const struct lc_replay_event *
replay_wake_begin (void *condition, uint16_t operation, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_CONDITION, operation, 0, condition, caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_CONDITION);

  if (self == NULL || lc_replay_is_shared (condition, LC_CLASS_CONDITION))
    return NULL;
  return lc_replay_turn (self, &call);
}

static int
replay_wake_end (const struct lc_replay_event *event, int result)
{
  if (event != NULL)
    lc_replay_done (lc_replay_self, event);
  return result;
}

LC_REPLAY_EXPORT int
pthread_cond_signal (pthread_cond_t *condition)
{
  const struct lc_replay_call call = {LC_CLASS_CONDITION, LC_SIGNAL, 0, condition, LC_REPLAY_CALLER ()};
  const bool is_of_library =
      lc_replay_is_of_library (call.caller) && lc_replay_is_library_call (lc_replay_enter (LC_CLASS_CONDITION), &call);
  const bool was_inside = is_of_library && lc_replay_enter_library ();
  const struct lc_replay_event *event = replay_wake_begin (condition, LC_SIGNAL, LC_REPLAY_CALLER ());
  const int result = replay_wake_end (event, LC_REAL (pthread_cond_signal) (condition));

  if (is_of_library && !was_inside)
    lc_replay_leave_library ();
  return result;
}

LC_REPLAY_EXPORT int
pthread_cond_broadcast (pthread_cond_t *condition)
{
  const struct lc_replay_event *event = replay_wake_begin (condition, LC_BROADCAST, LC_REPLAY_CALLER ());

  return replay_wake_end (event, LC_REAL (pthread_cond_broadcast) (condition));
}

LC_REPLAY_EXPORT int
cnd_signal (cnd_t *condition)
{
  const struct lc_replay_event *event = replay_wake_begin (condition, LC_SIGNAL, LC_REPLAY_CALLER ());

  return replay_wake_end (event, LC_REAL (cnd_signal) (condition));
}

LC_REPLAY_EXPORT int
cnd_broadcast (cnd_t *condition)
{
  const struct lc_replay_event *event = replay_wake_begin (condition, LC_BROADCAST, LC_REPLAY_CALLER ());

  return replay_wake_end (event, LC_REAL (cnd_broadcast) (condition));
}

LC_REPLAY_EXPORT int
pthread_cond_init (pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
  int result = LC_REAL (pthread_cond_init) (condition, attributes);

  if (result == 0 && lc_replay_follows ())
    lc_replay_made_by (LC_REPLAY_CALLER (), condition, LC_CLASS_CONDITION);
  return result;
}

LC_REPLAY_EXPORT int
pthread_cond_destroy (pthread_cond_t *condition)
{
  int result = LC_REAL (pthread_cond_destroy) (condition);

  if (result == 0 && lc_replay_follows ())
    lc_replay_destroyed (condition, LC_CLASS_CONDITION);
  return result;
}

LC_REPLAY_EXPORT int
cnd_init (cnd_t *condition)
{
  int result = LC_REAL (cnd_init) (condition);

  if (result == thrd_success && lc_replay_follows ())
    lc_replay_made (condition, LC_CLASS_CONDITION);
  return result;
}

LC_REPLAY_EXPORT void
cnd_destroy (cnd_t *condition)
{
  LC_REAL (cnd_destroy) (condition);
  if (lc_replay_follows ())
    lc_replay_destroyed (condition, LC_CLASS_CONDITION);
}

/* --- Semaphores --------------------------------------------------------------------------------------------- */

LC_REPLAY_EXPORT int
sem_init (sem_t *semaphore, int shared, unsigned int value)
{
  int result = LC_REAL (sem_init) (semaphore, shared, value);

  if (result == 0 && lc_replay_follows ())
    lc_replay_made (semaphore, LC_CLASS_SEMAPHORE);
  return result;
}

LC_REPLAY_EXPORT int
sem_destroy (sem_t *semaphore)
{
  int result = LC_REAL (sem_destroy) (semaphore);

  if (result == 0 && lc_replay_follows ())
    lc_replay_destroyed (semaphore, LC_CLASS_SEMAPHORE);
  return result;
}

LC_REPLAY_EXPORT int
sem_post (sem_t *semaphore)
{
  const struct lc_replay_call call = {LC_CLASS_SEMAPHORE, LC_POST, 0, semaphore, LC_REPLAY_CALLER ()};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_SEMAPHORE);
  const struct lc_replay_event *event = NULL;
  int result;

  if (self != NULL && !lc_replay_is_shared (semaphore, LC_CLASS_SEMAPHORE))
    event = lc_replay_turn (self, &call);
  result = LC_REAL (sem_post) (semaphore);
  if (event != NULL)
    lc_replay_done (self, event);
  return result;
}

/* A call that takes a token. */
struct replay_token
{
  sem_t *semaphore;
  int (*call) (const struct replay_token *token);
  const struct timespec *until;
  clockid_t clock;
  uintptr_t caller;
  bool is_attempt;
};

/* A failure by a signal comes without the signal; its handler has run at another time. */
static int
replay_fail_token (struct lc_replayed *self, const struct replay_token *token, const struct lc_replay_event *event)
{
  int result = -1;

  if ((event->flags & LC_EVENT_TIMED_OUT) != 0)
    errno = ETIMEDOUT;
  else if ((event->flags & LC_EVENT_INTERRUPTED) != 0)
    errno = EINTR;
  else if (token->is_attempt)
    errno = EAGAIN;
  else /* it was cancelled in it, or the arguments are wrong */
    result = token->call (token);
  lc_replay_failed (self, event);
  return result;
}

static int
replay_take_token (const struct replay_token *token)
{
  const struct lc_replay_call call = {LC_CLASS_SEMAPHORE, LC_WAIT, LC_WAIT_FAILED, token->semaphore, token->caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_SEMAPHORE);
  const struct lc_replay_event *event = NULL;
  int result;

  if (self != NULL && !lc_replay_is_shared (token->semaphore, LC_CLASS_SEMAPHORE))
    event = lc_replay_turn (self, &call);
  if (event == NULL)
    return token->call (token);
  if (event->operation == LC_WAIT_FAILED)
    return replay_fail_token (self, token, event);
  while ((result = LC_REAL (sem_wait) (token->semaphore)) != 0 && errno == EINTR)
    ;
  if (result != 0)
    lc_replay_differs (self, &call, LC_REPLAY_OUTCOME);
  lc_replay_done (self, event);
  return result;
}

static int
replay_call_sem_wait (const struct replay_token *token)
{
  return LC_REAL (sem_wait) (token->semaphore);
}

LC_REPLAY_EXPORT int
sem_wait (sem_t *semaphore)
{
  return replay_take_token (&(struct replay_token){semaphore, replay_call_sem_wait, .caller = LC_REPLAY_CALLER ()});
}

static int
replay_call_sem_trywait (const struct replay_token *token)
{
  return LC_REAL (sem_trywait) (token->semaphore);
}

LC_REPLAY_EXPORT int
sem_trywait (sem_t *semaphore)
{
  return replay_take_token (
      &(struct replay_token){semaphore, replay_call_sem_trywait, .caller = LC_REPLAY_CALLER (), .is_attempt = true});
}

static int
replay_call_sem_timedwait (const struct replay_token *token)
{
  return LC_REAL (sem_timedwait) (token->semaphore, token->until);
}

LC_REPLAY_EXPORT int
sem_timedwait (sem_t *semaphore, const struct timespec *until)
{
  return replay_take_token (
      &(struct replay_token){semaphore, replay_call_sem_timedwait, until, CLOCK_REALTIME, LC_REPLAY_CALLER (), false});
}

static int
replay_call_sem_clockwait (const struct replay_token *token)
{
  return LC_REAL (sem_clockwait) (token->semaphore, token->clock, token->until);
}

LC_REPLAY_EXPORT int
sem_clockwait (sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
  return replay_take_token (
      &(struct replay_token){semaphore, replay_call_sem_clockwait, until, clock, LC_REPLAY_CALLER (), false});
}

/* --- Barriers ----------------------------------------------------------------------------------------------- */

LC_REPLAY_EXPORT int
pthread_barrier_init (pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned int count)
{
  int result = LC_REAL (pthread_barrier_init) (barrier, attributes, count);

  if (result == 0 && lc_replay_follows ())
    lc_replay_made (barrier, LC_CLASS_BARRIER);
  return result;
}

LC_REPLAY_EXPORT int
pthread_barrier_destroy (pthread_barrier_t *barrier)
{
  int result = LC_REAL (pthread_barrier_destroy) (barrier);

  if (result == 0 && lc_replay_follows ())
    lc_replay_destroyed (barrier, LC_CLASS_BARRIER);
  return result;
}

/*
 * The real barrier gathers who comes; which generation a thread belongs to must be the recorded one. So arrivals are
 * counted as steps, the threads of a generation wait for all of them, and only then for those of the generation
 * before to have passed. Threads that are free meanwhile are few, for a generation that has begun is ended here.
 */
LC_REPLAY_EXPORT int
pthread_barrier_wait (pthread_barrier_t *barrier)
{
  const struct lc_replay_call call = {LC_CLASS_BARRIER, LC_BARRIER, 0, barrier, LC_REPLAY_CALLER ()};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_BARRIER);
  const struct lc_replay_event *event = NULL;
  bool is_serial;

  if (self != NULL && !lc_replay_is_shared (barrier, LC_CLASS_BARRIER))
    event = lc_replay_turn (self, &call);
  if (event == NULL || event->value == 0)
    return LC_REAL (pthread_barrier_wait) (barrier);
  is_serial = (event->flags & LC_EVENT_CONTENDED) == 0;
  lc_replay_step (event->object);
  if (!lc_replay_await (self, event->object, event->after + event->value, LC_REPLAY_GATHERING))
    {
      lc_replay_leave (self);
      return LC_REAL (pthread_barrier_wait) (barrier);
    }
  lc_replay_done (self, event);
  return is_serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
