/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions, semaphores, barriers, initializations and sleeps of a program whose threads run one at a time. */
#include <errno.h>
#include <stddef.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"
#include "replay.h"
#include "schedule-limit.h"
#include "schedule.h"

int64_t
lc_schedule_limit (clockid_t clock, const struct timespec *until)
{
  struct timespec now;
  int64_t left, grain = 4;

  if (until == NULL || LC_REAL (clock_gettime) (clock, &now) != 0)
    return -1;
  left = (int64_t)(until->tv_sec - now.tv_sec) * 1000000000 + until->tv_nsec - now.tv_nsec;
  if (left <= 0)
    return 0;
  while (grain <= left / 2)
    grain *= 2;
  grain /= 4;
  return (left + grain / 2) / grain * grain;
}

void
lc_schedule_wait_out (clockid_t clock, const struct timespec *until)
{
  while (until != NULL && LC_REAL (clock_nanosleep) (clock, TIMER_ABSTIME, until, NULL) == EINTR)
    ;
}

/* --- Condition variables -------------------------------------------------------------------------------------- */

/* A call that waits for a condition. */
struct schedule_condition
{
  void *condition, *mutex;
  int (*call) (const struct schedule_condition *wait);
  const struct timespec *until;
  clockid_t clock;
  int timed_out; /* the result */
};

/* The mutex may be locked more than once, of which the wait gives back one. */
static bool
schedule_is_last_lock (const pthread_mutex_t *mutex)
{
  return (mutex->__data.__kind & 3) != PTHREAD_MUTEX_RECURSIVE || mutex->__data.__count <= 1;
}

static void
schedule_leave_mutex (struct lc_scheduled *self, pthread_mutex_t *mutex)
{
  lc_schedule_point (self, LC_UNLOCK);
  LC_REAL (pthread_mutex_unlock) (mutex);
  lc_schedule_wake (mutex, UINT32_MAX);
  lc_schedule_done (self, LC_UNLOCK);
}

static void
schedule_return_mutex (struct lc_scheduled *self, pthread_mutex_t *mutex)
{
  lc_schedule_point (self, LC_LOCK);
  while (LC_REAL (pthread_mutex_trylock) (mutex) == EBUSY)
    lc_schedule_block (self, mutex, -1);
  lc_schedule_done (self, LC_LOCK);
}

static int
schedule_wait_for_condition (const struct schedule_condition *wait)
{
  struct lc_scheduled *self = lc_schedule_enter ();
  bool is_woken;
  int64_t left;

  if (self == NULL)
    return wait->call (wait);
  if (lc_replay_is_shared (wait->condition, LC_CLASS_CONDITION) || !schedule_is_last_lock (wait->mutex))
    {
      int result = wait->call (wait);

      lc_schedule_leave (self);
      return result;
    }
  left = lc_schedule_limit (wait->clock, wait->until);
  schedule_leave_mutex (self, wait->mutex);
  is_woken = self->is_cancelled || lc_schedule_block (self, wait->condition, left);
  if (!is_woken)
    lc_schedule_wait_out (wait->clock, wait->until);
  lc_schedule_done (self, is_woken ? LC_CONDITION_WAIT : LC_CONDITION_WAIT_FAILED);
  schedule_return_mutex (self, wait->mutex);
  lc_schedule_leave (self);
  if (self->is_cancelled)
    pthread_testcancel ();
  return is_woken ? 0 : wait->timed_out;
}

static int
schedule_cond_wait (const struct schedule_condition *wait)
{
  return LC_REAL (pthread_cond_wait) (wait->condition, wait->mutex);
}

LC_SCHEDULE_EXPORT int
pthread_cond_wait (pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  return schedule_wait_for_condition (
      &(struct schedule_condition){condition, mutex, schedule_cond_wait, NULL, CLOCK_REALTIME, ETIMEDOUT});
}

static int
schedule_cond_timedwait (const struct schedule_condition *wait)
{
  return LC_REAL (pthread_cond_timedwait) (wait->condition, wait->mutex, wait->until);
}

LC_SCHEDULE_EXPORT int
pthread_cond_timedwait (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
  return schedule_wait_for_condition (
      &(struct schedule_condition){condition, mutex, schedule_cond_timedwait, until, CLOCK_REALTIME, ETIMEDOUT});
}

static int
schedule_cond_clockwait (const struct schedule_condition *wait)
{
  return LC_REAL (pthread_cond_clockwait) (wait->condition, wait->mutex, wait->clock, wait->until);
}

LC_SCHEDULE_EXPORT int
pthread_cond_clockwait (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                        const struct timespec *until)
{
  return schedule_wait_for_condition (
      &(struct schedule_condition){condition, mutex, schedule_cond_clockwait, until, clock, ETIMEDOUT});
}

static int
schedule_cnd_wait (const struct schedule_condition *wait)
{
  return LC_REAL (cnd_wait) (wait->condition, wait->mutex);
}

LC_SCHEDULE_EXPORT int
cnd_wait (cnd_t *condition, mtx_t *mutex)
{
  return schedule_wait_for_condition (
      &(struct schedule_condition){condition, mutex, schedule_cnd_wait, NULL, CLOCK_REALTIME, thrd_timedout});
}

static int
schedule_cnd_timedwait (const struct schedule_condition *wait)
{
  return LC_REAL (cnd_timedwait) (wait->condition, wait->mutex, wait->until);
}

LC_SCHEDULE_EXPORT int
cnd_timedwait (cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
  return schedule_wait_for_condition (
      &(struct schedule_condition){condition, mutex, schedule_cnd_timedwait, until, CLOCK_REALTIME, thrd_timedout});
}

/* The real one is for those who take no turns. */
static void
schedule_signal (const void *condition, uint32_t operation, uint32_t most)
{
  struct lc_scheduled *self = lc_schedule_enter ();

  if (self == NULL)
    {
      lc_schedule_wake_outside (condition, most);
      return;
    }
  lc_schedule_point (self, operation);
  lc_schedule_wake (condition, most);
  lc_schedule_done (self, operation);
  lc_schedule_leave (self);
}

LC_SCHEDULE_EXPORT int
pthread_cond_signal (pthread_cond_t *condition)
{
  schedule_signal (condition, LC_SIGNAL, 1);
  return LC_REAL (pthread_cond_signal) (condition);
}

LC_SCHEDULE_EXPORT int
pthread_cond_broadcast (pthread_cond_t *condition)
{
  schedule_signal (condition, LC_BROADCAST, UINT32_MAX);
  return LC_REAL (pthread_cond_broadcast) (condition);
}

LC_SCHEDULE_EXPORT int
cnd_signal (cnd_t *condition)
{
  schedule_signal (condition, LC_SIGNAL, 1);
  return LC_REAL (cnd_signal) (condition);
}

LC_SCHEDULE_EXPORT int
cnd_broadcast (cnd_t *condition)
{
  schedule_signal (condition, LC_BROADCAST, UINT32_MAX);
  return LC_REAL (cnd_broadcast) (condition);
}

/* --- Semaphores ----------------------------------------------------------------------------------------------- */

LC_SCHEDULE_EXPORT int
sem_post (sem_t *semaphore)
{
  struct lc_scheduled *self = lc_schedule_enter ();
  int result;

  if (self == NULL)
    {
      result = LC_REAL (sem_post) (semaphore);
      lc_schedule_wake_outside (semaphore, 1);
      return result;
    }
  lc_schedule_point (self, LC_POST);
  result = LC_REAL (sem_post) (semaphore);
  lc_schedule_wake (semaphore, 1);
  lc_schedule_done (self, LC_POST);
  lc_schedule_leave (self);
  return result;
}

/* `is_attempt`: it does not wait. Another address space gives tokens unseen: its semaphores are waited for outside. */
static int
schedule_take_token (sem_t *semaphore, bool is_attempt, clockid_t clock, const struct timespec *until)
{
  struct lc_scheduled *self = lc_schedule_enter ();
  int64_t left = lc_schedule_limit (clock, until);
  int result;

  if (self == NULL)
    return is_attempt      ? LC_REAL (sem_trywait) (semaphore)
           : until == NULL ? LC_REAL (sem_wait) (semaphore)
                           : LC_REAL (sem_clockwait) (semaphore, clock, until);
  lc_schedule_point (self, LC_WAIT);
  if (lc_replay_is_shared (semaphore, LC_CLASS_SEMAPHORE) && !is_attempt)
    result = until == NULL ? LC_REAL (sem_wait) (semaphore) : LC_REAL (sem_clockwait) (semaphore, clock, until);
  else
    while ((result = LC_REAL (sem_trywait) (semaphore)) != 0 && errno == EAGAIN && !is_attempt && !self->is_cancelled)
      if (!lc_schedule_block (self, semaphore, left))
        {
          lc_schedule_wait_out (clock, until);
          errno = ETIMEDOUT;
          break;
        }
  if (result == 0)
    lc_schedule_done (self, LC_WAIT);
  else if (is_attempt && ++self->failures >= 2)
    lc_schedule_yield (self);
  lc_schedule_leave (self);
  if (self->is_cancelled)
    pthread_testcancel ();
  return result;
}

LC_SCHEDULE_EXPORT int
sem_wait (sem_t *semaphore)
{
  return schedule_take_token (semaphore, false, CLOCK_REALTIME, NULL);
}

LC_SCHEDULE_EXPORT int
sem_trywait (sem_t *semaphore)
{
  return schedule_take_token (semaphore, true, CLOCK_REALTIME, NULL);
}

LC_SCHEDULE_EXPORT int
sem_timedwait (sem_t *semaphore, const struct timespec *until)
{
  return schedule_take_token (semaphore, false, CLOCK_REALTIME, until);
}

LC_SCHEDULE_EXPORT int
sem_clockwait (sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
  return schedule_take_token (semaphore, false, clock, until);
}

/* --- Barriers and initializations ----------------------------------------------------------------------------- */

/* The C library keeps how many a barrier gathers in its third word. Nobody waits in the real one. */
LC_SCHEDULE_EXPORT int
pthread_barrier_wait (pthread_barrier_t *barrier)
{
  const uint32_t count = ((const uint32_t *)(const void *)barrier)[2];
  struct lc_scheduled *self = lc_replay_is_shared (barrier, LC_CLASS_BARRIER) ? NULL : lc_schedule_enter ();
  bool is_last;

  if (self == NULL)
    return LC_REAL (pthread_barrier_wait) (barrier);
  lc_schedule_point (self, LC_BARRIER);
  is_last = lc_schedule_count (barrier) + 1 >= count;
  if (is_last)
    lc_schedule_wake (barrier, UINT32_MAX);
  else
    lc_schedule_block (self, barrier, -1);
  lc_schedule_done (self, LC_BARRIER);
  lc_schedule_leave (self);
  return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* Waits while another thread initializes: bit 0 of the C library's word says that one does, and bit 1 that it has. */
static void
schedule_await_once (const int *control)
{
  struct lc_scheduled *self = lc_schedule_enter ();

  if (self == NULL)
    return;
  if ((__atomic_load_n (control, __ATOMIC_ACQUIRE) & 2) == 0)
    lc_schedule_point (self, 0);
  while ((__atomic_load_n (control, __ATOMIC_ACQUIRE) & 3) == 1)
    lc_schedule_block (self, control, -1);
  lc_schedule_leave (self);
}

static void
schedule_end_once (const int *control)
{
  struct lc_scheduled *self = lc_schedule_enter ();

  if (self == NULL)
    return;
  lc_schedule_wake (control, UINT32_MAX);
  lc_schedule_leave (self);
}

LC_SCHEDULE_EXPORT int
pthread_once (pthread_once_t *control, void (*routine) (void))
{
  int result;

  schedule_await_once (control);
  result = LC_REAL (pthread_once) (control, routine);
  schedule_end_once (control);
  return result;
}

LC_SCHEDULE_EXPORT void
call_once (once_flag *flag, void (*routine) (void))
{
  const int *control = (const int *)(const void *)flag;

  schedule_await_once (control);
  LC_REAL (call_once) (flag, routine);
  schedule_end_once (control);
}

/* --- Time ----------------------------------------------------------------------------------------------------- */

/* A sleep is over when nobody else can go on, and when its time is over. By chance, all others are so slow that it is
 * over before. */
static bool
schedule_sleep (clockid_t clock, const struct timespec *until, int64_t length)
{
  struct lc_scheduled *self = lc_schedule_enter ();

  if (self == NULL)
    return false;
  lc_schedule_point (self, LC_SLEEP);
  if (!self->is_cancelled && !lc_schedule_toss ())
    lc_schedule_block (self, self, length);
  lc_schedule_wait_out (clock, until);
  lc_schedule_done (self, LC_SLEEP);
  lc_schedule_leave (self);
  if (self->is_cancelled)
    pthread_testcancel ();
  return true;
}

static bool
schedule_sleep_for (int64_t length)
{
  struct timespec until;

  LC_REAL (clock_gettime) (CLOCK_MONOTONIC, &until);
  until.tv_sec += length / 1000000000;
  until.tv_nsec += length % 1000000000;
  if (until.tv_nsec >= 1000000000)
    {
      until.tv_sec++;
      until.tv_nsec -= 1000000000;
    }
  return schedule_sleep (CLOCK_MONOTONIC, &until, length);
}

static bool
schedule_is_length (const struct timespec *time)
{
  return time->tv_sec >= 0 && time->tv_sec < 1000000000 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

static int64_t
schedule_length_of (const struct timespec *time)
{
  return time->tv_sec * INT64_C (1000000000) + time->tv_nsec;
}

LC_SCHEDULE_EXPORT int
nanosleep (const struct timespec *time, struct timespec *left)
{
  if (schedule_is_length (time) && schedule_sleep_for (schedule_length_of (time)))
    return 0;
  return LC_REAL (nanosleep) (time, left);
}

LC_SCHEDULE_EXPORT int
clock_nanosleep (clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
  if (schedule_is_length (time) && (flags & TIMER_ABSTIME) != 0 &&
      schedule_sleep (clock, time, lc_schedule_limit (clock, time)))
    return 0;
  if (schedule_is_length (time) && (flags & TIMER_ABSTIME) == 0 && schedule_sleep_for (schedule_length_of (time)))
    return 0;
  return LC_REAL (clock_nanosleep) (clock, flags, time, left);
}

LC_SCHEDULE_EXPORT int
thrd_sleep (const struct timespec *time, struct timespec *left)
{
  if (schedule_is_length (time) && schedule_sleep_for (schedule_length_of (time)))
    return 0;
  return LC_REAL (thrd_sleep) (time, left);
}

LC_SCHEDULE_EXPORT int
usleep (useconds_t microseconds)
{
  return schedule_sleep_for (microseconds * INT64_C (1000)) ? 0 : LC_REAL (usleep) (microseconds);
}

LC_SCHEDULE_EXPORT unsigned int
sleep (unsigned int seconds)
{
  return schedule_sleep_for (seconds * INT64_C (1000000000)) ? 0 : LC_REAL (sleep) (seconds);
}

LC_SCHEDULE_EXPORT int
sched_yield (void)
{
  struct lc_scheduled *self = lc_schedule_enter ();

  if (self == NULL)
    return (int)LC_REAL (syscall) (SYS_sched_yield);
  lc_schedule_yield (self);
  lc_schedule_leave (self);
  return 0;
}

LC_SCHEDULE_EXPORT void
thrd_yield (void)
{
  sched_yield ();
}
