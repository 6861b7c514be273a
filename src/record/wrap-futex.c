/* SPDX-License-Identifier: Apache-2.0 */
/* Futexes, by the C library's function `syscall`: what libraries build their own locks of. */
#include "wrap-futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "dispatch.h"
#include "real.h"
#include "wake-ups.h"

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

enum
{
  MOST_WATCHES = 128, /* of futex_waitv */
};

/* An element of the array that futex_waitv is given: older headers do not have it. */
struct futex_waiter
{
  uint64_t value;
  uint64_t address;
  uint32_t flags;
  uint32_t reserved;
};

/* A futex that a thread is about to sleep at. */
struct futex_watch
{
  struct lc_slot *slot;
  uint64_t before; /* the number of the last wake before the wait */
  uint64_t last;   /* that of the last wake before its end */
  uint32_t object;
  uint32_t mask;
};

/* What has ended a wait. */
struct futex_cause
{
  uint64_t number;     /* of the wake; 0: none is known */
  uint32_t candidates; /* how many wakes can have been it */
};

/* --- The wakes of a futex ---------------------------------------------------------------------------------- */

/* A signal handler may come while the lock is held, and must then leave the futexes alone. */
static struct lc_wake_ups *
futex_lock (struct lc_thread *thread, const struct lc_slot *slot)
{
  struct lc_wake_ups *wake_ups = lc_wake_ups_of (slot);

  if (wake_ups == NULL)
    return NULL;
  thread->is_numbering = true;
  LC_COMPILER_BARRIER ();
  lc_wake_ups_lock (wake_ups);
  return wake_ups;
}

static void
futex_unlock (struct lc_thread *thread, struct lc_wake_ups *wake_ups)
{
  lc_wake_ups_unlock (wake_ups);
  LC_COMPILER_BARRIER ();
  thread->is_numbering = false;
}

static inline bool
futex_is_after (const struct lc_futex_wake *wake, uint64_t before)
{
  return wake->mask != 0 && (int32_t)(wake->number - (uint32_t)before) > 0;
}

static inline uint16_t
futex_limit (uint64_t count)
{
  return count < UINT16_MAX ? (uint16_t)count : UINT16_MAX;
}

/* Nobody can be given this wake any more. */
static inline void
futex_tidy (struct lc_futex_wake *wake)
{
  if (wake->is_over && (wake->taken >= wake->most || wake->waiting == 0))
    wake->mask = 0;
}

/* Takes a free entry, or that of the oldest wake. */
static struct lc_futex_wake *
futex_entry (struct lc_wake_ups *wake_ups, uint32_t number)
{
  struct lc_futex_wake *oldest = &wake_ups->wakes[0];

  for (size_t i = 0; i < LC_FUTEX_WAKES; i++)
    {
      struct lc_futex_wake *wake = &wake_ups->wakes[i];

      if (wake->mask == 0)
        return wake;
      if (number - wake->number > number - oldest->number)
        oldest = wake;
    }
  return oldest;
}

static void
futex_watch_begin (struct lc_thread *thread, struct futex_watch *watch)
{
  struct lc_wake_ups *wake_ups = futex_lock (thread, watch->slot);

  watch->object = watch->slot->id;
  if (wake_ups == NULL)
    return;
  watch->slot->taken++;
  watch->before = watch->last = watch->slot->sequence;
  futex_unlock (thread, wake_ups);
}

/* Called before the end of a wait is read from the clock: a wake that is numbered later did not end it, though it may
 * begin before the thread looks for the one that did. */
static void
futex_watches_see_last (struct futex_watch *watches, int n)
{
  for (int i = 0; i < n; i++)
    watches[i].last = __atomic_load_n (&watches[i].slot->sequence, __ATOMIC_ACQUIRE);
}

static inline bool
futex_is_within (const struct lc_futex_wake *wake, const struct futex_watch *watch)
{
  return futex_is_after (wake, watch->before) && !futex_is_after (wake, watch->last) && (wake->mask & watch->mask) != 0;
}

/*
 * Gives a wait the first of the wakes that can have ended it, as the system wakes those first who sleep longest. That
 * is certain if no other one can have been it; or if the first one has woken as many as are still waiting since before
 * it, for then it has woken all of them.
 */
static struct futex_cause
futex_find_wake (struct lc_wake_ups *wake_ups, const struct futex_watch *watch)
{
  struct lc_futex_wake *first = NULL;
  uint32_t candidates = 0;
  bool is_uncertain = false;

  for (size_t i = 0; i < LC_FUTEX_WAKES; i++)
    {
      struct lc_futex_wake *wake = &wake_ups->wakes[i];

      if (!futex_is_within (wake, watch) || wake->taken >= wake->most)
        continue;
      candidates++;
      is_uncertain |= wake->is_uncertain != 0;
      if (first == NULL || (int32_t)(wake->number - first->number) < 0)
        first = wake;
    }
  if (first == NULL)
    return (struct futex_cause){0};
  is_uncertain |= candidates > 1 && (!first->is_over || first->most - first->taken != first->waiting);
  first->taken++;
  for (size_t i = 0; is_uncertain && i < LC_FUTEX_WAKES; i++)
    if (futex_is_within (&wake_ups->wakes[i], watch))
      wake_ups->wakes[i].is_uncertain = true;
  return (struct futex_cause){watch->before + (uint32_t)(first->number - (uint32_t)watch->before), !is_uncertain ? 1
                                                                                                   : candidates > 1
                                                                                                       ? candidates
                                                                                                       : 2};
}

static struct futex_cause
futex_watch_end (struct lc_thread *thread, struct futex_watch *watch, bool woken)
{
  struct lc_wake_ups *wake_ups;
  struct futex_cause cause = {0};

  /* This may be a child, forked by a signal handler, that has given the slot to another object. */
  if (watch->slot->id != watch->object || (wake_ups = futex_lock (thread, watch->slot)) == NULL)
    return cause;
  if (woken)
    cause = futex_find_wake (wake_ups, watch);
  watch->slot->taken--;
  for (size_t i = 0; i < LC_FUTEX_WAKES; i++)
    if (futex_is_after (&wake_ups->wakes[i], watch->before))
      {
        if (wake_ups->wakes[i].waiting > 0)
          wake_ups->wakes[i].waiting--;
        futex_tidy (&wake_ups->wakes[i]);
      }
  futex_unlock (thread, wake_ups);
  return cause;
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

struct futex_wait
{
  struct lc_thread *thread;
  struct futex_watch *watches;
  int n_watches;
  uint64_t begin;
  long number;
  const unsigned long *arguments;
  uint8_t flags; /* of its event, as the call tells: trapped or not */
  long result;
};

static int
futex_call (void *data)
{
  struct futex_wait *wait = data;
  const unsigned long *arguments = wait->arguments;

  wait->result = LC_REAL (syscall) (wait->number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                                    arguments[5]);
  return 0;
}

/* Ends the wait at all futexes, at one of which it may have been woken. */
static struct futex_cause
futex_leave (const struct futex_wait *wait, int woken)
{
  struct futex_cause cause = {0};

  for (int i = 0; i < wait->n_watches; i++)
    {
      struct futex_cause found = futex_watch_end (wait->thread, &wait->watches[i], i == woken);

      cause = i == woken ? found : cause;
    }
  return cause;
}

static void
futex_cancelled (void *data)
{
  const struct futex_wait *wait = data;
  uint64_t end = lc_now_after ();

  lc_unblock (wait->thread);
  futex_leave (wait, -1);
  lc_append (wait->thread, LC_FUTEX_WAIT_FAILED, wait->watches[0].object, LC_EVENT_CANCELLED | wait->flags, 0,
             wait->begin, end);
}

/* Records a wait that has slept. One that found the word changed, or was refused, has not. */
static void
futex_record_wait (const struct futex_wait *wait, int woken, uint64_t end)
{
  struct lc_thread *thread = wait->thread;
  const int error = errno;
  const struct futex_cause cause = futex_leave (wait, wait->result >= 0 ? woken : -1);

  if (wait->result >= 0)
    lc_append (thread, LC_FUTEX_WAIT, wait->watches[woken].object,
               (uint8_t)((cause.number == 0 ? LC_EVENT_UNKNOWN : 0) | wait->flags),
               lc_word (cause.number, cause.candidates), wait->begin, end);
  else if (error == ETIMEDOUT || error == EINTR)
    lc_append (thread, LC_FUTEX_WAIT_FAILED, wait->watches[0].object,
               (uint8_t)((error == ETIMEDOUT ? LC_EVENT_TIMED_OUT : LC_EVENT_INTERRUPTED) | wait->flags), 0,
               wait->begin, end);
  else
    thread->waiting_site = 0;
  errno = error;
}

/* Carries out a call that may sleep at these futexes. */
static long
futex_sleep (struct futex_wait *wait)
{
  int error = errno, woken = 0;
  uint64_t end;

  wait->begin = lc_now ();
  for (int i = 0; i < wait->n_watches; i++)
    futex_watch_begin (wait->thread, &wait->watches[i]);
  lc_block (wait->thread, LC_FUTEX_WAIT, wait->watches[0].object, 0, wait->begin);
  errno = error;
  lc_call_cancellable (wait->thread, futex_call, wait, futex_cancelled, wait);
  futex_watches_see_last (wait->watches, wait->n_watches);
  end = lc_now_after ();
  lc_unblock (wait->thread);
  if (wait->n_watches > 1 && wait->result >= 0 && wait->result < wait->n_watches)
    woken = (int)wait->result;
  futex_record_wait (wait, woken, end);
  return wait->result;
}

static inline struct lc_slot *
futex_slot (struct lc_thread *thread, unsigned long address, bool is_private)
{
  return lc_object (thread, (const void *)address, LC_CLASS_FUTEX, is_private ? LC_KIND_PLAIN : LC_KIND_SHARED);
}

static long
futex_pass (long number, const unsigned long arguments[6])
{
  return LC_REAL (syscall) (number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

static long
futex_wait_at (struct lc_thread *thread, const unsigned long arguments[6], uint32_t mask, uint8_t flags)
{
  struct futex_watch watch = {.mask = mask};
  struct futex_wait wait = {thread, &watch, 1, 0, SYS_futex, arguments, flags, 0};
  int error = errno;

  watch.slot = futex_slot (thread, arguments[0], (arguments[1] & FUTEX_PRIVATE_FLAG) != 0);
  errno = error;
  return watch.slot != NULL ? futex_sleep (&wait) : futex_pass (SYS_futex, arguments);
}

/* --- Waking ------------------------------------------------------------------------------------------------ */

struct futex_wake
{
  struct lc_slot *slot;
  uint64_t number;
  uint64_t at;
  uint64_t woken;
};

/* Numbers a wake before it can be seen. It is remembered only if somebody waits whom it may wake. */
static void
futex_wake_begin (struct lc_thread *thread, struct futex_wake *wake, uint64_t most, uint32_t mask)
{
  struct lc_wake_ups *wake_ups = futex_lock (thread, wake->slot);

  wake->at = lc_now ();
  if (wake_ups == NULL)
    return;
  wake->number = wake->slot->sequence + 1;
  __atomic_store_n (&wake->slot->sequence, wake->number, __ATOMIC_RELEASE);
  if (wake->slot->taken > 0 && mask != 0 && most > 0)
    *futex_entry (wake_ups, (uint32_t)wake->number) =
        (struct lc_futex_wake){.number = (uint32_t)wake->number,
                               .mask = mask,
                               .most = futex_limit (most),
                               .waiting = futex_limit (wake->slot->taken)};
  futex_unlock (thread, wake_ups);
}

/* Notes how many were woken; those who were given the wake meanwhile count as such. */
static void
futex_wake_end (struct lc_thread *thread, struct futex_wake *wake, uint64_t woken)
{
  struct lc_wake_ups *wake_ups = futex_lock (thread, wake->slot);

  wake->woken = woken;
  if (wake_ups == NULL)
    return;
  for (size_t i = 0; i < LC_FUTEX_WAKES; i++)
    {
      struct lc_futex_wake *entry = &wake_ups->wakes[i];

      if (entry->mask == 0 || entry->number != (uint32_t)wake->number)
        continue;
      if (entry->taken > woken)
        wake->woken = entry->taken;
      entry->is_over = true;
      entry->most = futex_limit (woken);
      futex_tidy (entry);
    }
  futex_unlock (thread, wake_ups);
}

/* Returns how many threads the first futex of such a call has woken, as its result tells. */
static uint64_t
futex_woken (unsigned int operation, const unsigned long arguments[6], long result)
{
  if (result < 0)
    return 0;
  if (operation == FUTEX_UNLOCK_PI) /* the system is asked only when somebody sleeps */
    return 1;
  if (operation == FUTEX_REQUEUE || operation == FUTEX_CMP_REQUEUE || operation == FUTEX_CMP_REQUEUE_PI)
    return (uint64_t)result < (uint32_t)arguments[2] ? (uint64_t)result : (uint32_t)arguments[2];
  return (uint64_t)result;
}

/* The event says when the call began, for those whom it has woken may go on before it returns. A call that has woken
 * nobody is none. */
static long
futex_wake_at (struct lc_thread *thread, const unsigned long arguments[6], unsigned int operation, uint32_t mask,
               uint8_t flags)
{
  const bool is_private = (arguments[1] & FUTEX_PRIVATE_FLAG) != 0;
  const uint64_t most = operation == FUTEX_UNLOCK_PI ? 1 : (uint32_t)arguments[2];
  struct futex_wake wakes[2] = {{.slot = futex_slot (thread, arguments[0], is_private)}};
  int error = errno, after;
  long result;

  if (operation == FUTEX_WAKE_OP)
    wakes[1].slot = futex_slot (thread, arguments[4], is_private);
  for (int i = 0; i < 2; i++)
    if (wakes[i].slot != NULL)
      futex_wake_begin (thread, &wakes[i], i == 0 ? most : (uint32_t)arguments[3], mask);
  errno = error;
  result = futex_pass (SYS_futex, arguments);
  after = errno;
  for (int i = 0; i < 2; i++)
    if (wakes[i].slot != NULL)
      {
        futex_wake_end (thread, &wakes[i], futex_woken (operation, arguments, result));
        if (wakes[i].woken > 0)
          lc_append_at (thread, lc_stack (thread), LC_FUTEX_WAKE, wakes[i].slot->id, flags,
                        lc_word (wakes[i].number, wakes[i].woken), wakes[0].at, wakes[0].at);
      }
  errno = after;
  return result;
}

/* --- Within other operations ------------------------------------------------------------------------------- */

/* The number of those who sleep there within an operation that is recorded itself; its slot may have no record. */
static uint64_t *
futex_hidden (struct lc_thread *thread, unsigned long address)
{
  struct lc_slot *slot = lc_slot_at (thread, (const void *)address, LC_CLASS_FUTEX);

  return slot != NULL ? &slot->owner : NULL;
}

/* The number may have become 0 meanwhile, because the object was recorded. */
static void
futex_unhide (uint64_t *hidden)
{
  uint64_t number = __atomic_load_n (hidden, __ATOMIC_RELAXED);

  while (number > 0 &&
         !__atomic_compare_exchange_n (hidden, &number, number - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

long
lc_futex_within (struct lc_thread *thread, unsigned long arguments[6])
{
  const int error = errno;
  uint64_t *hidden = futex_hidden (thread, arguments[0]);
  long result;

  errno = error;
  if (hidden != NULL)
    __atomic_fetch_add (hidden, 1, __ATOMIC_SEQ_CST);
  result = futex_pass (SYS_futex, arguments);
  if (hidden != NULL)
    futex_unhide (hidden);
  return result;
}

/* Tells whether all who sleep there do so within operations that are recorded themselves, as the wake then is. */
static bool
futex_is_hidden (struct lc_thread *thread, unsigned long address)
{
  const uint64_t *hidden = futex_hidden (thread, address);

  return hidden != NULL && __atomic_load_n (hidden, __ATOMIC_SEQ_CST) > 0 &&
         lc_slot_at (thread, (const void *)address, LC_CLASS_FUTEX)->taken == 0;
}

/* --- The calls --------------------------------------------------------------------------------------------- */

/* Returns the calling thread, if it records futexes and has not been interrupted while it held one's wake-ups. */
static struct lc_thread *
futex_enter (void)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_FUTEX);

  if (thread == NULL || LC_LIKELY (!thread->is_numbering))
    return thread;
  lc_count_lost (thread, LC_LOST_SIGNAL);
  return NULL;
}

long
lc_futex (unsigned long arguments[6], uint8_t flags)
{
  const unsigned int operation = (unsigned int)arguments[1] & (unsigned int)FUTEX_CMD_MASK;
  struct lc_thread *thread = futex_enter ();

  if (thread == NULL)
    return futex_pass (SYS_futex, arguments);
  switch (operation)
    {
    case FUTEX_WAIT:
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_WAIT_REQUEUE_PI:
      return futex_wait_at (thread, arguments, FUTEX_BITSET_MATCH_ANY, flags);
    case FUTEX_WAIT_BITSET:
      return futex_wait_at (thread, arguments, (uint32_t)arguments[5], flags);
    case FUTEX_WAKE:
    case FUTEX_WAKE_OP:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_CMP_REQUEUE_PI:
    case FUTEX_UNLOCK_PI:
      if (lc_dispatch_is_on && futex_is_hidden (thread, arguments[0]))
        return futex_pass (SYS_futex, arguments);
      return futex_wake_at (thread, arguments, operation, FUTEX_BITSET_MATCH_ANY, flags);
    case FUTEX_WAKE_BITSET:
      if (lc_dispatch_is_on && futex_is_hidden (thread, arguments[0]))
        return futex_pass (SYS_futex, arguments);
      return futex_wake_at (thread, arguments, operation, (uint32_t)arguments[5], flags);
    default:
      return futex_pass (SYS_futex, arguments);
    }
}

/* Called with a number of futexes that the system takes, so that the array is on the stack of no other call. */
static __attribute__ ((noinline)) long
futex_wait_at_many (struct lc_thread *thread, const unsigned long arguments[6], uint8_t flags)
{
  const struct futex_waiter *waiters = (const void *)arguments[0];
  struct futex_watch watches[MOST_WATCHES];
  struct futex_wait wait = {thread, watches, (int)arguments[1], 0, SYS_futex_waitv, arguments, flags, 0};

  for (int i = 0; i < wait.n_watches; i++)
    {
      watches[i] = (struct futex_watch){.mask = FUTEX_BITSET_MATCH_ANY};
      watches[i].slot = futex_slot (thread, waiters[i].address, (waiters[i].flags & FUTEX_PRIVATE_FLAG) != 0);
      if (watches[i].slot == NULL)
        return futex_pass (SYS_futex_waitv, arguments);
    }
  return futex_sleep (&wait);
}

long
lc_futex_waitv (unsigned long arguments[6], uint8_t flags)
{
  struct lc_thread *thread = futex_enter ();

  if (thread == NULL || arguments[0] == 0 || arguments[1] == 0 || arguments[1] > MOST_WATCHES)
    return futex_pass (SYS_futex_waitv, arguments);
  return futex_wait_at_many (thread, arguments, flags);
}
