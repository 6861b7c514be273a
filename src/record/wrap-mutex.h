/* SPDX-License-Identifier: Apache-2.0 */
/* How an exclusive lock is recorded, whichever interface the program calls it by. */
#ifndef LC_RECORD_WRAP_MUTEX_H
#define LC_RECORD_WRAP_MUTEX_H

#include <errno.h>

#include "recorder.h"

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
 * not hold it, and what the real function says is to be recorded by lc_unlocked_other.
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

/* A lock that another thread took, or that was taken when nobody was looking, has been given back. */
static inline void
lc_unlocked_other (struct lc_thread *thread, struct lc_slot *slot, uint64_t sequence, uint64_t at)
{
  lc_append (thread, LC_UNLOCK, slot->id, 0, lc_word (sequence, 0), at, at);
}

#endif
