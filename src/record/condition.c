/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns signals and broadcasts to the waits that they end, because the C library does not tell. */
#include <errno.h>

#include "wake-ups.h"
#include "wrap-condition.h"
#include "wrap-mutex.h"

/* Counts the wait while the caller still holds the mutex, so that no signal meant for the wait can come before. Returns
 * the number of wake-ups so far. */
static uint64_t
begin_wait (struct lc_slot *slot)
{
  struct lc_wake_ups *wake_ups = lc_wake_ups_of (slot);
  uint64_t before;

  lc_wake_ups_lock (wake_ups);
  slot->taken++;
  before = slot->sequence;
  lc_wake_ups_unlock (wake_ups);
  return before;
}

static uint64_t
first_after (const uint64_t *numbers, size_t count, uint64_t before)
{
  uint64_t first = 0;

  for (size_t i = 0; i < count; i++)
    if (numbers[i] > before && (first == 0 || numbers[i] < first))
      first = numbers[i];
  return first;
}

/*
 * Finds the wake-up that ended a wait which began after number `before`: the first unused signal since then, or the
 * first broadcast, whichever is earlier. 0: a spurious wake-up.
 */
static uint64_t
end_wait (struct lc_slot *slot, uint64_t before, bool woken)
{
  struct lc_wake_ups *wake_ups = lc_wake_ups_of (slot);
  uint64_t number = 0;

  lc_wake_ups_lock (wake_ups);
  slot->taken--;
  if (woken)
    {
      uint64_t signal = first_after (wake_ups->signals, LC_WAKE_UPS, before);
      uint64_t broadcast = first_after (wake_ups->broadcasts, LC_WAKE_UPS / 2, before);

      number = signal != 0 && (broadcast == 0 || signal < broadcast) ? signal : broadcast;
      if (number == signal)
        for (size_t i = 0; i < LC_WAKE_UPS; i++)
          if (wake_ups->signals[i] == signal)
            wake_ups->signals[i] = 0;
    }
  lc_wake_ups_unlock (wake_ups);
  return number;
}

/* Stores a number in place of the oldest one. */
static void
condition_put (uint64_t *numbers, size_t count, uint64_t number)
{
  size_t oldest = 0;

  for (size_t i = 1; i < count; i++)
    if (numbers[i] < numbers[oldest])
      oldest = i;
  numbers[oldest] = number;
}

void
lc_condition_wake (void *condition, bool all)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_CONDITION);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, condition, LC_CLASS_CONDITION, LC_KIND_PLAIN) : NULL;
  struct lc_wake_ups *wake_ups;
  uint64_t at, number, waiting;

  if (slot == NULL)
    return;
  wake_ups = lc_wake_ups_of (slot);
  lc_wake_ups_lock (wake_ups);
  at = lc_now (); /* after the begin of every wait that this may end */
  number = ++slot->sequence;
  waiting = slot->taken;
  if (waiting > 0)
    condition_put (all ? wake_ups->broadcasts : wake_ups->signals, all ? LC_WAKE_UPS / 2 : LC_WAKE_UPS, number);
  lc_wake_ups_unlock (wake_ups);
  lc_append_at (thread, waiting > 0 ? lc_stack (thread) : lc_site (thread), all ? LC_BROADCAST : LC_SIGNAL, slot->id, 0,
                lc_word (number, waiting), at, at);
}

/* --- The wait ---------------------------------------------------------------------------------------------- */

struct recorded_wait
{
  struct lc_thread *thread;
  struct lc_slot *condition, *mutex; /* NULL: the class is not recorded */
  uint32_t object;                   /* record of the condition: the slot may be another object's after the wait */
  uint64_t begin, before;
};

/* The wait gives the mutex back, unless it is locked more than once. */
static void
give_mutex_back (struct recorded_wait *wait)
{
  if (wait->mutex == NULL || wait->mutex->owner != lc_owner (wait->thread) || wait->mutex->depth > 1)
    wait->mutex = NULL;
  else
    lc_unlocking (wait->thread, wait->mutex);
}

/* Records the end of a wait, in a thread that holds the mutex again, even if it was cancelled. */
static void
end_recorded_wait (struct recorded_wait *wait, bool woken, uint8_t flags, uint8_t lock_flags)
{
  uint64_t end = lc_now_after (), number = 0;

  lc_unblock (wait->thread);
  if (wait->condition != NULL)
    {
      if (wait->condition->id == wait->object || wait->condition->id == 0)
        number = end_wait (wait->condition, wait->before, woken);
      if (woken && number == 0)
        flags |= LC_EVENT_UNKNOWN;
      lc_append (wait->thread, woken ? LC_CONDITION_WAIT : LC_CONDITION_WAIT_FAILED, wait->object, flags,
                 lc_word (number, 0), wait->begin, end);
    }
  if (wait->mutex != NULL)
    {
      wait->mutex->owner = 0;
      lc_locked (wait->thread, wait->mutex, end, LC_EVENT_AGAIN | lock_flags);
    }
}

static void
condition_cancelled (void *data)
{
  end_recorded_wait (data, false, LC_EVENT_CANCELLED, 0);
}

static int
condition_call (void *data)
{
  struct lc_condition_wait *what = data;

  return what->call (what);
}

int
lc_condition_wait (struct lc_condition_wait *what)
{
  struct recorded_wait wait = {.thread = lc_enter (LC_CLASS_CONDITION)};
  bool mutexes = lc_classes >> LC_CLASS_MUTEX & 1;
  int result = 0;

  if (wait.thread == NULL)
    wait.thread = mutexes ? lc_enter (LC_CLASS_MUTEX) : NULL;
  else
    wait.condition = lc_object (wait.thread, what->condition, LC_CLASS_CONDITION, LC_KIND_PLAIN);
  if (wait.thread == NULL)
    return what->call (what);
  if (mutexes)
    wait.mutex = lc_object (wait.thread, what->mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN);
  give_mutex_back (&wait);
  wait.begin = lc_now ();
  if (wait.condition != NULL)
    {
      wait.object = wait.condition->id;
      wait.before = begin_wait (wait.condition);
    }
  lc_block (wait.thread, lc_pending (LC_CONDITION_WAIT, what->until), wait.object, 0, wait.begin);
  result = lc_call_cancellable (wait.thread, condition_call, what, condition_cancelled, &wait);
  if (result == ENOTRECOVERABLE) /* not a result of C11's functions */
    wait.mutex = NULL;
  end_recorded_wait (&wait, what->woken (result), result == what->timed_out ? LC_EVENT_TIMED_OUT : 0,
                     result == EOWNERDEAD ? LC_EVENT_OWNER_DIED : 0);
  return result;
}
