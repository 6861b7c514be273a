/* SPDX-License-Identifier: Apache-2.0 */
/* pthread mutexes. */
#include "wrap-mutex.h"

#include "real.h"
#include "wrap-openmp-tool.h"

#define OF_LIBRARY(mutex) lc_openmp_is_call (__builtin_return_address (0), mutex, LC_CLASS_MUTEX)

static bool
wrap_mutex_is_shared (const pthread_mutexattr_t *attributes)
{
  int shared = PTHREAD_PROCESS_PRIVATE;

  return attributes != NULL && pthread_mutexattr_getpshared (attributes, &shared) == 0 &&
         shared == PTHREAD_PROCESS_SHARED;
}

LC_EXPORT int
pthread_mutex_init (pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  int result = LC_REAL (pthread_mutex_init) (mutex, attributes);

  if (thread != NULL && result == 0)
    lc_openmp_made (thread, __builtin_return_address (0), mutex, LC_CLASS_MUTEX, wrap_mutex_is_shared (attributes));
  return result;
}

LC_EXPORT int
pthread_mutex_destroy (pthread_mutex_t *mutex)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  int result = LC_REAL (pthread_mutex_destroy) (mutex);

  if (thread != NULL && result == 0)
    lc_object_end (thread, mutex, LC_CLASS_MUTEX);
  return result;
}

/* EBUSY: the caller has to lock the mutex by the real function, with these flags. */
static inline int
wrap_mutex_attempt (pthread_mutex_t *mutex, uint8_t *flags)
{
  int result = EBUSY;

  if (LC_LIKELY (!lc_must_not_be_tried (mutex)))
    {
      result = LC_REAL (pthread_mutex_trylock) (mutex);
      if (LC_UNLIKELY (result == EBUSY))
        *flags = LC_EVENT_CONTENDED;
    }
  else if (lc_is_owned (mutex))
    *flags = LC_EVENT_CONTENDED;
  return result;
}

/* Records the result of the real function, for an attempt that began at `begin` and may have waited. */
static int
wrap_mutex_tried (struct lc_thread *thread, struct lc_slot *slot, uint64_t begin, int result, uint8_t flags)
{
  if (LC_LIKELY (result == 0))
    lc_locked (thread, slot, begin, flags);
  else if (result == EOWNERDEAD)
    {
      slot->owner = 0;
      lc_locked (thread, slot, begin, flags | LC_EVENT_OWNER_DIED);
    }
  else
    lc_lock_failed (thread, slot, begin, flags | (result == ETIMEDOUT ? LC_EVENT_TIMED_OUT : 0));
  return result;
}

LC_EXPORT int
pthread_mutex_lock (pthread_mutex_t *mutex)
{
  struct lc_thread *thread = OF_LIBRARY (mutex) ? NULL : lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN) : NULL;
  uint64_t begin;
  uint8_t flags = 0;
  int result;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (pthread_mutex_lock) (mutex);
  begin = lc_now ();
  result = wrap_mutex_attempt (mutex, &flags);
  if (LC_UNLIKELY (result == EBUSY))
    {
      lc_block (thread, LC_LOCK | LC_PENDING_UNLIMITED, slot->id, 0, begin);
      result = LC_REAL (pthread_mutex_lock) (mutex);
      lc_unblock (thread);
    }
  return wrap_mutex_tried (thread, slot, begin, result, flags);
}

LC_EXPORT int
pthread_mutex_trylock (pthread_mutex_t *mutex)
{
  struct lc_thread *thread = OF_LIBRARY (mutex) ? NULL : lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN) : NULL;
  uint64_t begin;
  int result;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (pthread_mutex_trylock) (mutex);
  begin = lc_now ();
  result = LC_REAL (pthread_mutex_trylock) (mutex);
  if (result != EBUSY)
    return wrap_mutex_tried (thread, slot, begin, result, result == 0 ? LC_EVENT_TRIED : 0);
  lc_append_failed (thread, LC_LOCK_FAILED, slot->id, begin);
  return result;
}

static int
lock_until (pthread_mutex_t *mutex, bool realtime, clockid_t clock, const struct timespec *until)
{
  return realtime ? LC_REAL (pthread_mutex_timedlock) (mutex, until)
                  : LC_REAL (pthread_mutex_clocklock) (mutex, clock, until);
}

static int
timed_lock (pthread_mutex_t *mutex, bool realtime, clockid_t clock, const struct timespec *until)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN) : NULL;
  uint64_t begin;
  uint8_t flags = 0;
  int result;

  if (slot == NULL)
    return lock_until (mutex, realtime, clock, until);
  begin = lc_now ();
  /* An unsupported clock must be refused even if the mutex is free, so it is left to the real function. */
  result = realtime || clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? wrap_mutex_attempt (mutex, &flags) : EBUSY;
  if (result == EBUSY)
    {
      lc_block (thread, LC_LOCK, slot->id, 0, begin);
      result = lock_until (mutex, realtime, clock, until);
      lc_unblock (thread);
    }
  return wrap_mutex_tried (thread, slot, begin, result, flags);
}

LC_EXPORT int
pthread_mutex_timedlock (pthread_mutex_t *mutex, const struct timespec *until)
{
  return timed_lock (mutex, true, CLOCK_REALTIME, until);
}

LC_EXPORT int
pthread_mutex_clocklock (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
  return timed_lock (mutex, false, clock, until);
}

LC_EXPORT int
pthread_mutex_unlock (pthread_mutex_t *mutex)
{
  struct lc_thread *thread = OF_LIBRARY (mutex) ? NULL : lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN) : NULL;
  uint64_t at, events;
  uint32_t object;
  bool is_awaited;
  int result;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (pthread_mutex_unlock) (mutex);
  is_awaited = lc_is_awaited (mutex);
  events = thread->events;
  if (LC_LIKELY (lc_unlocking (thread, slot)))
    {
      result = LC_REAL (pthread_mutex_unlock) (mutex);
      if (LC_UNLIKELY (is_awaited))
        lc_has_woken (thread, events);
      return result;
    }
  if (!lc_knows_owner (mutex))
    {
      lc_unlocking_other (thread, slot, lc_now ());
      return LC_REAL (pthread_mutex_unlock) (mutex);
    }
  /* The next owner may destroy the mutex before this thread returns, so the record is read before. */
  object = slot->sequence == 0 ? slot->id : 0;
  at = lc_now ();
  result = LC_REAL (pthread_mutex_unlock) (mutex);
  if (result == 0 && object != 0)
    lc_append (thread, LC_UNLOCK, object, 0, 0, at, at);
  return result;
}
