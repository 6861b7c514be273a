/* SPDX-License-Identifier: Apache-2.0 */
/* How an exclusive lock is recorded, whichever interface the program calls it by. */
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
 * Whether trying is more or less than locking: trying a robust mutex that nobody can recover leaves it locked, and one
 * with a ceiling looks at priorities in its own way.
 */
static inline bool
lc_must_not_be_tried (const pthread_mutex_t *mutex)
{
  return (mutex->__data.__kind & (LC_MUTEX_ROBUST | LC_MUTEX_PROTECTED)) != 0;
}

/* For these mutexes only. Of a robust one, the system takes the owner's number away when the owner dies. */
static inline bool
lc_is_owned (const pthread_mutex_t *mutex)
{
  if (mutex->__data.__kind & LC_MUTEX_ROBUST)
    return (__atomic_load_n (&mutex->__data.__lock, __ATOMIC_RELAXED) & FUTEX_TID_MASK) != 0;
  return __atomic_load_n (&mutex->__data.__owner, __ATOMIC_RELAXED) != 0;
}

/* Whether only its owner can unlock it. C11's mutexes are the same thing. */
static inline bool
lc_knows_owner (const void *mutex)
{
  int kind = ((const pthread_mutex_t *)mutex)->__data.__kind, type = kind & LC_MUTEX_TYPE;

  return (kind & LC_MUTEX_ROBUST) != 0 || type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
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
 * The calling thread has just locked it: gives the acquisition its number. A recursive lock orders nothing and is
 * no event.
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
 * To be called before the lock is given back, so that nobody can have it before we say so. False: the thread does
 * not hold it, which is for lc_unlocking_other if the real function allows it.
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

/* A lock that another thread took, or that was taken when nobody was looking, is given back. */
static inline void
lc_unlocking_other (struct lc_thread *thread, struct lc_slot *slot, uint64_t at)
{
  uint64_t sequence = slot->sequence;

  if (slot->owner == 0 && sequence > 0)
    return; /* that has been told */
  slot->owner = 0;
  lc_append (thread, LC_UNLOCK, slot->id, 0, lc_word (sequence, 0), at, at);
}

#endif
