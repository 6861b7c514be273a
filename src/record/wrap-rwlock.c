/* SPDX-License-Identifier: Apache-2.0 */
/* pthread read-write locks: recorded as crews whose versions are counted by writers. */
#include <errno.h>

#include "real.h"
#include "recorder.h"

static bool
wrap_rwlock_is_shared (const pthread_rwlockattr_t *attributes)
{
  int shared = PTHREAD_PROCESS_PRIVATE;

  return attributes != NULL && pthread_rwlockattr_getpshared (attributes, &shared) == 0 &&
         shared == PTHREAD_PROCESS_SHARED;
}

LC_EXPORT int
pthread_rwlock_init (pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  int result = LC_REAL (pthread_rwlock_init) (lock, attributes);

  if (thread != NULL && result == 0)
    lc_object_begin (thread, lock, LC_CLASS_CREW, LC_KIND_PLAIN, wrap_rwlock_is_shared (attributes), 0);
  return result;
}

LC_EXPORT int
pthread_rwlock_destroy (pthread_rwlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  int result = LC_REAL (pthread_rwlock_destroy) (lock);

  if (thread != NULL && result == 0)
    lc_object_end (thread, lock, LC_CLASS_CREW);
  return result;
}

static inline struct lc_slot *
wrap_rwlock_slot_of (struct lc_thread *thread, pthread_rwlock_t *lock)
{
  return LC_LIKELY (thread != NULL) ? lc_object (thread, lock, LC_CLASS_CREW, LC_KIND_PLAIN) : NULL;
}

/* While readers hold the lock nobody writes, so the version is constant; the readers of a version are counted for the
 * next writer. */
static int
tried_read (struct lc_thread *thread, struct lc_slot *slot, uint64_t begin, int result, uint8_t flags)
{
  if (LC_LIKELY (result == 0))
    {
      __atomic_fetch_add (&slot->count, 1, __ATOMIC_RELAXED);
      lc_append (thread, LC_READ_START, slot->id, flags, lc_word (slot->sequence, 0), begin, lc_now_after ());
    }
  else
    lc_append (thread, LC_READ_FAILED, slot->id, flags | (result == ETIMEDOUT ? LC_EVENT_TIMED_OUT : 0), 0, begin,
               lc_now_after ());
  return result;
}

static int
tried_write (struct lc_thread *thread, struct lc_slot *slot, uint64_t begin, int result, uint8_t flags)
{
  if (LC_LIKELY (result == 0))
    {
      uint64_t readers = slot->count, version = ++slot->sequence;

      slot->count = 0;
      slot->owner = (uint64_t)thread->process + 1;
      lc_append (thread, LC_WRITE_START, slot->id, flags, lc_word (version, readers), begin, lc_now_after ());
    }
  else
    lc_append (thread, LC_WRITE_FAILED, slot->id, flags | (result == ETIMEDOUT ? LC_EVENT_TIMED_OUT : 0), 0, begin,
               lc_now_after ());
  return result;
}

LC_EXPORT int
pthread_rwlock_rdlock (pthread_rwlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  struct lc_slot *slot = wrap_rwlock_slot_of (thread, lock);
  uint64_t begin;
  uint8_t flags = 0;
  int result;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (pthread_rwlock_rdlock) (lock);
  begin = lc_now ();
  result = LC_REAL (pthread_rwlock_tryrdlock) (lock);
  if (result == EBUSY)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (thread, LC_READ_START | LC_PENDING_UNLIMITED, slot->id, 0, begin);
      result = LC_REAL (pthread_rwlock_rdlock) (lock);
      lc_unblock (thread);
    }
  return tried_read (thread, slot, begin, result, flags);
}

LC_EXPORT int
pthread_rwlock_wrlock (pthread_rwlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  struct lc_slot *slot = wrap_rwlock_slot_of (thread, lock);
  uint64_t begin;
  uint8_t flags = 0;
  int result;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (pthread_rwlock_wrlock) (lock);
  begin = lc_now ();
  result = LC_REAL (pthread_rwlock_trywrlock) (lock);
  if (result == EBUSY)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (thread, LC_WRITE_START | LC_PENDING_UNLIMITED, slot->id, 0, begin);
      result = LC_REAL (pthread_rwlock_wrlock) (lock);
      lc_unblock (thread);
    }
  return tried_write (thread, slot, begin, result, flags);
}

LC_EXPORT int
pthread_rwlock_tryrdlock (pthread_rwlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  struct lc_slot *slot = wrap_rwlock_slot_of (thread, lock);
  uint64_t begin;
  int result;

  if (slot == NULL)
    return LC_REAL (pthread_rwlock_tryrdlock) (lock);
  begin = lc_now ();
  result = LC_REAL (pthread_rwlock_tryrdlock) (lock);
  if (result != EBUSY)
    return tried_read (thread, slot, begin, result, result == 0 ? LC_EVENT_TRIED : 0);
  lc_append_failed (thread, LC_READ_FAILED, slot->id, begin);
  return result;
}

LC_EXPORT int
pthread_rwlock_trywrlock (pthread_rwlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  struct lc_slot *slot = wrap_rwlock_slot_of (thread, lock);
  uint64_t begin;
  int result;

  if (slot == NULL)
    return LC_REAL (pthread_rwlock_trywrlock) (lock);
  begin = lc_now ();
  result = LC_REAL (pthread_rwlock_trywrlock) (lock);
  if (result != EBUSY)
    return tried_write (thread, slot, begin, result, result == 0 ? LC_EVENT_TRIED : 0);
  lc_append_failed (thread, LC_WRITE_FAILED, slot->id, begin);
  return result;
}

struct limit
{
  bool realtime;
  clockid_t clock;
  const struct timespec *until;
};

static int
read_until (pthread_rwlock_t *lock, const struct limit *limit)
{
  return limit->realtime ? LC_REAL (pthread_rwlock_timedrdlock) (lock, limit->until)
                         : LC_REAL (pthread_rwlock_clockrdlock) (lock, limit->clock, limit->until);
}

static int
write_until (pthread_rwlock_t *lock, const struct limit *limit)
{
  return limit->realtime ? LC_REAL (pthread_rwlock_timedwrlock) (lock, limit->until)
                         : LC_REAL (pthread_rwlock_clockwrlock) (lock, limit->clock, limit->until);
}

/* The real functions check the clock and the time before the lock, so an attempt must not succeed with invalid ones. */
static bool
wrap_rwlock_is_valid (const struct timespec *time)
{
  return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

static int
timed_read (pthread_rwlock_t *lock, const struct limit *limit)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  struct lc_slot *slot = wrap_rwlock_slot_of (thread, lock);
  static const struct timespec past = {0, 0};
  uint64_t begin;
  uint8_t flags = 0;
  int result;

  if (slot == NULL)
    return read_until (lock, limit);
  begin = lc_now ();
  result = wrap_rwlock_is_valid (limit->until)
               ? read_until (lock, &(struct limit){limit->realtime, limit->clock, &past})
               : ETIMEDOUT;
  if (result == ETIMEDOUT)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (thread, LC_READ_START, slot->id, 0, begin);
      result = read_until (lock, limit);
      lc_unblock (thread);
    }
  return tried_read (thread, slot, begin, result, flags);
}

static int
timed_write (pthread_rwlock_t *lock, const struct limit *limit)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  struct lc_slot *slot = wrap_rwlock_slot_of (thread, lock);
  static const struct timespec past = {0, 0};
  uint64_t begin;
  uint8_t flags = 0;
  int result;

  if (slot == NULL)
    return write_until (lock, limit);
  begin = lc_now ();
  result = wrap_rwlock_is_valid (limit->until)
               ? write_until (lock, &(struct limit){limit->realtime, limit->clock, &past})
               : ETIMEDOUT;
  if (result == ETIMEDOUT)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (thread, LC_WRITE_START, slot->id, 0, begin);
      result = write_until (lock, limit);
      lc_unblock (thread);
    }
  return tried_write (thread, slot, begin, result, flags);
}

LC_EXPORT int
pthread_rwlock_timedrdlock (pthread_rwlock_t *lock, const struct timespec *until)
{
  return timed_read (lock, &(struct limit){true, CLOCK_REALTIME, until});
}

LC_EXPORT int
pthread_rwlock_clockrdlock (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
  return timed_read (lock, &(struct limit){false, clock, until});
}

LC_EXPORT int
pthread_rwlock_timedwrlock (pthread_rwlock_t *lock, const struct timespec *until)
{
  return timed_write (lock, &(struct limit){true, CLOCK_REALTIME, until});
}

LC_EXPORT int
pthread_rwlock_clockwrlock (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
  return timed_write (lock, &(struct limit){false, clock, until});
}

LC_EXPORT int
pthread_rwlock_unlock (pthread_rwlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CREW);
  struct lc_slot *slot = wrap_rwlock_slot_of (thread, lock);

  if (LC_LIKELY (slot != NULL))
    {
      uint64_t version = slot->sequence, at = lc_now ();
      bool writes = slot->owner == (uint64_t)thread->process + 1;

      if (writes)
        slot->owner = 0;
      lc_append (thread, writes ? LC_WRITE_END : LC_READ_END, slot->id, 0, lc_word (version, 0), at, at);
    }
  return LC_REAL (pthread_rwlock_unlock) (lock);
}
