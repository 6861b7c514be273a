/* SPDX-License-Identifier: Apache-2.0 */
/* Records successive failed attempts, and tests of requests in vain, as a single event that has their number. */
#include "hooks.h"
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

/* --- Requests and probes ------------------------------------------------------------------------------------- */

/* A test of a request, or a probe, as a row of them knows it. */
struct tries_asked
{
  uint64_t sequence;
  uint32_t object;
  uint16_t operation;
};

/*
 * Tests in vain, one soon after the other, are the way in which a program waits for one of several requests. They are
 * one event for each request: the last of those takes all further tests of any of them, and becomes the complete of the
 * one that is over at last.
 */
static __thread struct
{
  struct tries_asked asked[LC_TRIES_ASKED];
  unsigned int n_asked;
  struct lc_event_sync *last; /* while the thread has so many events, and it is the last of them */
  size_t size;
  uint64_t events;
} row __attribute__ ((tls_model ("initial-exec")));

static bool
tries_has_asked (const struct lc_finished *event)
{
  for (unsigned int i = 0; i < row.n_asked; i++)
    if (row.asked[i].operation == event->operation && row.asked[i].object == event->object &&
        row.asked[i].sequence == event->sequence)
      return true;
  return false;
}

/* What was not known yet while it was tested may be what has come. */
static bool
tries_have_brought (const struct lc_finished *event)
{
  for (unsigned int i = 0; i < row.n_asked; i++)
    if (row.asked[i].object == 0 || (row.asked[i].object == event->object && row.asked[i].sequence == event->sequence))
      return true;
  return false;
}

static bool
tries_goes_on (const struct lc_thread *thread, uint64_t begin)
{
  return row.n_asked > 0 && row.events == thread->events && (unsigned char *)row.last + row.size == thread->next &&
         begin >= thread->last && begin - thread->last <= SOON (lc_control->frequency);
}

/* The number of tests stands where a message, or a collective operation, has its bytes. */
static void
tries_count (struct lc_event_sync *event, size_t size)
{
  const uint64_t word = event->sequence_value, tries = LC_MESSAGE_BYTES (word);
  uint64_t *bytes = (uint64_t *)(void *)((unsigned char *)event + sizeof *event);

  if (size > sizeof *event)
    __atomic_store_n (bytes, event->flags & LC_EVENT_CONTENDED ? *bytes + 1 : 2, __ATOMIC_RELEASE);
  else if ((event->flags & LC_EVENT_CONTENDED) == 0)
    __atomic_store_n (&event->sequence_value, lc_message_word (LC_MESSAGE_SEQUENCE (word), 2), __ATOMIC_RELEASE);
  else if (tries < UINT32_MAX)
    __atomic_store_n (&event->sequence_value, lc_message_word (LC_MESSAGE_SEQUENCE (word), tries + 1),
                      __ATOMIC_RELEASE);
}

/* As tries_extend: the end is written first. Of a call that tests several requests only the first counts. */
static void
tries_extend_row (struct lc_thread *thread, uint64_t begin, uint64_t end)
{
  struct lc_event_sync *event = row.last;
  const uint64_t first = event->end - event->duration;
  uint64_t *time =
      (uint64_t *)(void *)((unsigned char *)event + offsetof (struct lc_event_sync, object) + sizeof event->object);

  if (begin == end && end == thread->last)
    return;
  event->cpu = (uint16_t)*thread->cpu;
  __atomic_store_n (&event->end, end, __ATOMIC_RELEASE);
  tries_count (event, row.size);
  __atomic_store_n (time, lc_event_time (end - first, event->flags | LC_EVENT_CONTENDED), __ATOMIC_RELEASE);
  thread->last = end;
}

bool
lc_test_failed_again (struct lc_thread *thread, const struct lc_finished *event, uint64_t begin, uint64_t end)
{
  bool goes_on;

  if (LC_UNLIKELY (thread->state))
    return false;
  thread->state = LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  goes_on = tries_goes_on (thread, begin);
  if (!goes_on)
    row.n_asked = 0;
  goes_on = goes_on && tries_has_asked (event);
  if (goes_on)
    tries_extend_row (thread, begin, end);
  LC_COMPILER_BARRIER ();
  thread->state = 0;
  LC_COMPILER_BARRIER ();
  if (LC_UNLIKELY (thread->deferred != thread->deferred_done))
    lc_append_deferred (thread);
  return goes_on;
}

void
lc_test_has_failed (struct lc_thread *thread, const struct lc_finished *event, uint64_t events, size_t size)
{
  struct lc_event_sync *last = lc_last_event (thread, size);

  if (thread->events != events + 1 || last == NULL || row.n_asked == LC_TRIES_ASKED)
    {
      row.n_asked = 0;
      return;
    }
  row.asked[row.n_asked++] = (struct tries_asked){event->sequence, event->object, event->operation};
  row.last = last;
  row.size = size;
  row.events = thread->events;
}

/* The operation and the object are written last: until then it is a test in vain, which orders nothing. */
static void
tries_complete (struct lc_thread *thread, const struct lc_finished *finished, uint64_t end)
{
  struct lc_event_sync *event = row.last;
  const uint64_t what =
      (uint64_t)finished->operation | (uint64_t)(uint16_t)*thread->cpu << 16 | (uint64_t)finished->object << 32;
  const uint64_t first = event->end - event->duration;
  const bool is_collective = row.size > sizeof *event;
  unsigned char *to = (unsigned char *)event;

  __atomic_store_n (&event->end, end, __ATOMIC_RELEASE);
  if (is_collective)
    __atomic_store_n (&((struct lc_event_collective *)(void *)event)->bytes, finished->bytes, __ATOMIC_RELEASE);
  __atomic_store_n (&event->sequence_value,
                    is_collective ? lc_word (finished->sequence, finished->value)
                                  : lc_message_word (finished->sequence, finished->bytes),
                    __ATOMIC_RELEASE);
  __atomic_store_n ((uint64_t *)(void *)(to + offsetof (struct lc_event_sync, object) + sizeof event->object),
                    lc_event_time (end - first, finished->flags), __ATOMIC_RELEASE);
  __atomic_store_n ((uint64_t *)(void *)(to + offsetof (struct lc_event_sync, operation)), what, __ATOMIC_RELEASE);
  thread->last = end;
}

bool
lc_test_succeeded (struct lc_thread *thread, const struct lc_finished *event, uint64_t begin, uint64_t end, size_t size)
{
  bool ends_row;

  if (row.n_asked == 0)
    return false;
  if (LC_UNLIKELY (thread->state))
    return false;
  thread->state = LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  ends_row = size == row.size && event->object != 0 && tries_goes_on (thread, begin) && tries_have_brought (event);
  if (ends_row)
    tries_complete (thread, event, end);
  row.n_asked = 0;
  LC_COMPILER_BARRIER ();
  thread->state = 0;
  LC_COMPILER_BARRIER ();
  if (LC_UNLIKELY (thread->deferred != thread->deferred_done))
    lc_append_deferred (thread);
  return ends_row;
}

void
lc_tests_end (void)
{
  row.n_asked = 0;
}
