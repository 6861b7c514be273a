/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX semaphores, with and without a name. */
#include <errno.h>
#include <fcntl.h>

#include "real.h"
#include "recorder.h"

LC_EXPORT int
sem_init (sem_t *semaphore, int shared, unsigned int value)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_SEMAPHORE);
  int result = LC_REAL (sem_init) (semaphore, shared, value);

  if (thread != NULL && result == 0)
    lc_object_begin (thread, semaphore, LC_CLASS_SEMAPHORE, LC_KIND_PLAIN, shared != 0, value);
  return result;
}

LC_EXPORT int
sem_destroy (sem_t *semaphore)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_SEMAPHORE);
  int result = LC_REAL (sem_destroy) (semaphore);

  if (thread != NULL && result == 0)
    lc_object_end (thread, semaphore, LC_CLASS_SEMAPHORE);
  return result;
}

/* The semaphore may already be open, here or elsewhere, so it is described as it is found. */
LC_EXPORT sem_t *
sem_open (const char *name, int flags, ...)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_SEMAPHORE);
  unsigned int mode = 0, value = 0;
  sem_t *semaphore;
  va_list arguments;

  va_start (arguments, flags);
  if (flags & O_CREAT)
    {
      mode = va_arg (arguments, unsigned int);
      value = va_arg (arguments, unsigned int);
    }
  va_end (arguments);
  semaphore = LC_REAL (sem_open) (name, flags, mode, value);
  if (thread != NULL && semaphore != SEM_FAILED)
    lc_object (thread, semaphore, LC_CLASS_SEMAPHORE, LC_KIND_NAMED);
  return semaphore;
}

LC_EXPORT int
sem_close (sem_t *semaphore)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_SEMAPHORE);
  int result = LC_REAL (sem_close) (semaphore);

  if (thread != NULL && result == 0)
    lc_object_end (thread, semaphore, LC_CLASS_SEMAPHORE);
  return result;
}

static inline struct lc_slot *
wrap_semaphore_slot_of (struct lc_thread *thread, sem_t *semaphore)
{
  return LC_LIKELY (thread != NULL) ? lc_object (thread, semaphore, LC_CLASS_SEMAPHORE, LC_KIND_PLAIN) : NULL;
}

/* Tells whether a thread sleeps at the semaphore: the upper half of its first word counts them. */
static inline bool
wrap_semaphore_is_awaited (const sem_t *semaphore)
{
  return __atomic_load_n ((const uint64_t *)(const void *)semaphore, __ATOMIC_RELAXED) >> 32 != 0;
}

/*
 * Tokens are numbered in the order of posting, and taken in that order as far as anybody can tell. A post gets its
 * number before its token can be taken, so the k-th wait ends after the begin of the k-th post.
 */
LC_EXPORT int
sem_post (sem_t *semaphore)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_SEMAPHORE);
  struct lc_slot *slot = wrap_semaphore_slot_of (thread, semaphore);
  uint64_t at, token, events;
  bool is_awaited;
  int result;

  if (LC_UNLIKELY (slot == NULL))
    return LC_REAL (sem_post) (semaphore);
  at = lc_now ();
  token = __atomic_add_fetch (&slot->count, 1, __ATOMIC_ACQ_REL);
  is_awaited = wrap_semaphore_is_awaited (semaphore);
  events = thread->events;
  lc_append (thread, LC_POST, slot->id, 0, lc_word (token, 0), at, at);
  result = LC_REAL (sem_post) (semaphore);
  if (LC_UNLIKELY (is_awaited))
    lc_has_woken (thread, events);
  return result;
}

static void
wrap_semaphore_taken (struct lc_thread *thread, struct lc_slot *slot, uint64_t begin, int result, uint8_t flags)
{
  if (LC_LIKELY (result == 0))
    {
      uint64_t token = __atomic_add_fetch (&slot->taken, 1, __ATOMIC_ACQ_REL);

      lc_append (thread, LC_WAIT, slot->id, flags, lc_word (token, 0), begin, lc_now_after ());
      return;
    }
  if (errno == ETIMEDOUT)
    flags |= LC_EVENT_TIMED_OUT;
  else if (errno == EINTR)
    flags |= LC_EVENT_INTERRUPTED;
  lc_append (thread, LC_WAIT_FAILED, slot->id, flags, 0, begin, lc_now_after ());
}

LC_EXPORT int
sem_trywait (sem_t *semaphore)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_SEMAPHORE);
  struct lc_slot *slot = wrap_semaphore_slot_of (thread, semaphore);
  uint64_t begin;
  int result;

  if (slot == NULL)
    return LC_REAL (sem_trywait) (semaphore);
  begin = lc_now ();
  result = LC_REAL (sem_trywait) (semaphore);
  if (result == 0 || errno != EAGAIN)
    wrap_semaphore_taken (thread, slot, begin, result, result == 0 ? LC_EVENT_TRIED : 0);
  else
    lc_append_failed (thread, LC_WAIT_FAILED, slot->id, begin);
  return result;
}

struct blocking
{
  struct lc_thread *thread;
  struct lc_slot *slot;
  uint64_t begin;
  sem_t *semaphore;
  const struct timespec *until;
  clockid_t clock;
  int (*call) (const struct blocking *blocking);
};

static void
wrap_semaphore_cancelled (void *data)
{
  const struct blocking *blocking = data;

  lc_unblock (blocking->thread);
  lc_append (blocking->thread, LC_WAIT_FAILED, blocking->slot->id, LC_EVENT_CONTENDED | LC_EVENT_CANCELLED, 0,
             blocking->begin, lc_now_after ());
}

static int
call_blocking (void *data)
{
  const struct blocking *blocking = data;

  return blocking->call (blocking);
}

static int
wait_on (sem_t *semaphore, int (*call) (const struct blocking *), clockid_t clock, const struct timespec *until,
         bool may_try)
{
  struct blocking blocking = {.semaphore = semaphore, .call = call, .clock = clock, .until = until};
  int result = -1, error = errno;
  uint8_t flags = 0;

  blocking.thread = lc_enter (LC_CLASS_SEMAPHORE);
  blocking.slot = wrap_semaphore_slot_of (blocking.thread, semaphore);
  if (blocking.slot == NULL)
    return call (&blocking);
  /* The real function is a cancellation point even if there is a token, but an attempt is not. */
  pthread_testcancel ();
  blocking.begin = lc_now ();
  if (!may_try || LC_REAL (sem_trywait) (semaphore) != 0)
    {
      errno = error;
      flags = LC_EVENT_CONTENDED;
      lc_block (blocking.thread, lc_pending (LC_WAIT, until), blocking.slot->id, 0, blocking.begin);
      result = lc_call_cancellable (blocking.thread, call_blocking, &blocking, wrap_semaphore_cancelled, &blocking);
      lc_unblock (blocking.thread);
    }
  else
    result = 0;
  wrap_semaphore_taken (blocking.thread, blocking.slot, blocking.begin, result, flags);
  return result;
}

static int
wrap_semaphore_call_wait (const struct blocking *blocking)
{
  return LC_REAL (sem_wait) (blocking->semaphore);
}

static int
wrap_semaphore_call_timedwait (const struct blocking *blocking)
{
  return LC_REAL (sem_timedwait) (blocking->semaphore, blocking->until);
}

static int
wrap_semaphore_call_clockwait (const struct blocking *blocking)
{
  return LC_REAL (sem_clockwait) (blocking->semaphore, blocking->clock, blocking->until);
}

LC_EXPORT int
sem_wait (sem_t *semaphore)
{
  return wait_on (semaphore, wrap_semaphore_call_wait, 0, NULL, true);
}

/* The real functions check the time first, and refuse an invalid one. */
static bool
wrap_semaphore_is_valid (const struct timespec *time)
{
  return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

LC_EXPORT int
sem_timedwait (sem_t *semaphore, const struct timespec *until)
{
  return wait_on (semaphore, wrap_semaphore_call_timedwait, 0, until, wrap_semaphore_is_valid (until));
}

LC_EXPORT int
sem_clockwait (sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
  return wait_on (semaphore, wrap_semaphore_call_clockwait, clock, until,
                  wrap_semaphore_is_valid (until) && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC));
}
