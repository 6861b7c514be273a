/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the threads of a replayed program their recorded histories: by who made them, as its how many-th. */
#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>

#include "real.h"
#include "replay.h"

static pthread_key_t replay_end_key;
static __thread bool replay_has_ended __attribute__ ((tls_model ("initial-exec")));

/* Called in each round of a thread's destructors. Those of the program may still use objects, so the last is the
 * thread's end, as for the recorder. */
static void
replay_thread_ends (void *data)
{
  struct lc_replayed *self = data;
  const struct lc_replay_call call = {LC_CLASS_THREAD, LC_EXIT, 0, NULL, 0};
  const struct lc_replay_event *event;

  if (++self->rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
    {
      pthread_setspecific (replay_end_key, self);
      return;
    }
  lc_replay_leave (self); /* it may have been cancelled in an operation */
  event = lc_replay_enter (LC_CLASS_THREAD) != NULL ? lc_replay_turn (self, &call) : NULL;
  lc_replay_self = NULL;
  replay_has_ended = true;
  __atomic_store_n (&self->thread->state, LC_REPLAY_ENDED, __ATOMIC_RELEASE);
  if (event != NULL)
    lc_replay_done (self, event);
}

void
lc_replay_threads_begin (void)
{
  pthread_key_create (&replay_end_key, replay_thread_ends);
}

void
lc_replay_begin_thread (struct lc_replayed *self)
{
  self->name = pthread_self ();
  self->thread->id = (uint32_t)syscall (SYS_gettid);
  __atomic_store_n (&self->has_name, 1, __ATOMIC_RELEASE);
  __atomic_store_n (&self->thread->state, LC_REPLAY_RUNNING, __ATOMIC_RELEASE);
  pthread_setspecific (replay_end_key, self);
  lc_replay_self = self;
}

/* Libraries that look for the real pthread_create by themselves, as jemalloc does, make threads that come with their
 * first operation. */
struct lc_replayed *
lc_replay_adopt (void)
{
  for (uint32_t i = 1; i < lc_replay_count_threads () && !replay_has_ended; i++)
    {
      struct lc_replayed *thread = lc_replay_thread (i);
      uint32_t unborn = LC_REPLAY_UNBORN;

      if (thread->thread->is_orphan != 0 &&
          __atomic_compare_exchange_n (&thread->thread->state, &unborn, LC_REPLAY_RUNNING, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED))
        {
          lc_replay_begin_thread (thread);
          return thread;
        }
    }
  return NULL;
}

static void
replay_start_thread (struct lc_replayed *self)
{
  const struct lc_replay_call call = {LC_CLASS_THREAD, LC_START, 0, NULL, 0};
  const struct lc_replay_event *event;

  lc_replay_begin_thread (self);
  event = lc_replay_enter (LC_CLASS_THREAD) != NULL ? lc_replay_turn (self, &call) : NULL;
  if (event != NULL)
    lc_replay_done (self, event);
}

/* --- Making ------------------------------------------------------------------------------------------------- */

static void *
replay_run (void *data)
{
  struct lc_replayed *self = data;

  replay_start_thread (self);
  return self->routine (self->argument);
}

static int
replay_run_c11 (void *data)
{
  struct lc_replayed *self = data;

  replay_start_thread (self);
  return self->c11_routine (self->argument);
}

/* Finds the history of the thread that the caller makes. NULL: the recording has none. */
static struct lc_replayed *
replay_next_child (struct lc_replayed *self, uintptr_t caller, const struct lc_replay_event **event)
{
  const struct lc_replay_call call = {LC_CLASS_THREAD, LC_CREATE, LC_CREATE_FAILED, NULL, caller};
  struct lc_replayed *child;

  *event = self != NULL ? lc_replay_turn (self, &call) : NULL;
  child = *event != NULL && (*event)->operation == LC_CREATE ? lc_replay_thread ((*event)->object) : NULL;
  if (child == NULL || child->thread->state != LC_REPLAY_UNBORN)
    return NULL;
  /* It lives from here on, for who looks whether anybody can go on. */
  __atomic_store_n (&child->thread->state, LC_REPLAY_RUNNING, __ATOMIC_RELEASE);
  return child;
}

static void
replay_child_made (struct lc_replayed *child, pthread_t name, bool is_good)
{
  if (!is_good)
    child->thread->state = LC_REPLAY_UNBORN;
  else if (!__atomic_load_n (&child->has_name, __ATOMIC_ACQUIRE))
    {
      child->name = name;
      __atomic_store_n (&child->has_name, 1, __ATOMIC_RELEASE);
    }
}

static int
replay_create (pthread_t *name, const pthread_attr_t *attributes, void *(*routine) (void *), void *argument,
               uintptr_t caller)
{
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_THREAD), *child;
  const struct lc_replay_event *event;
  int result;

  child = replay_next_child (self, caller, &event);
  if (event != NULL && event->operation == LC_CREATE_FAILED)
    result = EAGAIN;
  else if (child == NULL)
    result = LC_REAL (pthread_create) (name, attributes, routine, argument);
  else
    {
      child->routine = routine;
      child->argument = argument;
      lc_replay_record_make (child, (const void *)(uintptr_t)routine);
      result = LC_REAL (pthread_create) (name, attributes, replay_run, child);
      replay_child_made (child, *name, result == 0);
    }
  if (event != NULL)
    lc_replay_done (self, event);
  return result;
}

/* An OpenMP library makes threads of the program's. */
LC_REPLAY_EXPORT int
pthread_create (pthread_t *name, const pthread_attr_t *attributes, void *(*routine) (void *), void *argument)
{
  const bool is_of_openmp = lc_replay_leave_library ();
  int result;

  if (is_of_openmp && !lc_replay_makes_worker ())
    result = LC_REAL (pthread_create) (name, attributes, routine, argument);
  else
    result = replay_create (name, attributes, routine, argument, LC_REPLAY_CALLER ());
  if (is_of_openmp)
    lc_replay_enter_library ();
  return result;
}

LC_REPLAY_EXPORT int
thrd_create (thrd_t *name, thrd_start_t routine, void *argument)
{
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_THREAD), *child;
  const struct lc_replay_event *event;
  int result;

  child = replay_next_child (self, LC_REPLAY_CALLER (), &event);
  if (event != NULL && event->operation == LC_CREATE_FAILED)
    result = thrd_error;
  else if (child == NULL)
    result = LC_REAL (thrd_create) (name, routine, argument);
  else
    {
      child->c11_routine = routine;
      child->argument = argument;
      lc_replay_record_make (child, (const void *)(uintptr_t)routine);
      result = LC_REAL (thrd_create) (name, replay_run_c11, child);
      replay_child_made (child, *name, result == thrd_success);
    }
  if (event != NULL)
    lc_replay_done (self, event);
  return result;
}

/* --- Joining ------------------------------------------------------------------------------------------------ */

struct replay_join
{
  pthread_t name;
  void **result;
  int *c11_result;
  const struct timespec *until;
  clockid_t clock;
  int (*call) (const struct replay_join *join);
  uintptr_t caller;
  bool is_attempt;
};

/* Whether the name is that of a thread with a history. A name is used again after its thread was joined, and the search
 * goes from the last thread back. Numbers are in the order of the recording, so that an earlier thread may have got the
 * name of a later one that has ended: a thread at least knows its own. */
static struct lc_replayed *
replay_named (pthread_t name)
{
  if (lc_replay_self != NULL && pthread_equal (name, pthread_self ()))
    return lc_replay_self;
  for (uint32_t i = lc_replay_count_threads (); i-- > 0;)
    {
      struct lc_replayed *thread = lc_replay_thread (i);

      if (__atomic_load_n (&thread->has_name, __ATOMIC_ACQUIRE) == 1 && pthread_equal (thread->name, name))
        return thread;
    }
  return NULL;
}

/* Whether the recorder knew the name of a thread that nobody was seen making depends on whether it had come by then. */
static struct lc_replayed *
replay_named_for (const struct lc_replayed *self, pthread_t name, uint16_t operation, uint16_t failed)
{
  struct lc_replayed *other = replay_named (name), *recorded = NULL;
  const struct lc_replay_event *event = lc_replay_peek (self);

  if (event != NULL && (event->operation == operation || event->operation == failed))
    recorded = lc_replay_thread (event->object);
  if (other == NULL && recorded != NULL && recorded->thread->is_orphan)
    return recorded;
  return other != NULL && other->thread->is_orphan && other != recorded ? NULL : other;
}

static int
replay_join_thread (const struct replay_join *join)
{
  const struct lc_replay_call call = {LC_CLASS_THREAD, LC_JOIN, LC_JOIN_FAILED, NULL, join->caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_THREAD),
                     *other = self != NULL ? replay_named_for (self, join->name, LC_JOIN, LC_JOIN_FAILED) : NULL;
  const struct lc_replay_event *event = other != NULL ? lc_replay_turn (self, &call) : NULL;
  int result;

  if (event == NULL)
    return join->call (join);
  if (event->object != other->number)
    lc_replay_differs (self, &call, LC_REPLAY_OBJECT);
  if (event->operation == LC_JOIN_FAILED && (event->flags & LC_EVENT_TIMED_OUT) != 0)
    result = ETIMEDOUT;
  else if (event->operation == LC_JOIN_FAILED && join->is_attempt)
    result = EBUSY;
  else if (event->operation == LC_JOIN && join->c11_result == NULL)
    {
      result = LC_REAL (pthread_join) (join->name, join->result);
      other->has_name = 2;
    }
  else
    result = join->call (join);
  lc_replay_done (self, event);
  return result;
}

static int
replay_call_join (const struct replay_join *join)
{
  return LC_REAL (pthread_join) (join->name, join->result);
}

LC_REPLAY_EXPORT int
pthread_join (pthread_t name, void **result)
{
  return replay_join_thread (
      &(struct replay_join){name, result, .call = replay_call_join, .caller = LC_REPLAY_CALLER ()});
}

static int
replay_call_tryjoin (const struct replay_join *join)
{
  return LC_REAL (pthread_tryjoin_np) (join->name, join->result);
}

LC_REPLAY_EXPORT int
pthread_tryjoin_np (pthread_t name, void **result)
{
  return replay_join_thread (&(struct replay_join){name, result, .call = replay_call_tryjoin,
                                                   .caller = LC_REPLAY_CALLER (), .is_attempt = true});
}

static int
replay_call_timedjoin (const struct replay_join *join)
{
  return LC_REAL (pthread_timedjoin_np) (join->name, join->result, join->until);
}

LC_REPLAY_EXPORT int
pthread_timedjoin_np (pthread_t name, void **result, const struct timespec *until)
{
  return replay_join_thread (&(struct replay_join){name, result, .until = until, .call = replay_call_timedjoin,
                                                   .caller = LC_REPLAY_CALLER ()});
}

static int
replay_call_clockjoin (const struct replay_join *join)
{
  return LC_REAL (pthread_clockjoin_np) (join->name, join->result, join->clock, join->until);
}

LC_REPLAY_EXPORT int
pthread_clockjoin_np (pthread_t name, void **result, clockid_t clock, const struct timespec *until)
{
  return replay_join_thread (&(struct replay_join){name, result, .until = until, .clock = clock,
                                                   .call = replay_call_clockjoin, .caller = LC_REPLAY_CALLER ()});
}

static int
replay_call_c11_join (const struct replay_join *join)
{
  int result = LC_REAL (thrd_join) (join->name, join->c11_result);
  struct lc_replayed *other = result == thrd_success ? replay_named (join->name) : NULL;

  if (other != NULL)
    other->has_name = 2;
  return result;
}

LC_REPLAY_EXPORT int
thrd_join (thrd_t name, int *result)
{
  int none;

  return replay_join_thread (&(struct replay_join){.name = name,
                                                   .c11_result = result != NULL ? result : &none,
                                                   .call = replay_call_c11_join,
                                                   .caller = LC_REPLAY_CALLER ()});
}

/* --- Others that tell of a thread --------------------------------------------------------------------------- */

static void
replay_tell_thread (pthread_t name, uint16_t operation, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_THREAD, operation, 0, NULL, caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_THREAD),
                     *other = self != NULL ? replay_named_for (self, name, operation, operation) : NULL;
  const struct lc_replay_event *event = other != NULL ? lc_replay_turn (self, &call) : NULL;

  if (event == NULL)
    return;
  if (event->object != other->number)
    lc_replay_differs (self, &call, LC_REPLAY_OBJECT);
  lc_replay_done (self, event);
}

LC_REPLAY_EXPORT int
pthread_detach (pthread_t name)
{
  replay_tell_thread (name, LC_DETACH, LC_REPLAY_CALLER ());
  return LC_REAL (pthread_detach) (name);
}

LC_REPLAY_EXPORT int
thrd_detach (thrd_t name)
{
  replay_tell_thread (name, LC_DETACH, LC_REPLAY_CALLER ());
  return LC_REAL (thrd_detach) (name);
}

LC_REPLAY_EXPORT int
pthread_cancel (pthread_t name)
{
  replay_tell_thread (name, LC_CANCEL, LC_REPLAY_CALLER ());
  return LC_REAL (pthread_cancel) (name);
}
