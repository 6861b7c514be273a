/* SPDX-License-Identifier: Apache-2.0 */
/* pthread spin locks, recorded as mutexes of another kind. */
#include "real.h"
#include "wrap-mutex.h"

static void *
wrap_spin_address_of (pthread_spinlock_t *lock)
{
  return (void *)(uintptr_t)lock;
}

LC_EXPORT int
pthread_spin_init (pthread_spinlock_t *lock, int shared)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  int result = LC_REAL (pthread_spin_init) (lock, shared);

  if (thread != NULL && result == 0)
    lc_object_begin (thread, wrap_spin_address_of (lock), LC_CLASS_MUTEX, LC_KIND_SPIN,
                     shared == PTHREAD_PROCESS_SHARED, 0);
  return result;
}

LC_EXPORT int
pthread_spin_destroy (pthread_spinlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  int result = LC_REAL (pthread_spin_destroy) (lock);

  if (thread != NULL && result == 0)
    lc_object_end (thread, wrap_spin_address_of (lock), LC_CLASS_MUTEX);
  return result;
}

LC_EXPORT int
pthread_spin_lock (pthread_spinlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot =
      thread != NULL ? lc_object (thread, wrap_spin_address_of (lock), LC_CLASS_MUTEX, LC_KIND_SPIN) : NULL;
  uint64_t begin;
  uint8_t flags = 0;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (pthread_spin_lock) (lock);
  begin = lc_now ();
  if (LC_REAL (pthread_spin_trylock) (lock) != 0)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (thread, LC_LOCK, slot->id, 0, begin);
      LC_REAL (pthread_spin_lock) (lock);
      lc_unblock (thread);
    }
  lc_locked (thread, slot, begin, flags);
  return 0;
}

LC_EXPORT int
pthread_spin_trylock (pthread_spinlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot =
      thread != NULL ? lc_object (thread, wrap_spin_address_of (lock), LC_CLASS_MUTEX, LC_KIND_SPIN) : NULL;
  uint64_t begin;
  int result;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (pthread_spin_trylock) (lock);
  begin = lc_now ();
  result = LC_REAL (pthread_spin_trylock) (lock);
  if (result == 0)
    lc_locked (thread, slot, begin, LC_EVENT_TRIED);
  else
    lc_append_failed (thread, LC_LOCK_FAILED, slot->id, begin);
  return result;
}

LC_EXPORT int
pthread_spin_unlock (pthread_spinlock_t *lock)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot =
      thread != NULL ? lc_object (thread, wrap_spin_address_of (lock), LC_CLASS_MUTEX, LC_KIND_SPIN) : NULL;

  if (LC_LIKELY (slot != NULL) && !lc_unlocking (thread, slot))
    lc_unlocking_other (thread, slot, lc_now ());
  return LC_REAL (pthread_spin_unlock) (lock);
}
