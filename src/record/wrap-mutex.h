/* SPDX-License-Identifier: Apache-2.0 */
/* Recording of exclusive locks, for all interfaces. */
#ifndef LC_RECORD_WRAP_MUTEX_H
#define LC_RECORD_WRAP_MUTEX_H

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>

#include "recorder.h"

#if defined(__GLIBC__)
enum
{
  LC_MUTEX_TYPE = 3,
  LC_MUTEX_ROBUST = 16,
  LC_MUTEX_PROTECTED = 64,
};

/*
 * Tells whether trying differs from locking: trying an irrecoverable robust mutex leaves it locked, and a mutex with a
 * priority ceiling checks priorities in another way.
 */
static inline bool
lc_must_not_be_tried (const pthread_mutex_t *mutex)
{
  return (mutex->__data.__kind & (LC_MUTEX_ROBUST | LC_MUTEX_PROTECTED)) != 0;
}

/* Tells whether somebody owns such a mutex. The system clears the owner of a robust mutex when the owner dies. */
static inline bool
lc_is_owned (const pthread_mutex_t *mutex)
{
  if (mutex->__data.__kind & LC_MUTEX_ROBUST)
    return (__atomic_load_n (&mutex->__data.__lock, __ATOMIC_RELAXED) & FUTEX_TID_MASK) != 0;
  return __atomic_load_n (&mutex->__data.__owner, __ATOMIC_RELAXED) != 0;
}

/* Tells whether only the owner can unlock the mutex. C11's mutexes have the same layout. */
static inline bool
lc_knows_owner (const void *mutex)
{
  int kind = ((const pthread_mutex_t *)mutex)->__data.__kind, type = kind & LC_MUTEX_TYPE;

  return (kind & LC_MUTEX_ROBUST) != 0 || type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
}

/* Tells whether threads may sleep at the mutex. It is also told when the only one that did has got it meanwhile. */
static inline bool
lc_is_awaited (const void *mutex)
{
  const pthread_mutex_t *as = mutex;
  uint32_t lock = (uint32_t)__atomic_load_n (&as->__data.__lock, __ATOMIC_RELAXED);

  return (lock & FUTEX_WAITERS) != 0 || lock == 2;
}
#else
#error "the layout of this C library's mutexes is not known"
#endif

static inline uint64_t
lc_owner (const struct lc_thread *thread)
{
  return (uint64_t)thread->process + 1;
}

/*
 * Records that the calling thread has just locked the mutex, and numbers the acquisition. A recursive lock orders
 * nothing and is not recorded.
 */
static inline void
lc_locked (struct lc_thread *thread, struct lc_slot *slot, uint64_t begin, uint8_t flags)
{
  uint64_t sequence;

  if (LC_UNLIKELY (slot->owner == lc_owner (thread)))
    {
      slot->depth++;
      return;
    }
  slot->owner = lc_owner (thread);
  slot->depth = 1;
  sequence = ++slot->sequence;
  lc_append (thread, LC_LOCK, slot->id, flags, lc_word (sequence, 0), begin, lc_now_after ());
}

static inline void
lc_lock_failed (struct lc_thread *thread, struct lc_slot *slot, uint64_t begin, uint8_t flags)
{
  lc_append (thread, LC_LOCK_FAILED, slot->id, flags, 0, begin, lc_now_after ());
}

/*
 * Records an unlock. Call it before the real unlock, so that no other thread can lock before the event. False: the
 * thread does not hold the lock; if the real function allows that, call lc_unlocking_other.
 */
static inline bool
lc_unlocking (struct lc_thread *thread, struct lc_slot *slot)
{
  uint64_t at, sequence = slot->sequence;

  if (LC_UNLIKELY (slot->owner != lc_owner (thread)))
    return false;
  if (LC_UNLIKELY (slot->depth > 1))
    {
      slot->depth--;
      return true;
    }
  slot->owner = 0;
  at = lc_now ();
  lc_append (thread, LC_UNLOCK, slot->id, 0, lc_word (sequence, 0), at, at);
  return true;
}

/* Records the unlock of a lock that another thread took, or that was taken unrecorded. */
static inline void
lc_unlocking_other (struct lc_thread *thread, struct lc_slot *slot, uint64_t at)
{
  uint64_t sequence = slot->sequence;

  if (slot->owner == 0 && sequence > 0)
    return; /* already recorded */
  slot->owner = 0;
  lc_append (thread, LC_UNLOCK, slot->id, 0, lc_word (sequence, 0), at, at);
}

#endif
