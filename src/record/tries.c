/* SPDX-License-Identifier: Apache-2.0 */
/* Records successive failed attempts as a single event, whose value is their number. */
#include "recorder.h"

/* Longest pause between two attempts: a thread that does something else for longer is not just trying. */
#define SOON(frequency) ((frequency) / 100000)

static bool
is_one_of_them (const struct lc_thread *thread, const struct lc_event_sync *event, uint16_t operation, uint32_t object,
                uint64_t begin)
{
  return (const unsigned char *)(event + 1) == thread->next && event->operation == operation &&
         event->object == object && event->flags == 0 && begin >= thread->last &&
         begin - thread->last <= SOON (lc_control->frequency) && LC_VALUE (event->sequence_value) < LC_VALUE_MAX;
}

/*
 * Extends the event, which readers may already see, and which may be the last one if the program is killed now. So each
 * word is written by a single store, the end first: the begin may be too late for a moment, but never lies before the
 * end of the previous event. The event ends where the last attempt began, whose clock has already been read.
 */
static void
tries_extend (struct lc_event_sync *event, uint64_t end, uint16_t cpu)
{
  const uint64_t begin = event->end - event->duration, tries = LC_VALUE (event->sequence_value);
  uint64_t *time =
      (uint64_t *)(void *)((unsigned char *)event + offsetof (struct lc_event_sync, object) + sizeof event->object);

  event->cpu = cpu;
  __atomic_store_n (&event->end, end, __ATOMIC_RELEASE);
  __atomic_store_n (time, lc_event_time (end - begin, 0), __ATOMIC_RELEASE);
  __atomic_store_n (&event->sequence_value, lc_word (0, tries == 0 ? 2 : tries + 1), __ATOMIC_RELEASE);
}

/* False: the caller must append an event, which also writes those that signal handlers have deferred. */
bool
lc_failed_again (struct lc_thread *thread, uint16_t operation, uint32_t object, uint64_t begin)
{
  if (LC_UNLIKELY (thread->state))
    return false;
  thread->state = LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  /* A signal handler may have come before the state was set. */
  if (thread->failed_events != thread->events || !is_one_of_them (thread, thread->failed, operation, object, begin))
    {
      thread->state = 0;
      return false;
    }
  tries_extend (thread->failed, begin, (uint16_t)*thread->cpu);
  thread->last = begin;
  LC_COMPILER_BARRIER ();
  thread->state = 0;
  LC_COMPILER_BARRIER ();
  if (LC_UNLIKELY (thread->deferred != thread->deferred_done))
    lc_append_deferred (thread);
  return true;
}
