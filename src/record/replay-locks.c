/* SPDX-License-Identifier: Apache-2.0 */
/* Replays exclusive locks and read-write locks, of POSIX and C11. */
#include <errno.h>

#include "real.h"
#include "replay.h"

enum
{
  REPLAY_MUTEX_TYPE = 3,
  REPLAY_MUTEX_ROBUST = 16,
};

/* A call that takes a lock. */
struct replay_lock
{
  enum lc_class class;
  uint16_t operation, failed;
  void *address;
  int (*call) (const struct replay_lock *lock);
  uintptr_t caller;
  bool is_attempt; /* it never waits */
  bool is_spin;
  int busy, timed_out; /* results */
  const struct timespec *until;
  clockid_t clock;
};

static int
replay_mutex_kind (const struct replay_lock *lock)
{
  return lock->class == LC_CLASS_MUTEX && !lock->is_spin ? ((const pthread_mutex_t *)lock->address)->__data.__kind : 0;
}

static bool
replay_is_recursive (const struct replay_lock *lock)
{
  return (replay_mutex_kind (lock) & REPLAY_MUTEX_TYPE) == PTHREAD_MUTEX_RECURSIVE;
}

/* Whether only the owner can unlock it. */
static bool
replay_knows_owner (const struct replay_lock *lock)
{
  int kind = replay_mutex_kind (lock), type = kind & REPLAY_MUTEX_TYPE;

  return (kind & REPLAY_MUTEX_ROBUST) != 0 || type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
}

/* Calls the real function of what is no event of its own. */
static int
replay_call_unrecorded (const struct replay_lock *lock)
{
  struct lc_suspension suspension;
  int result;

  if (lc_replay_is_steered ()) /* a recorder knows that by itself */
    return lock->call (lock);
  lc_replay_record_suspend (&suspension);
  result = lock->call (lock);
  lc_replay_record_resume (&suspension);
  return result;
}

static struct lc_replayed *
replay_enter_lock (const struct replay_lock *lock)
{
  struct lc_replayed *self = lc_replay_enter (lock->class);

  if (self == NULL || (!lock->is_spin && lc_replay_is_shared (lock->address, lock->class)))
    return NULL;
  return self;
}

static struct lc_replay_call
replay_call_of (const struct replay_lock *lock)
{
  return (struct lc_replay_call){lock->class, lock->operation, lock->failed, lock->address, lock->caller};
}

/* An attempt, or a wait that took too long, fails as it did; another failure, as of a lock that is the thread's own
 * already, comes of itself. */
static int
replay_fail_lock (struct lc_replayed *self, const struct replay_lock *lock, const struct lc_replay_event *event)
{
  const struct lc_replay_call call = replay_call_of (lock);
  int result = (event->flags & LC_EVENT_TIMED_OUT) != 0 ? lock->timed_out : lock->is_attempt ? lock->busy : 0;

  if (result == 0)
    result = lock->call (lock);
  if (result == 0)
    lc_replay_differs (self, &call, LC_REPLAY_OUTCOME);
  lc_replay_failed (self, event);
  return result;
}

static int
replay_take_lock (const struct replay_lock *lock)
{
  struct lc_replayed *self = replay_enter_lock (lock);
  struct lc_replay_place *place = self != NULL ? lc_replay_place (lock->address, lock->class) : NULL;
  const bool is_own = place != NULL && place->owner == self->number + 1;
  const struct lc_replay_call call = replay_call_of (lock);
  const struct lc_replay_event *event;
  int result;

  if (!is_own && lc_replay_is_library_call (self, &call))
    return replay_call_unrecorded (lock);
  if (place == NULL)
    return lock->call (lock);
  if (is_own && replay_is_recursive (lock))
    {
      result = replay_call_unrecorded (lock);
      place->depth += result == 0;
      return result;
    }
  event = lc_replay_turn (self, &call);
  if (event == NULL)
    return lock->call (lock);
  if (event->operation == lock->failed)
    return replay_fail_lock (self, lock, event);
  result = lock->call (lock);
  if (result != 0 && result != EOWNERDEAD)
    lc_replay_differs (self, &call, LC_REPLAY_OUTCOME);
  if (lock->operation != LC_READ_START)
    {
      place->owner = self->number + 1;
      place->depth = 1;
    }
  lc_replay_done (self, event);
  return result;
}

/* The step comes after the real unlock, and so finds the lock free whoever comes next. */
static int
replay_release_lock (struct replay_lock *lock)
{
  struct lc_replayed *self = replay_enter_lock (lock);
  struct lc_replay_place *place = self != NULL ? lc_replay_place (lock->address, lock->class) : NULL;
  const struct lc_replay_event *event = self != NULL ? lc_replay_peek (self) : NULL;
  bool is_own = place != NULL && place->owner == self->number + 1;
  struct lc_replay_call call = replay_call_of (lock);
  int result;

  if (!is_own && lc_replay_is_library_call (self, &call))
    return replay_call_unrecorded (lock);
  if (place == NULL)
    return lock->call (lock);
  if (is_own && place->depth > 1)
    {
      place->depth--;
      return replay_call_unrecorded (lock);
    }
  if (lock->class == LC_CLASS_CREW)
    lock->operation = is_own ? LC_WRITE_END : LC_READ_END;
  else if (!is_own && (replay_knows_owner (lock) || event == NULL || event->operation != LC_UNLOCK))
    return replay_call_unrecorded (lock);
  call = replay_call_of (lock);
  event = lc_replay_turn (self, &call);
  if (is_own)
    place->owner = 0;
  result = lock->call (lock);
  if (event != NULL)
    lc_replay_done (self, event);
  return result;
}

/* --- The condition's mutex ---------------------------------------------------------------------------------- */

/* The wait gives the mutex back, and takes it again in its turn, unless it is locked more than once. */
bool
lc_replay_leave_mutex (struct lc_replayed *self, void *mutex, uintptr_t caller)
{
  struct lc_replay_place *place = lc_replay_place (mutex, LC_CLASS_MUTEX);
  const struct lc_replay_call call = {LC_CLASS_MUTEX, LC_UNLOCK, 0, mutex, caller};
  const struct lc_replay_event *event;

  if (place == NULL || place->owner != self->number + 1 || place->depth > 1)
    return false;
  event = lc_replay_turn (self, &call);
  place->owner = 0;
  LC_REAL (pthread_mutex_unlock) (mutex);
  if (event != NULL)
    lc_replay_done (self, event);
  return true;
}

int
lc_replay_return_mutex (struct lc_replayed *self, void *mutex, uintptr_t caller)
{
  struct lc_replay_place *place = lc_replay_place (mutex, LC_CLASS_MUTEX);
  const struct lc_replay_call call = {LC_CLASS_MUTEX, LC_LOCK, 0, mutex, caller};
  const struct lc_replay_event *event = lc_replay_turn (self, &call);
  int result = LC_REAL (pthread_mutex_lock) (mutex);

  if (place != NULL)
    {
      place->owner = self->number + 1;
      place->depth = 1;
    }
  if (event != NULL)
    lc_replay_done (self, event);
  return result;
}

/* --- POSIX mutexes ------------------------------------------------------------------------------------------ */

LC_REPLAY_EXPORT int
pthread_mutex_init (pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
  int result = LC_REAL (pthread_mutex_init) (mutex, attributes);

  if (result == 0 && lc_replay_follows ())
    lc_replay_made_by (LC_REPLAY_CALLER (), mutex, LC_CLASS_MUTEX);
  return result;
}

LC_REPLAY_EXPORT int
pthread_mutex_destroy (pthread_mutex_t *mutex)
{
  int result = LC_REAL (pthread_mutex_destroy) (mutex);

  if (result == 0 && lc_replay_follows ())
    lc_replay_destroyed (mutex, LC_CLASS_MUTEX);
  return result;
}

#define MUTEX(MUTEX_ADDRESS, CALL) \
  .class = LC_CLASS_MUTEX, .operation = LC_LOCK, .failed = LC_LOCK_FAILED, .address = (MUTEX_ADDRESS), .call = (CALL), \
  .caller = LC_REPLAY_CALLER (), .busy = EBUSY, .timed_out = ETIMEDOUT

static int
replay_call_mutex_lock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_mutex_lock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_mutex_lock (pthread_mutex_t *mutex)
{
  return replay_take_lock (&(struct replay_lock){MUTEX (mutex, replay_call_mutex_lock)});
}

static int
replay_call_mutex_trylock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_mutex_trylock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_mutex_trylock (pthread_mutex_t *mutex)
{
  return replay_take_lock (&(struct replay_lock){MUTEX (mutex, replay_call_mutex_trylock), .is_attempt = true});
}

/* In its turn the lock is free, so that it does not matter how late it is. */
static int
replay_call_mutex_timedlock (const struct replay_lock *lock)
{
  int result =
      lc_replay_self != NULL && lc_replay_self->is_busy ? LC_REAL (pthread_mutex_trylock) (lock->address) : EBUSY;

  return result != EBUSY ? result : LC_REAL (pthread_mutex_timedlock) (lock->address, lock->until);
}

LC_REPLAY_EXPORT int
pthread_mutex_timedlock (pthread_mutex_t *mutex, const struct timespec *until)
{
  return replay_take_lock (&(struct replay_lock){MUTEX (mutex, replay_call_mutex_timedlock), .until = until});
}

static int
replay_call_mutex_clocklock (const struct replay_lock *lock)
{
  int result =
      lc_replay_self != NULL && lc_replay_self->is_busy ? LC_REAL (pthread_mutex_trylock) (lock->address) : EBUSY;

  return result != EBUSY ? result : LC_REAL (pthread_mutex_clocklock) (lock->address, lock->clock, lock->until);
}

LC_REPLAY_EXPORT int
pthread_mutex_clocklock (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
  return replay_take_lock (
      &(struct replay_lock){MUTEX (mutex, replay_call_mutex_clocklock), .until = until, .clock = clock});
}

static int
replay_call_mutex_unlock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_mutex_unlock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_mutex_unlock (pthread_mutex_t *mutex)
{
  struct replay_lock lock = {MUTEX (mutex, replay_call_mutex_unlock)};

  lock.operation = LC_UNLOCK;
  lock.failed = 0;
  return replay_release_lock (&lock);
}

/* --- C11 mutexes: the same objects, with other results ------------------------------------------------------ */

LC_REPLAY_EXPORT int
mtx_init (mtx_t *mutex, int type)
{
  int result = LC_REAL (mtx_init) (mutex, type);

  if (result == thrd_success && lc_replay_follows ())
    lc_replay_made (mutex, LC_CLASS_MUTEX);
  return result;
}

LC_REPLAY_EXPORT void
mtx_destroy (mtx_t *mutex)
{
  LC_REAL (mtx_destroy) (mutex);
  if (lc_replay_follows ())
    lc_replay_destroyed (mutex, LC_CLASS_MUTEX);
}

_Static_assert(thrd_success == 0, "success is 0 in C11, too");

static int
replay_call_mtx_lock (const struct replay_lock *lock)
{
  return LC_REAL (mtx_lock) (lock->address);
}

LC_REPLAY_EXPORT int
mtx_lock (mtx_t *mutex)
{
  struct replay_lock lock = {MUTEX (mutex, replay_call_mtx_lock)};

  lock.timed_out = thrd_timedout;
  return replay_take_lock (&lock);
}

static int
replay_call_mtx_trylock (const struct replay_lock *lock)
{
  return LC_REAL (mtx_trylock) (lock->address);
}

LC_REPLAY_EXPORT int
mtx_trylock (mtx_t *mutex)
{
  struct replay_lock lock = {MUTEX (mutex, replay_call_mtx_trylock), .is_attempt = true};

  lock.busy = thrd_busy;
  return replay_take_lock (&lock);
}

static int
replay_call_mtx_timedlock (const struct replay_lock *lock)
{
  int result = lc_replay_self != NULL && lc_replay_self->is_busy ? LC_REAL (mtx_trylock) (lock->address) : thrd_busy;

  return result != thrd_busy ? result : LC_REAL (mtx_timedlock) (lock->address, lock->until);
}

LC_REPLAY_EXPORT int
mtx_timedlock (mtx_t *mutex, const struct timespec *until)
{
  struct replay_lock lock = {MUTEX (mutex, replay_call_mtx_timedlock), .until = until};

  lock.timed_out = thrd_timedout;
  return replay_take_lock (&lock);
}

static int
replay_call_mtx_unlock (const struct replay_lock *lock)
{
  return LC_REAL (mtx_unlock) (lock->address);
}

LC_REPLAY_EXPORT int
mtx_unlock (mtx_t *mutex)
{
  struct replay_lock lock = {MUTEX (mutex, replay_call_mtx_unlock)};

  lock.operation = LC_UNLOCK;
  lock.failed = 0;
  return replay_release_lock (&lock);
}

/* --- Spin locks --------------------------------------------------------------------------------------------- */

LC_REPLAY_EXPORT int
pthread_spin_init (pthread_spinlock_t *lock, int shared)
{
  int result = LC_REAL (pthread_spin_init) (lock, shared);

  if (result == 0 && lc_replay_follows ())
    lc_replay_made ((const void *)(uintptr_t)lock, LC_CLASS_MUTEX);
  return result;
}

LC_REPLAY_EXPORT int
pthread_spin_destroy (pthread_spinlock_t *lock)
{
  int result = LC_REAL (pthread_spin_destroy) (lock);

  if (result == 0 && lc_replay_follows ())
    lc_replay_destroyed ((const void *)(uintptr_t)lock, LC_CLASS_MUTEX);
  return result;
}

static int
replay_call_spin_lock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_spin_lock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_spin_lock (pthread_spinlock_t *lock)
{
  return replay_take_lock (
      &(struct replay_lock){MUTEX ((void *)(uintptr_t)lock, replay_call_spin_lock), .is_spin = true});
}

static int
replay_call_spin_trylock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_spin_trylock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_spin_trylock (pthread_spinlock_t *lock)
{
  return replay_take_lock (&(struct replay_lock){MUTEX ((void *)(uintptr_t)lock, replay_call_spin_trylock),
                                                 .is_spin = true, .is_attempt = true});
}

static int
replay_call_spin_unlock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_spin_unlock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_spin_unlock (pthread_spinlock_t *lock)
{
  struct replay_lock call = {MUTEX ((void *)(uintptr_t)lock, replay_call_spin_unlock), .is_spin = true};

  call.operation = LC_UNLOCK;
  call.failed = 0;
  return replay_release_lock (&call);
}

/* --- Read-write locks --------------------------------------------------------------------------------------- */

#define CREW(CREW_ADDRESS, CALL, START, FAILED) \
  .class = LC_CLASS_CREW, .operation = (START), .failed = (FAILED), .address = (CREW_ADDRESS), .call = (CALL), \
  .caller = LC_REPLAY_CALLER (), .busy = EBUSY, .timed_out = ETIMEDOUT

LC_REPLAY_EXPORT int
pthread_rwlock_init (pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
  int result = LC_REAL (pthread_rwlock_init) (lock, attributes);

  if (result == 0 && lc_replay_follows ())
    lc_replay_made (lock, LC_CLASS_CREW);
  return result;
}

LC_REPLAY_EXPORT int
pthread_rwlock_destroy (pthread_rwlock_t *lock)
{
  int result = LC_REAL (pthread_rwlock_destroy) (lock);

  if (result == 0 && lc_replay_follows ())
    lc_replay_destroyed (lock, LC_CLASS_CREW);
  return result;
}

static int
replay_call_rdlock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_rwlock_rdlock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_rwlock_rdlock (pthread_rwlock_t *lock)
{
  return replay_take_lock (&(struct replay_lock){CREW (lock, replay_call_rdlock, LC_READ_START, LC_READ_FAILED)});
}

static int
replay_call_wrlock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_rwlock_wrlock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_rwlock_wrlock (pthread_rwlock_t *lock)
{
  return replay_take_lock (&(struct replay_lock){CREW (lock, replay_call_wrlock, LC_WRITE_START, LC_WRITE_FAILED)});
}

static int
replay_call_tryrdlock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_rwlock_tryrdlock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_rwlock_tryrdlock (pthread_rwlock_t *lock)
{
  return replay_take_lock (
      &(struct replay_lock){CREW (lock, replay_call_tryrdlock, LC_READ_START, LC_READ_FAILED), .is_attempt = true});
}

static int
replay_call_trywrlock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_rwlock_trywrlock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_rwlock_trywrlock (pthread_rwlock_t *lock)
{
  return replay_take_lock (
      &(struct replay_lock){CREW (lock, replay_call_trywrlock, LC_WRITE_START, LC_WRITE_FAILED), .is_attempt = true});
}

/* A time that was long over when it was this lock's turn must not let it fail. */
static int
replay_call_timed (const struct replay_lock *lock)
{
  bool reads = lock->operation == LC_READ_START;
  int result = EBUSY;

  if (lc_replay_self != NULL && lc_replay_self->is_busy)
    result =
        reads ? LC_REAL (pthread_rwlock_tryrdlock) (lock->address) : LC_REAL (pthread_rwlock_trywrlock) (lock->address);
  if (result != EBUSY)
    return result;
  if (lock->clock == CLOCK_REALTIME)
    return reads ? LC_REAL (pthread_rwlock_timedrdlock) (lock->address, lock->until)
                 : LC_REAL (pthread_rwlock_timedwrlock) (lock->address, lock->until);
  return reads ? LC_REAL (pthread_rwlock_clockrdlock) (lock->address, lock->clock, lock->until)
               : LC_REAL (pthread_rwlock_clockwrlock) (lock->address, lock->clock, lock->until);
}

LC_REPLAY_EXPORT int
pthread_rwlock_timedrdlock (pthread_rwlock_t *lock, const struct timespec *until)
{
  return replay_take_lock (&(struct replay_lock){CREW (lock, replay_call_timed, LC_READ_START, LC_READ_FAILED),
                                                 .until = until, .clock = CLOCK_REALTIME});
}

LC_REPLAY_EXPORT int
pthread_rwlock_timedwrlock (pthread_rwlock_t *lock, const struct timespec *until)
{
  return replay_take_lock (&(struct replay_lock){CREW (lock, replay_call_timed, LC_WRITE_START, LC_WRITE_FAILED),
                                                 .until = until, .clock = CLOCK_REALTIME});
}

LC_REPLAY_EXPORT int
pthread_rwlock_clockrdlock (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
  return replay_take_lock (&(struct replay_lock){CREW (lock, replay_call_timed, LC_READ_START, LC_READ_FAILED),
                                                 .until = until, .clock = clock});
}

LC_REPLAY_EXPORT int
pthread_rwlock_clockwrlock (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
  return replay_take_lock (&(struct replay_lock){CREW (lock, replay_call_timed, LC_WRITE_START, LC_WRITE_FAILED),
                                                 .until = until, .clock = clock});
}

static int
replay_call_rwlock_unlock (const struct replay_lock *lock)
{
  return LC_REAL (pthread_rwlock_unlock) (lock->address);
}

LC_REPLAY_EXPORT int
pthread_rwlock_unlock (pthread_rwlock_t *lock)
{
  struct replay_lock call = {CREW (lock, replay_call_rwlock_unlock, 0, 0)};

  return replay_release_lock (&call);
}
