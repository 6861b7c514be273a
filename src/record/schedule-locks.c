/* SPDX-License-Identifier: Apache-2.0 */
/* Locks of a program whose threads run one at a time: who cannot have one lets others go on. */
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "real.h"
#include "replay.h"
#include "schedule-limit.h"
#include "schedule.h"

enum
{
  MUTEX_TYPE = 3,
  FAILURES = 2, /* attempts, after which others go on: the thread may try until it succeeds */
};

/* A call that takes a lock. */
struct schedule_take
{
  enum lc_class class;
  uint32_t operation;
  void *address;
  int (*attempt) (void *address);
  int (*call) (void *address); /* which may wait */
  bool is_spin, is_attempt;
  const struct timespec *until;
  clockid_t clock;
  int busy, timed_out; /* results */
};

static int
schedule_mutex_type (const struct schedule_take *take)
{
  if (take->class != LC_CLASS_MUTEX || take->is_spin)
    return PTHREAD_MUTEX_NORMAL;
  return ((const pthread_mutex_t *)take->address)->__data.__kind & MUTEX_TYPE;
}

/* Taking it again cannot wait, and is no event. */
static bool
schedule_is_taken_again (const struct lc_scheduled *self, const struct schedule_take *take)
{
  int type = schedule_mutex_type (take);

  return (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK) &&
         (uint32_t)((const pthread_mutex_t *)take->address)->__data.__owner == self->id;
}

static int
schedule_try (struct lc_scheduled *self, const struct schedule_take *take)
{
  int result = take->attempt (take->address);

  if (result == take->busy && ++self->failures >= FAILURES)
    lc_schedule_yield (self);
  return result;
}

static int
schedule_wait_for_lock (struct lc_scheduled *self, const struct schedule_take *take)
{
  int64_t left = lc_schedule_limit (take->clock, take->until);
  int result;

  while ((result = take->attempt (take->address)) == take->busy)
    if (!lc_schedule_block (self, take->address, left))
      {
        lc_schedule_wait_out (take->clock, take->until);
        return take->timed_out;
      }
  return result;
}

static int
schedule_take_lock (const struct schedule_take *take)
{
  struct lc_scheduled *self = lc_schedule_enter ();
  int result;

  if (self == NULL)
    return take->is_attempt ? take->attempt (take->address) : take->call (take->address);
  if ((!take->is_spin && lc_replay_is_shared (take->address, take->class)) || schedule_is_taken_again (self, take))
    {
      result = take->is_attempt ? take->attempt (take->address) : take->call (take->address);
      lc_schedule_leave (self);
      return result;
    }
  lc_schedule_point (self, take->operation);
  result = take->is_attempt ? schedule_try (self, take) : schedule_wait_for_lock (self, take);
  if (result == 0 || result == EOWNERDEAD)
    lc_schedule_done (self, take->operation);
  lc_schedule_leave (self);
  return result;
}

static int
schedule_release_lock (const struct schedule_take *take)
{
  struct lc_scheduled *self = lc_schedule_enter ();
  const pthread_mutex_t *mutex = take->address;
  int result;

  if (self == NULL)
    {
      result = take->call (take->address);
      lc_schedule_wake_outside (take->address, UINT32_MAX);
      return result;
    }
  if ((!take->is_spin && lc_replay_is_shared (take->address, take->class)) ||
      (schedule_mutex_type (take) == PTHREAD_MUTEX_RECURSIVE && mutex->__data.__count > 1))
    {
      result = take->call (take->address);
      lc_schedule_leave (self);
      return result;
    }
  lc_schedule_point (self, take->operation);
  result = take->call (take->address);
  if (result == 0)
    {
      lc_schedule_wake (take->address, UINT32_MAX);
      lc_schedule_done (self, take->operation);
    }
  lc_schedule_leave (self);
  return result;
}

/* --- Mutexes, of POSIX and C11 -------------------------------------------------------------------------------- */

#define MUTEX(ADDRESS) \
  .class = LC_CLASS_MUTEX, .operation = LC_LOCK, .address = (ADDRESS), .attempt = schedule_mutex_trylock, \
  .call = schedule_mutex_lock, .busy = EBUSY, .timed_out = ETIMEDOUT

static int
schedule_mutex_trylock (void *mutex)
{
  return LC_REAL (pthread_mutex_trylock) (mutex);
}

static int
schedule_mutex_lock (void *mutex)
{
  return LC_REAL (pthread_mutex_lock) (mutex);
}

static int
schedule_mutex_unlock (void *mutex)
{
  return LC_REAL (pthread_mutex_unlock) (mutex);
}

LC_SCHEDULE_EXPORT int
pthread_mutex_lock (pthread_mutex_t *mutex)
{
  return schedule_take_lock (&(struct schedule_take){MUTEX (mutex)});
}

LC_SCHEDULE_EXPORT int
pthread_mutex_trylock (pthread_mutex_t *mutex)
{
  return schedule_take_lock (&(struct schedule_take){MUTEX (mutex), .is_attempt = true});
}

LC_SCHEDULE_EXPORT int
pthread_mutex_timedlock (pthread_mutex_t *mutex, const struct timespec *until)
{
  return schedule_take_lock (&(struct schedule_take){MUTEX (mutex), .until = until, .clock = CLOCK_REALTIME});
}

LC_SCHEDULE_EXPORT int
pthread_mutex_clocklock (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
  return schedule_take_lock (&(struct schedule_take){MUTEX (mutex), .until = until, .clock = clock});
}

LC_SCHEDULE_EXPORT int
pthread_mutex_unlock (pthread_mutex_t *mutex)
{
  return schedule_release_lock (&(struct schedule_take){
      .class = LC_CLASS_MUTEX, .operation = LC_UNLOCK, .address = mutex, .call = schedule_mutex_unlock});
}

static int
schedule_mtx_trylock (void *mutex)
{
  return LC_REAL (mtx_trylock) (mutex);
}

static int
schedule_mtx_lock (void *mutex)
{
  return LC_REAL (mtx_lock) (mutex);
}

static int
schedule_mtx_unlock (void *mutex)
{
  return LC_REAL (mtx_unlock) (mutex);
}

#define MTX(ADDRESS) \
  .class = LC_CLASS_MUTEX, .operation = LC_LOCK, .address = (ADDRESS), .attempt = schedule_mtx_trylock, \
  .call = schedule_mtx_lock, .busy = thrd_busy, .timed_out = thrd_timedout

LC_SCHEDULE_EXPORT int
mtx_lock (mtx_t *mutex)
{
  return schedule_take_lock (&(struct schedule_take){MTX (mutex)});
}

LC_SCHEDULE_EXPORT int
mtx_trylock (mtx_t *mutex)
{
  return schedule_take_lock (&(struct schedule_take){MTX (mutex), .is_attempt = true});
}

LC_SCHEDULE_EXPORT int
mtx_timedlock (mtx_t *mutex, const struct timespec *until)
{
  return schedule_take_lock (&(struct schedule_take){MTX (mutex), .until = until, .clock = CLOCK_REALTIME});
}

LC_SCHEDULE_EXPORT int
mtx_unlock (mtx_t *mutex)
{
  return schedule_release_lock (&(struct schedule_take){
      .class = LC_CLASS_MUTEX, .operation = LC_UNLOCK, .address = mutex, .call = schedule_mtx_unlock});
}

/* --- Spin locks ----------------------------------------------------------------------------------------------- */

static int
schedule_spin_trylock (void *lock)
{
  return LC_REAL (pthread_spin_trylock) (lock);
}

static int
schedule_spin_lock (void *lock)
{
  return LC_REAL (pthread_spin_lock) (lock);
}

static int
schedule_spin_unlock (void *lock)
{
  return LC_REAL (pthread_spin_unlock) (lock);
}

#define SPIN(ADDRESS) \
  .class = LC_CLASS_MUTEX, .operation = LC_LOCK, .address = (void *)(uintptr_t)(ADDRESS), \
  .attempt = schedule_spin_trylock, .call = schedule_spin_lock, .is_spin = true, .busy = EBUSY

LC_SCHEDULE_EXPORT int
pthread_spin_lock (pthread_spinlock_t *lock)
{
  return schedule_take_lock (&(struct schedule_take){SPIN (lock)});
}

LC_SCHEDULE_EXPORT int
pthread_spin_trylock (pthread_spinlock_t *lock)
{
  return schedule_take_lock (&(struct schedule_take){SPIN (lock), .is_attempt = true});
}

LC_SCHEDULE_EXPORT int
pthread_spin_unlock (pthread_spinlock_t *lock)
{
  return schedule_release_lock (&(struct schedule_take){.class = LC_CLASS_MUTEX,
                                                        .operation = LC_UNLOCK,
                                                        .address = (void *)(uintptr_t)lock,
                                                        .call = schedule_spin_unlock,
                                                        .is_spin = true});
}

/* --- Read-write locks ----------------------------------------------------------------------------------------- */

static int
schedule_tryrdlock (void *lock)
{
  return LC_REAL (pthread_rwlock_tryrdlock) (lock);
}

static int
schedule_rdlock (void *lock)
{
  return LC_REAL (pthread_rwlock_rdlock) (lock);
}

static int
schedule_trywrlock (void *lock)
{
  return LC_REAL (pthread_rwlock_trywrlock) (lock);
}

static int
schedule_wrlock (void *lock)
{
  return LC_REAL (pthread_rwlock_wrlock) (lock);
}

static int
schedule_rwlock_unlock (void *lock)
{
  return LC_REAL (pthread_rwlock_unlock) (lock);
}

#define READ(ADDRESS) \
  .class = LC_CLASS_CREW, .operation = LC_READ_START, .address = (ADDRESS), .attempt = schedule_tryrdlock, \
  .call = schedule_rdlock, .busy = EBUSY, .timed_out = ETIMEDOUT
#define WRITE(ADDRESS) \
  .class = LC_CLASS_CREW, .operation = LC_WRITE_START, .address = (ADDRESS), .attempt = schedule_trywrlock, \
  .call = schedule_wrlock, .busy = EBUSY, .timed_out = ETIMEDOUT

LC_SCHEDULE_EXPORT int
pthread_rwlock_rdlock (pthread_rwlock_t *lock)
{
  return schedule_take_lock (&(struct schedule_take){READ (lock)});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_tryrdlock (pthread_rwlock_t *lock)
{
  return schedule_take_lock (&(struct schedule_take){READ (lock), .is_attempt = true});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_timedrdlock (pthread_rwlock_t *lock, const struct timespec *until)
{
  return schedule_take_lock (&(struct schedule_take){READ (lock), .until = until, .clock = CLOCK_REALTIME});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_clockrdlock (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
  return schedule_take_lock (&(struct schedule_take){READ (lock), .until = until, .clock = clock});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_wrlock (pthread_rwlock_t *lock)
{
  return schedule_take_lock (&(struct schedule_take){WRITE (lock)});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_trywrlock (pthread_rwlock_t *lock)
{
  return schedule_take_lock (&(struct schedule_take){WRITE (lock), .is_attempt = true});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_timedwrlock (pthread_rwlock_t *lock, const struct timespec *until)
{
  return schedule_take_lock (&(struct schedule_take){WRITE (lock), .until = until, .clock = CLOCK_REALTIME});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_clockwrlock (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
  return schedule_take_lock (&(struct schedule_take){WRITE (lock), .until = until, .clock = clock});
}

LC_SCHEDULE_EXPORT int
pthread_rwlock_unlock (pthread_rwlock_t *lock)
{
  bool writes = lock->__data.__cur_writer == (int)LC_REAL (syscall) (SYS_gettid);

  return schedule_release_lock (&(struct schedule_take){.class = LC_CLASS_CREW,
                                                        .operation = writes ? LC_WRITE_END : LC_READ_END,
                                                        .address = lock,
                                                        .call = schedule_rwlock_unlock});
}
