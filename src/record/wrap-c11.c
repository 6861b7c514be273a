/* SPDX-License-Identifier: Apache-2.0 */
/* C11 threads: in this C library the same objects as those of pthreads, with other names and results. */
#include <errno.h>

#include "real.h"
#include "wrap-condition.h"
#include "wrap-mutex.h"
#include "wrap-thread.h"

static struct lc_slot *
wrap_c11_slot_of (struct lc_thread *thread, mtx_t *mutex)
{
  return LC_LIKELY (thread != NULL) ? lc_object (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN) : NULL;
}

LC_EXPORT int
mtx_init (mtx_t *mutex, int type)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  int result = LC_REAL (mtx_init) (mutex, type);

  if (thread != NULL && result == thrd_success)
    lc_object_begin (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN, false, 0);
  return result;
}

LC_EXPORT void
mtx_destroy (mtx_t *mutex)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);

  LC_REAL (mtx_destroy) (mutex);
  if (thread != NULL)
    lc_object_end (thread, mutex, LC_CLASS_MUTEX);
}

static int
wrap_c11_tried (struct lc_thread *thread, struct lc_slot *slot, uint64_t begin, int result, uint8_t flags)
{
  if (LC_LIKELY (result == thrd_success))
    lc_locked (thread, slot, begin, flags);
  else
    lc_lock_failed (thread, slot, begin, flags | (result == thrd_timedout ? LC_EVENT_TIMED_OUT : 0));
  return result;
}

LC_EXPORT int
mtx_trylock (mtx_t *mutex)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = wrap_c11_slot_of (thread, mutex);
  uint64_t begin;
  int result;

  if (slot == NULL)
    return LC_REAL (mtx_trylock) (mutex);
  begin = lc_now ();
  result = LC_REAL (mtx_trylock) (mutex);
  if (result != thrd_busy)
    return wrap_c11_tried (thread, slot, begin, result, result == thrd_success ? LC_EVENT_TRIED : 0);
  lc_append_failed (thread, LC_LOCK_FAILED, slot->id, begin);
  return result;
}

static int
wrap_c11_lock (mtx_t *mutex, const struct timespec *until)
{
  return until == NULL ? LC_REAL (mtx_lock) (mutex) : LC_REAL (mtx_timedlock) (mutex, until);
}

static int
record_lock (mtx_t *mutex, const struct timespec *until)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = wrap_c11_slot_of (thread, mutex);
  uint64_t begin;
  uint8_t flags = 0;
  int result;

  if (slot == NULL)
    return wrap_c11_lock (mutex, until);
  begin = lc_now ();
  result = LC_REAL (mtx_trylock) (mutex);
  if (result == thrd_busy)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (thread, lc_pending (LC_LOCK, until), slot->id, 0, begin);
      result = wrap_c11_lock (mutex, until);
      lc_unblock (thread);
    }
  return wrap_c11_tried (thread, slot, begin, result, flags);
}

LC_EXPORT int
mtx_lock (mtx_t *mutex)
{
  return record_lock (mutex, NULL);
}

LC_EXPORT int
mtx_timedlock (mtx_t *mutex, const struct timespec *until)
{
  return record_lock (mutex, until);
}

LC_EXPORT int
mtx_unlock (mtx_t *mutex)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = wrap_c11_slot_of (thread, mutex);

  if (LC_LIKELY (slot != NULL) && LC_UNLIKELY (!lc_unlocking (thread, slot)) && !lc_knows_owner (mutex))
    lc_unlocking_other (thread, slot, lc_now ());
  return LC_REAL (mtx_unlock) (mutex);
}

LC_EXPORT int
cnd_init (cnd_t *condition)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CONDITION);
  int result = LC_REAL (cnd_init) (condition);

  if (thread != NULL && result == thrd_success)
    lc_object_begin (thread, condition, LC_CLASS_CONDITION, LC_KIND_PLAIN, false, 0);
  return result;
}

LC_EXPORT void
cnd_destroy (cnd_t *condition)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CONDITION);

  LC_REAL (cnd_destroy) (condition);
  if (thread != NULL)
    lc_object_end (thread, condition, LC_CLASS_CONDITION);
}

LC_EXPORT int
cnd_signal (cnd_t *condition)
{
  lc_condition_wake (condition, false);
  return LC_REAL (cnd_signal) (condition);
}

LC_EXPORT int
cnd_broadcast (cnd_t *condition)
{
  lc_condition_wake (condition, true);
  return LC_REAL (cnd_broadcast) (condition);
}

static bool
wrap_c11_woken (int result)
{
  return result == thrd_success;
}

static int
wrap_c11_call_wait (struct lc_condition_wait *wait)
{
  return LC_REAL (cnd_wait) (wait->condition, wait->mutex);
}

static int
wrap_c11_call_timedwait (struct lc_condition_wait *wait)
{
  return LC_REAL (cnd_timedwait) (wait->condition, wait->mutex, wait->until);
}

LC_EXPORT int
cnd_wait (cnd_t *condition, mtx_t *mutex)
{
  struct lc_condition_wait wait = {condition, mutex, wrap_c11_call_wait, wrap_c11_woken, thrd_timedout, 0, NULL};

  return lc_condition_wait (&wait);
}

LC_EXPORT int
cnd_timedwait (cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
  struct lc_condition_wait wait = {condition, mutex, wrap_c11_call_timedwait, wrap_c11_woken, thrd_timedout, 0, until};

  return lc_condition_wait (&wait);
}

static int
wrap_c11_run (void *data)
{
  struct lc_thread *thread = data;

  lc_thread_begins (thread);
  return thread->c11_routine (thread->argument);
}

static int
wrap_c11_run_foreign (void *data)
{
  struct lc_thread *thread = data;
  thrd_start_t routine = thread->c11_routine;
  void *argument = thread->argument;

  lc_thread_is_foreign (thread);
  return routine (argument);
}

static int
wrap_c11_create_foreign (thrd_t *name, thrd_start_t routine, void *argument)
{
  struct lc_thread *thread = lc_thread_new_foreign ();
  int result;

  if (thread == NULL)
    return LC_REAL (thrd_create) (name, routine, argument);
  thread->c11_routine = routine;
  thread->argument = argument;
  result = LC_REAL (thrd_create) (name, wrap_c11_run_foreign, thread);
  if (result != thrd_success)
    lc_thread_free (thread);
  return result;
}

LC_EXPORT int
thrd_create (thrd_t *name, thrd_start_t routine, void *argument)
{
  struct lc_made made;
  struct lc_thread *thread = lc_thread_make (&made);
  uint32_t process;
  int result;

  if (thread == NULL)
    return wrap_c11_create_foreign (name, routine, argument);
  process = thread->process;
  thread->c11_routine = routine;
  thread->argument = argument;
  result = LC_REAL (thrd_create) (name, wrap_c11_run, thread);
  if (result == thrd_success)
    lc_thread_known_as (&made, thread, name, process);
  else
    lc_thread_not_made (&made, thread);
  return result;
}

/* C11 cannot try to join; the function of pthreads knows the same threads, and does not wait for a running one. */
static int
wrap_c11_attempt (struct lc_thread_join *join)
{
  void *result = NULL;
  int error = LC_REAL (pthread_tryjoin_np) (join->thread, &result);

  if (error == 0 && join->c11_result != NULL)
    *join->c11_result = (int)(uintptr_t)result;
  return error == EBUSY ? EBUSY : error == 0 ? thrd_success : thrd_error;
}

static int
wrap_c11_call_join (struct lc_thread_join *join)
{
  return LC_REAL (thrd_join) (join->thread, join->c11_result);
}

LC_EXPORT int
thrd_join (thrd_t thread, int *result)
{
  struct lc_thread_join join = {
      .thread = thread, .c11_result = result, .attempt = wrap_c11_attempt, .call = wrap_c11_call_join};

  return lc_thread_join (&join);
}

LC_EXPORT int
thrd_detach (thrd_t thread)
{
  lc_thread_operation (thread, LC_DETACH);
  return LC_REAL (thrd_detach) (thread);
}
